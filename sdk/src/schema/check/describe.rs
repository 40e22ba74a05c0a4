//! Descriptions of schemas in words for a model.

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::{Map, Number, Value};

use crate::schema::make::number::exact;
use crate::schema::refs::resolved;
use crate::util::character::{into_one_line, one_line};

/// The depth to which a description goes into lists and unions.
const DEPTH: usize = 3;
/// The most branches of a union that it names.
const BRANCHES: usize = 8;
/// The most values or names that it lists.
const LISTED: usize = 20;

/// The longest part of one value, name or pattern that is shown, and of all, in characters: those of an imported
/// schema can be any size.
const PART: usize = 120;
const WHOLE: usize = 1_200;

/// Returns what `schema` expects, to stand after "expected": `an integer from 1 to 50`,
/// `one of "date", "relevance"`, `a list of texts`, `` an object with `street`, `city` ``.
///
/// References lead into `root`.
pub(crate) fn describe(schema: &Value, root: &Value) -> String {
    into_one_line(phrase(schema, root, Count::One, DEPTH), WHOLE)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    One,
    Many,
}

impl Count {
    fn pick<'w>(self, one: &'w str, many: &'w str) -> &'w str {
        match self {
            Self::One => one,
            Self::Many => many,
        }
    }
}

fn phrase(schema: &Value, root: &Value, count: Count, depth: usize) -> String {
    let mut all = phrases(schema, root, count, depth);
    if all.len() == 1 {
        return all.remove(0);
    }
    let mut different: Vec<String> = Vec::new();
    for part in all {
        if !different.contains(&part) {
            different.push(part);
        }
    }
    if different.len() > BRANCHES {
        different.truncate(BRANCHES);
        different.push("..".to_owned());
    }
    different.join(" or ")
}

/// Returns a phrase for each kind of value.
fn phrases(schema: &Value, root: &Value, count: Count, depth: usize) -> Vec<String> {
    let anything = || count.pick("any value", "values of any kind");
    let node = match resolved(root, schema) {
        Some(Value::Object(node)) => node,
        Some(Value::Bool(false)) => return vec!["nothing".to_owned()],
        _ => return vec![anything().to_owned()],
    };
    if depth == 0 {
        return vec![count.pick("a value", "values").to_owned()];
    }
    if let Some(text) = fixed(node, count) {
        return vec![text];
    }
    let kinds = kinds(node);
    let branches = ["anyOf", "oneOf"]
        .into_iter()
        .find_map(|keyword| node.get(keyword)?.as_array());
    match branches {
        Some(branches) if kinds.is_empty() => branches
            .iter()
            .take(BRANCHES + 1)
            .flat_map(|branch| phrases(branch, root, count, depth - 1))
            .collect(),
        _ if kinds.is_empty() => vec![anything().to_owned()],
        _ => kinds
            .iter()
            .map(|kind| match *kind {
                "string" => text(node, count),
                "integer" => number(node, count, "an integer", "integers"),
                "number" => number(node, count, "a number", "numbers"),
                "boolean" => count
                    .pick("true or false", "values that are true or false")
                    .to_owned(),
                "null" => count.pick("null", "nulls").to_owned(),
                "array" => list(node, root, count, depth),
                "object" => object(node, root, count, depth),
                _ => anything().to_owned(),
            })
            .collect(),
    }
}

/// The types that `node` names, or else shows.
fn kinds(node: &Map<String, Value>) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(only)) => vec![only],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ if node.contains_key("properties") => vec!["object"],
        _ if node.contains_key("items") || node.contains_key("prefixItems") => vec!["array"],
        _ => Vec::new(),
    }
}

fn fixed(node: &Map<String, Value>, count: Count) -> Option<String> {
    let values = match (node.get("const"), node.get("enum")) {
        (Some(only), _) => std::slice::from_ref(only),
        (None, Some(Value::Array(list))) => list,
        _ => return None,
    };
    let listed = listed(values.iter().map(|value| short(&value.to_string())));
    Some(match (count, values.len()) {
        (Count::One, 1) => listed,
        (Count::One, _) => format!("one of {listed}"),
        (Count::Many, _) => format!("values out of {listed}"),
    })
}

