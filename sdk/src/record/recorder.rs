//! The port that records calls.

use std::sync::Arc;

use async_trait::async_trait;

use crate::arguments::Arguments;
use crate::content::{ResultSource, ToolError, ToolOutput};
use crate::id::{CallId, InvocationId, SessionId, TicketId, TurnId};
use crate::spec::ToolSpec;
use crate::ticket::WaitKind;
use crate::util::hash::ContentHash;
use crate::util::store_error::StoreError;

/// Records the calls of an executor; see [`ExecutorBuilder::call_recorder`](crate::ExecutorBuilder::call_recorder).
///
/// [`record`](Self::record) is called once for each call, when its arguments were read. The [`CallRecording`] that it
/// returns follows this one call:
///
/// 1. [`set_input`](CallRecording::set_input), each time the arguments may have changed: people or hooks edit them.
/// 2. [`start`](CallRecording::start), before each run of the body. A body runs more than once when it waits for
///    people and starts again after that. A call that was refused has no start.
/// 3. [`suspend`](CallRecording::suspend), when the call waits in a ticket and its future ends. The call goes on with
///    another recording, whose request names [the ticket](CallRequest::resumes).
/// 4. [`end`](CallRecording::end), before anybody gets the result.
/// 5. [`dropped`](CallRecording::dropped), in place of 3 or 4, when the host drops the future of the call.
///
/// Most calls wait for nobody: before 2 and 4, [`start_now`](CallRecording::start_now) and
/// [`end_now`](CallRecording::end_now) are called, and a recorder that need not wait writes there.
///
/// Each step may take as long as [`Limits::store_timeout`](crate::executor::Limits::store_timeout) says. A
/// step that takes longer is given up: its future is dropped. A step that panics has failed. A call whose recorder
/// fails ends as [`ToolOutcome::Failed`](crate::ToolOutcome::Failed) with the code `journal_unavailable`; each method
/// says what else follows.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use toolwright::record::{CallRecorder, CallRecording, CallRequest, CallResponse, RequestInput, ResponseHash, StoreError};
/// use toolwright::ticket::WaitKind;
/// use toolwright::id::TicketId;
/// use toolwright::{Executor, ToolError, ToolRegistry, async_trait, tool};
///
/// /// Writes a line for each step.
/// #[derive(Clone, Default)]
/// struct Lines(Arc<Mutex<Vec<String>>>);
///
/// impl Lines {
///     fn write(&self, line: String) -> Result<(), StoreError> {
///         let mut lines = self.0.lock().map_err(|_| StoreError::new("a writer has panicked"))?;
///         lines.push(line);
///         Ok(())
///     }
/// }
///
/// struct OneCall {
///     lines: Lines,
///     tool: String,
/// }
///
/// impl CallRecorder for Lines {
///     fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording> {
///         Box::new(OneCall { lines: self.clone(), tool: request.tool.to_owned() })
///     }
/// }
///
/// #[async_trait]
/// impl CallRecording for OneCall {
///     fn set_input(&mut self, _input: RequestInput<'_>) {}
///
///     async fn start(&mut self) -> Result<(), StoreError> {
///         self.lines.write(format!("{} starts", self.tool))
///     }
///
///     async fn suspend(&mut self, ticket: TicketId, _wait: WaitKind) -> Result<(), StoreError> {
///         self.lines.write(format!("{} waits in {ticket}", self.tool))
///     }
///
///     async fn end(&mut self, response: CallResponse<'_>) -> Result<Option<ResponseHash>, StoreError> {
///         let how = if response.output.is_error() { "failed" } else { "succeeded" };
///         self.lines.write(format!("{} {how}", self.tool))?;
///         Ok(None)
///     }
///
///     fn dropped(&mut self, _error: ToolError) {
///         // There is nobody to tell of a failure.
///         let _ = self.lines.write(format!("{} was dropped", self.tool));
///     }
/// }
///
/// /// Add two whole numbers.
/// #[tool(pure)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let lines = Lines::default();
/// let tools = ToolRegistry::new().with(Add);
/// let executor = Executor::builder(tools).call_recorder(lines.clone()).build()?;
/// executor.call("add", r#"{"a": 2, "b": 3}"#).await;
/// executor.call("add", r#"{"a": 2}"#).await;
/// assert_eq!(*lines.0.lock().unwrap(), ["add starts", "add succeeded", "add failed"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub trait CallRecorder: Send + Sync + 'static {
    /// Begins the recording of a call. Nothing need be written yet: a call that is refused is recorded by
    /// [`CallRecording::end`].
    ///
    /// It is called in the middle of a call and must not block. When it panics, the call does not run.
    fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording>;

    /// Returns how far calls have come by what is written here, in the order of their ids, for
    /// [`Executor::recover`](crate::Executor::recover). It may block. Default: [`CallProgress::Unknown`] for each.
    ///
    /// # Errors
    ///
    /// Fails if the records cannot be read.
    fn progress(&self, calls: &[InvocationId]) -> Result<Vec<CallProgress>, StoreError> {
        Ok(vec![CallProgress::Unknown; calls.len()])
    }
}

