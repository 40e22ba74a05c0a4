//! The form of an approval.

use std::collections::BTreeMap;

use rmcp::model::{ElicitRequestParams, ElicitationSchema};
use serde_json::{Value, json};
use toolwright::PermissionRequest;
use toolwright::ticket::{Answer, GrantScope, PendingRequest, Ticket};

use super::shown;

/// The most lines of a preview that are shown.
const LINES: usize = 400;

/// The form, and what its options beyond yes and no cover.
pub(super) fn form(
    ticket: &Ticket,
    request: &PendingRequest,
    offers_trust: bool,
) -> (ElicitRequestParams, Vec<GrantScope>) {
    let options = if offers_trust {
        request.trust_options()
    } else {
        &[]
    };
    let mut choices = vec![json!({"const": "yes", "title": "Yes, this time"})];
    for (number, option) in options.iter().enumerate() {
        let title = format!(
            "Yes, and for the rest of this session: {}",
            shown(option.label())
        );
        choices.push(json!({"const": always(number), "title": title}));
    }
    choices.push(json!({"const": "no", "title": "No"}));
    let schema = json!({
        "type": "object",
        "properties": {
            "decision": {"type": "string", "title": "Decision", "oneOf": choices},
            "reason": {
                "type": "string",
                "title": "Reason",
                "description": "For a no: the reason. The model reads it.",
            },
        },
        "required": ["decision"],
    });
    let params = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(ticket, request),
        requested_schema: schema_of(schema),
    };
    (
        params,
        options
            .iter()
            .map(|option| option.covers().clone())
            .collect(),
    )
}

/// A schema of ours. It is well-formed, and one that is not would ask for nothing.
pub(super) fn schema_of(schema: Value) -> ElicitationSchema {
    serde_json::from_value(schema).unwrap_or_else(|_| ElicitationSchema::new(BTreeMap::default()))
}

/// The line that names the tool of a ticket.
pub(super) fn tool(ticket: &Ticket) -> String {
    let call = ticket.call();
    match call.title() {
        Some(title) => format!("`{}` ({})", call.tool(), shown(title)),
        None => format!("`{}`", call.tool()),
    }
}

/// All that the ticket shows of a request, a line for each part.
fn message(ticket: &Ticket, request: &PendingRequest) -> String {
    let call = ticket.call();
    let mut lines = vec![
        format!("The tool {} asks for your approval.", tool(ticket)),
        format!("Request: {}", shown(request.summary())),
    ];
    if let Some(why) = request.why() {
        lines.push(format!("Why you are asked: {}", shown(why)));
    }
    if let Some(arguments) = call.arguments() {
        lines.push(format!("Arguments: {}", shown(&arguments.to_string())));
    }
    if let Some(purpose) = call.purpose() {
        lines.push(format!("The model says: {}", shown(purpose)));
    }
    if let Some(asked) = PermissionRequest::from_pending(request) {
        lines.push(format!(
            "Subject: {} {}",
            shown(asked.kind()),
            shown(asked.target())
        ));
        if !asked.details().is_empty() {
            let details = Value::Object(asked.details().clone()).to_string();
            lines.push(format!("Details: {}", shown(&details)));
        }
        if let Some(preview) = asked.preview() {
            lines.push("Preview:".to_owned());
            let mut rest = preview.lines();
            lines.extend(
                rest.by_ref()
                    .take(LINES)
                    .map(|line| format!("| {}", shown(&line))),
            );
            let left = rest.count();
            if left > 0 {
                lines.push(format!(
                    "{left} more lines are not shown. Say no if you have to see them."
                ));
            }
        }
    }
    lines.join("\n")
}

fn always(number: usize) -> String {
    format!("always_{}", number + 1)
}

/// The decision of a form. Nothing but a decision is a yes.
pub(super) fn read(content: &Value, options: &[GrantScope]) -> Result<Answer, String> {
    let wrong = || {
        let mut words = vec!["yes".to_owned(), "no".to_owned()];
        words.extend((0..options.len()).map(always));
        format!("`decision` is one of `{}`", words.join("`, `"))
    };
    let decision = content
        .get("decision")
        .and_then(Value::as_str)
        .ok_or_else(wrong)?;
    match decision {
        "yes" => Ok(Answer::yes()),
        "no" => {
            let reason = content.get("reason").and_then(Value::as_str);
            let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
            Ok(match reason {
                Some(reason) => Answer::no().because(shown(reason)),
                None => Answer::no(),
            })
        }
        other => {
            let chosen = options
                .iter()
                .enumerate()
                .find(|(number, _)| always(*number) == other);
            let (_, covers) = chosen.ok_or_else(wrong)?;
            Ok(Answer::always(covers.clone()))
        }
    }
}
