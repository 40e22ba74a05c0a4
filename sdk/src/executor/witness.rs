//! What is told of a call from its beginning to its end, where somebody wants to know.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use super::course::Course;
use super::session::Place;
use super::{Shared, ToolOutcome};
use crate::event::{EventCall, EventKind, WatchedCall};
use crate::id::{Label, ToolName};
use crate::message::{ErrorKind, ResultSource, ToolCall, ToolError, ToolStatus};
use crate::tool::SessionScope;

/// Tells of one call that has begun. If the call is dropped before its end, that is told too.
pub(super) struct Witness {
    session: Arc<SessionScope>,
    call: Arc<WatchedCall>,
    begun: Instant,
    ended: bool,
}

impl Witness {
    /// Of a call that was made; `None` where nobody wants to know of it.
    pub(super) fn of(shared: &Shared, place: &Place<'_>, call: &ToolCall<'_>) -> Option<Box<Self>> {
        shared.base.events.is_listening().then(|| {
            let tool = match place.catalog.snapshot.find(call.name()) {
                Some((_, entry)) => entry.name.label(),
                None => {
                    let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
                    Label::from(Cow::Owned(name))
                }
            };
            Self::begin(
                place.session,
                EventCall {
                    turn: place.turn_id,
                    invocation: place.invocation_id,
                    parent: place.within.map(|within| within.parent),
                    call_id: call.id().cloned(),
                    tool,
                },
            )
        })
    }

    /// Of a call that goes on.
    pub(super) fn of_resumed(course: &Course) -> Option<Box<Self>> {
        course.session.events.is_listening().then(|| {
            Self::begin(
                &course.session,
                EventCall {
                    turn: course.turn_id,
                    invocation: course.invocation_id,
                    parent: course.within.as_ref().map(|within| within.parent),
                    call_id: course.call_id.clone(),
                    tool: course.entry().name.label(),
                },
            )
        })
    }

    fn begin(session: &Arc<SessionScope>, call: EventCall) -> Box<Self> {
        let witness = Self {
            session: Arc::clone(session),
            call: Arc::new(WatchedCall::new(call)),
            begun: Instant::now(),
            ended: false,
        };
        witness.emit(|| EventKind::Requested);
        Box::new(witness)
    }

    pub(super) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        let events = &self.session.events;
        events.emit(Some(&self.session.id), Some(&self.call.call), kind);
    }

    fn finish(&mut self, status: ToolStatus, source: ResultSource, error: Option<ErrorKind>) {
        self.ended = true;
        self.call.end();
        self.emit(|| EventKind::Finished {
            status,
            source,
            error,
            duration: self.begun.elapsed(),
        });
    }

    /// The call has its outcome, or waits in a ticket.
    pub(super) fn end(mut self, outcome: &ToolOutcome) {
        if let ToolOutcome::Interrupted(interruption) = outcome {
            self.ended = true;
            self.call.end();
            return self.emit(|| EventKind::Interrupted {
                ticket: interruption.id(),
                wait: interruption.kind(),
            });
        }
        let result = outcome.result();
        let error = outcome.error().map(ToolError::kind);
        self.finish(result.status(), result.source(), error);
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        if !self.ended {
            let cancelled = Some(ErrorKind::Cancelled);
            self.finish(ToolStatus::Error, ResultSource::Executor, cancelled);
        }
    }
}

/// Tells of the outcome of a call, if somebody wants to know.
pub(super) fn told(witness: Option<Box<Witness>>, outcome: ToolOutcome) -> ToolOutcome {
    if let Some(witness) = witness {
        witness.end(&outcome);
    }
    outcome
}

impl Course {
    pub(super) fn watched(&self) -> Option<Arc<WatchedCall>> {
        self.witness
            .as_ref()
            .map(|witness| Arc::clone(&witness.call))
    }

    /// Tells of something that happens to the call, if somebody wants to know.
    #[inline]
    pub(super) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        if let Some(witness) = &self.witness {
            witness.emit(kind);
        }
    }
}
