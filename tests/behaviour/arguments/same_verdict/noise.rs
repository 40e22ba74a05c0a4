//! Calls that fit a schema, and almost fit.

use std::fmt::Write;

use serde_json::{Map, Value, json};

/// A source of calls: the same for the same seed.
pub(super) struct Noise {
    state: u64,
    /// True if `null` is written for arguments that may be left out. An `Option` takes it and its schema does not say
    /// so, which makes a difference only where nothing is repaired.
    nulls: bool,
    /// True if an object of the last call has a name twice; a tree has only the last value.
    pub(super) repeats: bool,
}

impl Noise {
    pub(super) fn new(seed: u64, nulls: bool) -> Self {
        Self {
            state: seed,
            nulls,
            repeats: false,
        }
    }

    /// `SplitMix64`, by Steele, Lea and Flood (2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end as u64)).unwrap()
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'p, T>(&mut self, from: &'p [T]) -> &'p T {
        &from[self.below(from.len())]
    }

    /// The text of a call.
    pub(super) fn call(&mut self, schema: &Value) -> String {
        let noisy = !self.one_in(3);
        self.repeats = false;
        let tree = self.value(schema, schema, noisy, 6);
        let mut text = String::new();
        self.write(&tree, &mut text, noisy);
        if noisy && self.one_in(60) {
            let cut = self.below(text.len() + 1);
            if text.is_char_boundary(cut) {
                text.truncate(cut);
            }
        }
        text
    }

    /// A value that the schema allows, with something else here and there.
    fn value(&mut self, schema: &Value, root: &Value, noisy: bool, depth: usize) -> Value {
        if noisy && self.one_in(14) {
            return self.slip(schema, root, depth);
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let target = root.pointer(reference.trim_start_matches('#'));
            return self.value(target.unwrap(), root, noisy, depth);
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            let branch = self.pick(branches).clone();
            return self.value(&branch, root, noisy, depth);
        }
        if let Some(choices) = schema["enum"].as_array() {
            return self.pick(choices).clone();
        }
        match schema["type"].as_str() {
            Some("string") => self.text(schema),
            Some("integer") => self.integer(schema),
            Some("number") => self.number(schema),
            Some("boolean") => json!(self.one_in(2)),
            Some("null") => Value::Null,
            Some("array") => self.list(schema, root, noisy, depth),
            Some("object") => self.object(schema, root, noisy, depth),
            _ => self.anything(3),
        }
    }

    fn text(&mut self, schema: &Value) -> Value {
        match schema["format"].as_str() {
            Some("date") => return json!(self.pick(&["2026-02-28", "2024-02-29", "2026-02-29"])),
            Some("email") => return json!(self.pick(&["a@example.org", "b.c@d", "nobody"])),
            _ => {}
        }
        let texts = [
            "a",
            "abc",
            "",
            "Ünïcode",
            "5",
            "true",
            "null",
            "[1]",
            "{}",
            "a b",
            "longer than eight",
        ];
        json!(self.pick(&texts))
    }

    fn integer(&mut self, schema: &Value) -> Value {
        let step = schema["multipleOf"].as_i64().unwrap_or(1);
        match self.below(8) {
            0 => schema["minimum"].clone(),
            1 => schema["maximum"].clone(),
            2 => json!(self.next()),
            3 => json!(-1),
            _ => json!(i64::try_from(self.below(12)).unwrap() * step),
        }
    }

    fn number(&mut self, schema: &Value) -> Value {
        match self.below(6) {
            0 => schema.get("minimum").cloned().unwrap_or(json!(0.1)),
            1 => schema.get("maximum").cloned().unwrap_or(json!(-1e300)),
            2 => json!(self.below(3)),
            3 => json!(1e-7),
            _ => json!(0.25 * f64::from(u8::try_from(self.below(9)).unwrap())),
        }
    }

    fn list(&mut self, schema: &Value, root: &Value, noisy: bool, depth: usize) -> Value {
        let fixed = schema["prefixItems"].as_array().cloned();
        if let Some(parts) = fixed {
            let parts = parts
                .iter()
                .map(|part| self.value(part, root, noisy, depth));
            return parts.collect();
        }
        let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
        let most = schema["maxItems"]
            .as_u64()
            .map(|most| usize::try_from(most).unwrap());
        let length = match depth {
            0 => least,
            _ => least + self.below(3).min(most.unwrap_or(3) - least),
        };
        let items = &schema["items"];
        let items = (0..length).map(|_| self.value(items, root, noisy, depth.saturating_sub(1)));
        items.collect()
    }

    fn object(&mut self, schema: &Value, root: &Value, noisy: bool, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema["required"].as_array();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let needed = required.is_some_and(|names| names.iter().any(|n| n == name));
            let given = if needed {
                !(noisy && self.one_in(20))
            } else {
                depth > 0 && self.one_in(2)
            };
            if !given {
                continue;
            }
            let value = if self.nulls && !needed && self.one_in(8) {
                Value::Null
            } else {
                self.value(property, root, noisy, depth.saturating_sub(1))
            };
            object.insert(
                if noisy && self.one_in(12) {
                    self.respelled(name)
                } else {
                    name.clone()
                },
                value,
            );
        }
        if let free @ Value::Object(_) = &schema["additionalProperties"] {
            for _ in 0..self.below(3) {
                let name = self.pick(&["x", "y z", "", "Name", "ключ"]).to_string();
                let value = self.value(free, root, noisy, depth.saturating_sub(1));
                object.insert(name, value);
            }
        }
        if noisy && self.one_in(15) {
            let name = *self.pick(&["extra", "limitt", "", "NAME", "form"]);
            let value = self.anything(2);
            object.insert(name.to_owned(), value);
        }
        Value::Object(object)
    }

    /// A name as somebody else would write it.
    fn respelled(&mut self, name: &str) -> String {
        match self.below(4) {
            0 => name.to_uppercase(),
            1 => name.replace('_', "-"),
            2 => {
                let words = name.split('_').enumerate();
                let upper = |(at, word): (usize, &str)| match (at, word.chars().next()) {
                    (1.., Some(first)) => first
                        .to_uppercase()
                        .chain(word.chars().skip(1))
                        .collect::<String>(),
                    _ => word.to_owned(),
                };
                words.map(upper).collect()
            }
            _ => format!("{name}s"),
        }
    }

    /// A value that a model might write in place of the declared one.
    fn slip(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let right = self.value(schema, root, false, depth.min(2));
        match self.below(9) {
            0 => json!(right.to_string()),
            1 => json!([right]),
            2 if self.nulls => Value::Null,
            3 => match &right {
                Value::String(text) => json!(text.to_uppercase()),
                Value::Number(number) => json!(number.as_f64()),
                _ => json!({"value": right}),
            },
            4 => match right.as_array() {
                Some(items) if items.len() == 1 => items[0].clone(),
                _ => json!(format!(" {right} ")),
            },
            5 => match right {
                // As serde reads a struct by the order of its fields, and a variant by a map.
                Value::Object(object) => object.into_iter().map(|(_, value)| value).collect(),
                Value::String(text) => json!({text: (self.nulls).then_some(())}),
                other => other,
            },
            6 => json!(["True", "FALSE", "yes", "1", "007", "0x10", "1_000"][self.below(7)]),
            7 => json!([true, false][self.below(2)]),
            _ => self.anything(2),
        }
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0 if self.nulls => Value::Null,
            0 | 1 => json!(self.one_in(2)),
            2 => json!(self.next().cast_signed()),
            3 => {
                // JSON has no number for what is not finite, and would have a `null`.
                let number = f64::from_bits(self.next());
                json!(if number.is_finite() { number } else { 0.5 })
            }
            4 => json!(self.below(300)),
            5 => self.text(&Value::Null),
            6 => (0..self.below(3))
                .map(|_| self.anything(depth - 1))
                .collect(),
            _ => {
                let members =
                    (0..self.below(3)).map(|n| (format!("m{n}"), self.anything(depth - 1)));
                Value::Object(members.collect())
            }
        }
    }

    /// Writes JSON with what a tree does not show: numbers in other forms, names given twice.
    fn write(&mut self, value: &Value, out: &mut String, noisy: bool) {
        match value {
            Value::Number(number) if noisy && number.is_u64() && self.one_in(10) => {
                let form = *self.pick(&[".0", "e0", ".00", ".5", "0"]);
                write!(out, "{number}{form}").unwrap();
            }
            Value::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    self.write(item, out, noisy);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                let mut first = true;
                for (name, value) in members {
                    let times = if noisy && self.one_in(80) { 2 } else { 1 };
                    self.repeats |= times > 1;
                    for _ in 0..times {
                        if !first {
                            out.push(',');
                        }
                        first = false;
                        write!(out, "{}:", json!(name)).unwrap();
                        self.write(value, out, noisy);
                    }
                }
                out.push('}');
            }
            other => write!(out, "{other}").unwrap(),
        }
    }
}
