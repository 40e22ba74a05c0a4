//! The answer to a model's message.

use toolwright::ToolOutcome;
use toolwright::outcome::{FailedCall, Suspension};

use crate::{AssistantMessage, Message, StopReason, Usage};

/// The answer to a model's message: the messages to append, and the outcomes of its calls.
///
/// The messages are those of this crate, or of [another one](crate::clients).
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply<M = Message> {
    /// The model's own message, byte for byte but for ids of calls that were missing or repeated, and the results of its
    /// calls: exactly one for each, in the order of the calls.
    pub messages: Vec<M>,
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

impl<M> Reply<M> {
    /// Makes the reply to a message, but for the messages to append.
    pub(crate) fn to(message: &AssistantMessage<'_>, outcomes: Vec<ToolOutcome>) -> Self {
        Self {
            messages: Vec::new(),
            outcomes,
            text: message.text().to_string(),
            stop_reason: message.stop_reason().clone(),
            usage: message.usage(),
            calls: message.calls().len(),
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
