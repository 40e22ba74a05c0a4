//! The rest of a member of a batch that has begun and not ended.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crate::context::CallIds;
use crate::executor::call::reached::{Continuation, DirectWait, Reached, WaitingBody};
use crate::executor::core::handles::Turn;
use crate::executor::core::hold::{CoreHold, SharedCore};
use crate::executor::core::origin::{WaitSite, WaitSource};
use crate::executor::core::tasks::TaskRef;
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

/// The rest of a member that has begun and not ended. Whoever comes may poll it.
pub(crate) enum MemberRest {
    /// Its body was begun directly and waits, without a context.
    Direct(DirectWait<MemberSource>),
    /// Its body waits.
    Waits(Box<WaitingBody<'static, SharedCore>>),
    /// A boxed future of the stages that may wait for people.
    Elsewhere(BoxFuture<'static, ToolOutcome>),
}

impl MemberRest {
    /// Returns true if it was polled, so that whoever wakes it knows the waker.
    pub(crate) fn is_polled(&self) -> bool {
        !matches!(self, Self::Elsewhere(_))
    }
}

impl From<DirectWait<MemberSource>> for MemberRest {
    fn from(waits: DirectWait<MemberSource>) -> Self {
        Self::Direct(waits)
    }
}

impl From<WaitingBody<'static, SharedCore>> for MemberRest {
    fn from(waits: WaitingBody<'static, SharedCore>) -> Self {
        Self::Waits(Box::new(waits))
    }
}

impl From<BoxFuture<'static, ToolOutcome>> for MemberRest {
    fn from(rest: BoxFuture<'static, ToolOutcome>) -> Self {
        Self::Elsewhere(rest)
    }
}

impl<C: CoreHold<Kept = SharedCore>> From<Continuation<'static, C>> for MemberRest {
    fn from(rest: Continuation<'static, C>) -> Self {
        match rest {
            Continuation::Waits(waits) => waits.kept().into(),
            Continuation::Elsewhere(rest) => Self::Elsewhere(rest),
        }
    }
}

impl Future for MemberRest {
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        let reached = match &mut *self {
            Self::Direct(waits) => ready!(waits.go_on(cx)),
            Self::Waits(waits) => ready!(waits.go_on(cx)),
            Self::Elsewhere(rest) => return rest.as_mut().poll(cx),
        };
        match reached {
            Reached::Ended(outcome) => Poll::Ready(outcome),
            Reached::Goes(rest) => {
                *self = rest;
                self.poll(cx)
            }
        }
    }
}

/// The source of a member that waits without a context: its place among the calls that came together.
pub(crate) struct MemberSource {
    shared: SharedCore,
    task: TaskRef,
    /// The number of the tool.
    tool: usize,
}

impl MemberSource {
    pub(crate) fn of(turn: &Turn, task: &TaskRef, tool: usize) -> Self {
        Self {
            shared: SharedCore::of(turn.shared()),
            task: task.clone(),
            tool,
        }
    }
}

impl WaitSource for MemberSource {
    type Hold = SharedCore;

    fn hold(&self) -> SharedCore {
        SharedCore::of(&self.shared)
    }

    fn site(&self) -> WaitSite<'_> {
        let identity = &self.task.identity;
        WaitSite {
            shared: &self.shared,
            session: self.task.session(),
            turn: self.task.turn(),
            ids: CallIds {
                turn: identity.turn,
                invocation: identity.invocation,
                call: identity.call_id.as_ref(),
            },
            tool: self.tool,
        }
    }
}
