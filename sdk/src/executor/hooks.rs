//! The gates and hooks of an executor.

use std::time::Duration;

use super::ExecutorBuilder;
use super::hook_run::RunningHooks;
use crate::hook::{AfterTool, BeforeTool, ToolGate};

/// How long a hook may take unless the host says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// A gate or hook, and what it is called.
pub(super) struct Named<T: ?Sized> {
    pub(super) name: String,
    pub(super) it: Box<T>,
}

/// The gates and hooks of an executor, in the order in which they were added.
pub(super) struct Hooks {
    pub(super) gates: Vec<Named<dyn ToolGate>>,
    pub(super) before: Vec<Named<dyn BeforeTool>>,
    pub(super) after: Vec<Named<dyn AfterTool>>,
    pub(super) timeout: Option<Duration>,
    pub(super) running: RunningHooks,
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            gates: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            timeout: Some(DEFAULT_TIMEOUT),
            running: RunningHooks::default(),
        }
    }
}

impl Hooks {
    pub(super) fn is_empty(&self) -> bool {
        !self.look_before() && self.after.is_empty()
    }

    /// Whether there are any that look at calls before they run.
    pub(super) fn look_before(&self) -> bool {
        !self.gates.is_empty() || !self.before.is_empty()
    }
}

impl ExecutorBuilder {
    /// Adds a gate, which decides on each call before permissions are checked: see [`ToolGate`].
    ///
    /// An executor with gates or hooks takes a longer way with each call.
    pub fn gate(mut self, gate: impl ToolGate) -> Self {
        self.hooks.gates.push(Named {
            name: gate.name().to_owned(),
            it: Box::new(gate),
        });
        self
    }

    /// Adds a hook that sees each call before it runs, and may veto or change it: see [`BeforeTool`].
    pub fn before(mut self, hook: impl BeforeTool) -> Self {
        self.hooks.before.push(Named {
            name: hook.name().to_owned(),
            it: Box::new(hook),
        });
        self
    }

    /// Adds a hook that sees what each call gave, and may change it: see [`AfterTool`].
    pub fn after(mut self, hook: impl AfterTool) -> Self {
        self.hooks.after.push(Named {
            name: hook.name().to_owned(),
            it: Box::new(hook),
        });
        self
    }

    /// Sets how long a hook may take with a call; `None` for as long as it likes. Default: 60 seconds.
    ///
    /// The time counts from when the hook first waits.
    pub fn hook_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.hooks.timeout = timeout.into();
        self
    }
}