/// The stage that a call has reached by what is written of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallProgress {
    /// The recorder cannot tell.
    Unknown,
    /// The body has not begun since the call waited in its last ticket. Of a tool that may run again, nothing need be
    /// written although it has.
    NotBegun,
    /// The body may have begun, and no end is written.
    Begun,
    /// The call has ended.
    Ended,
}

impl<R: CallRecorder + ?Sized> CallRecorder for Arc<R> {
    fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording> {
        (**self).record(request)
    }

    fn progress(&self, calls: &[InvocationId]) -> Result<Vec<CallProgress>, StoreError> {
        (**self).progress(calls)
    }
}

/// Records one call; see [`CallRecorder`] for the order of its steps.
#[async_trait]
pub trait CallRecording: Send + Sync {
    /// Returns the hash of what the call is made with now, for events. Default: `None`.
    fn request_hash(&self) -> Option<ContentHash> {
        None
    }

    /// Sets the input that the call has from now on. When it panics, the steps after it fail.
    fn set_input(&mut self, input: RequestInput<'_>);

    /// Records that the body begins. For a tool that is [at most once](crate::spec::Effect::AtMostOnce), the request
    /// has to be durable when this returns; for any other tool, it may be written later.
    ///
    /// # Errors
    ///
    /// Fails if the request is not written. Then the body does not run.
    async fn start(&mut self) -> Result<(), StoreError>;

    /// Records at once what [`start`](Self::start) records, so that the call need not wait. `None` if that takes
    /// waiting: then nothing is recorded, and `start` is called. It must not block. Default: `None`.
    fn start_now(&mut self) -> Option<Result<(), StoreError>> {
        None
    }

    /// Records that the call waits in a ticket. When this returns, that is durable.
    ///
    /// # Errors
    ///
    /// Fails if it is not written. Then the ticket is withdrawn, and the call ends.
    async fn suspend(&mut self, ticket: TicketId, wait: WaitKind) -> Result<(), StoreError>;

    /// Records the end of the call. When this returns, it is durable, and so is the request.
    ///
    /// The recorder may bring the JSON of the output [into another form](ToolOutput::content_mut), such as a
    /// canonical one. The hash that it returns becomes
    /// [`ToolResult::response_hash`](crate::ToolResult::response_hash).
    ///
    /// # Errors
    ///
    /// Fails if the end is not written. Then the result is withheld, and the call ends with an error. This method is
    /// called once more with that error as the output: a log may fail once and go on. The value that the second call
    /// returns has no effect.
    async fn end(&mut self, response: CallResponse<'_>)
    -> Result<Option<ResponseHash>, StoreError>;

    /// Records at once what [`end`](Self::end) records, so that the call need not wait. `None` if that takes waiting:
    /// then nothing is recorded and the response is as it was, but for the form of its output; and `end` is called.
    /// After an error, `end` is called with that error as the output. It must not block. Default: `None`.
    fn end_now(
        &mut self,
        response: &mut CallResponse<'_>,
    ) -> Option<Result<Option<ResponseHash>, StoreError>> {
        let _ = response;
        None
    }

    /// Records that the future of the call was dropped before [`suspend`](Self::suspend) or [`end`](Self::end) had
    /// returned, as far as that can be done without waiting. The error says so, with the code `dropped`.
    ///
    /// A step may have been dropped while it was written: a recorder that has queued the end already does not write a
    /// second one.
    fn dropped(&mut self, error: ToolError);
}

/// A call that was made; see [`CallRecorder::record`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallRequest<'a> {
    /// Our id of the call, which is unique.
    pub invocation: InvocationId,
    /// The call whose tool made this one, if a tool did.
    pub parent: Option<InvocationId>,
    /// The session of the call.
    pub session: &'a SessionId,
    /// The turn of the call.
    pub turn: TurnId,
    /// The model's own id of the call, which may be missing or repeat.
    pub call_id: Option<&'a CallId>,
    /// The tool's canonical name; the name as it was called if there is no such tool.
    pub tool: &'a str,
    /// The input of the call.
    pub input: RequestInput<'a>,
    /// The ticket that the call has waited with before it goes on here.
    pub resumes: Option<TicketId>,
}

impl<'a> CallRequest<'a> {
    /// A call without a parent, an id of the model and a ticket.
    pub fn new(
        invocation: InvocationId,
        session: &'a SessionId,
        turn: TurnId,
        tool: &'a str,
        input: RequestInput<'a>,
    ) -> Self {
        Self {
            invocation,
            parent: None,
            session,
            turn,
            call_id: None,
            tool,
            input,
            resumes: None,
        }
    }
}

/// The input of a call: its arguments, and what they mean.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RequestInput<'a> {
    /// The arguments: those that the tool accepted, or those that were sent.
    pub arguments: &'a Arguments<'a>,
    /// True if the tool accepted the arguments, so that its schema says what they mean.
    pub is_accepted: bool,
    /// The tool; `None` if there is no such tool or its description cannot be read.
    pub spec: Option<&'a ToolSpec>,
    /// True if people or hooks gave these arguments.
    pub changed: bool,
    /// The seed of the random numbers that the body gets, where the tool is
    /// [bounded](crate::spec::Determinism::Bounded). Whoever has it can compute them.
    pub seed: Option<[u8; 32]>,
}

