//! The record of one call, by the executor's recorder.

use std::time::Duration;

use async_trait::async_trait;

use crate::arguments::Arguments;
use crate::content::{ErrorKind, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::context::CallEnvironment;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::id::TicketId;
use crate::record::{
    CallRecorder, CallRecording, CallRequest, CallResponse, RequestInput, ResponseHash,
};
use crate::registry::ToolEntry;
use crate::spec::{Determinism, ToolSpec};
use crate::ticket::WaitKind;
use crate::util::hash::ContentHash;
use crate::util::panic::catch_panic;
use crate::util::port::{PortFailure, call_port};
use crate::util::store_error::StoreError;

/// Records one call, also the fact that it was dropped before its end.
pub(crate) struct Recorder {
    recording: Box<dyn CallRecording>,
    /// The time that one step may take. `None` if it is unlimited.
    limit: Option<Duration>,
    /// The call has ended, or waits in a ticket.
    is_over: bool,
    /// True if a hook changed the output of the call.
    pub(crate) altered: bool,
    /// True if the start cannot be written at once.
    pub(crate) waits: bool,
    /// The error of the first write of the end, if it failed at once.
    failure: Option<ToolError>,
}

impl Recorder {
    /// Returns the recorder of a call, if calls are recorded. The arguments are those that were accepted.
    pub(crate) fn of(
        shared: &ExecutorCore,
        place: &CallSite<'_>,
        call: &ToolCall<'_>,
        accepted: Option<&Arguments<'_>>,
        environment: Option<&CallEnvironment>,
    ) -> Option<Self> {
        let recorder = shared.base.recorder.as_deref()?;
        let (found, name) = place.find(call);
        let entry = found.map(|(_, entry)| entry);
        let spec = entry.and_then(spec_of);
        let request = CallRequest {
            parent: place.call_stack.map(|call_stack| call_stack.parent),
            call_id: call.id(),
            ..CallRequest::new(
                place.invocation_id,
                &place.session.id,
                place.turn_id,
                name.as_str(),
                RequestInput {
                    is_accepted: accepted.is_some(),
                    spec,
                    seed: seed_of(spec, environment),
                    ..RequestInput::new(accepted.unwrap_or(call.arguments()))
                },
            )
        };
        Some(Self::begin(shared, recorder, request))
    }

    pub(crate) fn begin(
        shared: &ExecutorCore,
        recorder: &dyn CallRecorder,
        request: CallRequest<'_>,
    ) -> Self {
        let recording = catch_panic(|| recorder.record(request));
        Self {
            recording: recording.unwrap_or_else(|text| Box::new(Panicked(text))),
            limit: shared.base.store_timeout,
            is_over: false,
            altered: false,
            waits: false,
            failure: None,
        }
    }

    pub(crate) fn request_hash(&self) -> Option<ContentHash> {
        catch_panic(|| self.recording.request_hash()).ok().flatten()
    }

    /// Sets the input that the call has from now on.
    pub(crate) fn set_input(&mut self, input: RequestInput<'_>) {
        if let Err(text) = catch_panic(|| self.recording.set_input(input)) {
            self.recording = Box::new(Panicked(text));
        }
    }

    /// Writes the request before the body runs. That of an at-most-once call is durable then.
    pub(crate) async fn start(&mut self) -> Result<(), ToolError> {
        let started = call_port(self.limit, || self.recording.start()).await;
        flat(started).map_err(unavailable)
    }

    /// Writes the request at once, as [`start`](Self::start) does. `None` if that takes waiting.
    pub(crate) fn start_now(&mut self) -> Option<Result<(), ToolError>> {
        let started = at_once(|| self.recording.start_now());
        self.waits = started.is_none();
        started.map(|started| started.map_err(unavailable))
    }

    /// Writes that the call waits in a ticket.
    pub(crate) async fn suspend(
        &mut self,
        ticket: TicketId,
        wait: WaitKind,
    ) -> Result<(), ToolError> {
        let suspended = call_port(self.limit, || self.recording.suspend(ticket, wait)).await;
        flat(suspended).map_err(unavailable)?;
        self.is_over = true;
        Ok(())
    }

    /// Writes the end of the call, and notes the hash of the output in it. A result whose end is not written is
    /// withheld: the error stands in its place, with the note if there is one.
    pub(crate) async fn end(
        mut self,
        response: CallResponse<'_>,
        note: Option<&str>,
    ) -> Result<(), ToolOutput> {
        let ended = match self.failure.take() {
            Some(error) => Err(error),
            None => self.write_end(response).await,
        };
        let Err(error) = ended else {
            return Ok(());
        };
        let error = match note {
            Some(note) => error.with_note(note),
            None => error,
        };
        // A log may fail once and go on: the second write records how the call ended.
        let mut failed = ToolOutput::from(error);
        let _ = self
            .write_end(CallResponse::new(ResultSource::Executor, &mut failed))
            .await;
        self.is_over = true;
        Err(failed)
    }

    async fn write_end(&mut self, response: CallResponse<'_>) -> Result<(), ToolError> {
        let output = response.output;
        let response = CallResponse {
            output: &mut *output,
            ..response
        };
        let ended = call_port(self.limit, || self.recording.end(response)).await;
        let hash = flat(ended).map_err(withheld)?;
        self.note_end(output, hash);
        Ok(())
    }

    /// Writes the end at once, as [`end`](Self::end) does. Returns false if that takes waiting or has failed: then
    /// `end` goes on.
    pub(crate) fn end_now(&mut self, response: &mut CallResponse<'_>) -> bool {
        match at_once(|| self.recording.end_now(response)) {
            Some(Ok(hash)) => self.note_end(response.output, hash),
            Some(Err(error)) => self.failure = Some(withheld(error)),
            None => {}
        }
        self.is_over
    }

    fn note_end(&mut self, output: &mut ToolOutput, hash: Option<ResponseHash>) {
        self.is_over = true;
        output.note_response(hash.map(|hash| (hash.hash, hash.is_normalized)));
    }
}

/// The host has dropped the call, or its runtime has stopped.
impl Drop for Recorder {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let error = ToolError::new(ErrorKind::Cancelled, "the call was dropped before it ended")
            .with_code("dropped");
        // The call is gone, so a failure can be reported to nobody.
        let _ = catch_panic(|| self.recording.dropped(error));
    }
}

