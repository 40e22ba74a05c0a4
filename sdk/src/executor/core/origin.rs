//! The origins of calls: borrowed, and as small as a pointer and a number, because the future of each call has one.

use std::sync::Arc;

use crate::context::{CallIds, CallTurn, SessionScope};
use crate::executor::core::handles::{Session, Turn};
use crate::executor::core::hold::CoreHold;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::id::{CallId, InvocationId, TurnId};

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

/// The source of what the end of a call needs that waits and has no context.
pub(crate) trait WaitSource {
    type Hold: CoreHold;

    fn hold(&self) -> Self::Hold;

    fn site(&self) -> WaitSite<'_>;
}

/// The site of a call that waits and has no context. The executor's first catalog has its tool.
#[derive(Clone, Copy)]
pub(crate) struct WaitSite<'s> {
    pub(crate) shared: &'s Arc<ExecutorCore>,
    pub(crate) session: &'s Arc<SessionScope>,
    pub(crate) turn: CallTurn<'s>,
    pub(crate) ids: CallIds<'s>,
    /// The number of the tool.
    pub(crate) tool: usize,
}

/// The source of a call that borrows what it needs from its host.
pub(crate) struct LentSource<'a> {
    pub(crate) at: WaitOrigin<'a>,
    pub(crate) call_id: Option<CallId>,
    /// The number of the call in its session.
    pub(crate) count: u64,
}

impl<'a> WaitSource for LentSource<'a> {
    type Hold = &'a Arc<ExecutorCore>;

    fn hold(&self) -> Self::Hold {
        self.at.shared()
    }

    fn site(&self) -> WaitSite<'_> {
        let (session, turn) = (self.at.session(), self.at.turn());
        WaitSite {
            shared: self.at.shared(),
            session,
            turn: turn.map(|turn| &turn.scope).into(),
            ids: CallIds {
                turn: turn.map_or_else(|| TurnId::new(self.count), |turn| turn.id),
                invocation: InvocationId::from_parts(session.prefix, self.count),
                call: self.call_id.as_ref(),
            },
            tool: self.at.tool(),
        }
    }
}
