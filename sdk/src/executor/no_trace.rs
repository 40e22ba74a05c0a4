//! The same as `trace` without the feature `tracing`: no span can be asked for, and nothing is logged.

use std::future::Future;
use std::time::Duration;

use crate::content::ToolResult;
use crate::event::EventCall;
use crate::id::{SessionId, ToolName};
use crate::ticket::Ticket;

/// The options of spans: there are none.
#[derive(Clone, Copy)]
pub(crate) enum TraceOptions {}

impl TraceOptions {
    pub(crate) fn is_heard(self) -> bool {
        match self {}
    }
}

/// The span of a call, which cannot be made.
pub(crate) enum CallTrace {}

impl CallTrace {
    pub(crate) fn new(
        options: TraceOptions,
        _: &SessionId,
        _: &EventCall,
        _: Option<&str>,
    ) -> Self {
        match options {}
    }

    pub(crate) fn arguments(&mut self, _: impl FnOnce() -> Option<String>) {
        match *self {}
    }

    pub(crate) fn result(&self, _: &ToolResult) {
        match *self {}
    }

    pub(crate) fn dropped(&self) {
        match *self {}
    }
}

pub(crate) struct CallSpan;

impl CallSpan {
    pub(crate) fn of(_: Option<&CallTrace>) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "with spans it is what covers")]
    pub(crate) fn in_scope<T>(&self, code: impl FnOnce() -> T) -> T {
        code()
    }

    #[expect(clippy::unused_self, reason = "with spans it is what covers")]
    pub(crate) fn cover<F: Future>(self, future: F) -> F {
        future
    }
}

pub(crate) fn warn_of_held_thread(_: &ToolName, _: Duration) {}

pub(crate) fn warn_of_unheard(_: &Ticket, _: impl Fn() -> String) {}
