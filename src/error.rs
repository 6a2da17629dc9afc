//! The one error type: a kind for code, a sentence for people.
//!
//! A message says where, what was found and what was wanted; it is lower-case, has no full stop
//! and never holds a debug print. A broken promise of our own code is an assertion instead.

use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// What a caller can do about an error; it decides the exit code of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The job file, an argument or a query is wrong: correct it and call again.
    Job,
    /// No input row could be admitted.
    Input,
    /// A table does not have the columns it should have.
    Schema,
    /// A check on the output failed; nothing was published.
    Invariant,
    /// Memory or disk ran out.
    Resources,
    /// Another run published first.
    Race,
    /// A store could not be read or written.
    Store,
}

impl Kind {
    /// Exit code of the command: 2 usage, 3 input, 4 audit, 5 resources, 6 race, 7 store.
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::Job => 2,
            Kind::Input => 3,
            Kind::Schema | Kind::Invariant => 4,
            Kind::Resources => 5,
            Kind::Race => 6,
            Kind::Store => 7,
        }
    }
}

/// An error: kind, message, and what caused it.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Result with the error of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// The job file, an argument or a query is wrong.
    pub fn job(message: impl Into<String>) -> Self {
        Self::new(Kind::Job, message)
    }

    /// A table does not have the columns it should have.
    pub fn schema(message: impl Into<String>) -> Self {
        Self::new(Kind::Schema, message)
    }

    /// A check on the output failed.
    pub fn invariant(message: impl Into<String>) -> Self {
        Self::new(Kind::Invariant, message)
    }

    /// A store could not be read or written.
    pub fn store(message: impl Into<String>) -> Self {
        Self::new(Kind::Store, message)
    }

    /// Adds the cause.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What a caller can do about it.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| {
            let source: &(dyn StdError + 'static) = source.as_ref();
            source
        })
    }
}

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
pub fn caught<T>(work: impl FnOnce() -> T) -> std::result::Result<T, String> {
    let before = IS_CAUGHT.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}
