//! Sessions and turns: the scopes that calls run in.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;

use super::{Shared, ToolOutcome, pipeline};
use crate::id::{SessionId, TurnId};
use crate::message::ToolCall;
use crate::tool::{Resources, SessionScope, TurnScope};

/// One conversation or run of a host: see [`Executor::session`](super::Executor::session).
///
/// Cloning is cheap; all clones are one session.
#[derive(Clone)]
pub struct Session {
    executor: Arc<Shared>,
    core: Arc<SessionCore>,
}

/// A session without its executor.
pub(super) struct SessionCore {
    pub(super) scope: Arc<SessionScope>,
    turns: AtomicU64,
}

impl SessionCore {
    pub(super) fn new(id: SessionId, resources: Arc<Resources>) -> Self {
        Self {
            scope: Arc::new(SessionScope {
                id,
                resources,
                cancellation: CancellationToken::new(),
            }),
            turns: AtomicU64::new(1),
        }
    }

    pub(super) fn next_turn(&self) -> TurnId {
        TurnId::new(self.turns.fetch_add(1, Ordering::Relaxed))
    }
}

impl Session {
    pub(super) fn open(executor: Arc<Shared>, id: SessionId) -> Self {
        let core = SessionCore::new(id, Arc::clone(&executor.resources));
        Self {
            executor,
            core: Arc::new(core),
        }
    }

    /// The session's id.
    pub fn id(&self) -> &SessionId {
        &self.core.scope.id
    }

    /// Begins a turn: the calls of one message of the model.
    pub fn turn(&self) -> Turn {
        Turn {
            id: self.core.next_turn(),
            scope: Arc::new(TurnScope {
                cancellation: self.core.scope.cancellation.child_token(),
            }),
            session: self.clone(),
        }
    }

    /// Runs one call, as a turn of its own.
    ///
    /// Dropping the future drops the tool where it stands.
    pub async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
        let turn = self.core.next_turn();
        pipeline::run(&self.executor, &self.core.scope, None, turn, call).await
    }

    /// Cancels the session: calls that wait end at once, and no call of it runs any more.
    pub fn cancel(&self) {
        self.core.scope.cancellation.cancel();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({:?})", self.id().as_str())
    }
}

/// The calls of one message of the model: see [`Session::turn`].
///
/// Cloning is cheap; all clones are one turn.
#[derive(Clone)]
pub struct Turn {
    session: Session,
    id: TurnId,
    scope: Arc<TurnScope>,
}

impl Turn {
    /// The turn's id.
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// The turn's session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Runs one call.
    ///
    /// Dropping the future drops the tool where it stands.
    pub async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
        let Session { executor, core } = &self.session;
        pipeline::run(executor, &core.scope, Some(&self.scope), self.id, call).await
    }

    /// Cancels the turn: calls that wait end at once, and no call of it runs any more. The
    /// session's other turns go on.
    pub fn cancel(&self) {
        self.scope.cancellation.cancel();
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({} of {:?})", self.id, self.session.id().as_str())
    }
}
