//! The errors of replayed calls that neither their tool nor the record answers.

use crate::id::ToolName;
use crate::message::ToolError;

#[cold]
pub(crate) fn not_recorded(tool: &str) -> ToolError {
    let name: String = tool.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unavailable(format!(
        "`{name}` was not run: a recorded run is replayed here, and this call is not in the record, or was \
         made as often as it is there"
    ))
    .with_code("not_recorded")
}

#[cold]
pub(crate) fn unfinished(tool: &str) -> ToolError {
    let name: String = tool.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unavailable(format!(
        "`{name}` was not run: a recorded run is replayed here, and the record does not tell how this call \
         ended"
    ))
    .with_code("not_finished_in_record")
}

#[cold]
pub(crate) fn unreadable(
    tool: &str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> ToolError {
    let name: String = tool.chars().take(ToolName::MAX_LENGTH).collect();
    ToolError::unavailable(format!(
        "`{name}` was not run: a recorded run is replayed here, and what the call gave is not there to be \
         read"
    ))
    .with_code("record_unreadable")
    .with_source(source)
}
