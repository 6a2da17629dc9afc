//! The one error type: a kind for code, a sentence for people.
//!
//! A message says where, what was found and what was wanted; it is lower-case, has no full stop
//! and never holds a debug print. A broken promise of our own code is an assertion instead.

use std::error::Error as StdError;
use std::fmt;

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
