//! The records of a call: its request before its body runs, and its end before it returns.

use crate::content::{ResultSource, ToolError, ToolOutput};
use crate::context::CallEnvironment;
use crate::executor::call::state::CallState;
use crate::executor::observe::observer::CallObserver;
use crate::executor::observe::recorder::{Recorder, is_bounded, seed_of, spec_of};
use crate::id::TicketId;
use crate::record::{CallRequest, CallResponse, RequestInput};
use crate::ticket::{Wait, WaitingTicket};

impl CallState {
    /// Returns the recorder of a call that goes on here, perhaps after it has waited in a ticket.
    pub(crate) fn recorder_of(&self, resumes: Option<TicketId>) -> Option<Recorder> {
        let recorder = self.shared.base.recorder.as_deref()?;
        let name = self.entry().name.to_string();
        let request = CallRequest {
            parent: self.identity.parent,
            call_id: self.identity.call_id.as_ref(),
            resumes,
            ..CallRequest::new(
                self.identity.invocation,
                &self.session.id,
                self.identity.turn,
                &name,
                self.recorded_input(),
            )
        };
        Some(Recorder::begin(&self.shared, recorder, request))
    }

    fn recorded_input(&self) -> RequestInput<'_> {
        let spec = spec_of(self.entry());
        RequestInput {
            is_accepted: self.passed,
            spec,
            changed: self.edited || self.rewritten,
            seed: seed_of(spec, self.environment.as_deref()),
            ..RequestInput::new(&self.arguments)
        }
    }

    /// Tells the recorder what the call is made with, where that may have changed.
    fn record_input(&mut self) {
        let may_differ = self.edited || self.rewritten || !self.answered.is_empty();
        if may_differ && let Some(mut recorder) = self.recorder.take() {
            recorder.set_input(self.recorded_input());
            self.recorder = Some(recorder);
        }
        if let Some(recorder) = &self.recorder
            && let Some(observer) = &mut self.observer
        {
            observer.note_request_of(Some(recorder));
        }
    }

    /// The body is to run: what it runs with is recorded first. `None` if that takes waiting.
    pub(crate) fn record_start_now(&mut self) -> Option<Result<(), ToolError>> {
        self.record_input();
        match &mut self.recorder {
            Some(recorder) => recorder.start_now(),
            None => Some(Ok(())),
        }
    }

    /// The same for a start that takes waiting.
    pub(crate) async fn record_start(&mut self) -> Result<(), ToolError> {
        match &mut self.recorder {
            Some(recorder) => recorder.start().await,
            None => Ok(()),
        }
    }

    /// The call waits in a ticket, and its future ends.
    pub(crate) async fn record_suspension(
        &mut self,
        asked: &Wait,
        waiting: &WaitingTicket,
    ) -> Result<(), ToolError> {
        self.record_input();
        match &mut self.recorder {
            Some(recorder) => recorder.suspend(waiting.ticket().id(), asked.kind).await,
            None => Ok(()),
        }
    }

    pub(crate) fn note_altered(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.altered = true;
        }
    }

    /// The call has ended: its end is recorded, if that takes no waiting. The recorder is gone then.
    pub(crate) fn record_end_now(&mut self, source: ResultSource, output: &mut ToolOutput) {
        self.record_input();
        let Some(mut recorder) = self.recorder.take() else {
            return;
        };
        let mut response = CallResponse {
            changed: recorder.altered,
            ..self.response(source, output)
        };
        if !recorder.end_now(&mut response) {
            self.recorder = Some(recorder);
        } else if let Some(observer) = &mut self.observer {
            observer.note_response(output);
        }
    }

    /// The end of a call that is not recorded yet is recorded before anybody gets the result.
    pub(crate) async fn record_end(
        &mut self,
        source: ResultSource,
        mut output: ToolOutput,
    ) -> (ResultSource, ToolOutput) {
        let Some(recorder) = self.recorder.take() else {
            return (source, output);
        };
        let response = CallResponse {
            changed: recorder.altered,
            ..self.response(source, &mut output)
        };
        let may_have_run = source == ResultSource::Tool && !self.plan().repeatable;
        let note = "; the tool has run, so check what it did before you repeat the call";
        if let Err(withheld) = recorder.end(response, may_have_run.then_some(note)).await {
            if let Some(claim) = self.claim.take() {
                claim.keep();
            }
            return (ResultSource::Executor, withheld);
        }
        if let Some(observer) = &mut self.observer {
            observer.note_response(&output);
        }
        (source, output)
    }

    fn response<'o>(&self, source: ResultSource, output: &'o mut ToolOutput) -> CallResponse<'o> {
        let mut response = CallResponse {
            remarks: self.remarks(),
            attended: self.ticket.is_some() || !self.answered.is_empty(),
            ..CallResponse::new(source, output)
        };
        if spec_of(self.entry()).is_some_and(is_bounded) {
            match self
                .environment
                .as_deref()
                .and_then(CallEnvironment::readings)
            {
                Some(readings) => response.clock = readings,
                None => response.unrepeatable = true,
            }
        }
        response
    }
}

impl CallObserver {
    /// Knows the hash of what the call was made with.
    pub(crate) fn note_request_of(&mut self, recorder: Option<&Recorder>) {
        self.request_hash = recorder.and_then(Recorder::request_hash);
    }

    /// Knows the hash of the output.
    pub(crate) fn note_response(&mut self, output: &ToolOutput) {
        self.response_hash = output.response().map(|(hash, _)| hash);
    }
}
