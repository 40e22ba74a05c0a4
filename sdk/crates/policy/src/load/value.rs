//! Values and tests of arguments.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value as Json};
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::reader::Reader;
use crate::argument;
use crate::rule::ArgumentTest;
use crate::toml_reader::{Value, found, shown};
use toolwright::arguments::compare_numbers;

const TESTS: [&str; 4] = ["one-of", "min", "max", "present"];

/// The key `arguments`: JSON pointers, each with a test.
pub(super) fn arguments(reader: &mut Reader, value: &Value<'_>) -> Vec<(String, ArgumentTest)> {
    let Some(table) = value.get_ref().as_table() else {
        reader.wrong_type(
            "arguments",
            value,
            "a table of JSON pointers, such as `{ \"/force\" = true }`",
        );
        return Vec::new();
    };
    if table.is_empty() {
        reader.mistake(
            &value.span(),
            "`arguments` is empty, which tests nothing; fill it, or leave the key out",
        );
    }
    let mut tests = Vec::new();
    for (pointer, value) in table {
        let named: &str = pointer.get_ref();
        let test = test(reader, named, value);
        // A wrong test is not kept: the reader of the rule would report it once more.
        if named.is_empty() {
            reader.mistake(
                &pointer.span(),
                "an empty JSON pointer names no argument; write `/` and the argument's name",
            );
        } else if let Some(wrong) = argument::wrong_pointer(named) {
            reader.mistake(&pointer.span(), wrong);
        } else if let Some(test) = test {
            tests.push((named.to_owned(), test));
        }
    }
    tests
}

fn test(reader: &mut Reader, pointer: &str, value: &Value<'_>) -> Option<ArgumentTest> {
    match value.get_ref() {
        DeValue::Table(table) => described(reader, pointer, table, value),
        DeValue::Array(_) => {
            // A list of possible values is what is nearly always meant.
            reader.mistake(
                &value.span(),
                format!(
                    "`{}` is tested for a whole list; write `{{ one-of = [..] }}` for any of these, or \
                     `{{ one-of = [[..]] }}` for this list",
                    shown(pointer)
                ),
            );
            None
        }
        _ => json(reader, value).map(ArgumentTest::Equals),
    }
}

/// A test that says what it tests.
fn described(
    reader: &mut Reader,
    pointer: &str,
    table: &DeTable<'_>,
    whole: &Value<'_>,
) -> Option<ArgumentTest> {
    let pointer = shown(pointer);
    let mut sound = true;
    for (key, _) in table {
        if !TESTS.contains(&&**key.get_ref()) {
            reader.misplaced_key(key, &TESTS, &[]);
            sound = false;
        }
    }
    if !sound {
        return None;
    }
    match (table.get("one-of"), table.get("present")) {
        (Some(values), None) if table.len() == 1 => one_of(reader, values),
        (None, Some(value)) if table.len() == 1 => {
            reader.flag("present", value).map(ArgumentTest::Present)
        }
        (None, None) if !table.is_empty() => {
            let (min, max) = (table.get("min"), table.get("max"));
            let min = min.map(|min| number(reader, "min", min));
            let max = max.map(|max| number(reader, "max", max));
            // Both are read, so that both are told of.
            let (min, max) = (transpose(min)?, transpose(max)?);
            if let (Some(least), Some(most)) = (&min, &max)
                && compare_numbers(least, most) == Some(Ordering::Greater)
            {
                let message = format!(
                    "no number is at least {least} and at most {most}, so `{pointer}` never passes; \
                     `min` is the smaller one"
                );
                reader.mistake(&whole.span(), message);
                return None;
            }
            Some(ArgumentTest::Range { min, max })
        }
        _ => {
            let message = format!(
                "the test of `{pointer}` is one of a value, `{{ one-of = [..] }}`, `{{ min = .., max = .. }}` \
                 and `{{ present = true }}`"
            );
            reader.mistake(&whole.span(), message);
            None
        }
    }
}

fn one_of(reader: &mut Reader, values: &Value<'_>) -> Option<ArgumentTest> {
    let Some(items) = values.get_ref().as_array() else {
        reader.wrong_type("one-of", values, "a list of values");
        return None;
    };
    if items.is_empty() {
        reader.mistake(
            &values.span(),
            "`one-of` is an empty list, and nothing is one of no values",
        );
        return None;
    }
    let values: Vec<Option<Json>> = items.iter().map(|item| json(reader, item)).collect();
    values
        .into_iter()
        .collect::<Option<_>>()
        .map(ArgumentTest::OneOf)
}

/// `None` where there is something wrong, which was told.
#[allow(clippy::option_option, reason = "absent, wrong, right")]
fn transpose(number: Option<Option<Number>>) -> Option<Option<Number>> {
    match number {
        None => Some(None),
        Some(None) => None,
        right => right,
    }
}

fn number(reader: &mut Reader, key: &str, value: &Value<'_>) -> Option<Number> {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => match json(reader, value)? {
            Json::Number(number) => Some(number),
            _ => None,
        },
        _ => {
            reader.wrong_type(key, value, "a number");
            None
        }
    }
}

/// A value as JSON has it. TOML nests no deeper than its parser reads, which is 80 levels.
fn json(reader: &mut Reader, value: &Value<'_>) -> Option<Json> {
    let wrong = match value.get_ref() {
        DeValue::String(text) => return Some(Json::String(text.to_string())),
        DeValue::Boolean(value) => return Some(Json::Bool(*value)),
        DeValue::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| json(reader, item)).collect();
            return items.into_iter().collect::<Option<_>>().map(Json::Array);
        }
        DeValue::Table(table) => {
            let mut members = Some(Map::new());
            for (key, value) in table {
                let value = json(reader, value);
                members = members.zip(value).map(|(mut members, value)| {
                    members.insert(key.get_ref().to_string(), value);
                    members
                });
            }
            return members.map(Json::Object);
        }
        DeValue::Integer(number) => match integer(number) {
            Some(number) => return Some(Json::Number(number)),
            None => "this integer does not fit in 64 bits".to_owned(),
        },
        DeValue::Float(number) => match float(number) {
            Some(number) => return Some(Json::Number(number)),
            None => format!(
                "`{}` is no number that an argument can be",
                shown(number.as_str())
            ),
        },
        date @ DeValue::Datetime(when) => format!(
            "{} is no value of JSON; write it as the text that the argument has: \"{when}\"",
            found(date)
        ),
    };
    reader.mistake(&value.span(), wrong);
    None
}

fn integer(number: &DeInteger<'_>) -> Option<Number> {
    let (digits, radix) = (number.as_str(), number.radix());
    let signed = i64::from_str_radix(digits, radix).ok().map(Number::from);
    signed.or_else(|| u64::from_str_radix(digits, radix).ok().map(Number::from))
}

fn float(number: &DeFloat<'_>) -> Option<Number> {
    Number::from_f64(number.as_str().parse().ok()?)
}
