//! The records of a call: its request before its body runs, and its response before it returns.

use crate::executor::call::state::CallState;
use crate::executor::observe::caller::{DeclaredTool, RecordedCaller, spec_of};
use crate::executor::observe::observer::CallObserver;
use crate::executor::observe::recorder::{RecordStage, Recorder, ResponseDetails, unavailable};
use crate::executor::people::asked::AskedRequests;
use crate::hash::ContentHash;
use crate::id::TicketId;
use crate::journal::{RecordKind, SuspendedCall};
use crate::message::{ResultSource, ToolError, ToolOutput};
use crate::spec::Determinism;
use crate::ticket::Held;
use crate::tool::{CallWorld, ToolOutcome};

impl RecordedCaller {
    pub(crate) fn of_course(call_state: &CallState) -> Self {
        Self {
            invocation: call_state.invocation_id,
            parent: call_state.within.as_ref().map(|within| within.parent),
            session: call_state.session.id.clone(),
            turn: call_state.turn_id,
            call_id: call_state.call_id.clone(),
            tool: DeclaredTool::of(call_state.entry()),
        }
    }
}

impl CallState {
    /// Returns the recorder of a call that goes on after it has waited in a ticket.
    pub(crate) fn recorder_of_resumed(&self, ticket: TicketId) -> Option<Box<Recorder>> {
        let journal = self.shared.base.journal.as_ref()?;
        let entry = self.entry();
        let caller = RecordedCaller::of_course(self);
        let arguments = Some(&self.arguments);
        let input = caller.input(journal, arguments, &self.arguments, spec_of(entry));
        let mut recorder = Recorder::new(&self.shared, journal, caller, input);
        recorder.resumes = Some(ticket);
        Some(Box::new(recorder))
    }

    /// Hashes what the call is made with, where that may have changed.
    fn hash_input(&mut self) {
        let Some(mut recorder) = self.recorder.take() else {
            return;
        };
        let may_differ = self.edited || self.rewritten || !self.answered.is_empty();
        if may_differ {
            let spec = spec_of(self.entry());
            let accepted = self.passed.then_some(&self.arguments);
            recorder.input =
                recorder
                    .call
                    .input(&recorder.journal, accepted, &self.arguments, spec);
            recorder.input.changed = self.edited || self.rewritten;
        }
        if recorder.call.tool.determinism == Determinism::Bounded {
            let seed = self.world.as_ref().map(|world| world.seed());
            recorder.input.seed = seed.map(|seed| ContentHash::from_bytes(seed.0));
        }
        if let Some(observer) = &mut self.observer {
            observer.request_hash = Some(recorder.input.request_hash);
        }
        self.recorder = Some(recorder);
    }

    /// The body is to run: what it runs with is recorded first.
    pub(crate) async fn record_request(&mut self) -> Result<(), ToolError> {
        self.hash_input();
        match &mut self.recorder {
            Some(recorder) => recorder.begin().await.map_err(unavailable),
            None => Ok(()),
        }
    }

    /// The call waits in a ticket, and its future ends.
    pub(crate) async fn record_interruption(
        &mut self,
        asked: &AskedRequests,
        held: &Held,
    ) -> Result<(), ToolError> {
        self.hash_input();
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        let suspended = SuspendedCall {
            invocation: recorder.call.invocation,
            ticket: held.ticket().id(),
            wait: asked.kind,
        };
        let kind = RecordKind::Suspended(suspended);
        recorder.close(kind).await.map_err(unavailable)
    }

    pub(crate) fn note_altered(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.altered = true;
        }
    }

    /// The call has ended: its response is recorded before anybody gets it.
    pub(crate) async fn record_response(
        &mut self,
        source: ResultSource,
        mut output: ToolOutput,
    ) -> (ResultSource, ToolOutput) {
        if self.recorder.is_none() {
            return (source, output);
        }
        self.hash_input();
        let told = self.told();
        let Some(mut recorder) = self.recorder.take() else {
            return (source, output);
        };
        let Err(error) = recorder.respond(source, &mut output, told).await else {
            if let Some(observer) = &mut self.observer {
                let response = output.aside.as_ref().and_then(|aside| aside.response);
                observer.response_hash = response.map(|(hash, _)| hash);
            }
            return (source, output);
        };
        let may_have_run = source == ResultSource::Tool && !self.plan().repeatable;
        let error = if may_have_run {
            error.with_note("; the tool has run, so check what it did before you repeat the call")
        } else {
            error
        };
        // A log may fail once and go on: then it has how the call ended.
        let mut failed = ToolOutput::from(error);
        let told = ResponseDetails::default();
        let _ = recorder
            .respond(ResultSource::Executor, &mut failed, told)
            .await;
        recorder.stage = RecordStage::Ended;
        (ResultSource::Executor, failed)
    }

    fn told(&self) -> ResponseDetails {
        let mut told = ResponseDetails {
            remarks: self.remarks(),
            attended: self.ticket.is_some() || !self.answered.is_empty(),
            ..ResponseDetails::default()
        };
        let is_bounded =
            spec_of(self.entry()).is_some_and(|spec| spec.determinism() == Determinism::Bounded);
        if is_bounded {
            match self.world.as_deref().and_then(CallWorld::readings) {
                Some(readings) => told.clock = readings,
                None => told.unrepeatable = true,
            }
        }
        told
    }
}

impl CallObserver {
    /// Knows the hash of what the call was made with.
    pub(crate) fn note_request_of(&mut self, recorder: Option<&Recorder>) {
        self.request_hash = recorder.map(|recorder| recorder.input.request_hash);
    }

    /// Knows the hash of what the call gave.
    pub(crate) fn note_response(&mut self, response: Option<(ContentHash, bool)>) {
        self.response_hash = response.map(|(hash, _)| hash);
    }
}

impl ToolOutcome {
    /// Notes what was recorded of the output.
    pub(crate) fn with_response(mut self, response: Option<(ContentHash, bool)>) -> Self {
        self.result_mut().note_response(response);
        self
    }
}
