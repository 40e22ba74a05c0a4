//! The origins of calls: borrowed, and as small as a pointer and a number, because the future of each call has one.

use std::sync::Arc;

use crate::context::SessionScope;
use crate::executor::core::handles::{Session, Turn};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;

/// The origin of a call, with its executor. Its [`CallSite`] is several times as large, and made when the call begins.
#[derive(Clone, Copy)]
pub(crate) enum CallOrigin<'a> {
    /// A turn of its own, in the session of all calls that have none.
    Executor(&'a Arc<ExecutorCore>),
    /// A turn of its own.
    Session(&'a Session),
    Turn(&'a Turn),
    /// The body of another call.
    Tool(&'a (&'a Arc<ExecutorCore>, CallSite<'a>)),
}

impl<'a> CallOrigin<'a> {
    #[inline]
    pub(crate) fn shared(self) -> &'a Arc<ExecutorCore> {
        match self {
            Self::Executor(shared) => shared,
            Self::Tool((shared, _)) => shared,
            Self::Session(session) => &session.executor,
            Self::Turn(turn) => turn.shared(),
        }
    }

    /// Returns the site of a call that begins.
    #[inline]
    pub(crate) fn site(self) -> CallSite<'a> {
        match self {
            Self::Executor(shared) => shared.default_session.single(shared),
            Self::Session(session) => session.core.single(&session.executor),
            Self::Turn(turn) => turn.place(),
            Self::Tool((_, site)) => site.clone(),
        }
    }
}

/// The origin of a call that waits, and the number of its tool: beside a pointer both have room in two words.
#[derive(Clone, Copy)]
pub(crate) enum WaitOrigin<'a> {
    Executor(u32, &'a Arc<ExecutorCore>),
    Session(u32, &'a Session),
    Turn(u32, &'a Turn),
}

impl<'a> WaitOrigin<'a> {
    /// `None` for a call of another tool, whose site does not outlast its begin.
    pub(crate) fn of(at: CallOrigin<'a>, tool: usize) -> Option<Self> {
        let tool = u32::try_from(tool).ok()?;
        match at {
            CallOrigin::Executor(shared) => Some(Self::Executor(tool, shared)),
            CallOrigin::Session(session) => Some(Self::Session(tool, session)),
            CallOrigin::Turn(turn) => Some(Self::Turn(tool, turn)),
            CallOrigin::Tool(_) => None,
        }
    }

    pub(crate) fn tool(self) -> usize {
        let (Self::Executor(tool, _) | Self::Session(tool, _) | Self::Turn(tool, _)) = self;
        tool as usize
    }

    pub(crate) fn shared(self) -> &'a Arc<ExecutorCore> {
        match self {
            Self::Executor(_, shared) => shared,
            Self::Session(_, session) => &session.executor,
            Self::Turn(_, turn) => turn.shared(),
        }
    }

    pub(crate) fn session(self) -> &'a Arc<SessionScope> {
        match self {
            Self::Executor(_, shared) => &shared.default_session.scope,
            Self::Session(_, session) => &session.core.scope,
            Self::Turn(_, turn) => &turn.session.core.scope,
        }
    }

    pub(crate) fn turn(self) -> Option<&'a Turn> {
        match self {
            Self::Executor(..) | Self::Session(..) => None,
            Self::Turn(_, turn) => Some(turn),
        }
    }
}
