//! Calls as they come, and results as they go: content, errors, status.

mod block;
mod call;
mod error;
mod exceeded;
mod extras;
mod finite;
mod foreign;
mod output;
mod result;
mod status;
mod typed_result;

pub use block::{Audio, Content, EmbeddedBody, EmbeddedResource, Image, JsonText, ResourceLink};
pub use call::ToolCall;
pub use error::{ErrorKind, ToolError};
pub use exceeded::{ExceededLimit, Limit};
pub(crate) use finite::{NotFinite, Unwritable, written};
pub use output::ToolOutput;
pub(crate) use result::Repairs;
pub use result::{ResultSource, ToolResult, ToolStatus, Truncation};
pub use status::{CallStatus, IllegalStep};
pub use typed_result::ReadResultError;

pub use crate::util::hash::{ContentHash, InvalidHash};
