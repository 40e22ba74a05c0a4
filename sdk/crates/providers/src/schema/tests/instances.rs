//! Instances of schemas, by chance but the same ones in every run.

use serde_json::{Map, Value, json};

/// A generator of numbers (`SplitMix64`).
pub(super) struct Chance(pub(super) u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, or 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }
}

/// An instance of a schema, in most cases valid: the rest is for the validator to find.
pub(super) fn instance(schema: &Value, root: &Value, chance: &mut Chance, depth: usize) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return instance(target, root, chance, depth + 1);
    }
    if schema["nullable"] == true && (depth > 6 || chance.below(3) == 0) {
        return Value::Null;
    }
    if let Some(variants) = schema["anyOf"].as_array() {
        let is_null = |variant: &&Value| variant["type"] == "null";
        return match variants.iter().find(is_null) {
            Some(_) if depth > 6 => Value::Null,
            // The first variant of a type that contains itself is the end of it.
            None if depth > 16 => instance(&variants[0], root, chance, depth + 1),
            _ => instance(
                &variants[chance.below(variants.len())],
                root,
                chance,
                depth + 1,
            ),
        };
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[chance.below(values.len())].clone();
    }
    match schema["type"].as_str().unwrap().to_lowercase().as_str() {
        "null" => Value::Null,
        "boolean" => json!(chance.below(2) == 0),
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(-9);
            let step = schema["multipleOf"].as_i64().unwrap_or(1);
            let most = schema["maximum"].as_i64().unwrap_or(i64::MAX);
            let more = i64::try_from(chance.below(5)).unwrap() * step;
            json!(least.saturating_add(more).min(most))
        }
        "number" => {
            let least = schema["minimum"]
                .as_f64()
                .or(schema["exclusiveMinimum"].as_f64())
                .unwrap_or(-0.5);
            json!(least + 0.25 + f64::from(u32::try_from(chance.below(2)).unwrap()) / 2.0)
        }
        "string" => json!(text(schema, chance)),
        "array" => {
            let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
            let most = schema["maxItems"]
                .as_u64()
                .map_or(least + 3, |most| usize::try_from(most).unwrap());
            let length = if depth > 6 {
                least
            } else {
                least + chance.below(most - least + 1)
            };
            (0..length)
                .map(|_| instance(&schema["items"], root, chance, depth + 1))
                .collect()
        }
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let mut object = Map::new();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                if required.contains(&json!(name)) || (depth < 6 && chance.below(2) == 0) {
                    object.insert(name.clone(), instance(property, root, chance, depth + 1));
                }
            }
            Value::Object(object)
        }
        other => panic!("no instance of {other}"),
    }
}

fn text(schema: &Value, chance: &mut Chance) -> String {
    let format = schema["format"].as_str();
    match (format, schema["pattern"].as_str()) {
        (Some("email"), _) => "ada@example.org".to_owned(),
        (Some("uri"), _) => "https://example.org/a".to_owned(),
        (Some("date"), _) => "2026-11-24".to_owned(),
        (Some("date-time"), _) => "2026-11-24T10:00:00Z".to_owned(),
        (_, Some("^[a-z]+$")) => "abcd".to_owned(),
        (_, Some("^(a|b)+$")) => "abba".to_owned(),
        _ => {
            let least = usize::try_from(schema["minLength"].as_u64().unwrap_or(0)).unwrap();
            let most = schema["maxLength"]
                .as_u64()
                .map_or(least + 4, |most| usize::try_from(most).unwrap());
            let letters = ["ö", "null", "\"", "a", "\\", "7", "\u{1F600}", "{"];
            let length = least + chance.below(most.min(least + 4) - least + 1);
            let letter =
                |chance: &mut Chance| letters[chance.below(letters.len())].chars().next().unwrap();
            (0..length).map(|_| letter(chance)).collect()
        }
    }
}
