//! Keywords in words, for the description of a schema whose API does not take them.

use crate::json::{Json, Object};

/// The length, in bytes, up to which JSON is quoted in a description.
const MAX_QUOTED: usize = 300;

/// Numbers from here on are no use to a model: they are the ends of 64-bit types.
const HUGE: f64 = 9.0e18;

/// Says a keyword in words: a short sentence. `None`: there are none that help.
pub(super) fn in_words(keyword: &str, value: &Json) -> Option<String> {
    let text = match keyword {
        "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" | "multipleOf" => {
            let Json::Number(number) = value else {
                return None;
            };
            if number.as_f64().is_some_and(|number| number.abs() >= HUGE) {
                return None;
            }
            match keyword {
                "minimum" => format!("At least {number}."),
                "exclusiveMinimum" => format!("More than {number}."),
                "maximum" => format!("At most {number}."),
                "exclusiveMaximum" => format!("Less than {number}."),
                _ => format!("A multiple of {number}."),
            }
        }
        "minLength" => format!("At least {}.", counted(value, "character", "characters")?),
        "maxLength" => format!("At most {}.", counted(value, "character", "characters")?),
        "minItems" => format!("At least {}.", counted(value, "item", "items")?),
        "maxItems" => format!("At most {}.", counted(value, "item", "items")?),
        "minProperties" => format!("At least {}.", counted(value, "property", "properties")?),
        "maxProperties" => format!("At most {}.", counted(value, "property", "properties")?),
        "pattern" => format!("Matches the regular expression {}.", quoted(value)?),
        "format" => format!("Format: {}.", value.as_str()?),
        "uniqueItems" if *value == Json::Bool(true) => "No item twice.".to_owned(),
        "default" => format!("Default: {}.", quoted(value)?),
        "examples" => {
            let examples: Option<Vec<_>> = value.as_array()?.iter().map(quoted).collect();
            format!("Examples: {}.", examples?.join(", "))
        }
        "deprecated" if *value == Json::Bool(true) => "Deprecated.".to_owned(),
        "not" => format!("Does not match the JSON Schema {}.", quoted(value)?),
        "contains" => format!("Some item matches the JSON Schema {}.", quoted(value)?),
        "propertyNames" => format!("Names match the JSON Schema {}.", quoted(value)?),
        "dependentRequired" => {
            let mut sentences = Vec::new();
            for (name, needed) in value.as_object()?.iter() {
                let needed: Option<Vec<_>> = needed.as_array()?.iter().map(quoted).collect();
                sentences.push(format!("With \"{name}\" also {}.", needed?.join(", ")));
            }
            sentences.join(" ")
        }
        _ => return None,
    };
    (text.len() <= MAX_QUOTED + 60).then_some(text)
}

/// Says a lower and an upper bound in one sentence, at the lower one; at the upper one there is nothing left to say.
/// `None`: only one of them is lost, or cannot be said.
pub(super) fn between(keyword: &str, lost: &[(&str, &Json)]) -> Option<String> {
    let pairs = [
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ];
    let (lower, upper) = pairs
        .into_iter()
        .find(|(lower, upper)| keyword == *lower || keyword == *upper)?;
    let value = |keyword| {
        lost.iter()
            .find(|(lost, _)| *lost == keyword)
            .map(|(_, value)| *value)
    };
    let (least, most) = (value(lower)?, value(upper)?);
    let (_, sentence) = (in_words(lower, least)?, in_words(upper, most)?);
    if keyword == upper {
        return Some(String::new());
    }
    let rest = sentence.strip_prefix("At most ")?;
    Some(if least == most {
        format!("Exactly {rest}")
    } else {
        format!("From {} to {rest}", least.to_text())
    })
}

/// Says `if`, `then` and `else` in words.
pub(super) fn condition(schema: &Object) -> Option<String> {
    let mut words = vec![format!(
        "If it matches the JSON Schema {}",
        quoted(schema.get("if")?)?
    )];
    if let Some(then) = schema.get("then") {
        words.push(format!("it matches {}", quoted(then)?));
    }
    if let Some(otherwise) = schema.get("else") {
        words.push(format!("otherwise it matches {}", quoted(otherwise)?));
    }
    Some(words.join(", ") + ".")
}

fn counted(value: &Json, one: &str, many: &str) -> Option<String> {
    let Json::Number(count) = value else {
        return None;
    };
    let noun = if count.as_u64() == Some(1) { one } else { many };
    Some(format!("{count} {noun}"))
}

fn quoted(value: &Json) -> Option<String> {
    let text = value.to_text();
    (text.len() <= MAX_QUOTED).then_some(text)
}

/// Returns true if a title says no more than the name does: `Max Results` of `max_results`.
pub(super) fn is_name(title: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    letters(title) == letters(name)
}

/// Joins two texts of one description.
pub(super) fn joined(first: String, second: &str, between: &str) -> String {
    if second.is_empty() || first == second {
        return first;
    }
    if first.is_empty() {
        return second.to_owned();
    }
    format!("{first}{between}{second}")
}