fn short(part: &str) -> String {
    one_line(part, PART)
}

fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let all = names.len();
    let mut shown: Vec<String> = names.take(LISTED).collect();
    if all > LISTED {
        shown.push(format!(".. ({all} in all)"));
    }
    shown.join(", ")
}

fn text(node: &Map<String, Value>, count: Count) -> String {
    let of_another;
    let words = match node.get("format").and_then(Value::as_str) {
        None => count.pick("text", "texts"),
        Some("date-time") => count.pick(
            "a date and time such as \"2030-01-31T09:30:00Z\"",
            "dates and times such as \"2030-01-31T09:30:00Z\"",
        ),
        Some("date") => count.pick(
            "a date such as \"2030-01-31\"",
            "dates such as \"2030-01-31\"",
        ),
        Some("time") => count.pick(
            "a time such as \"09:30:00Z\"",
            "times such as \"09:30:00Z\"",
        ),
        Some("duration") => count.pick("a duration such as \"PT5M\"", "durations such as \"PT5M\""),
        Some("uuid") => count.pick("a UUID", "UUIDs"),
        Some("ip") => count.pick("an IP address", "IP addresses"),
        Some("ipv4") => count.pick("an IPv4 address", "IPv4 addresses"),
        Some("ipv6") => count.pick("an IPv6 address", "IPv6 addresses"),
        Some("email") => count.pick("an email address", "email addresses"),
        Some("uri" | "url") => count.pick("a URL", "URLs"),
        Some(other) => {
            let noun = count.pick("text", "texts");
            of_another = format!("{noun} in the format `{}`", short(other));
            &of_another
        }
    };
    let (least, most) = lengths(node, "minLength", "maxLength");
    let length = match (least, most) {
        (Some(1), Some(1)) => " of 1 character".to_owned(),
        (Some(least), Some(most)) if least == most => format!(" of {least} characters"),
        (Some(least), Some(most)) => format!(" of {least} to {most} characters"),
        (Some(1), None) => " of at least 1 character".to_owned(),
        (Some(least), None) => format!(" of at least {least} characters"),
        (None, Some(most)) => format!(" of at most {most} characters"),
        (None, None) => String::new(),
    };
    let pattern = match node.get("pattern").and_then(Value::as_str) {
        Some(pattern) => format!(" matching `{}`", short(pattern)),
        None => String::new(),
    };
    format!("{words}{length}{pattern}")
}

fn lengths(node: &Map<String, Value>, least: &str, most: &str) -> (Option<u64>, Option<u64>) {
    // 3.0 is an integer too; what is beyond 64 bits is the most there is.
    let length = |keyword| {
        let length = exact(node.get(keyword)?.as_number()?)?.max(0);
        Some(u64::try_from(length).unwrap_or(u64::MAX))
    };
    (length(least).filter(|n| *n > 0), length(most))
}

fn number(node: &Map<String, Value>, count: Count, one: &str, many: &str) -> String {
    let bound = |keyword: &str| node.get(keyword)?.as_number();
    // The ends of 32 and 64 bits tell a model nothing.
    let ends = |value: &&Number, ends: [i64; 2]| value.as_i64().is_some_and(|n| ends.contains(&n));
    let least = bound("minimum").filter(|value| !ends(value, [i64::MIN, i32::MIN.into()]));
    let most = bound("maximum").filter(|value| {
        !ends(value, [i64::MAX, i32::MAX.into()])
            && !ends(value, [u32::MAX.into(); 2])
            && value.as_u64() != Some(u64::MAX)
    });
    let above = bound("exclusiveMinimum");
    let below = bound("exclusiveMaximum");

    let mut words = count.pick(one, many).to_owned();
    match (least, most) {
        (Some(least), Some(most)) if above.is_none() && below.is_none() => {
            let _ = write!(words, " from {least} to {most}");
        }
        _ => {
            let ends = [
                (" of at least ", least),
                (" above ", above),
                (" of at most ", most),
                (" below ", below),
            ];
            let mut and = "";
            for (end, value) in ends {
                if let Some(value) = value {
                    let _ = write!(words, "{and}{end}{value}");
                    and = " and";
                }
            }
        }
    }
    if let Some(step) = bound("multipleOf") {
        let multiple = count.pick("a multiple", "multiples");
        let _ = write!(words, ", {multiple} of {step}");
    }
    words
}

