//! The facts that are known of a tool before it is called.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::executor::catalog::foreknown::ToolVerdict;
#[cfg(feature = "json-schema")]
use crate::executor::catalog::output_check::Checker;
use crate::executor::catalog::unequipped::Unequipped;
use crate::message::ToolOutput;
use crate::spec::{Effect, ToolSpec};

/// The facts about a tool before it is called, taken from its spec once.
#[derive(Clone)]
pub(crate) struct ToolPlan {
    pub(crate) foreknown: ToolVerdict,
    pub(crate) timeout: Option<Duration>,
    pub(crate) repeatable: bool,
    /// True if its bodies never wait, so that they run where the call stands.
    pub(crate) never_waits: bool,
    /// True if only its name selects it.
    pub(crate) explicit_only: bool,
    /// The capabilities and resources that calls may lack.
    pub(crate) unequipped: Option<Unequipped>,
    pub(crate) beside: Concurrency,
    /// The permits for calls of it, if their number is limited.
    pub(crate) slots: Option<Arc<Semaphore>>,
    /// The most bytes of an output.
    pub(crate) output: u64,
    /// Judges outputs, where they are judged.
    #[cfg(feature = "json-schema")]
    pub(crate) checker: Option<Arc<Checker>>,
}

/// Beside which other calls of a batch those of a tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concurrency {
    /// No other: it may change what they see.
    Nobody,
    /// Those that only look, as it does itself.
    Readers,
    /// Any: its author says so.
    Anybody,
}

impl Concurrency {
    pub(crate) fn of(spec: &ToolSpec) -> Self {
        match spec.effect() {
            _ if spec.is_concurrent() => Self::Anybody,
            Effect::Pure | Effect::ReadOnly => Self::Readers,
            _ => Self::Nobody,
        }
    }
}

impl ToolPlan {
    /// An output as it may go on.
    #[inline]
    #[cfg_attr(
        not(feature = "json-schema"),
        expect(clippy::unused_self, reason = "nothing is checked without a validator")
    )]
    pub(crate) fn checked(&self, output: ToolOutput) -> ToolOutput {
        #[cfg(feature = "json-schema")]
        if let Some(checker) = &self.checker {
            return checker.checked(output);
        }
        output
    }
}
