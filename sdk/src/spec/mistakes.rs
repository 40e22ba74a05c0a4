//! Mistakes of a tool's author that are found when its schema is drawn.

use std::panic::Location;

/// The declarations that a tool cannot keep, with the place where it was declared.
#[derive(Debug)]
pub(crate) struct Mistakes {
    pub(crate) package: &'static str,
    pub(crate) place: &'static Location<'static>,
    pub(crate) list: Vec<Mistake>,
}

/// A declaration that a tool cannot keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// JSON pointer to the place among the arguments; empty for the arguments as a whole.
    pub(crate) pointer: String,
    /// The mistake there, and how to correct it.
    pub(crate) message: String,
}

impl Mistakes {
    pub(crate) fn new(
        package: &'static str,
        place: &'static Location<'static>,
        list: Vec<Mistake>,
    ) -> Self {
        Self {
            package,
            place,
            list,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Mistake {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }
}