impl<'a> RequestInput<'a> {
    /// Arguments that no tool accepted.
    pub fn new(arguments: &'a Arguments<'a>) -> Self {
        Self {
            arguments,
            is_accepted: false,
            spec: None,
            changed: false,
            seed: None,
        }
    }

    /// Arguments that a tool accepted.
    pub fn accepted(arguments: &'a Arguments<'a>, spec: &'a ToolSpec) -> Self {
        Self {
            is_accepted: true,
            spec: Some(spec),
            ..Self::new(arguments)
        }
    }
}

/// The end of a call; see [`CallRecording::end`].
#[derive(Debug)]
#[non_exhaustive]
pub struct CallResponse<'a> {
    /// The origin of the result.
    pub source: ResultSource,
    /// The output, before it is cut for the model.
    pub output: &'a mut ToolOutput,
    /// Texts that the model reads after the output: people or the app changed the call, and why.
    pub remarks: Vec<String>,
    /// True if a hook changed the output of the tool.
    pub changed: bool,
    /// True if people or gates took part in the call: it was answered, approved or edited.
    pub attended: bool,
    /// The times that a [bounded](crate::spec::Determinism::Bounded) body was given, in nanoseconds since 1970, in
    /// their order.
    pub clock: Vec<i64>,
    /// True if a bounded body was given more than these readings, so that it cannot run again from the record.
    pub unrepeatable: bool,
}

impl<'a> CallResponse<'a> {
    /// An output without remarks, in which nobody took part.
    pub fn new(source: ResultSource, output: &'a mut ToolOutput) -> Self {
        Self {
            source,
            output,
            remarks: Vec::new(),
            changed: false,
            attended: false,
            clock: Vec::new(),
            unrepeatable: false,
        }
    }
}

/// The hash of an output that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseHash {
    /// The hash.
    pub hash: ContentHash,
    /// True if the JSON of the output is in the form that was hashed: see
    /// [`ToolResult::is_normalized`](crate::ToolResult::is_normalized).
    pub is_normalized: bool,
}

impl ResponseHash {
    /// The hash of an output.
    pub fn new(hash: ContentHash, is_normalized: bool) -> Self {
        Self {
            hash,
            is_normalized,
        }
    }
}
