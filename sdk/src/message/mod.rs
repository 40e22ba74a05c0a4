//! What is said: calls and arguments, output and results, errors.

mod arguments;
mod call;
mod canonical;
mod content;
mod error;
mod foreign;
mod invalid;
mod output;
mod result;

pub use arguments::Arguments;
pub(crate) use arguments::View;
pub use call::ToolCall;
pub use canonical::CanonicalArguments;
pub use content::{Content, Image, JsonText, ResourceLink};
pub use error::{ErrorKind, ToolError};
pub use invalid::{ArgumentProblem, InvalidArguments, ProblemKind};
pub(crate) use invalid::{TOLD, push_key};
pub use output::ToolOutput;
pub use result::{ResultSource, ToolResult, ToolStatus};
