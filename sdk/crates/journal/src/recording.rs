//! The records of one call, and when they are written.

use std::mem;

use async_trait::async_trait;
use toolwright::ToolSpec;
use toolwright::content::{ContentHash, ResultSource};
use toolwright::id::TicketId;
use toolwright::record::{CallRecording, CallRequest, CallResponse, RequestInput, ResponseHash};
use toolwright::spec::{Determinism, Effect};
use toolwright::ticket::{StoreError, WaitKind};
use toolwright::{ToolError, ToolOutput};

use crate::entry::Entry;
use crate::journal::Journal;
use crate::normal::{NormalOutput, status};
use crate::record::{RecordedInput, RecordedOutput, Request, Response, SuspendedCall};
use crate::writer::{Failed, Receipt};

/// Records one call.
pub(crate) struct Recording {
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
    pub(crate) fn of(journal: &Journal, request: &CallRequest<'_>) -> Box<Self> {
        let spec = request.input.spec;
        let version = spec.and_then(ToolSpec::version);
        // Code that may unwind comes first, so that the rest is made in its box, and not beside it and copied at once.
        let input = RecordedInput::of(&request.input, request.tool, journal.key());
        let tool = request.tool.to_owned();
        let version = version.map(str::to_owned);
        let effect = spec.map_or(Effect::default(), ToolSpec::effect);
        let determinism = spec.map_or(Determinism::NonDeterministic, ToolSpec::determinism);
        Box::write(
            Box::new_uninit(),
            Self {
                journal: journal.clone(),
                call: Request {
                    invocation: request.invocation,
                    parent: request.parent,
                    session: request.session.clone(),
                    turn: request.turn,
                    call_id: request.call_id.cloned(),
                    tool,
                    version,
                    effect,
                    determinism,
                    input,
                    resumes: request.resumes,
                },
                stage: Stage::Nothing,
                unconfirmed: None,
            },
        )
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
            resumes.and_then(|_| self.journal.writer().open_request(invocation))
        };
        Some(match known.or_else(of_before) {
            Some(_) => Due::Resumption,
            None => Due::Request,
        })
    }

    /// Has what is due written, and what follows on it.
    fn with_entries<T>(
        &self,
        due: Option<Due>,
        last: Option<Entry<'_>>,
        write: impl FnOnce(&[Entry<'_>]) -> T,
    ) -> T {
        let first = due.map(|due| match due {
            Due::Request => Entry::Requested(&self.call),
            Due::Resumption => Entry::Resumed(self.call.invocation, &self.call.input),
        });
        match (first, last) {
            (Some(first), Some(last)) => write(&[first, last]),
            (Some(only), None) | (None, Some(only)) => write(&[only]),
            (None, None) => write(&[]),
        }
    }

    /// Writes what is due, and what follows on it.
    fn put(&self, due: Option<Due>, last: Option<Entry<'_>>) -> Receipt {
        self.with_entries(due, last, |entries| match entries {
            [] => Receipt::Known(Ok(())),
            entries => self.journal.writer().put(entries),
        })
    }

    /// Writes at once what is due, and what follows on it. `None` if that has to wait: then nothing was written, and
    /// the stage is that of before.
    fn put_now(&mut self, last: Option<Entry<'_>>) -> Option<Result<(), StoreError>> {
        // Otherwise it would stand after a request that is not there.
        if self.unconfirmed.is_some() {
            return None;
        }
        let before = self.stage;
        let due = self.due();
        let is_last = last.is_some();
        let written = self.with_entries(due, last, |entries| match entries {
            [] => Some(Ok(())),
            entries => self.journal.writer().put_now(entries),
        });
        let Some(written) = written else {
            self.stage = before;
            return None;
        };
        if is_last {
            self.stage = Stage::Ended;
        }
        self.after_write(&written, before);
        Some(written.map_err(StoreError::new))
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

    /// The response of an output, which is in its normal form now. It takes the lists of the response.
    fn response(
        &self,
        response: &mut CallResponse<'_>,
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
            remarks: mem::take(&mut response.remarks),
            changed: response.changed,
            attended: response.attended,
            clock: mem::take(&mut response.clock),
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
        self.call.input = RecordedInput::of(&input, &self.call.tool, self.journal.key());
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

    fn start_now(&mut self) -> Option<Result<(), StoreError>> {
        self.put_now(None)
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
        mut response: CallResponse<'_>,
    ) -> Result<Option<ResponseHash>, StoreError> {
        let (normal, is_normalized) = NormalOutput::of(response.output).map_err(StoreError::new)?;
        let hash = normal.hash;
        let output = self.journal.keep(normal).await?;
        let responded = self.response(&mut response, hash, output);
        self.close(Entry::Responded(&responded))
            .await
            .map_err(StoreError::new)?;
        Ok(Some(ResponseHash::new(hash, is_normalized)))
    }

    fn end_now(
        &mut self,
        response: &mut CallResponse<'_>,
    ) -> Option<Result<Option<ResponseHash>, StoreError>> {
        if !self.journal.may_write_now(response.output) {
            return None;
        }
        let (normal, is_normalized) = match NormalOutput::of(response.output) {
            Ok(normal) => normal,
            Err(error) => return Some(Err(StoreError::new(error))),
        };
        let hash = normal.hash;
        let output = self.journal.keep_now(normal)?;
        let mut responded = self.response(response, hash, output);
        let Some(written) = self.put_now(Some(Entry::Responded(&responded))) else {
            response.remarks = mem::take(&mut responded.remarks);
            response.clock = mem::take(&mut responded.clock);
            return None;
        };
        Some(written.map(|()| Some(ResponseHash::new(hash, is_normalized))))
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
        let output = RecordedOutput::Inline(normal.text);
        let responded = self.response(&mut response, normal.hash, output);
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
