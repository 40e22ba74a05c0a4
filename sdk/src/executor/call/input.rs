//! The input of a call that has not begun.

use std::sync::Arc;

use crate::executor::core::handles::Turn;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::message::ToolCall;

/// The input of a call that has not begun.
pub(crate) struct CallInput<'a> {
    pub(crate) shared: &'a Arc<ExecutorCore>,
    pub(crate) at: CallOrigin<'a>,
    pub(crate) call: ToolCall<'a>,
}

/// The origin of a call. Its [`CallSite`] is several times as large, and made when the call begins.
#[derive(Clone, Copy)]
pub(crate) enum CallOrigin<'a> {
    /// A turn of its own.
    Session(&'a SessionCore),
    Turn(&'a Turn),
    CallSite(&'a CallSite<'a>),
}

impl<'a> CallInput<'a> {
    #[inline]
    pub(crate) fn place(&self) -> CallSite<'a> {
        match self.at {
            CallOrigin::Session(session) => session.single(self.shared),
            CallOrigin::Turn(turn) => turn.place(),
            CallOrigin::CallSite(place) => place.clone(),
        }
    }
}
