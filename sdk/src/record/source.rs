//! The port that decides where the results of a session come from.

use std::sync::Arc;

use async_trait::async_trait;

use super::ResponseHash;
use crate::arguments::Arguments;
use crate::content::{ResultSource, ToolError, ToolOutput};
use crate::id::{CallId, InvocationId, SessionId, TurnId};
use crate::spec::ToolSpec;

/// Decides where the results of a session's calls come from: the tools run, or a record answers. See
/// [`SessionOptions::call_source`](crate::executor::SessionOptions::call_source).
///
/// [`decide`](Self::decide) is asked about each call of the session, of the sessions below it, and of their tools,
/// once its arguments were read. If it lets the body run, [`repeated`](Self::repeated) gets the output and decides on
/// the result.
///
/// Permissions, capabilities, gates, hooks and people are not asked about such a call, and nothing is written to the
/// executor's recorder and result store. Requests that a body makes [while it runs](crate::ToolContext::check) are
/// allowed unless the checker denies them.
///
/// Each method may take as long as [`Limits::store_timeout`](crate::executor::Limits::store_timeout) says.
/// A method that takes longer or panics ends the call with an error of kind
/// [`Unavailable`](crate::content::ErrorKind::Unavailable) and the code `record_unreadable`.
///
/// ```
/// use toolwright::executor::SessionOptions;
/// use toolwright::record::{CallSource, RepeatedRun, SourceDecision, SourcedAnswer, SourcedCall};
/// use toolwright::{Executor, ToolCall, ToolOutput, ToolRegistry, async_trait, tool};
///
/// /// Answers calls of `look_up`, and lets all others run.
/// struct Canned;
///
/// #[async_trait]
/// impl CallSource for Canned {
///     async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision {
///         match call.tool {
///             "look_up" => SourceDecision::answer(SourcedAnswer::recorded(ToolOutput::text("21 °C"))),
///             _ => SourceDecision::run(),
///         }
///     }
///
///     async fn repeated(&self, run: RepeatedRun) -> SourcedAnswer {
///         run.into_answer()
///     }
/// }
///
/// /// Look the temperature up.
/// #[tool(read_only)]
/// async fn look_up() -> Result<String, toolwright::ToolError> {
///     Err(toolwright::ToolError::failed("there is no network in tests"))
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let executor = Executor::new(ToolRegistry::new().with(LookUp))?;
/// let session = executor.session_with("s-1", SessionOptions::new().call_source(Canned));
/// assert_eq!(session.call(ToolCall::new("look_up", "{}")).await.text(), "21 °C");
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[async_trait]
pub trait CallSource: Send + Sync + 'static {
    /// Decides where the result of a call comes from.
    async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision;

    /// Returns the result of a call whose body ran because this source [let it](SourceDecision::run): its own output,
    /// or another one.
    async fn repeated(&self, run: RepeatedRun) -> SourcedAnswer;
}

#[async_trait]
impl<S: CallSource + ?Sized> CallSource for Arc<S> {
    async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision {
        (**self).decide(call).await
    }

    async fn repeated(&self, run: RepeatedRun) -> SourcedAnswer {
        (**self).repeated(run).await
    }
}

/// A call whose result a [`CallSource`] decides on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SourcedCall<'a> {
    /// Our id of the call, which is unique.
    pub invocation: InvocationId,
    /// The call whose tool makes this one, if a tool does.
    pub parent: Option<InvocationId>,
    /// The session of the call.
    pub session: &'a SessionId,
    /// The turn of the call.
    pub turn: TurnId,
    /// The model's own id of the call, which may be missing or repeat.
    pub call_id: Option<&'a CallId>,
    /// The tool's canonical name; the name as it was called if there is no such tool.
    pub tool: &'a str,
    /// The tool; `None` if there is no such tool or its description cannot be read.
    pub spec: Option<&'a ToolSpec>,
    /// The arguments as they were sent.
    pub sent: &'a Arguments<'a>,
    /// The arguments that the tool accepts, after repairs; or the reason why it does not accept them. `None` without
    /// a tool.
    pub read: Option<Result<&'a Arguments<'a>, &'a ToolError>>,
}

