//! The answer to a model's message.

use toolwright::ToolOutcome;
use toolwright::outcome::{FailedCall, Suspension};

use crate::{AssistantMessage, Message, StopReason, Usage};

/// The answer to a model's message: the messages to append, and the outcomes of its calls.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply {
    /// The model's own message, byte for byte but for ids of calls that were missing or repeated, and the results of its
    /// calls: exactly one for each, in the order of the calls.
    pub messages: Vec<Message>,
    /// The outcomes of the calls that ran, in the order of the calls. Those that could not be read are not among them.
    pub outcomes: Vec<ToolOutcome>,
    /// The model's text for people, empty if it wrote none.
    pub text: String,
    /// The reason why the model stopped.
    pub stop_reason: StopReason,
    /// The tokens of the request and of the answer, if the API tells them.
    pub usage: Option<Usage>,
    calls: usize,
}

impl Reply {
    pub(crate) fn new(
        message: AssistantMessage<'_>,
        results: Vec<Message>,
        outcomes: Vec<ToolOutcome>,
    ) -> Self {
        let calls = message.calls().len();
        let text = message.text().to_string();
        let (stop_reason, usage) = (message.stop_reason().clone(), message.usage());
        let mut messages = message.into_messages();
        messages.extend(results);
        Self {
            messages,
            outcomes,
            text,
            stop_reason,
            usage,
            calls,
        }
    }

    /// Returns true if the model called a tool, so that it waits for the results: its turn goes on with another request.
    pub fn has_calls(&self) -> bool {
        self.calls > 0
    }

    /// The calls that wait for somebody. The messages tell the model so;
    /// [`ModelTools::late_result`](crate::ModelTools::late_result) tells it the end.
    pub fn suspended(&self) -> impl Iterator<Item = &Suspension> {
        self.outcomes.iter().filter_map(ToolOutcome::suspension)
    }

    /// The first call after which the app should end the run, such as one that a gate has
    /// [blocked](toolwright::hook::GateDecision::Block).
    pub fn failed(&self) -> Option<&FailedCall> {
        self.outcomes.iter().find_map(|outcome| match outcome {
            ToolOutcome::Failed(failed) => Some(failed),
            _ => None,
        })
    }
}
