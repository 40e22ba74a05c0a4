//! Declarations of a tool that exclude each other.

use std::fmt;

use super::{Determinism, Effect, ToolSpec};

/// Two declarations of a tool that contradict each other, or one that says nothing. `#[tool]` refuses them
/// where they are written, and an executor where they were made by hand:
/// [`BuildProblem::Contradiction`](crate::executor::BuildProblem).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Contradiction {
    /// The effect is [`Pure`](Effect::Pure), and nothing is promised of the output. What touches nothing
    /// outside gives the same for the same.
    PureNonDeterministic,
    /// The effect is [`Pure`](Effect::Pure), and the tool reaches an open world.
    PureOpenWorld,
    /// The effect is [`Pure`](Effect::Pure) or [`ReadOnly`](Effect::ReadOnly), and the tool is
    /// destructive.
    ReadOnlyDestructive,
    /// The effect is [`Pure`](Effect::Pure) or [`ReadOnly`](Effect::ReadOnly), and the hint says that
    /// the tool is not read-only.
    ReadOnlyDenied,
    /// The version is empty or has white space or control characters in it.
    InvalidVersion,
    /// The pool is empty, longer than 64 characters, or has other characters than ASCII letters, digits, `-`, `_`
    /// and `.` in it.
    InvalidPool,
}

/// Describes the declarations that exclude each other.
impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PureNonDeterministic => {
                "the effect `pure` and the determinism `non_deterministic`: what touches nothing outside \
                 gives the same for the same"
            }
            Self::PureOpenWorld => {
                "the effect `pure` and the hint `open_world`: what touches nothing outside reaches no open \
                 world"
            }
            Self::ReadOnlyDestructive => {
                "an effect that changes nothing and the hint `destructive`: what changes nothing destroys \
                 nothing"
            }
            Self::ReadOnlyDenied => {
                "an effect that changes nothing and the hint that it is not `read_only`"
            }
            Self::InvalidVersion => {
                "a version that is none: it is some text without spaces, such as `1.2.0`"
            }
            Self::InvalidPool => {
                "a pool that is none: it is 1 to 64 ASCII letters, digits, `-`, `_` and `.`, such as `gpu`"
            }
        })
    }
}

impl ToolSpec {
    /// The contradictions in the declarations of the tool.
    pub(crate) fn contradictions(&self) -> impl Iterator<Item = Contradiction> + use<> {
        let is_pure = self.effect == Effect::Pure;
        let changes_nothing = self.effect.is_read_only();
        let hints = self.annotations;
        let no_version = |version: &str| {
            version.is_empty() || version.contains(|c: char| c.is_whitespace() || c.is_control())
        };
        let no_pool = |pool: &str| {
            let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !(1..=64).contains(&pool.len()) || !pool.chars().all(is_allowed)
        };
        let found = [
            (
                is_pure && self.determinism == Some(Determinism::NonDeterministic),
                Contradiction::PureNonDeterministic,
            ),
            (
                is_pure && hints.is_open_world(),
                Contradiction::PureOpenWorld,
            ),
            (
                changes_nothing && hints.is_destructive(),
                Contradiction::ReadOnlyDestructive,
            ),
            (
                changes_nothing && hints.read_only() == Some(false),
                Contradiction::ReadOnlyDenied,
            ),
            (
                self.version().is_some_and(no_version),
                Contradiction::InvalidVersion,
            ),
            (self.pool().is_some_and(no_pool), Contradiction::InvalidPool),
        ];
        found
            .into_iter()
            .filter_map(|(is_one, contradiction)| is_one.then_some(contradiction))
    }
}
