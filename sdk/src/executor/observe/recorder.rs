//! The records of one call in a journal, and when they are written.

use std::time::Duration;

use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::caller::{DeclaredTool, RecordedCaller, spec_of};
use crate::hash::ContentHash;
use crate::id::{TicketId, ToolName};
use crate::journal::{
    Failed, Journal, NormalOutput, Receipt, RecordKind, RecordedInput, Responded, ResumedCall,
    status,
};
use crate::message::{Arguments, ErrorKind, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::port::guarded;
use crate::spec::Effect;

/// Records one call. If the call is dropped before its end, that is recorded too, as far as it can be
/// without waiting.
pub(crate) struct Recorder {
    pub(crate) journal: Journal,
    /// The time that the journal may take for one record. `None` if it is unlimited.
    limit: Option<Duration>,
    pub(crate) call: RecordedCaller,
    /// The input that the call runs with, if it runs.
    pub(crate) input: RecordedInput,
    pub(crate) stage: RecordStage,
    /// A write of the request that is not confirmed yet, and the stage before it.
    pub(crate) unconfirmed: Option<(Receipt, RecordStage)>,
    /// The ticket that the call waited with.
    pub(crate) resumes: Option<TicketId>,
    /// A hook changed what the call gave.
    pub(crate) altered: bool,
}

/// Waits until records are written. If the log hangs, the outcome of the write is unknown.
async fn written(limit: Option<Duration>, receipt: Receipt) -> Result<(), Failed> {
    let written = guarded(limit, || Box::pin(receipt.wait())).await;
    written.unwrap_or_else(|why| Err(Failed::unknown(why)))
}

/// The records of the call that the journal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordStage {
    Nothing,
    /// A request, or that the call goes on, with the hash of what it is made with.
    Requested(ContentHash),
    /// It has ended, or waits in a ticket.
    Ended,
}

impl Recorder {
    /// Returns the recorder of a call, if there is a journal. The arguments are those that were accepted.
    pub(crate) fn of(
        shared: &ExecutorCore,
        place: &CallSite<'_>,
        call: &ToolCall<'_>,
        accepted: Option<&Arguments<'_>>,
    ) -> Option<Box<Self>> {
        let journal = shared.base.journal.as_ref()?;
        let found = place.catalog.snapshot.find(call.name());
        let entry = found.map(|(_, entry)| entry);
        let as_called = || call.name().chars().take(ToolName::MAX_LENGTH).collect();
        let tool = entry.map_or_else(|| DeclaredTool::unknown(as_called()), DeclaredTool::of);
        let caller = RecordedCaller::of_place(place, call.id().cloned(), tool);
        let spec = entry.and_then(spec_of);
        let input = caller.input(journal, accepted, call.arguments(), spec);
        Some(Box::new(Self::new(shared, journal, caller, input)))
    }

    pub(crate) fn new(
        shared: &ExecutorCore,
        journal: &Journal,
        call: RecordedCaller,
        input: RecordedInput,
    ) -> Self {
        Self {
            limit: shared.base.store_timeout,
            journal: journal.clone(),
            call,
            input,
            stage: RecordStage::Nothing,
            unconfirmed: None,
            resumes: None,
            altered: false,
        }
    }

    /// Returns the record of the request that is still to be written, if any.
    pub(crate) fn request(&mut self) -> Option<RecordKind> {
        let hash = self.input.request_hash;
        let known = match self.stage {
            RecordStage::Ended => return None,
            RecordStage::Requested(known) => Some(known),
            RecordStage::Nothing => None,
        };
        if known == Some(hash) {
            return None;
        }
        self.stage = RecordStage::Requested(hash);
        let invocation = self.call.invocation;
        let input = self.input.clone();
        // One that was resumed may have begun by way of another journal.
        let of_before = || {
            self.resumes
                .and_then(|_| self.journal.open_request(invocation))
        };
        Some(match known.or_else(of_before) {
            Some(_) => RecordKind::Resumed(Box::new(ResumedCall { invocation, input })),
            None => RecordKind::Requested(Box::new(self.call.request(input, self.resumes))),
        })
    }

    /// Writes the request before the body runs. That of an at-most-once call is durable then.
    pub(crate) async fn begin(&mut self) -> Result<(), Failed> {
        self.confirm(false).await;
        let before = self.stage;
        let Some(request) = self.request() else {
            return Ok(());
        };
        let written = match self.journal.put(&[&request]) {
            Ok(mut receipt) => {
                let repeats = self.call.tool.effect != Effect::AtMostOnce;
                if repeats && !receipt.has_failed() {
                    self.unconfirmed = Some((receipt, before));
                    return Ok(());
                }
                written(self.limit, receipt).await
            }
            Err(failed) => Err(failed),
        };
        self.after_write(&written, before);
        written
    }

    /// Restores the stage after a write that certainly failed. A record that may be written yet counts as
    /// written, so that it is not written twice.
    fn after_write(&mut self, written: &Result<(), Failed>, before: RecordStage) {
        if written.as_ref().is_err_and(|failed| !failed.is_unknown()) {
            self.stage = before;
        }
    }

