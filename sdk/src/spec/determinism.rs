//! The determinism of a tool, as it declares it.

use serde::{Deserialize, Serialize};

use super::Effect;

/// The promise of a tool about its output for the same arguments.
///
/// A promise of the tool's author; replay builds on it. A tool that promises nothing is what
/// follows from its effect: see [`Determinism::of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Determinism {
    /// The same arguments give the same output.
    Deterministic,
    /// The same arguments give the same output if the clock and the random numbers that the
    /// executor hands out are the same, and the tool uses no others.
    Bounded,
    /// Nothing is promised.
    NonDeterministic,
}

impl Determinism {
    /// The determinism that follows from an effect: a pure tool is deterministic, any other promises nothing.
    pub const fn of(effect: Effect) -> Self {
        match effect {
            Effect::Pure => Self::Deterministic,
            _ => Self::NonDeterministic,
        }
    }

    /// The name in serialised form: `deterministic`, `bounded` or `non_deterministic`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Bounded => "bounded",
            Self::NonDeterministic => "non_deterministic",
        }
    }
}