/// Stands in place of a recorder that has panicked: no step succeeds.
struct Panicked(String);

impl Panicked {
    fn error(&self) -> StoreError {
        StoreError::new(PortFailure::Panicked(self.0.clone()))
    }
}

#[async_trait]
impl CallRecording for Panicked {
    fn set_input(&mut self, _: RequestInput<'_>) {}

    async fn start(&mut self) -> Result<(), StoreError> {
        Err(self.error())
    }

    async fn suspend(&mut self, _: TicketId, _: WaitKind) -> Result<(), StoreError> {
        Err(self.error())
    }

    async fn end(&mut self, _: CallResponse<'_>) -> Result<Option<ResponseHash>, StoreError> {
        Err(self.error())
    }

    fn dropped(&mut self, _: ToolError) {}
}

pub(crate) fn spec_of(entry: &ToolEntry) -> Option<&ToolSpec> {
    catch_panic(|| entry.tool.spec()).ok()
}

pub(crate) fn is_bounded(spec: &ToolSpec) -> bool {
    spec.determinism() == Determinism::Bounded
}

/// Returns the seed of a call's random numbers, if its record has it.
pub(crate) fn seed_of(
    spec: Option<&ToolSpec>,
    environment: Option<&CallEnvironment>,
) -> Option<[u8; 32]> {
    let environment = environment.filter(|_| spec.is_some_and(is_bounded));
    environment.map(|environment| environment.seed().0)
}

/// Runs a step that does not wait. Like any other, it may panic.
fn at_once<T>(
    step: impl FnOnce() -> Option<Result<T, StoreError>>,
) -> Option<Result<T, StoreError>> {
    catch_panic(step).unwrap_or_else(|text| Some(Err(PortFailure::Panicked(text).into())))
}

fn flat<T>(ended: Result<Result<T, StoreError>, PortFailure>) -> Result<T, StoreError> {
    ended?
}

/// Returns the error of a call that cannot be recorded, and so does not run.
#[cold]
fn unavailable(source: StoreError) -> ToolError {
    not_recorded(
        "the call cannot be recorded, and calls that are not recorded do not run here",
        source,
    )
}

/// Returns the error of a call whose end cannot be recorded.
#[cold]
fn withheld(source: StoreError) -> ToolError {
    not_recorded(
        "the call finished but its result could not be written to the journal, so the result is withheld",
        source,
    )
}

fn not_recorded(message: &'static str, source: StoreError) -> ToolError {
    ToolError::unavailable(message)
        .with_code("journal_unavailable")
        .with_source(source)
        .into_fatal()
}
