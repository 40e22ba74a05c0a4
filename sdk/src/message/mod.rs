//! What is said: calls and arguments, output and results, errors.

mod arguments;
mod call;
mod canonical;
mod content;
mod error;
mod exceeded;
pub(crate) mod extent;
mod foreign;
mod found;
mod invalid;
mod once;
mod output;
mod read;
mod repair;
mod result;
mod rounded;
mod status;
mod typed_result;

pub use arguments::Arguments;
pub(crate) use arguments::View;
pub use call::ToolCall;
pub use canonical::CanonicalArguments;
pub use content::{Content, Image, JsonText, ResourceLink};
pub use error::{ErrorKind, ToolError};
pub use exceeded::{ExceededLimit, Limit};
pub(crate) use found::{found, shortened};
pub(crate) use invalid::TOLD;
pub use invalid::{ArgumentProblem, InvalidArguments, ProblemKind};
pub(crate) use once::{given_once, names_given_twice};
pub use output::ToolOutput;
pub use repair::{Repair, RepairKind, Repaired};
pub(crate) use result::Repairs;
pub use result::{ResultSource, ToolResult, ToolStatus, Truncation};
pub(crate) use rounded::rounded;
pub use status::{CallStatus, IllegalStep};
pub use typed_result::ReadResultError;
