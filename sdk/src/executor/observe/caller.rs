//! The identity of a recorded call: its ids, and what its tool declares.

use crate::executor::core::site::CallSite;
use crate::id::{CallId, InvocationId, SessionId, TicketId, TurnId};
use crate::journal::{Journal, RecordedInput, Requested};
use crate::message::Arguments;
use crate::panic::caught;
use crate::registry::Entry;
use crate::spec::{Determinism, Effect, ToolSpec};

/// The call.
pub(crate) struct RecordedCaller {
    pub(crate) invocation: InvocationId,
    pub(crate) parent: Option<InvocationId>,
    pub(crate) session: SessionId,
    pub(crate) turn: TurnId,
    pub(crate) call_id: Option<CallId>,
    pub(crate) tool: DeclaredTool,
}

/// The declarations of a call's tool.
pub(crate) struct DeclaredTool {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) effect: Effect,
    pub(crate) determinism: Determinism,
}

impl DeclaredTool {
    /// Returns the declarations of a tool that does not exist, or whose spec panics.
    pub(crate) fn unknown(name: String) -> Self {
        Self {
            name,
            version: None,
            effect: Effect::default(),
            determinism: Determinism::NonDeterministic,
        }
    }

    pub(crate) fn of(entry: &Entry) -> Self {
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

impl RecordedCaller {
    pub(crate) fn of_place(
        place: &CallSite<'_>,
        call_id: Option<CallId>,
        tool: DeclaredTool,
    ) -> Self {
        Self {
            invocation: place.invocation_id,
            parent: place.within.map(|within| within.parent),
            session: place.session.id.clone(),
            turn: place.turn_id,
            call_id,
            tool,
        }
    }

    pub(crate) fn request(&self, input: RecordedInput, resumes: Option<TicketId>) -> Requested {
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
    pub(crate) fn input(
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

pub(crate) fn spec_of(entry: &Entry) -> Option<&ToolSpec> {
    caught(|| entry.tool.spec()).ok()
}
