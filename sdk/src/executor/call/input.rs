//! The input of a call that has not begun.

use std::sync::Arc;

use crate::executor::core::handles::Turn;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::Shared;
use crate::executor::core::site::Place;
use crate::message::ToolCall;

/// What a call begins with.
pub(crate) struct Start<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) at: At<'a>,
    pub(crate) call: ToolCall<'a>,
}

/// Where a call is made. Its [`Place`] is several times as large, and made when the call begins.
#[derive(Clone, Copy)]
pub(crate) enum At<'a> {
    /// A turn of its own.
    Session(&'a SessionCore),
    Turn(&'a Turn),
    Place(&'a Place<'a>),
}

impl<'a> Start<'a> {
    #[inline]
    pub(crate) fn place(&self) -> Place<'a> {
        match self.at {
            At::Session(session) => session.single(self.shared),
            At::Turn(turn) => turn.place(),
            At::Place(place) => place.clone(),
        }
    }
}
