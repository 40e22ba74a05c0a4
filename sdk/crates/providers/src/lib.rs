//! Tools of [toolwright](https://docs.rs/toolwright) in the forms of the model APIs, both ways: `OpenAI`'s Chat Completions
//! and Responses, Anthropic's Messages, Gemini, Ollama and other compatible servers.

// The files:
//
// - `api`: the APIs
// - `json`: JSON in its order
// - `limits`: the limits of the APIs, as data
// - `schema`: schemas in the forms that the APIs take, and the way back
// - `stream`: messages that come as server-sent events
// - `wire`: messages, calls, results and requests in the forms of the APIs

#![allow(dead_code, unused_imports, reason = "the parts come one after another")]

mod api;
mod json;
mod limits;
mod schema;
mod stream;
mod wire;

pub use api::Api;
pub use limits::{Limit, Limits};
pub use schema::{Loss, Unrepresentable};
pub use stream::{MessageStream, StreamError, StreamEvent};
pub use wire::{
    ApiError, AssistantMessage, Message, MessageError, ProviderCall, RequestError, StopReason,
    Usage,
};
