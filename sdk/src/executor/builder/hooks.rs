//! The settings of gates and hooks.

use crate::executor::builder::ExecutorBuilder;
use crate::executor::hooks::NamedHook;
use crate::hook::{AfterTool, BeforeTool, ToolGate};

impl ExecutorBuilder {
    /// Adds a gate, which decides on each call before permissions are checked: see [`ToolGate`]. Default: no gates.
    ///
    /// An executor with gates or hooks takes a longer way with each call.
    pub fn gate(mut self, gate: impl ToolGate) -> Self {
        self.hooks.gates.push(NamedHook {
            name: gate.name().to_owned(),
            it: Box::new(gate),
        });
        self
    }

    /// Adds a hook that sees each call before it runs, and may veto or change it: see [`BeforeTool`]. Default: no hooks.
    pub fn before(mut self, hook: impl BeforeTool) -> Self {
        self.hooks.before.push(NamedHook {
            name: hook.name().to_owned(),
            it: Box::new(hook),
        });
        self
    }

    /// Adds a hook that sees the output of each call, and may replace it: see [`AfterTool`]. Default: no hooks.
    pub fn after(mut self, hook: impl AfterTool) -> Self {
        self.hooks.after.push(NamedHook {
            name: hook.name().to_owned(),
            it: Box::new(hook),
        });
        self
    }
}
