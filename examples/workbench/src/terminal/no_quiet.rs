//! The terminal while bars are on it, on systems where it shows what is typed all the same.

/// Never made.
#[derive(Debug)]
pub(crate) enum Quiet {}

impl Quiet {
    pub(crate) fn enter() -> Option<Self> {
        None
    }
}
