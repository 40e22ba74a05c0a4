//! The tools of a session as invocables.

use std::pin::pin;
use std::sync::Arc;

use serde_json::Value;
use toolwright::content::{ErrorKind, ToolResult};
use toolwright::ticket::{Answers, Ticket};
use toolwright::{
    CancellationToken, Session, ToolCall, ToolError, ToolOutcome, ToolOutput, ToolSpec, async_trait,
};

use super::{CanonicalName, CapabilityProvider, Invocable, InvokeOutcome, InvokeRequest};

/// The tools of a session as a list of invocables: those that its model is told of. Each invocation is a call of the session, a
/// turn of its own: checked, permitted, recorded, and suspended with a ticket where somebody has to be asked.
#[derive(Debug, Clone)]
pub struct SessionCapabilities {
    session: Session,
}

impl SessionCapabilities {
    /// Makes a provider of a session.
    pub fn new(session: Session) -> Self {
        Self { session }
    }
}

impl CapabilityProvider for SessionCapabilities {
    fn invocables(&self) -> Vec<Arc<dyn Invocable>> {
        let tools = self.session.tools();
        let invocable = |spec: &ToolSpec| {
            Arc::new(SessionTool {
                name: CanonicalName::of(&tools, spec.name()),
                description: spec.description().into_owned(),
                spec: spec.clone(),
                session: self.session.clone(),
            }) as Arc<dyn Invocable>
        };
        tools.specs().map(invocable).collect()
    }
}

/// A tool of a session.
struct SessionTool {
    name: CanonicalName,
    description: String,
    spec: ToolSpec,
    session: Session,
}

#[async_trait]
impl Invocable for SessionTool {
    fn name(&self) -> &CanonicalName {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn input_schema(&self) -> &Value {
        self.spec.input_schema()
    }

    async fn invoke(&self, request: InvokeRequest) -> InvokeOutcome {
        let InvokeRequest {
            arguments,
            call_id,
            metadata,
            cancellation,
        } = request;
        let mut call = ToolCall::new(self.spec.name().as_str(), Value::Object(arguments));
        if let Some(id) = call_id {
            call = call.with_id(id);
        }
        if let Some(metadata) = metadata {
            call = call.with_metadata(metadata);
        }
        let turn = self.session.turn();
        let mut call = pin!(turn.call(call));
        let outcome = tokio::select! {
            biased;
            // The outcome is awaited all the same: a call that is cancelled has some time to end.
            () = cancellation.cancelled() => {
                turn.cancel();
                call.await
            }
            outcome = &mut call => outcome,
        };
        outcome_of(outcome)
    }

    async fn resume(
        &self,
        ticket: &Ticket,
        answers: Answers,
        cancellation: CancellationToken,
    ) -> InvokeOutcome {
        let resumed = tokio::select! {
            biased;
            // The turn of a resumed call is over, so that dropping the call is what stops it.
            () = cancellation.cancelled() => {
                return ToolOutput::from(ToolError::new(ErrorKind::Cancelled, "the call was cancelled")).into();
            }
            resumed = self.session.resume(ticket, answers) => resumed,
        };
        match resumed {
            Ok(outcome) => outcome_of(outcome),
            Err(error) => {
                let message = format!("the call cannot go on: {error}");
                ToolOutput::from(ToolError::failed(message).with_source(error)).into()
            }
        }
    }
}

fn outcome_of(outcome: ToolOutcome) -> InvokeOutcome {
    match outcome {
        ToolOutcome::Suspended(suspension) => InvokeOutcome::Suspended(suspension),
        outcome => output_of(&outcome.into_result()).into(),
    }
}

/// The output of a result, with its error.
fn output_of(result: &ToolResult) -> ToolOutput {
    let mut output = ToolOutput::from(result.content().to_vec());
    for (key, value) in result.metadata().into_iter().flatten() {
        output = output.with_metadata(key, value.clone());
    }
    match result.error() {
        Some(error) => output.with_error(error.clone()),
        None => output,
    }
}