fn list(node: &Map<String, Value>, root: &Value, count: Count, depth: usize) -> String {
    let words = count.pick("a list", "lists");
    let different = match node.get("uniqueItems") {
        Some(Value::Bool(true)) => "different ",
        _ => "",
    };
    if let Some(Value::Array(parts)) = node.get("prefixItems") {
        let described = parts
            .iter()
            .map(|part| phrase(part, root, Count::One, depth - 1));
        let parts = parts.len();
        return format!(
            "{words} of {parts} {different}values: {}",
            listed(described)
        );
    }
    let items = match node.get("items") {
        Some(items) if items.as_object().is_some_and(|items| !items.is_empty()) => {
            let items = phrase(items, root, Count::Many, depth - 1);
            format!(" of {different}{items}")
        }
        _ if !different.is_empty() => " of different values".to_owned(),
        _ => String::new(),
    };
    let length = match lengths(node, "minItems", "maxItems") {
        (Some(least), Some(most)) if least == most => format!(", exactly {least}"),
        (Some(least), Some(most)) => format!(", {least} to {most} of them"),
        (Some(least), None) => format!(", at least {least}"),
        (None, Some(most)) => format!(", at most {most}"),
        (None, None) => String::new(),
    };
    format!("{words}{items}{length}")
}

fn object(node: &Map<String, Value>, root: &Value, count: Count, depth: usize) -> String {
    let words = count.pick("an object", "objects");
    let words = match lengths(node, "minProperties", "maxProperties") {
        (Some(least), Some(most)) if least == most => format!("{words} of exactly {least} members"),
        (Some(least), Some(most)) => format!("{words} of {least} to {most} members"),
        (Some(least), None) => format!("{words} of at least {least} members"),
        (None, Some(most)) => format!("{words} of at most {most} members"),
        (None, None) => words.to_owned(),
    };
    let properties = node.get("properties").and_then(Value::as_object);
    let Some(properties) = properties.filter(|map| !map.is_empty()) else {
        return match node.get("additionalProperties") {
            Some(values) if values.as_object().is_some_and(|values| !values.is_empty()) => {
                let values = phrase(values, root, Count::Many, depth - 1);
                format!("{words} that maps names to {values}")
            }
            _ => words,
        };
    };
    let required: Vec<&str> = node
        .get("required")
        .and_then(Value::as_array)
        .map_or(Vec::new(), |list| {
            list.iter().filter_map(Value::as_str).collect()
        });
    let word = |name: &str| match properties.get(name).and_then(only_value) {
        Some(value) => format!("`{}` {}", short(name), short(&value.to_string())),
        None => format!("`{}`", short(name)),
    };
    let is_required: HashSet<&str> = required.iter().copied().collect();
    let needed: Vec<String> = required.iter().map(|name| word(name)).collect();
    let mut others: Vec<&str> = properties.keys().map(String::as_str).collect();
    others.retain(|name| !is_required.contains(name));
    others.sort_unstable();
    let others: Vec<String> = others.into_iter().map(word).collect();
    let (needed, others) = (listed(needed.into_iter()), listed(others.into_iter()));
    match (needed.is_empty(), others.is_empty()) {
        (false, true) => format!("{words} with {needed}"),
        (false, false) => format!("{words} with {needed} and, if wanted, {others}"),
        (true, false) => format!("{words} with, if wanted, {others}"),
        (true, true) => words,
    }
}

/// The value of a tag.
fn only_value(schema: &Value) -> Option<&Value> {
    match schema.get("enum")?.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}
