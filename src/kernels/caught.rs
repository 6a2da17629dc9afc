//! Panics of libraries that read hostile input: they end the page, not the run.
//!
//! Only for work that changes nothing outside itself; a panic of our own code is a fault of ours
//! and stays one everywhere else.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Whether a panic of this thread is expected and caught.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics that [`caught`] catches off standard error; called once, by the command.
pub fn install_hook() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !IS_CAUGHT.get() {
            before(panic);
        }
    }));
}

/// The outcome of `work`, or the message of its panic.
///
/// For libraries that read hostile input, whose faults must not end a run. What `work` changed
/// outside itself may be half done, so it should change nothing.
///
/// # Errors
///
/// The message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = IS_CAUGHT.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}
