//! The purpose of a call: the model's reason for it, taken out of the arguments before the tool sees them.

use serde::Deserializer;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::arguments::{ArgumentProblem, Arguments, InvalidArguments, Pairs};
use crate::spec::PURPOSE_ARGUMENT;
use crate::util::character::one_line;

/// The most characters of a purpose, the mark of a cut among them.
const LENGTH: usize = 1_000;

/// The purpose, and the arguments without it.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The arguments without it; none where it was not among them.
    pub(crate) rest: Option<Arguments<'static>>,
    pub(crate) purpose: Option<Box<str>>,
}

/// Takes the purpose out of arguments. What is no object has none, and is left for the tool to
/// refuse.
pub(crate) fn take(arguments: &Arguments<'_>) -> Result<Taken, InvalidArguments> {
    if let Some(text) = arguments.as_text() {
        return if may_name_it(text) {
            take_from_text(text)
        } else {
            Ok(Taken::default())
        };
    }
    let Some(Value::Object(members)) = arguments.as_tree() else {
        return Ok(Taken::default());
    };
    let Some(given) = members.get(PURPOSE_ARGUMENT) else {
        return Ok(Taken::default());
    };
    let others = members.iter().filter(|(name, _)| *name != PURPOSE_ARGUMENT);
    let rest: Value = others
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    Ok(Taken {
        rest: Some(rest.into()),
        purpose: shown(given),
    })
}

/// Returns true if the name may be in the text, as it is or with escaped characters.
fn may_name_it(text: &str) -> bool {
    text.contains(PURPOSE_ARGUMENT) || text.contains("\\u")
}

fn take_from_text(text: &str) -> Result<Taken, InvalidArguments> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = deserializer.deserialize_map(Pairs::<&RawValue>::new());
    let (Ok(members), Ok(())) = (read, deserializer.end()) else {
        return Ok(Taken::default());
    };
    let mut given = None;
    for (name, value) in &members {
        if name == PURPOSE_ARGUMENT && given.replace(*value).is_some() {
            let pointer = format!("/{PURPOSE_ARGUMENT}");
            return Err(InvalidArguments::new(vec![ArgumentProblem::given_twice(
                pointer,
            )]));
        }
    }
    let Some(given) = given else {
        return Ok(Taken::default());
    };
    // Written anew name by name, each value as it stands: a number keeps all its digits, and a
    // name that is given twice is still given twice.
    let mut rest = String::with_capacity(text.len());
    rest.push('{');
    for (name, value) in members {
        if name == PURPOSE_ARGUMENT {
            continue;
        }
        if rest.len() > 1 {
            rest.push(',');
        }
        rest.push_str(&Value::String(name).to_string());
        rest.push(':');
        rest.push_str(value.get());
    }
    rest.push('}');
    let purpose = match serde_json::from_str(given.get()) {
        // A number may have more digits than are kept in a tree.
        Ok(value @ (Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_))) => {
            shown(&value)
        }
        _ => shown_text(given.get()),
    };
    Ok(Taken {
        rest: Some(rest.into()),
        purpose,
    })
}

/// A purpose as people read it: a text, or the JSON of what is none.
fn shown(given: &Value) -> Option<Box<str>> {
    match given {
        Value::Null => None,
        Value::String(text) => shown_text(text),
        other => shown_text(&other.to_string()),
    }
}

fn shown_text(text: &str) -> Option<Box<str>> {
    let text = text.trim();
    // The mark of a cut is one more character.
    (!text.is_empty()).then(|| one_line(text, LENGTH - 1).into())
}

#[cfg(test)]
mod tests;
