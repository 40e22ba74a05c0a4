//! Constraints that no value satisfies.
//!
//! Judged is what can be decided: ends, steps, lengths, the lengths of formats, and listed values against all the rest.
//! A pattern is judged by listed values alone.

use serde_json::Value;

use super::exact::{compare, integer};
use super::fits::refused;
use super::format::Format;
use super::pattern::WORK;
use crate::schema::make::written::{length, range, step, text, written};
use crate::schema::multiple;
use crate::schema::walk::Node;

/// The reason why no value satisfies the constraints of a schema, or why a value that it lists does not; `None` if
/// that cannot be decided.
pub(crate) fn nothing_fits(node: &Node) -> Option<String> {
    let of_list = listed(node);
    if of_list.is_some() {
        return of_list;
    }
    let problem = empty_range(node)
        .or_else(|| no_multiple(node))
        .or_else(|| empty_length(node))
        .or_else(|| length_of_format(node))?;
    Some(format!("no value is allowed: {problem}"))
}

/// A listed value that the rest refuses is shown to the model, and refused when it is chosen.
fn listed(node: &Node) -> Option<String> {
    let list = node.get("enum")?.as_array()?;
    let mut rest = node.clone();
    rest.remove("enum");
    let demands = written(&rest);
    let rest = Value::Object(rest);
    let mut effort = WORK;
    let out = list
        .iter()
        .filter(|value| refused(value, &rest, &mut effort).is_some());
    let out: Vec<String> = out.map(|value| format!("`{value}`")).collect();
    if out.is_empty() {
        return None;
    }
    let by = if demands.is_empty() {
        "its type refuses".to_owned()
    } else {
        format!("{demands} refuses")
    };
    Some(format!("`one_of` lists {}, which {by}", out.join(", ")))
}

fn number<'n>(node: &'n Node, keyword: &str) -> Option<&'n serde_json::Number> {
    node.get(keyword)?.as_number()
}

fn empty_range(node: &Node) -> Option<String> {
    let least = number(node, "minimum")?;
    let beyond = number(node, "maximum")
        .is_some_and(|most| compare(least, most).is_some_and(std::cmp::Ordering::is_gt));
    let at_end = number(node, "exclusiveMaximum")
        .is_some_and(|end| compare(least, end).is_some_and(std::cmp::Ordering::is_ge));
    (beyond || at_end).then(|| format!("`{}` is empty", range(node).unwrap_or_default()))
}

/// A step that has no multiple within the range.
fn no_multiple(node: &Node) -> Option<String> {
    let of = number(node, "multipleOf")?;
    let least = number(node, "minimum")?;
    let (most, is_open) = match number(node, "maximum") {
        Some(most) => (most, false),
        None => (number(node, "exclusiveMaximum")?, true),
    };
    let has_none = match (integer(of), integer(least), integer(most)) {
        (Some(of), Some(least), Some(most)) if of > 0 => {
            let greatest = most - most.rem_euclid(of);
            let greatest = if is_open && greatest == most {
                greatest - of
            } else {
                greatest
            };
            greatest < least
        }
        _ => float_has_none(of.as_f64()?, least.as_f64()?, most.as_f64()?, is_open),
    };
    let (step, range) = (step(node)?, range(node)?);
    has_none.then(|| format!("there is no multiple for `{step}` in `{range}`"))
}

/// There may be a multiple where the nearest ones are not told apart from the ends.
fn float_has_none(of: f64, least: f64, most: f64, is_open: bool) -> bool {
    if of <= 0.0
        || multiple::is_multiple(least, of)
        || (!is_open && multiple::is_multiple(most, of))
    {
        return false;
    }
    let first = (least / of).ceil() * of;
    // The multiple of a decimal step is not quite where it is computed.
    let slack = of * 1e-6;
    first > most + slack || (is_open && multiple::is_multiple(most, of) && first > most - slack)
}

