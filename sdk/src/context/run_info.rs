//! The run that a session belongs to: a thread, a run, an agent.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::tool_context::ToolContext;
use crate::id::RunIdentity;
use crate::state::StateSnapshot;

/// The options of a session that its calls can see.
#[derive(Clone, Default)]
pub(crate) struct RunInfo {
    pub(crate) run: Option<Arc<RunIdentity>>,
    pub(crate) agent: Option<Arc<dyn Any + Send + Sync>>,
}

impl RunInfo {
    /// The options of a session below another: those that it was not given are those of the one above.
    pub(crate) fn child(self, parent: &Self) -> Self {
        let run = match (self.run, &parent.run) {
            (Some(own), Some(parent)) if own.parent().is_none() => {
                let own = Arc::unwrap_or_clone(own);
                Some(Arc::new(own.with_parent(Arc::clone(parent))))
            }
            (own, parent) => own.or_else(|| parent.clone()),
        };
        Self {
            run,
            agent: self.agent.or_else(|| parent.agent.clone()),
        }
    }
}

/// Without the agent's spec, which may hold anything.
impl fmt::Debug for RunInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunInfo")
            .field("run", &self.run)
            .field("agent", &self.agent.is_some())
            .finish()
    }
}

impl ToolContext {
    /// The value of a type in the session's state, as it was when the call began to run: what other
    /// calls, or commands of this one, change meanwhile is not seen. A tool changes the state by the
    /// [commands](crate::ToolOutput::with_command) of its output.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.state.get()
    }

    /// The session's state as it was when the call began to run.
    pub fn state_snapshot(&self) -> &StateSnapshot {
        &self.state
    }

    /// The run that the call belongs to, if the app has [told](crate::executor::SessionOptions::run).
    pub fn run(&self) -> Option<&RunIdentity> {
        self.session.run_info.run.as_deref()
    }

    /// The app's description of the agent that makes the call, if it [set
    /// one](crate::executor::SessionOptions::agent_spec) of this type: the same value, shared.
    pub fn agent_spec<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let agent = self.session.run_info.agent.as_ref()?;
        Arc::clone(agent).downcast().ok()
    }
}
