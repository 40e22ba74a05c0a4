//! The forms of questions.

use rmcp::model::ElicitRequestParams;
use serde_json::{Map, Value, json};
use toolwright::question::{Question, QuestionForm, QuestionOption};
use toolwright::ticket::{Answer, Ticket};

use super::approval::{schema_of, tool};
use super::shown;

/// The form of a question; `None` for a secret, which forms must not ask for
/// (<https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>, read 2026-11-24).
pub(super) fn form(ticket: &Ticket, question: &Question) -> Option<ElicitRequestParams> {
    if question.is_secret() {
        return None;
    }
    let default = question.default_answer();
    let (mut answer, other) = match question.form() {
        QuestionForm::Choice { options, other, .. } => {
            (json!({"type": "string", "oneOf": titled(options)}), *other)
        }
        QuestionForm::Choices {
            options,
            other,
            min,
            max,
            ..
        } => {
            let mut list = json!({"type": "array", "items": {"anyOf": titled(options)}});
            // With another text beside them, fewer may be chosen of the list itself.
            if !other {
                list["minItems"] = json!(min);
            }
            if let Some(max) = max {
                list["maxItems"] = json!(max);
            }
            (list, *other)
        }
        QuestionForm::Text {
            min_length,
            max_length,
            pattern,
            ..
        } => {
            let mut text =
                json!({"type": "string", "minLength": min_length, "maxLength": max_length});
            if let Some(pattern) = pattern {
                text["description"] = json!(shown(pattern.meaning()));
            }
            (text, false)
        }
        QuestionForm::YesNo => (json!({"type": "boolean"}), false),
        _ => return None,
    };
    answer["title"] = json!("Answer");
    if let Some(default) = default.filter(|default| is_plain(default)) {
        answer["default"] = default.clone();
    }
    let mut properties = Map::from_iter([("answer".to_owned(), answer)]);
    if other {
        let place = match question.form() {
            QuestionForm::Choices { .. } => "It is added to the options that are chosen.",
            _ => "It takes the place of the options.",
        };
        let text = json!({"type": "string", "title": "Another answer", "description": place});
        properties.insert("other".to_owned(), text);
    }
    let is_required = !other && default.is_none();
    let required: &[&str] = if is_required { &["answer"] } else { &[] };
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(ticket, question),
        requested_schema: schema_of(schema),
    })
}

/// The options. The label is the value, and its description stands in the title.
fn titled(options: &[QuestionOption]) -> Vec<Value> {
    let option = |option: &QuestionOption| {
        let label = shown(option.label());
        let title = match option.description() {
            Some(description) => format!("{label}: {}", shown(description)),
            None => label,
        };
        json!({"const": option.label(), "title": title})
    };
    options.iter().map(option).collect()
}

/// Returns true if a form can show the value as a default.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().all(Value::is_string),
        value => value.is_string() || value.is_boolean(),
    }
}

fn message(ticket: &Ticket, question: &Question) -> String {
    let mut lines = vec![format!("The tool {} asks:", tool(ticket))];
    let details = question.detail_text().unwrap_or_default();
    let texts = question.prompt().lines().chain(details.lines());
    lines.extend(texts.map(|line| format!("| {}", shown(line))));
    lines.join("\n")
}

/// The answer of a form, if it fits the question.
pub(super) fn read(content: &Value, question: &Question) -> Result<Answer, String> {
    let chosen = content.get("answer").cloned().unwrap_or_default();
    let other = content
        .get("other")
        .and_then(Value::as_str)
        .filter(|other| !other.trim().is_empty());
    let value = match (question.form(), other) {
        (QuestionForm::Choice { other: true, .. }, Some(other)) => json!({"other": other}),
        (QuestionForm::Choices { other: true, .. }, Some(other)) => {
            let mut all = match chosen {
                Value::Array(all) => all,
                Value::Null => Vec::new(),
                one => vec![one],
            };
            all.push(json!({"other": other}));
            Value::Array(all)
        }
        (QuestionForm::Choices { .. }, _)
            if chosen.is_null() && question.default_answer().is_none() =>
        {
            json!([])
        }
        _ => chosen,
    };
    match question.check(&value) {
        Ok(_) => Ok(Answer::value(value)),
        Err(problem) => Err(shown(&problem.to_string())),
    }
}