const LENGTHS: [(&str, &str); 3] = [
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

fn empty_length(node: &Node) -> Option<String> {
    let is_empty = LENGTHS.iter().any(|(least, most)| {
        let ends = number(node, least).zip(number(node, most));
        ends.is_some_and(|(least, most)| {
            compare(least, most).is_some_and(std::cmp::Ordering::is_gt)
        })
    });
    is_empty.then(|| format!("`{}` is empty", length(node).unwrap_or_default()))
}

/// A length that no text of the format has.
fn length_of_format(node: &Node) -> Option<String> {
    let format = Format::named(node.get("format")?.as_str()?)?;
    let (shortest, longest) = format.lengths();
    let too_long = number(node, "minLength")
        .and_then(serde_json::Number::as_u64)
        .is_some_and(|least| longest.is_some_and(|longest| least > longest));
    let too_short = number(node, "maxLength")
        .and_then(serde_json::Number::as_u64)
        .is_some_and(|most| most < shortest);
    let (length, format) = (length(node)?, text("format", node)?);
    (too_long || too_short).then(|| format!("no text of `{format}` has a `{length}`"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::nothing_fits;

    fn told(node: Value) -> Option<String> {
        match node {
            Value::Object(node) => nothing_fits(&node),
            other => panic!("{other} is no node"),
        }
    }

    #[test]
    fn what_no_value_satisfies() {
        for (node, says) in [
            (
                json!({"minimum": 10, "maximum": 1}),
                "no value is allowed: `range = 10..=1` is empty",
            ),
            (
                json!({"minimum": 0.5, "exclusiveMaximum": 0.5}),
                "`range = 0.5..0.5` is empty",
            ),
            (
                json!({"minimum": u64::MAX, "maximum": u64::MAX - 1}),
                "is empty",
            ),
            (
                json!({"minimum": 8, "maximum": 13, "multipleOf": 7, "type": "integer"}),
                "",
            ),
            (
                json!({"minimum": 8, "maximum": 13, "multipleOf": 14}),
                "no multiple for `multiple_of = 14` in `range = 8..=13`",
            ),
            (
                json!({"minimum": -6, "maximum": -1, "multipleOf": 7}),
                "no multiple",
            ),
            (
                json!({"minimum": 0.3, "maximum": 0.4, "multipleOf": 0.25}),
                "no multiple",
            ),
            (
                json!({"minimum": 0.3, "exclusiveMaximum": 0.5, "multipleOf": 0.25}),
                "no multiple",
            ),
            (
                json!({"minLength": 3, "maxLength": 2}),
                "`length = 3..=2` is empty",
            ),
            (
                json!({"minItems": 3, "maxItems": 2}),
                "`length = 3..=2` is empty",
            ),
            (
                json!({"minLength": 11, "format": "date"}),
                "no text of `format = \"date\"` has a `length = 11..`",
            ),
            (
                json!({"maxLength": 35, "format": "uuid"}),
                "no text of `format = \"uuid\"`",
            ),
            (
                json!({"type": "integer", "minimum": 1, "maximum": 10, "enum": [5, 20, 30]}),
                "`one_of` lists `20`, `30`, which `range = 1..=10` refuses",
            ),
            (
                json!({"minLength": 5, "enum": ["asc"]}),
                "`one_of` lists `\"asc\"`, which `length = 5..` refuses",
            ),
            (
                json!({"pattern": "^a", "enum": ["asc", "desc"]}),
                "lists `\"desc\"`",
            ),
            (
                json!({"format": "date", "enum": ["today"]}),
                "lists `\"today\"`",
            ),
        ] {
            let found = told(node.clone());
            if says.is_empty() {
                // 7 * 1 is below, and 7 * 2 above.
                assert!(found.is_some(), "{node}");
                continue;
            }
            assert!(
                found.as_ref().is_some_and(|found| found.contains(says)),
                "{node}: {found:?}"
            );
        }
    }

    #[test]
    fn what_some_value_satisfies() {
        for node in [
            json!({}),
            json!({"minimum": 1, "maximum": 1}),
            json!({"minimum": 1}),
            json!({"minimum": 0.1, "maximum": 0.3, "multipleOf": 0.3}),
            json!({"minimum": 0.3, "maximum": 0.35, "multipleOf": 0.1}),
            json!({"minimum": 1, "maximum": 7, "multipleOf": 7}),
            json!({"minimum": -7, "maximum": -1, "multipleOf": 7}),
            json!({"minimum": -1.5, "maximum": 1.5, "multipleOf": 2.5}),
            json!({"minLength": 10, "maxLength": 10, "format": "date"}),
            json!({"maxLength": 36, "format": "uuid"}),
            json!({"minLength": 40, "format": "date-time"}),
            json!({"type": "string", "minLength": 1, "enum": ["a", "bb"]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ] {
            assert_eq!(told(node.clone()), None, "{node}");
        }
    }
}
