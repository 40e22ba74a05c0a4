//! Setting up who judges calls: checkers, grants of capabilities, gates and hooks.

use std::sync::Arc;

use crate::executor::builder::ExecutorBuilder;
use crate::executor::hooks::{BeforeHook, NamedHook};
use crate::hook::{AfterTool, BeforeTool, ToolGate};
use crate::permission::{
    AnyChecker, AsyncPermissionChecker, PermissionChecker, PermissionEvaluator,
};
use crate::spec::{CapabilityGrant, InvalidCapability};

impl ExecutorBuilder {
    pub(super) fn judge(&mut self) -> &mut PermissionEvaluator {
        Arc::make_mut(&mut self.planner.judge)
    }

    /// Sets the checker of tools and calls. Default: [`DefaultPolicy`](crate::permission::DefaultPolicy). A session may have
    /// [its own](crate::executor::SessionOptions::permission_checker).
    pub fn permission_checker(mut self, checker: impl PermissionChecker) -> Self {
        self.judge().set_checker(AnyChecker::new(checker));
        self
    }

    /// Sets the checker of tools and calls where verdicts on calls have to be waited for, such as those of a
    /// policy service: see [`AsyncPermissionChecker`]. It takes the place of the
    /// [checker](Self::permission_checker) that was set before. Default: as there.
    pub fn async_permission_checker(mut self, checker: impl AsyncPermissionChecker) -> Self {
        self.judge().set_checker(AnyChecker::new_async(checker));
        self
    }

    /// Grants what the executor's sessions hold: a capability such as `fs:read:/data`, or several
    /// by a wildcard such as `fs:read:*`; see [`CapabilityGrant`]. Default: nothing is granted.
    ///
    /// A tool that requires no capability runs without a grant. The calls of one that requires
    /// some that are not granted are denied before anything else is looked at, with
    /// [`ErrorKind::CapabilityDenied`](crate::content::ErrorKind::CapabilityDenied) and the names of all
    /// that are missing. A session may be given [less](crate::executor::SessionOptions::capabilities).
    ///
    /// A text that is no grant keeps the executor from being built.
    pub fn grant_capability<G>(mut self, grant: G) -> Self
    where
        G: TryInto<CapabilityGrant>,
        G::Error: Into<InvalidCapability>,
    {
        match grant.try_into() {
            Ok(grant) => self.planner.grants.push(grant),
            Err(invalid) => self.invalid_grants.push(invalid.into()),
        }
        self
    }

    /// Adds a gate, which decides on each call before permissions are checked: see [`ToolGate`]. Default: no gates.
    ///
    /// An executor with gates or hooks takes a longer way with each call.
    pub fn gate(mut self, gate: impl ToolGate) -> Self {
        self.hooks.gates.push(NamedHook {
            number: self.hooks.gates.len(),
            name: gate.name().into(),
            it: Box::new(gate),
        });
        self
    }

    /// Adds a hook that sees each call before it runs, and may veto or change it: see [`BeforeTool`]. Default: no hooks.
    pub fn before(mut self, hook: impl BeforeTool) -> Self {
        let number = self.hooks.before.len();
        self.hooks.before.push(BeforeHook::new(number, hook));
        self
    }

    /// Adds a hook that sees the output of each call, and may replace it: see [`AfterTool`]. Default: no hooks.
    pub fn after(mut self, hook: impl AfterTool) -> Self {
        self.hooks.after.push(NamedHook {
            number: self.hooks.after.len(),
            name: hook.name().into(),
            it: Box::new(hook),
        });
        self
    }
}
