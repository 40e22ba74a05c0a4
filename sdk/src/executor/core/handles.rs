//! The handles of a session and of a turn. Their public methods stand in `session` and `turn`.

use std::sync::Arc;

use crate::context::TurnScope;
use crate::executor::catalog::tools::Catalog;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::options::SessionOptions;
use crate::id::{SessionId, TurnId};

/// A conversation or run of a host: see [`Executor::session`](crate::Executor::session).
///
/// Cloning is cheap; all clones are one session.
#[derive(Clone)]
pub struct Session {
    pub(crate) executor: Arc<ExecutorCore>,
    pub(crate) core: Arc<SessionCore>,
}

/// The calls of one message of the model: see [`Session::turn`].
///
/// Cloning is cheap; all clones are one turn.
#[derive(Clone)]
pub struct Turn {
    pub(crate) session: Session,
    pub(crate) id: TurnId,
    pub(crate) scope: Arc<TurnScope>,
    /// `None` means the executor's initial catalog.
    pub(crate) catalog: Option<Arc<Catalog>>,
}

impl Turn {
    /// The same of each call of the turn, with what the executor has.
    pub(crate) fn is_watched(&self) -> bool {
        let core = &self.session.core;
        self.shared().is_watched() || core.source.is_some() || core.scope.is_watched
    }

    pub(crate) fn shared(&self) -> &Arc<ExecutorCore> {
        &self.session.executor
    }
}

impl Session {
    /// Opens a session, perhaps below another one.
    pub(crate) fn open(
        executor: &Arc<ExecutorCore>,
        id: SessionId,
        options: SessionOptions,
        parent: Option<&SessionCore>,
    ) -> Self {
        let core = Arc::new(SessionCore::new(id, options, parent, executor));
        let executor = Arc::clone(executor);
        Self { executor, core }
    }
}
