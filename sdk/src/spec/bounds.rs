//! How much one call of a tool may use, as the tool declares it.

use std::fmt;
use std::time::Duration;

/// How much one call of a tool may use, as the tool declares it; see
/// [`ToolSpec::bounds`](crate::ToolSpec::bounds).
///
/// A bound is enforced or refused, never ignored: an executor that cannot enforce one is not
/// built, and its error is [`BuildProblem::UnenforceableBound`](crate::executor::BuildProblem).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ResourceBounds {
    pub(super) timeout: Option<Duration>,
    pub(super) memory: Option<u64>,
    pub(super) fuel: Option<u64>,
    pub(super) output: Option<u64>,
}

impl ResourceBounds {
    /// How long a call may take.
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// How much memory a call may hold, in bytes.
    pub const fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// How much a call may compute, in the units of the backend that meters it.
    pub const fn fuel(&self) -> Option<u64> {
        self.fuel
    }

    /// How large the output of a call may be, in bytes. What is larger is cut.
    pub const fn output(&self) -> Option<u64> {
        self.output
    }

    /// Whether nothing is bounded.
    pub const fn is_empty(&self) -> bool {
        matches!(
            self,
            Self {
                timeout: None,
                memory: None,
                fuel: None,
                output: None,
            }
        )
    }

    /// The bounds that were declared and that only a metering backend can keep.
    pub(crate) fn metered(&self) -> impl Iterator<Item = Bound> {
        let memory = self.memory.map(|_| Bound::Memory);
        memory.into_iter().chain(self.fuel.map(|_| Bound::Fuel))
    }
}

/// One of the [`ResourceBounds`] that only a backend which measures calls can enforce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// How much memory a call may hold.
    Memory,
    /// How much a call may compute.
    Fuel,
}

impl Bound {
    /// The name: `memory` or `fuel`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Fuel => "fuel",
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
