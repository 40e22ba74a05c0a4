//! The reasons that keep a tool of the app from a session, and the texts about them.

mod feature;
mod role;

use std::fmt;

pub use feature::FeatureGate;
pub(crate) use feature::put;
pub use role::RoleRules;

use super::UnmatchedPattern;
use crate::id::ToolName;

/// The tools of the app that a session does not have, and the settings that have no effect: see
/// [`Session::availability`](crate::Session::availability). This is for the host: models see none of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolAvailability {
    pub(crate) withheld: Vec<(ToolName, UnavailableReason)>,
    pub(crate) unmatched: Vec<UnmatchedPattern>,
    pub(crate) problems: Vec<String>,
}

impl ToolAvailability {
    /// The tools that the session does not have, sorted by name, each with why.
    pub fn withheld(&self) -> impl ExactSizeIterator<Item = (&ToolName, &UnavailableReason)> {
        self.withheld.iter().map(|(tool, why)| (tool, why))
    }

    /// The reason why the session does not have a tool, by its name; `None` if it has the tool, or the tool does not
    /// exist.
    pub fn why(&self, tool: &str) -> Option<&UnavailableReason> {
        let mut withheld = self.withheld();
        withheld.find_map(|(name, why)| (name.as_str() == tool).then_some(why))
    }

    /// The patterns of the session's selector, rules and gates that do nothing.
    pub fn unmatched(&self) -> &[UnmatchedPattern] {
        &self.unmatched
    }

    /// The mistakes of the [checker](crate::executor::SessionOptions::permission_checker) that the session has of its own,
    /// for the executor's tools: see
    /// [`PermissionChecker::problems`](crate::permission::PermissionChecker::problems). Nothing of the executor's
    /// checker, whose mistakes keep it from being built.
    pub fn checker_problems(&self) -> &[String] {
        &self.problems
    }
}

/// The reason why a session does not have a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnavailableReason {
    /// No pattern of the session's [`Selector`](crate::registry::Selector) fits, or the session above has it not.
    NotSelected,
    /// A pattern with `!` takes it away.
    Denied,
    /// It is selected by its name alone, and not named.
    ExplicitOnly,
    /// The session's role never has it: see [`RoleRules::never`].
    ByRole,
    /// A feature is off: see [`FeatureGate`].
    #[non_exhaustive]
    FeatureOff {
        /// The name of the gate.
        feature: String,
        /// The reason why it is closed, for the host.
        reason: String,
    },
}

impl fmt::Display for UnavailableReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSelected => f.write_str("no pattern selects it"),
            Self::Denied => f.write_str("a pattern with `!` takes it away"),
            Self::ExplicitOnly => f.write_str("it is selected by its name alone, and is not named"),
            Self::ByRole => f.write_str("the role never has it"),
            Self::FeatureOff { feature, reason } => {
                write!(f, "the feature `{feature}` is off: {reason}")
            }
        }
    }
}
