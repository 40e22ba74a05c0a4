//! Random schemas and random arguments. `TOOLWRIGHT_CASES` sets how many.

use serde_json::Map;

use super::*;

/// Random numbers that are the same on every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % 1_000_003).unwrap() % end.max(1)
    }

    fn of<'v, T: ?Sized>(&mut self, values: &[&'v T]) -> &'v T {
        values[self.below(values.len())]
    }

    fn key(&mut self) -> &'static str {
        self.of(&["a", "A", "a_b", "aB", "a-b", "c/d", "C/D", ""])
    }

    fn text(&mut self) -> &'static str {
        self.of(&[
            "5",
            "-5.0",
            "1e3",
            "0.5",
            "true",
            "FALSE",
            "x",
            "X",
            "a_b",
            "",
            "[]",
            "[1, \"2\"]",
            "{\"a\": \"5\"}",
            "{\"a\": 1, \"a\": 2}",
            "[[[]]]",
            "null",
            "\"5\"",
            "18446744073709551615",
            "x, y",
            "\u{0}",
        ])
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(20)),
            3 => json!(u64::MAX - u64::try_from(self.below(3)).unwrap()),
            4 | 5 => json!(self.text()),
            6 => {
                let items = (0..self.below(3)).map(|_| self.value(depth - 1));
                Value::Array(items.collect())
            }
            7 => json!(self.value(depth - 1).to_string()),
            _ => {
                let members =
                    (0..self.below(4)).map(|_| (self.key().to_owned(), self.value(depth - 1)));
                Value::Object(members.collect())
            }
        }
    }

    fn schemas(&mut self, depth: usize) -> Vec<Value> {
        (0..=self.below(3)).map(|_| self.schema(depth)).collect()
    }

    fn schema(&mut self, depth: usize) -> Value {
        let mut node = Map::new();
        let types = [
            "integer", "number", "boolean", "string", "array", "object", "null",
        ];
        if self.below(4) > 0 {
            let name = self.of(&types);
            let two = [name, self.of(&types)];
            let one = self.below(4) > 0;
            node.insert(
                "type".to_owned(),
                if one { json!(name) } else { json!(two) },
            );
        }
        for _ in 0..self.below(4) {
            let (keyword, value) = match self.below(if depth == 0 { 6 } else { 14 }) {
                0 => ("enum", json!([self.text(), self.text(), self.value(0)])),
                1 => ("const", self.value(1)),
                2 => ("default", self.value(1)),
                3 => ("maximum", json!(self.below(20))),
                4 => ("$ref", json!(self.of(&["#", "#/$defs/D", "#/nowhere"]))),
                5 => ("maxItems", json!(self.below(3))),
                6 => ("items", self.schema(depth - 1)),
                7 => ("prefixItems", json!(self.schemas(depth - 1))),
                8 => ("anyOf", json!(self.schemas(depth - 1))),
                9 => ("oneOf", json!(self.schemas(depth - 1))),
                10 => ("allOf", json!(self.schemas(depth - 1))),
                11 => ("required", json!([self.key(), self.key()])),
                12 => ("additionalProperties", json!(self.below(2) == 0)),
                _ => {
                    let members =
                        (0..self.below(4)).map(|_| (self.key().to_owned(), self.schema(depth - 1)));
                    ("properties", Value::Object(members.collect()))
                }
            };
            node.insert(keyword.to_owned(), value);
        }
        Value::Object(node)
    }

    /// A schema of arguments.
    fn root(&mut self) -> Value {
        let mut root = self.schema(4);
        let properties = (0..4).map(|_| (self.key().to_owned(), self.schema(3)));
        root["properties"] = Value::Object(properties.collect());
        root["$defs"] = json!({"D": self.schema(2)});
        root
    }
}

#[test]
fn repairs_lead_to_what_comes_out_whatever_the_schema() {
    let cases = std::env::var("TOOLWRIGHT_CASES").ok();
    let cases = cases.and_then(|count| count.parse().ok()).unwrap_or(200);
    let mut random = Random(7);
    let mut repaired = 0;
    for _ in 0..cases {
        let spec = tool(&random.root());
        for _ in 0..4 {
            let sent = Value::Object(match random.value(4) {
                Value::Object(members) => members,
                other => Map::from_iter([(random.key().to_owned(), other)]),
            });
            let Some(made) = spec.repair(&Arguments::from(&sent)) else {
                continue;
            };
            repaired += 1;
            let mut ran = sent.clone();
            for repair in made.repairs() {
                assert!(repair.apply(&mut ran), "{repair} of {sent}");
            }
            assert_eq!(Some(&ran), made.arguments().as_tree(), "{sent}");
            let again = spec.repair(made.arguments());
            assert!(
                again.is_none(),
                "{sent} became {ran} by {:?} and then {again:?} under {}",
                made.repairs(),
                spec.input_schema()
            );
        }
    }
    assert!(repaired > cases / 20, "{repaired}");
}