impl<'a> SourcedCall<'a> {
    /// A call of a tool that does not exist.
    pub fn new(
        invocation: InvocationId,
        session: &'a SessionId,
        turn: TurnId,
        tool: &'a str,
        sent: &'a Arguments<'a>,
    ) -> Self {
        Self {
            invocation,
            parent: None,
            session,
            turn,
            call_id: None,
            tool,
            spec: None,
            sent,
            read: None,
        }
    }

    /// Returns the arguments that the tool accepts, if there is such a tool and it accepts them.
    pub fn accepted(&self) -> Option<&'a Arguments<'a>> {
        self.read.and_then(Result::ok)
    }
}

/// The decision of a [`CallSource`] on a call.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceDecision {
    /// The call gets this answer, and its body does not run.
    Answer(Box<SourcedAnswer>),
    /// The body runs. A call whose tool does not exist or does not accept the arguments ends with that error.
    #[non_exhaustive]
    Run {
        /// The clock and the random numbers that the body gets. `None` for others than any call of the session had.
        environment: Option<RecordedEnvironment>,
        /// The turn that the body sees. `None` for the turn that the call is made in.
        turn: Option<TurnId>,
    },
}

impl SourceDecision {
    /// Answers a call.
    pub fn answer(answer: SourcedAnswer) -> Self {
        Self::Answer(Box::new(answer))
    }

    /// Lets the body run, with a clock and random numbers that no call had before.
    pub fn run() -> Self {
        Self::Run {
            environment: None,
            turn: None,
        }
    }

    /// Lets the body run as it ran before.
    pub fn run_in(environment: Option<RecordedEnvironment>, turn: Option<TurnId>) -> Self {
        Self::Run { environment, turn }
    }
}

/// The clock and the randomness that a recorded body had; see [`RequestInput::seed`](super::RequestInput::seed) and
/// [`CallResponse::clock`](super::CallResponse::clock).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedEnvironment {
    /// The seed of its random numbers.
    pub seed: [u8; 32],
    /// The times that it was given, in nanoseconds since 1970. A body that reads the clock more often gets the last
    /// one again.
    pub clock: Vec<i64>,
}

impl RecordedEnvironment {
    /// The environment of a body that had this seed and these times, in nanoseconds since 1970.
    pub fn new(seed: [u8; 32], clock: Vec<i64>) -> Self {
        Self { seed, clock }
    }
}

/// The end of a body that a [`CallSource`] let run.
#[derive(Debug)]
#[non_exhaustive]
pub struct RepeatedRun {
    /// Our id of the call.
    pub invocation: InvocationId,
    /// The origin of the output: the tool, or the executor if the body was stopped.
    pub source: ResultSource,
    /// The output.
    pub output: ToolOutput,
    /// The number of times that the body read its clock, where it had [recorded times](RecordedEnvironment::clock).
    pub clock_readings: u64,
}

impl RepeatedRun {
    /// A body that has ended.
    pub fn new(invocation: InvocationId, source: ResultSource, output: ToolOutput) -> Self {
        Self {
            invocation,
            source,
            output,
            clock_readings: 0,
        }
    }

    /// Returns the answer that gives the output as it is.
    pub fn into_answer(self) -> SourcedAnswer {
        SourcedAnswer {
            source: self.source,
            ..SourcedAnswer::recorded(self.output)
        }
    }
}

/// The result of a call, by a [`CallSource`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SourcedAnswer {
    /// The origin of the result.
    pub source: ResultSource,
    /// The output.
    pub output: ToolOutput,
    /// Texts that the model reads after the output.
    pub remarks: Vec<String>,
    /// The hash of the output, which becomes [`ToolResult::response_hash`](crate::ToolResult::response_hash).
    pub response: Option<ResponseHash>,
}

impl SourcedAnswer {
    /// An output that a record holds: the origin of the result is [`ResultSource::Replay`].
    pub fn recorded(output: ToolOutput) -> Self {
        Self {
            source: ResultSource::Replay,
            output,
            remarks: Vec::new(),
            response: None,
        }
    }

    /// An error that keeps the call from running: the origin of the result is [`ResultSource::Executor`].
    pub fn refused(error: ToolError) -> Self {
        Self {
            source: ResultSource::Executor,
            ..Self::recorded(error.into())
        }
    }

    /// Adds texts that the model reads after the output.
    pub fn with_remarks(mut self, remarks: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(remarks);
        self
    }

    /// Sets the hash of the output.
    pub fn with_response(mut self, response: ResponseHash) -> Self {
        self.response = Some(response);
        self
    }
}
