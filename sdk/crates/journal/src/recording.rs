//! The records of one call, and when they are written.

use std::collections::HashMap;

use async_trait::async_trait;
use toolwright::ToolSpec;
use toolwright::content::{ContentHash, ResultSource};
use toolwright::id::{InvocationId, TicketId};
use toolwright::record::{
    CallProgress, CallRecorder, CallRecording, CallRequest, CallResponse, RequestInput,
    ResponseHash,
};
use toolwright::spec::{Determinism, Effect};
use toolwright::ticket::{StoreError, WaitKind};
use toolwright::{ToolError, ToolOutput};

use crate::entry::Entry;
use crate::journal::Journal;
use crate::normal::{NormalOutput, status};
use crate::record::{RecordKind, RecordedInput, RecordedOutput, Request, Response, SuspendedCall};
use crate::writer::{Failed, Receipt};

impl CallRecorder for Journal {
    fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording> {
        Box::new(Recording::of(self.clone(), &request))
    }

    fn progress(&self, calls: &[InvocationId]) -> Result<Vec<CallProgress>, StoreError> {
        let mut seen: HashMap<_, _> = calls.iter().map(|call| (*call, Seen::default())).collect();
        for record in self.records().map_err(StoreError::new)? {
            let kind = record.map_err(StoreError::new)?.kind;
            let call = kind.invocation();
            if let Some(seen) = call.and_then(|call| seen.get_mut(&call)) {
                seen.add(&kind);
            }
        }
        Ok(calls.iter().map(|call| seen[call].progress()).collect())
    }
}

/// The records of a call that tell how far it has come.
///
/// They are counted, because their order does not tell: somebody may answer a ticket, and the call go on, before its
/// suspension is recorded.
#[derive(Debug, Default)]
struct Seen {
    is_known: bool,
    suspended: u32,
    resumed: u32,
    has_ended: bool,
}

impl Seen {
    fn add(&mut self, kind: &RecordKind) {
        self.is_known = true;
        match kind {
            RecordKind::Requested(request) => self.resumed += u32::from(request.resumes.is_some()),
            RecordKind::Resumed(_) => self.resumed += 1,
            RecordKind::Suspended(_) => self.suspended += 1,
            RecordKind::Responded(_) => self.has_ended = true,
            RecordKind::Opened { .. } => {}
        }
    }

    /// A suspension by this journal follows on the first run of the body or on a resumption, so that after a resumption
    /// without one there are at most as many of them as of resumptions.
    fn progress(&self) -> CallProgress {
        if self.has_ended {
            CallProgress::Ended
        } else if self.is_known && self.suspended <= self.resumed {
            CallProgress::Begun
        } else {
            CallProgress::NotBegun
        }
    }
}

/// Records one call.
struct Recording {
    journal: Journal,
    /// The call, with the input that it runs with, if it runs.
    call: Request,
    stage: Stage,
    /// A write of the request that is not confirmed yet, and the stage before it.
    unconfirmed: Option<(Receipt, Stage)>,
}

/// The records of the call that the journal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Nothing,
    /// A request, or that the call goes on, with the hash of what it is made with.
    Requested(ContentHash),
    /// It has ended, or waits in a ticket.
    Ended,
}

/// The record that a call is to have before what follows.
#[derive(Debug, Clone, Copy)]
enum Due {
    Request,
    Resumption,
}

impl Recording {
    fn of(journal: Journal, request: &CallRequest<'_>) -> Self {
        let spec = request.input.spec;
        let version = spec.and_then(ToolSpec::version);
        let call = Request {
            invocation: request.invocation,
            parent: request.parent,
            session: request.session.clone(),
            turn: request.turn,
            call_id: request.call_id.cloned(),
            tool: request.tool.to_owned(),
            version: version.map(str::to_owned),
            effect: spec.map_or(Effect::default(), ToolSpec::effect),
            determinism: spec.map_or(Determinism::NonDeterministic, ToolSpec::determinism),
            input: RecordedInput::of(&request.input, request.tool, &journal.key),
            resumes: request.resumes,
        };
        Self {
            journal,
            call,
            stage: Stage::Nothing,
            unconfirmed: None,
        }
    }

    /// Returns the record of the request that is still to be written, if any, and notes that it is.
    fn due(&mut self) -> Option<Due> {
        let hash = self.call.input.request_hash;
        let known = match self.stage {
            Stage::Ended => return None,
            Stage::Requested(known) => Some(known),
            Stage::Nothing => None,
        };
        if known == Some(hash) {
            return None;
        }
        self.stage = Stage::Requested(hash);
        let invocation = self.call.invocation;
        // A resumed call may have begun by way of another journal.
        let of_before = || {
            let resumes = self.call.resumes;
            resumes.and_then(|_| self.journal.writer.open_request(invocation))
        };
        Some(match known.or_else(of_before) {
            Some(_) => Due::Resumption,
            None => Due::Request,
        })
    }

