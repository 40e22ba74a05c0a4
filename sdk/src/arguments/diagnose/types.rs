//! The types of a tool's arguments, whatever they are.

use serde_json::Value;

use crate::arguments::refusal::TypeRefusal;
use crate::arguments::strict::{Flags, Tree};

/// Reads an argument by its number.
type ReadArgument<'t> = &'t dyn Fn(usize, Tree<'_, TypeRefusal>, &Flags) -> Result<(), TypeRefusal>;

/// Returns which of some arguments break their constraints, each with true if it takes too much work to
/// find out.
type BrokenArguments<'t> = &'t dyn Fn(&[(usize, &Value)]) -> Vec<(usize, bool)>;

/// The arguments of a tool as its types read them.
pub(crate) struct ArgumentTypes<'t> {
    /// The names, in the order of their declaration; `None` if one type reads all arguments.
    pub(crate) names: Option<&'t [&'static str]>,
    /// Reads one of the arguments, or all of them.
    pub(crate) read: ReadArgument<'t>,
    pub(crate) broken: BrokenArguments<'t>,
}

impl ArgumentTypes<'_> {
    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.names?.iter().position(|own| *own == name)
    }
}
