//! The answers of a replay: outputs in their normal form, and the errors of calls that neither their tool nor
//! the record answers.

use toolwright::record::{ResponseHash, SourcedAnswer};
use toolwright::{ToolError, ToolOutput};

use crate::JournalError;
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

/// The answer that refuses a call, and says why.
#[cold]
fn refused(
    tool: &str,
    why: &str,
    code: &'static str,
    source: Option<JournalError>,
) -> SourcedAnswer {
    let message = format!("`{tool}` was not run: a recorded run is replayed here, and {why}");
    let error = ToolError::unavailable(message).with_code(code);
    normal(SourcedAnswer::refused(match source {
        Some(source) => error.with_source(source),
        None => error,
    }))
}

pub(super) fn not_recorded(tool: &str) -> SourcedAnswer {
    let why = "this call is not in the record, or was made as often as it is there";
    refused(tool, why, "not_recorded", None)
}

pub(super) fn unfinished(tool: &str) -> SourcedAnswer {
    let why = "the record does not tell how this call ended";
    refused(tool, why, "not_finished_in_record", None)
}

pub(super) fn unreadable(tool: &str, source: JournalError) -> SourcedAnswer {
    let why = "what the call gave is not there to be read";
    refused(tool, why, "record_unreadable", Some(source))
}
