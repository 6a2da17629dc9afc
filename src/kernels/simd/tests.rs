//! Every step of every instruction set against its portable twin. No file is read: the tests also
//! run in an emulator of processors that are not at hand.

mod members;
mod signature;
mod text;

use proptest::prelude::*;

use super::{Kernel, Level, dispatch_at};

/// Runs a kernel on every set that is here and wants the portable result from each.
fn agree<K: Kernel<Output: PartialEq + std::fmt::Debug>>(
    kernel: impl Fn() -> K,
) -> Result<(), TestCaseError> {
    let wanted = dispatch_at(Level::Portable, kernel());
    for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
        prop_assert_eq!(&dispatch_at(level, kernel()), &wanted, "{:?}", level);
    }
    Ok(())
}
