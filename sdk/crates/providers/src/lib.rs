//! Tools of [toolwright](https://docs.rs/toolwright) for the APIs of models, both ways: the list of tools as each API takes
//! it, its calls, and the results.
//!
//! ```
//! use serde_json::json;
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_providers::anthropic;
//!
//! /// Count the words of a text.
//! #[tool(pure)]
//! fn count(text: String) -> usize {
//!     text.split_whitespace().count()
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let session = Executor::new(ToolRegistry::new().with(Count))?.session("s-1");
//! let tools = anthropic::messages(&session);
//! let mut messages = vec![tools.user("How many words has \"as you like\"?")];
//!
//! let body = tools.request(&json!({"model": "claude-sonnet-5", "max_tokens": 1024}), &messages)?;
//! assert!(body.contains(r#""name":"count""#));
//!
//! // The body of the server's response, by the app's own HTTP client.
//! let response = r#"{"role": "assistant", "stop_reason": "tool_use", "content": [
//!     {"type": "tool_use", "id": "toolu_1", "name": "count", "input": {"text": "as you like"}}]}"#;
//! let reply = tools.answer(response).await?;
//! assert_eq!(reply.outcomes[0].text(), "3");
//! messages.extend(reply.messages);
//! assert_eq!(
//!     messages[2].as_str(),
//!     r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"3"}]}"#,
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | API | |
//! |---|---|
//! | `OpenAI`'s Chat Completions | [`openai::chat`], which has the whole loop |
//! | `OpenAI`'s Responses | [`openai::responses`] |
//! | Anthropic's Messages | [`anthropic::messages`] |
//! | Gemini's `generateContent` | [`gemini::generate_content`] |
//! | Ollama, vLLM and other compatible servers | [`compatible::chat`] |
//! | any of them by `async-openai`, `genai` or `rig` | [`clients`], each behind a feature |
//!
//! | to do | |
//! |---|---|
//! | show the tools | [`ModelTools::request`], or [`ToolList`] alone |
//! | see what a provider does not take of a schema | [`ToolList::report`] |
//! | choose the strict mode, caching, deferred loading | [`ListOptions`] |
//! | run the calls of a message | [`ModelTools::answer`] |
//! | read a streamed answer | [`ModelTools::stream`] |
//! | tell the end of a call that was suspended | [`ModelTools::late_result`] |
//! | read calls without running them | [`AssistantMessage`] |
//! | notice that tools have changed since a person looked at them | [`Fingerprints`] |
//! | know an API's limits | [`Api::limits`] |
//!
//! Nothing here opens a connection: every function takes and gives text. A tool's own schema stays as it is. Where an API
//! takes a narrower form of it, the report names each keyword that was lost or moved into a description, and a call is read
//! back into the tool's own form before it runs.

// The files:
//
// - `api`, `limits`: the APIs, and what they allow
// - `openai`, `anthropic`, `gemini`, `compatible`: their functions
// - `turn`, `reply`: a message in, the messages to append out
// - `list`, `names`, `drift`: the tools as a model sees them
// - `schema`: their schemas in the form of an API, and calls back into the tool's own
// - `clients`: the types of other crates
// - `wire`: messages, calls and results in the forms of the APIs
// - `stream`: streamed messages, put together
// - `json`: JSON in its order

pub mod anthropic;
mod api;

pub mod clients;
pub mod compatible;
mod drift;
pub mod gemini;
mod json;
mod limits;
mod list;
mod names;
pub mod openai;
mod reply;
mod schema;
mod stream;
mod turn;
mod wire;

pub use api::Api;
pub use drift::{Drift, Fingerprints};
pub use limits::{Limit, Limits};
pub use list::{
    GeminiSchema, ListError, ListOptions, ListReport, NotStrict, Strict, ToolList, ToolReport,
};
pub use reply::Reply;
pub use schema::{Loss, Unrepresentable};
pub use stream::{MessageStream, StreamError, StreamEvent};
pub use turn::ModelTools;
pub use wire::{
    ApiError, AssistantMessage, Message, MessageError, ProviderCall, RequestError, StopReason,
    Usage,
};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/providers.md")]
mod guide {}
