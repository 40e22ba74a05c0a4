//! The tool that hands its calls to a dispatcher, in place of one that runs them.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::arguments::{Arguments, InvalidArguments, ReadTree};
use crate::content::{ErrorKind, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::dispatch::{
    CallClaims, CallDefinition, DispatchError, DispatchOutcome, DispatchedCall, Dispatcher,
};
use crate::executor::build_error::PlacementProblem;
use crate::executor::catalog::builder::Placer;
use crate::executor::people::service::written;
use crate::id::InvocationId;
use crate::permission::PermissionRequest;
use crate::spec::ToolSpec;
use crate::ticket::TicketKey;
use crate::tool::{Attempt, Cleanup, Invocation, Started, Tool, ToolFacts};
use crate::util::future::BoxFuture;

/// The longest that one question for the end of a call waits.
const LONGEST_QUESTION: Duration = Duration::from_secs(20);

/// The pauses after a dispatcher could not be reached: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

/// The dispatcher of an executor, and the key that calls are signed with, once the executor is built.
#[derive(Clone)]
pub(crate) struct DispatchPort {
    dispatcher: Arc<dyn Dispatcher>,
    key: Arc<OnceLock<TicketKey>>,
}

impl DispatchPort {
    pub(crate) fn new(dispatcher: Arc<dyn Dispatcher>) -> Self {
        Self {
            dispatcher,
            key: Arc::default(),
        }
    }
}

impl Placer for DispatchPort {
    fn problem(&self, spec: &ToolSpec) -> Option<PlacementProblem> {
        let promises = self.dispatcher.promises();
        if spec.is_durable() && !promises.outlives_process {
            return Some(PlacementProblem::NotDurable);
        }
        let (timeout, longest) = (spec.timeout()?, promises.max_time?);
        (timeout > longest).then_some(PlacementProblem::TimeoutTooLong { timeout, longest })
    }

    fn placed(&self, tool: &Arc<dyn Tool>) -> Arc<dyn Tool> {
        Arc::new(DispatchedTool {
            tool: Arc::clone(tool),
            port: self.clone(),
            definition: Arc::default(),
        })
    }

    fn keeps(&self, call: InvocationId) -> BoxFuture<'_, Result<bool, DispatchError>> {
        Box::pin(async move {
            Ok(self.dispatcher.promises().outlives_process && self.dispatcher.knows(call).await?)
        })
    }

    fn sign_with(&self, key: &TicketKey) {
        // An executor is built once.
        let _ = self.key.set(key.clone());
    }
}

/// A tool whose calls are read and judged here, and run elsewhere.
struct DispatchedTool {
    tool: Arc<dyn Tool>,
    port: DispatchPort,
    definition: Arc<OnceLock<Option<CallDefinition>>>,
}

impl DispatchedTool {
    fn dispatched(
        &self,
        body: Box<dyn Invocation>,
        arguments: &Arguments<'_>,
    ) -> Box<dyn Invocation> {
        Box::new(DispatchedBody {
            body,
            arguments: written(arguments),
            tool: Arc::clone(&self.tool),
            port: self.port.clone(),
            definition: Arc::clone(&self.definition),
        })
    }
}

#[async_trait]
impl Tool for DispatchedTool {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn facts(&self) -> ToolFacts {
        ToolFacts {
            never_waits: false,
            arguments_only: false,
            runs_directly: false,
            cleanup: Cleanup::Nothing,
            ..self.tool.facts()
        }
    }

    // `needs` and `cleanup_session` stay as they are by default: the resources of the body are with its host, and so is
    // all that it holds for sessions.

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let body = self.tool.parse(arguments)?;
        Ok(self.dispatched(body, arguments))
    }

    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        let body = self.tool.attempt(arguments)?;
        Ok(self.dispatched(body, arguments))
    }

    fn report(&self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        self.tool.report(arguments, tree)
    }
}

/// A call that was read here.
struct DispatchedBody {
    /// The body as it was parsed here, which says what the call asks for, and does not run.
    body: Box<dyn Invocation>,
    arguments: String,
    tool: Arc<dyn Tool>,
    port: DispatchPort,
    definition: Arc<OnceLock<Option<CallDefinition>>>,
}

