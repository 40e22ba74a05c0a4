//! Equality of JSON: `1` is `1.0`, and an object has no order.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use serde_json::{Number, Value};

use super::exact::{compare, integer};

/// The depth to which two values are compared: as deep as JSON text is read. What is deeper differs.
const DEPTH: usize = 128;

/// Returns true if two values are the same JSON, as schemas and policies compare: `1` is `1.0`, and an object has no
/// order. What nests deeper than 128 levels differs.
pub fn equal(a: &Value, b: &Value) -> bool {
    equal_within(a, b, DEPTH)
}

fn equal_within(a: &Value, b: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| equal_within(a, b, depth))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same =
                |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| equal_within(a, b, depth));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

/// Returns true if no two of the values are the same JSON. The time is about linear in their size.
pub(crate) fn all_differ(values: &[Value]) -> bool {
    // The hasher has random keys, so that nobody can write values of one hash.
    let mut seen = HashSet::with_capacity(values.len());
    values.iter().all(|value| seen.insert(ByJson(value)))
}

struct ByJson<'v>(&'v Value);

impl PartialEq for ByJson<'_> {
    fn eq(&self, other: &Self) -> bool {
        equal(self.0, other.0)
    }
}

impl Eq for ByJson<'_> {}

impl Hash for ByJson<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self.0, state, DEPTH);
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match value {
        Value::Null => state.write_u8(0),
        Value::Bool(value) => (1_u8, value).hash(state),
        Value::Number(number) => hash_number(number, state),
        Value::String(text) => (3_u8, text).hash(state),
        Value::Array(items) => {
            (4_u8, items.len()).hash(state);
            for item in items {
                hash(item, state, depth);
            }
        }
        Value::Object(members) => {
            (5_u8, members.len()).hash(state);
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            for (key, value) in members {
                key.hash(state);
                hash(value, state, depth);
            }
        }
    }
}

fn hash_number<H: Hasher>(number: &Number, state: &mut H) {
    if let Some(integer) = integer(number) {
        (2_u8, integer).hash(state);
        return;
    }
    let float = number.as_f64().unwrap_or_default();
    if float.fract() == 0.0 && float.abs() < 1e30 {
        // It may be equal to an integer beyond 2^53.
        #[allow(clippy::cast_possible_truncation, reason = "it is in the range")]
        (2_u8, float as i128).hash(state);
    } else {
        (2_u8, float.to_bits()).hash(state);
    }
}
