//! Messages, calls, results and requests in the forms of the APIs.

// - `message`, `assistant`, `call`, `stop`, `usage`, `error`: the types
// - `contents`: texts and calls, as they are collected
// - `raw`: members of a message that may be anything; `arguments`: text that holds JSON
// - `entries`: objects and lists written anew
// - `chat`, `responses`, `anthropic`, `gemini`: from the form of each API
// - `results`: into the form of each API
// - `request`: the body of a request

mod anthropic;
pub(crate) mod arguments;
mod assistant;
mod call;
mod chat;
mod contents;
pub(crate) mod entries;
mod error;
mod gemini;
mod message;
pub(crate) mod raw;
mod request;
mod responses;
mod results;
mod stop;
mod usage;

pub use assistant::AssistantMessage;
pub use call::ProviderCall;
pub use error::{ApiError, MessageError};
pub use message::Message;
pub use request::RequestError;
pub(crate) use request::request;
#[cfg(feature = "rig")]
pub(crate) use results::text_of;
pub(crate) use results::{Answered, late_result, user_message, write_results};
pub use stop::StopReason;
pub use usage::Usage;