impl Invocation for DispatchedBody {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        self.body.proposed_requests(ctx)
    }

    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        Started::pending(async move {
            let (call, dispatcher) = self.signed(ctx)?;
            let handover = Handover {
                dispatcher,
                call: call.invocation(),
                has_ended: false,
            };
            handover.run(&call).await
        })
    }
}

impl DispatchedBody {
    fn signed(self, ctx: &ToolContext) -> Result<(DispatchedCall, Arc<dyn Dispatcher>), ToolError> {
        let Self {
            arguments,
            tool,
            port,
            definition,
            ..
        } = self;
        let key = port.key.get();
        let definition = definition.get_or_init(|| CallDefinition::of(tool.spec(), key?, None));
        let (Some(definition), Some(key)) = (definition, key) else {
            return Err(ToolError::internal(
                "the call cannot be handed over, since its tool cannot say what it is",
            ));
        };
        let timeout = ctx.tool_timeout();
        let claims = CallClaims {
            invocation: ctx.invocation_id(),
            session: ctx.session_id().clone(),
            turn: ctx.turn_id(),
            call_id: ctx.call_id().cloned(),
            tool: ctx.tool_name().clone(),
            definition: CallDefinition {
                timeout,
                ..definition.clone()
            },
            arguments,
            metadata: ctx.metadata().cloned(),
            deadline: timeout.and_then(|timeout| SystemTime::now().checked_add(timeout)),
        };
        let call = DispatchedCall::sign(claims, key).map_err(not_taken)?;
        Ok((call, port.dispatcher))
    }
}

/// A call that is handed over. Dropped before it has ended, it is cancelled.
struct Handover {
    dispatcher: Arc<dyn Dispatcher>,
    call: InvocationId,
    has_ended: bool,
}

impl Handover {
    async fn run(mut self, call: &DispatchedCall) -> Result<ToolOutput, ToolError> {
        let outcome = self.outcome(call).await;
        self.has_ended = true;
        let is_repeatable = call.definition().is_repeatable();
        match outcome {
            Ok(DispatchOutcome::Ended(result)) => Ok(ToolOutput::of_result(*result)),
            Ok(DispatchOutcome::NotRun(error)) => Err(error),
            Ok(DispatchOutcome::CutOff(error)) if is_repeatable => Err(error),
            Ok(DispatchOutcome::CutOff(error)) => Err(indeterminate(error)),
            Err(error @ DispatchError::Refused { .. }) => Err(not_taken(error)),
            Err(error) if is_repeatable => Err(lost(error)),
            Err(error) => Err(indeterminate(error)),
        }
    }

    /// Hands the call over, and waits for its end. The timeout of the call ends both.
    async fn outcome(&self, call: &DispatchedCall) -> Result<DispatchOutcome, DispatchError> {
        let mut pause = PAUSES.0;
        let mut is_submitted = false;
        loop {
            let asked = if is_submitted {
                self.dispatcher.outcome(self.call, LONGEST_QUESTION).await
            } else {
                self.dispatcher.submit(call).await.map(|_| None)
            };
            match asked {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => {
                    is_submitted = true;
                    pause = PAUSES.0;
                }
                Err(DispatchError::Unavailable(_)) => {
                    sleep(pause).await;
                    pause = PAUSES.1.min(pause * 2);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Handover {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let (dispatcher, call) = (Arc::clone(&self.dispatcher), self.call);
            // Nobody waits for the call any more, so that nobody can be told of a failure.
            runtime.spawn(async move { drop(dispatcher.cancel(call).await) });
        }
    }
}

/// The body did not begin.
fn not_taken(error: DispatchError) -> ToolError {
    ToolError::new(
        ErrorKind::Unavailable,
        "the call could not be handed to where its tool runs; it has not run",
    )
    .with_retryable(false)
    .with_source(error)
}

/// The body may have run, and may run again.
fn lost(error: DispatchError) -> ToolError {
    ToolError::new(
        ErrorKind::Unavailable,
        "the call was lost on the way to where its tool runs; it may have run, and may be repeated",
    )
    .with_retryable(true)
    .with_source(error)
}

/// Nobody knows how far the body has come.
fn indeterminate(error: impl std::error::Error + Send + Sync + 'static) -> ToolError {
    let message = "the call was cut off where its tool runs; whether it had an effect is unknown, so check before you repeat it";
    ToolError::new(ErrorKind::Indeterminate, message)
        .with_retryable(false)
        .with_source(error)
}
