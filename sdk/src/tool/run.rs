//! What a session belongs to: a thread, a run, an agent.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ToolContext;
use crate::id::{AgentId, RunId, ThreadId};
use crate::state::StateSnapshot;

/// The run of an agent that a session belongs to, for tools that log, bill or file by it: see
/// [`SessionOptions::run`](crate::SessionOptions::run) and [`ToolContext::run`].
///
/// ```
/// use toolwright::{Executor, RunIdentity, SessionOptions, ToolRegistry};
///
/// let executor = Executor::new(ToolRegistry::new())?;
/// let run = RunIdentity::new("run-1").with_thread("thread-7").with_agent("writer");
/// let session = executor.session_with("s-1", SessionOptions::new().run(run));
/// let below = SessionOptions::new().run(RunIdentity::new("run-2").with_agent("critic"));
/// let critic = session.sub_session_with("s-1/critic", below);
/// let run = critic.run().expect("it was set");
/// assert_eq!(run.parent().map(|parent| parent.run().as_str()), Some("run-1"));
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunIdentity {
    run: RunId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thread: Option<ThreadId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<Arc<RunIdentity>>,
}

impl RunIdentity {
    /// A run.
    pub fn new(run: impl Into<RunId>) -> Self {
        Self {
            run: run.into(),
            thread: None,
            agent: None,
            parent: None,
        }
    }

    /// Sets the conversation that the run belongs to. Default: that of the run above, if there is one.
    pub fn with_thread(mut self, thread: impl Into<ThreadId>) -> Self {
        self.thread = Some(thread.into());
        self
    }

    /// Sets who runs.
    pub fn with_agent(mut self, agent: impl Into<AgentId>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// Sets the run that has started this one. Default: that of the session above, if there is one.
    pub fn with_parent(mut self, parent: impl Into<Arc<RunIdentity>>) -> Self {
        self.parent = Some(parent.into());
        self
    }

    /// The run.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// The conversation that it belongs to.
    pub fn thread(&self) -> Option<&ThreadId> {
        let of_parent = || self.parent.as_deref().and_then(Self::thread);
        self.thread.as_ref().or_else(of_parent)
    }

    /// Who runs.
    pub fn agent(&self) -> Option<&AgentId> {
        self.agent.as_ref()
    }

    /// The run that has started this one.
    pub fn parent(&self) -> Option<&RunIdentity> {
        self.parent.as_deref()
    }
}

/// What a session was opened with that its calls can see.
#[derive(Clone, Default)]
pub(crate) struct Given {
    pub(crate) run: Option<Arc<RunIdentity>>,
    pub(crate) agent: Option<Arc<dyn Any + Send + Sync>>,
}

impl Given {
    /// Of a session below another: what it was not given is that of the one above.
    pub(crate) fn below(self, above: &Self) -> Self {
        let run = match (self.run, &above.run) {
            (Some(own), Some(above)) if own.parent.is_none() => {
                let mut own = Arc::unwrap_or_clone(own);
                own.parent = Some(Arc::clone(above));
                Some(Arc::new(own))
            }
            (own, above) => own.or_else(|| above.clone()),
        };
        Self {
            run,
            agent: self.agent.or_else(|| above.agent.clone()),
        }
    }
}

/// Without the agent's spec, which may hold anything.
impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given")
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

    /// The run that the call belongs to, if the app has [told](crate::SessionOptions::run).
    pub fn run(&self) -> Option<&RunIdentity> {
        self.session.given.run.as_deref()
    }

    /// What the app says of the agent that makes the call, if it
    /// [says something](crate::SessionOptions::agent_spec) of this type: the very thing, shared.
    pub fn agent_spec<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let agent = self.session.given.agent.as_ref()?;
        Arc::clone(agent).downcast().ok()
    }
}
