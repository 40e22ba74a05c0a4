//! The run that a session belongs to: a thread, a run, an agent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AgentId, RunId, ThreadId};

/// The run of an agent that a session belongs to, for tools that log, bill or file by it: see
/// [`SessionOptions::run`](crate::executor::SessionOptions::run) and [`ToolContext::run`](crate::ToolContext::run).
///
/// ```
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright::executor::SessionOptions;
/// use toolwright::id::RunIdentity;
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

    /// Sets the agent that runs.
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

    /// The agent that runs, if one was set.
    pub fn agent(&self) -> Option<&AgentId> {
        self.agent.as_ref()
    }

    /// The run that has started this one.
    pub fn parent(&self) -> Option<&RunIdentity> {
        self.parent.as_deref()
    }
}
