//! The report about a tool that is not what it declares.

use std::fmt;

use super::differ::differing;
use crate::executor::BuildError;
use crate::id::ToolName;
use crate::spec::Determinism;

/// The reason why a tool is not as deterministic as it declares: the error of
/// [`determinism_check`](super::determinism_check).
///
/// `Display` shows both outputs, cut to where they begin to differ.
#[derive(Clone)]
pub struct NotDeterministic {
    pub(super) tool: ToolName,
    pub(super) why: Why,
}

crate::util::error_text::debug_as_text!(NotDeterministic);

#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Why {
    /// It declares nothing that could be checked.
    #[error(
        "declares itself non-deterministic, and so there is nothing to check: \
         `determinism = deterministic` or `determinism = bounded` declares more"
    )]
    Nothing,
    #[error("could not be run: {0}")]
    NotBuilt(BuildError),
    #[error("{}", told(*declared, *case, *run, first, other))]
    Differs {
        declared: Determinism,
        case: usize,
        run: u32,
        first: String,
        other: String,
    },
}

impl NotDeterministic {
    /// The number of the case that gave two outputs, from 0.
    pub fn case(&self) -> Option<usize> {
        match &self.why {
            Why::Differs { case, .. } => Some(*case),
            _ => None,
        }
    }

    /// The outputs of the first run of a case, and of the first run that gave another one.
    pub fn outputs(&self) -> Option<(&str, &str)> {
        match &self.why {
            Why::Differs { first, other, .. } => Some((first, other)),
            _ => None,
        }
    }
}

impl fmt::Display for NotDeterministic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.tool, self.why)
    }
}

fn told(declared: Determinism, case: usize, run: u32, first: &str, other: &str) -> String {
    let (declared, case, run) = (declared.as_str(), case + 1, run + 1);
    let (first, other) = differing(first, other);
    format!(
        "declares itself {declared}, and case {case} gave two outputs:\n  \
         run 1: {first}\n  run {run}: {other}"
    )
}

impl std::error::Error for NotDeterministic {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.why {
            Why::NotBuilt(error) => Some(error),
            _ => None,
        }
    }
}
