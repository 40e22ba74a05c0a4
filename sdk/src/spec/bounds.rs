//! The limits of a single call, as the tool declares them.

use std::fmt;
use std::time::Duration;

/// The limits of a single call, as the tool declares them; see [`ToolSpec::bounds`](crate::ToolSpec::bounds).
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
    /// The longest time that a call may take.
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The most memory that a call may hold, in bytes.
    pub const fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The most that a call may compute, in the units of the backend that meters it.
    pub const fn fuel(&self) -> Option<u64> {
        self.fuel
    }

    /// The largest output of a call, in bytes. A larger output is cut.
    pub const fn output(&self) -> Option<u64> {
        self.output
    }

    /// Returns true if there is no limit.
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

/// A limit of [`ResourceBounds`] that only a backend which measures calls can enforce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// The memory that a call may hold.
    Memory,
    /// The computation that a call may do.
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
