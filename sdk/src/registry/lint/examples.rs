//! Examples and defaults: does the tool take what its own schema shows?

use serde_json::Value;

use super::{Findings, LintKind};
use crate::arguments::{ArgumentProblem, Arguments, InvalidArguments};
use crate::schema::places::{SchemaLocation, ValueStep};
use crate::tool::Tool;

/// The longest value that is quoted, in characters.
const QUOTED: usize = 60;

pub(super) fn check(place: &SchemaLocation<'_>, tool: &dyn Tool, findings: &mut Findings<'_>) {
    if let Some(value) = place.schema.get("default") {
        check_value(LintKind::Default, value, place, tool, findings);
    }
    match place.schema.get("examples") {
        None => {}
        Some(Value::Array(examples)) => {
            for value in examples {
                check_value(LintKind::Example, value, place, tool, findings);
            }
        }
        Some(_) => findings.add(
            place.path.pointer(),
            LintKind::Example,
            "has `examples` that are not a list: put them in one",
        ),
    }
}

fn check_value(
    kind: LintKind,
    value: &Value,
    place: &SchemaLocation<'_>,
    tool: &dyn Tool,
    findings: &mut Findings<'_>,
) {
    // The key of a map entry is made up here, so a problem may be about the key.
    if matches!(place.path.last(), Some(ValueStep::Entry)) {
        return;
    }
    let what = match kind {
        LintKind::Default => "default",
        _ => "example",
    };
    let shown = quoted(value);
    let arguments = Arguments::from(place.path.wrap(value));
    let pointer = place.path.pointer();
    let parse = || tool.parse(&arguments).map(drop);
    let parsed = findings.guard(
        &pointer,
        &format!("parsing its own {what} `{shown}`"),
        parse,
    );
    let Some(Err(invalid)) = parsed else { return };
    if let Some(why) = refusal(&invalid, &place.path.sample_pointer()) {
        let message = format!(
            "the tool refuses its own {what} `{shown}` ({why}): correct it, or let the tool take it"
        );
        findings.add(pointer, kind, message);
    }
}

/// The parser's words about the value at a place. What is wrong elsewhere is of no account: the
/// other arguments are not there.
fn refusal(invalid: &InvalidArguments, at: &str) -> Option<String> {
    let is_below = |problem: &&ArgumentProblem| match problem.pointer().strip_prefix(at) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    let problems: Vec<String> = invalid
        .problems()
        .iter()
        .filter(is_below)
        .map(|problem| problem.to_string().replace(['\n', '\r'], " "))
        .collect();
    match &problems[..] {
        [] if at.is_empty() => Some("it does not say why".to_owned()),
        [] => None,
        some => Some(some.join("; ")),
    }
}

fn quoted(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
