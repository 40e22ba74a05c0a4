//! The answers of a replay: outputs in their normal form, and the errors of calls that neither their tool nor
//! the record answers.

use toolwright::record::{ResponseHash, SourcedAnswer};
use toolwright::{ToolError, ToolOutput};

use crate::normal::NormalOutput;

/// The answer that gives an output from the record.
pub(super) fn answer(output: ToolOutput) -> SourcedAnswer {
    normal(SourcedAnswer::recorded(output))
}

fn normal(mut answer: SourcedAnswer) -> SourcedAnswer {
    let normal = NormalOutput::of(&mut answer.output);
    answer.response = normal
        .ok()
        .map(|(normal, is_normalized)| ResponseHash::new(normal.hash, is_normalized));
    answer
}

fn refused(error: ToolError) -> SourcedAnswer {
    normal(SourcedAnswer::refused(error))
}

#[cold]
pub(super) fn not_recorded(tool: &str) -> SourcedAnswer {
    refused(
        ToolError::unavailable(format!(
            "`{tool}` was not run: a recorded run is replayed here, and this call is not in the record, or was \
             made as often as it is there"
        ))
        .with_code("not_recorded"),
    )
}

#[cold]
pub(super) fn unfinished(tool: &str) -> SourcedAnswer {
    refused(
        ToolError::unavailable(format!(
            "`{tool}` was not run: a recorded run is replayed here, and the record does not tell how this call \
             ended"
        ))
        .with_code("not_finished_in_record"),
    )
}

#[cold]
pub(super) fn unreadable(
    tool: &str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> SourcedAnswer {
    refused(
        ToolError::unavailable(format!(
            "`{tool}` was not run: a recorded run is replayed here, and what the call gave is not there to be \
             read"
        ))
        .with_code("record_unreadable")
        .with_source(source),
    )
}