    /// Writes what is due, and what follows on it.
    fn put(&self, due: Option<Due>, last: Option<Entry<'_>>) -> Receipt {
        let first = due.map(|due| match due {
            Due::Request => Entry::Requested(&self.call),
            Due::Resumption => Entry::Resumed(self.call.invocation, &self.call.input),
        });
        let writer = &self.journal.writer;
        match (first, last) {
            (Some(first), Some(last)) => writer.put(&[first, last]),
            (Some(only), None) | (None, Some(only)) => writer.put(&[only]),
            (None, None) => Receipt::Known(Ok(())),
        }
    }

    /// Restores the stage after a write that certainly failed. A record that may be written yet counts as
    /// written, so that it is not written twice.
    fn after_write(&mut self, written: &Result<(), Failed>, before: Stage) {
        if written.as_ref().is_err_and(|failed| !failed.is_unknown()) {
            self.stage = before;
        }
    }

    /// A request that was queued and then not written is to be written anew.
    async fn confirm(&mut self, waits: bool) {
        let Some((mut receipt, before)) = self.unconfirmed.take() else {
            return;
        };
        if receipt.has_failed() {
            self.stage = before;
        } else if waits {
            let written = receipt.wait().await;
            self.after_write(&written, before);
        }
    }

    /// Writes something that ends the call here, after what is left to write before it.
    async fn close(&mut self, last: Entry<'_>) -> Result<(), Failed> {
        // Otherwise it would stand after a request that is not there.
        self.confirm(true).await;
        let before = self.stage;
        let due = self.due();
        let receipt = self.put(due, Some(last));
        // Whoever drops the call now need not write it once more.
        self.stage = Stage::Ended;
        let written = receipt.wait().await;
        self.after_write(&written, before);
        written
    }

    /// The response of an output, which is in its normal form now.
    fn response(
        &self,
        response: CallResponse<'_>,
        hash: ContentHash,
        output: RecordedOutput,
    ) -> Response {
        Response {
            invocation: self.call.invocation,
            request_hash: self.call.input.request_hash,
            response_hash: hash,
            status: status(response.output),
            source: response.source,
            output,
            error: response.output.as_error().cloned(),
            metadata: response.output.metadata().cloned(),
            remarks: response.remarks,
            changed: response.changed,
            attended: response.attended,
            clock: response.clock,
            unrepeatable: response.unrepeatable,
        }
    }
}

#[async_trait]
impl CallRecording for Recording {
    fn request_hash(&self) -> Option<ContentHash> {
        Some(self.call.input.request_hash)
    }

    fn set_input(&mut self, input: RequestInput<'_>) {
        self.call.input = RecordedInput::of(&input, &self.call.tool, &self.journal.key);
    }

    async fn start(&mut self) -> Result<(), StoreError> {
        self.confirm(false).await;
        let before = self.stage;
        let due = self.due();
        if due.is_none() {
            return Ok(());
        }
        let mut receipt = self.put(due, None);
        let repeats = self.call.effect != Effect::AtMostOnce;
        if repeats && !receipt.has_failed() {
            self.unconfirmed = Some((receipt, before));
            return Ok(());
        }
        let written = receipt.wait().await;
        self.after_write(&written, before);
        written.map_err(StoreError::new)
    }

    async fn suspend(&mut self, ticket: TicketId, wait: WaitKind) -> Result<(), StoreError> {
        let suspended = SuspendedCall {
            invocation: self.call.invocation,
            ticket,
            wait,
        };
        let written = self.close(Entry::Suspended(&suspended)).await;
        written.map_err(StoreError::new)
    }

    async fn end(
        &mut self,
        response: CallResponse<'_>,
    ) -> Result<Option<ResponseHash>, StoreError> {
        let (normal, is_normalized) = NormalOutput::of(response.output).map_err(StoreError::new)?;
        let hash = normal.hash;
        let output = self.journal.keep(normal).await?;
        let responded = self.response(response, hash, output);
        self.close(Entry::Responded(&responded))
            .await
            .map_err(StoreError::new)?;
        Ok(Some(ResponseHash::new(hash, is_normalized)))
    }

    fn dropped(&mut self, error: ToolError) {
        if self.stage == Stage::Ended {
            return;
        }
        let mut output = ToolOutput::from(error);
        let Ok((normal, _)) = NormalOutput::of(&mut output) else {
            return;
        };
        let mut response = CallResponse::new(ResultSource::Executor, &mut output);
        response.unrepeatable = true;
        let responded = self.response(response, normal.hash, RecordedOutput::Inline(normal.text));
        if let Some((mut receipt, before)) = self.unconfirmed.take()
            && receipt.has_failed()
        {
            self.stage = before;
        }
        let due = self.due();
        // Nobody is left to be told.
        drop(self.put(due, Some(Entry::Responded(&responded))));
    }
}