    /// A request that was queued and then not written is to be written anew.
    pub(crate) async fn confirm(&mut self, waits: bool) {
        let Some((mut receipt, before)) = self.unconfirmed.take() else {
            return;
        };
        if receipt.has_failed() {
            self.stage = before;
        } else if waits {
            let written = written(self.limit, receipt).await;
            self.after_write(&written, before);
        }
    }

    /// Writes something that ends the call here, after what is left to write before it.
    pub(crate) async fn close(&mut self, kind: RecordKind) -> Result<(), Failed> {
        // Otherwise it would stand after a request that is not there.
        self.confirm(true).await;
        let before = self.stage;
        let request = self.request();
        let kinds: Vec<&RecordKind> = request.iter().chain([&kind]).collect();
        let put = self.journal.put(&kinds);
        // Whoever drops the call now need not write it once more.
        self.stage = RecordStage::Ended;
        let written = match put {
            Ok(receipt) => written(self.limit, receipt).await,
            Err(failed) => Err(failed),
        };
        self.after_write(&written, before);
        written
    }

    /// Writes the response. What the call gave gets its normal form.
    pub(crate) async fn respond(
        &mut self,
        source: ResultSource,
        output: &mut ToolOutput,
        told: ResponseDetails,
    ) -> Result<(), ToolError> {
        let normal = NormalOutput::of(output).map_err(untold)?;
        let response_hash = normal.hash;
        let kept = self
            .journal
            .keep(normal, self.limit)
            .await
            .map_err(untold)?;
        let responded = Responded {
            invocation: self.call.invocation,
            request_hash: self.input.request_hash,
            response_hash,
            status: status(output),
            source,
            output: kept,
            error: output.error.clone(),
            metadata: output
                .aside
                .as_ref()
                .and_then(|aside| aside.metadata.as_deref().cloned()),
            remarks: told.remarks,
            changed: self.altered,
            attended: told.attended,
            clock: told.clock,
            unrepeatable: told.unrepeatable,
        };
        let written = self.close(RecordKind::Responded(Box::new(responded))).await;
        written.map_err(untold)
    }

    /// Records a call that was refused before it could wait. Returns the error that it ends with, and the hash of
    /// the response.
    pub(crate) async fn refused(
        mut self: Box<Self>,
        error: ToolError,
    ) -> (ToolError, Option<(ContentHash, bool)>) {
        let mut output = ToolOutput::from(error.clone());
        let told = ResponseDetails::default();
        match self
            .respond(ResultSource::Executor, &mut output, told)
            .await
        {
            Ok(()) => (error, output.aside.and_then(|aside| aside.response)),
            Err(failed) => {
                self.stage = RecordStage::Ended;
                (failed, None)
            }
        }
    }
}

/// The host has dropped the call, or its runtime has stopped.
impl Drop for Recorder {
    fn drop(&mut self) {
        if self.stage == RecordStage::Ended {
            return;
        }
        let error = ToolError::new(ErrorKind::Cancelled, "the call was dropped before it ended")
            .with_code("dropped");
        let mut output = ToolOutput::from(error);
        let Ok(normal) = NormalOutput::of(&mut output) else {
            return;
        };
        let responded = Responded {
            invocation: self.call.invocation,
            request_hash: self.input.request_hash,
            response_hash: normal.hash,
            status: status(&output),
            source: ResultSource::Executor,
            output: crate::journal::RecordedOutput::Inline(normal.text),
            error: output.error,
            metadata: None,
            remarks: Vec::new(),
            changed: false,
            attended: false,
            clock: Vec::new(),
            unrepeatable: true,
        };
        let responded = RecordKind::Responded(Box::new(responded));
        if let Some((mut receipt, before)) = self.unconfirmed.take()
            && receipt.has_failed()
        {
            self.stage = before;
        }
        let request = self.request();
        let kinds: Vec<&RecordKind> = request.iter().chain([&responded]).collect();
        // Nobody is left to be told.
        let _ = self.journal.put(&kinds);
    }
}

/// The details of a response besides its output.
#[derive(Default)]
pub(crate) struct ResponseDetails {
    pub(crate) remarks: Vec<String>,
    pub(crate) attended: bool,
    pub(crate) clock: Vec<i64>,
    pub(crate) unrepeatable: bool,
}

/// Returns the error of a call that cannot be recorded, and so does not run.
#[cold]
pub(crate) fn unavailable(source: impl Into<BoxError>) -> ToolError {
    not_recorded(
        "the call cannot be recorded, and calls that are not recorded do not run here",
        source.into(),
    )
}

/// Returns the error of a call whose end cannot be recorded.
#[cold]
fn untold(source: impl Into<BoxError>) -> ToolError {
    not_recorded(
        "the call has ended, and how cannot be recorded: what is not recorded is not told here",
        source.into(),
    )
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

fn not_recorded(message: &'static str, source: BoxError) -> ToolError {
    ToolError::unavailable(message)
        .with_code("journal_unavailable")
        .with_source(source)
        .into_fatal()
}
