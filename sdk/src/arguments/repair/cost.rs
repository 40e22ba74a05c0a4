//! The approximate cost of a look at something, in the steps that a repair is given.

use serde_json::Value;

/// About how many values there are, long texts counting as several: what a copy costs.
pub(super) fn weight(value: &Value) -> usize {
    let mut weight = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        weight += 1;
        match value {
            Value::String(text) => weight += text.len() / 64,
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            _ => {}
        }
    }
    weight
}
