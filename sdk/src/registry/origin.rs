//! The origins of tools.

use std::fmt;
use std::panic::Location;

/// The place where a tool was registered: its `#[tool]`, or the call that added it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    pub(super) package: Option<&'static str>,
    pub(super) file: &'static str,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Origin {
    #[track_caller]
    pub(super) fn caller() -> Self {
        let caller = Location::caller();
        Self {
            package: None,
            file: caller.file(),
            line: caller.line(),
            column: caller.column(),
        }
    }

    /// The place where a tool was declared.
    pub(crate) fn declared(package: &'static str, place: &'static Location<'static>) -> Self {
        Self {
            package: Some(package),
            file: place.file(),
            line: place.line(),
            column: place.column(),
        }
    }

    /// The package whose `#[tool]` it is, for a tool that was discovered. No compiler tells
    /// which package it is that calls, so there is none for a tool that was added by a call.
    pub fn package(&self) -> Option<&str> {
        self.package
    }

    /// The path of the file as rustc was given it: absolute for a package from a registry,
    /// relative to the workspace for its members.
    pub fn file(&self) -> &str {
        self.file
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column, counted from 1.
    pub fn column(&self) -> u32 {
        self.column
    }
}

/// `src/lib.rs:12:1`, or with the package where it is known: `kit, src/lib.rs:12:1`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(package) = self.package {
            write!(f, "{package}, ")?;
        }
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
