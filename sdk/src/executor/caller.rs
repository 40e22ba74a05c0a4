//! Of whom a journal records a call: its ids, and what its tool says of itself.

use super::course::Course;
use super::session::Place;
use crate::id::{CallId, InvocationId, SessionId, TicketId, TurnId};
use crate::journal::{Journal, RecordedInput, Requested};
use crate::message::Arguments;
use crate::panic::caught;
use crate::registry::Entry;
use crate::spec::{Determinism, Effect, ToolSpec};

/// The call.
pub(super) struct Caller {
    pub(super) invocation: InvocationId,
    pub(super) parent: Option<InvocationId>,
    pub(super) session: SessionId,
    pub(super) turn: TurnId,
    pub(super) call_id: Option<CallId>,
    pub(super) tool: Declared,
}

/// What the tool of a call says of itself.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) effect: Effect,
    pub(super) determinism: Determinism,
}

impl Declared {
    /// Of a tool that there is not, or that cannot say what it is.
    pub(super) fn unknown(name: String) -> Self {
        Self {
            name,
            version: None,
            effect: Effect::default(),
            determinism: Determinism::NonDeterministic,
        }
    }

    pub(super) fn of(entry: &Entry) -> Self {
        let name = entry.name.to_string();
        let Some(spec) = spec_of(entry) else {
            return Self::unknown(name);
        };
        Self {
            name,
            version: spec.version().map(str::to_owned),
            effect: spec.effect(),
            determinism: spec.determinism(),
        }
    }
}

impl Caller {
    pub(super) fn of_place(place: &Place<'_>, call_id: Option<CallId>, tool: Declared) -> Self {
        Self {
            invocation: place.invocation_id,
            parent: place.within.map(|within| within.parent),
            session: place.session.id.clone(),
            turn: place.turn_id,
            call_id,
            tool,
        }
    }

    pub(super) fn of_course(course: &Course) -> Self {
        Self {
            invocation: course.invocation_id,
            parent: course.within.as_ref().map(|within| within.parent),
            session: course.session.id.clone(),
            turn: course.turn_id,
            call_id: course.call_id.clone(),
            tool: Declared::of(course.entry()),
        }
    }

    pub(super) fn request(&self, input: RecordedInput, resumes: Option<TicketId>) -> Requested {
        Requested {
            invocation: self.invocation,
            parent: self.parent,
            session: self.session.clone(),
            turn: self.turn,
            call_id: self.call_id.clone(),
            tool: self.tool.name.clone(),
            version: self.tool.version.clone(),
            effect: self.tool.effect,
            determinism: self.tool.determinism,
            input,
            resumes,
        }
    }

    /// Arguments that have no canonical form are not shown either.
    pub(super) fn input(
        &self,
        journal: &Journal,
        accepted: Option<&Arguments<'_>>,
        sent: &Arguments<'_>,
        spec: Option<&ToolSpec>,
    ) -> RecordedInput {
        let (tool, key) = (self.tool.name.as_str(), journal.key());
        let read = accepted.zip(spec).and_then(|(arguments, spec)| {
            // The schema is the tool's.
            let read = caught(|| RecordedInput::accepted(arguments, tool, spec, key));
            read.ok()?.ok()
        });
        read.unwrap_or_else(|| RecordedInput::unread(sent, tool, self.tool.version.as_deref(), key))
    }
}

pub(super) fn spec_of(entry: &Entry) -> Option<&ToolSpec> {
    caught(|| entry.tool.spec()).ok()
}
