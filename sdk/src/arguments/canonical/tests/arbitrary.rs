//! Schemas and arguments that nobody would write.

use super::*;

/// A source of numbers that look random, the same in every run: a linear congruential generator
/// with the constants of Knuth's MMIX.
pub(super) struct Source(pub(super) u64);

impl Source {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    pub(super) fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    pub(super) fn name(&mut self) -> String {
        self.one(&["a", "b", "c", "$secret", "$$secret"]).to_owned()
    }

    pub(super) fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(4)),
            3 => self.one(&[
                json!(2.0),
                json!(0.5),
                json!(-0.0),
                json!(1e300),
                json!(u64::MAX),
            ]),
            4 | 5 => json!(self.one(&["x", "y", "\n"])),
            6 => (0..self.below(3)).map(|_| self.value(depth - 1)).collect(),
            _ => self.object(depth),
        }
    }

    pub(super) fn object(&mut self, depth: usize) -> Value {
        (0..self.below(4))
            .map(|_| (self.name(), self.value(depth.saturating_sub(1))))
            .collect()
    }

    pub(super) fn schema(&mut self, depth: usize) -> Value {
        let mut schema = json!({});
        for _ in 0..self.below(4) {
            let inner = depth.saturating_sub(1);
            let (keyword, value) = match self.below(if depth == 0 { 6 } else { 14 }) {
                0 | 1 => ("type", self.kind()),
                2 => ("required", json!([self.name()])),
                3 => ("default", self.value(2)),
                4 => (
                    "$ref",
                    json!(self.one(&["#", "#/$defs/d", "#/properties/a", "#x"])),
                ),
                5 => ("enum", json!([self.value(1), self.value(0)])),
                6 => ("anyOf", json!([self.schema(inner), self.schema(inner)])),
                7 => ("allOf", json!([self.schema(inner)])),
                8 => ("items", self.schema(inner)),
                9 => (
                    "additionalProperties",
                    self.one(&[json!(false), json!(true)]),
                ),
                10 => ("additionalProperties", self.schema(inner)),
                11 => ("$anchor", json!("x")),
                _ => ("properties", self.properties(inner)),
            };
            schema[keyword] = value;
        }
        schema
    }

    fn kind(&mut self) -> Value {
        self.one(&[
            json!("object"),
            json!("integer"),
            json!(["string", "null"]),
            json!(["number", "object", "array"]),
        ])
    }

    fn properties(&mut self, depth: usize) -> Value {
        (0..self.below(4))
            .map(|_| (self.name(), self.schema(depth)))
            .collect()
    }
}

pub(super) fn cases() -> usize {
    let cases = std::env::var("TOOLWRIGHT_CASES");
    cases
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(3_000)
}

#[test]
fn text_and_tree_agree_and_nothing_panics() {
    let mut source = Source(1);
    let mut formed = 0;
    for _ in 0..cases() {
        let mut schema = source.schema(3);
        schema["$defs"] = json!({"d": source.schema(2)});
        let spec = spec(schema);
        let sent = source.object(3);
        let of_text = Arguments::from(sent.to_string()).canonical(&spec);
        let of_tree = Arguments::from(&sent).canonical(&spec);
        assert_eq!(of_text, of_tree, "{sent}");
        let asking = spec.asking_purpose();
        let Ok(shown) = of_tree else {
            continue;
        };
        formed += 1;
        // A reference may lead to defaults without an end, and one that led nowhere somewhere.
        if spec.input_schema().to_string().contains("$ref") {
            continue;
        }
        // A default that was filled in stays: written out, it is the same call.
        if !shown.to_string().contains("$secret") {
            let again = Arguments::from(shown.as_value()).canonical(&spec).unwrap();
            assert_eq!(again, shown, "{sent} by {}", spec.input_schema());
        }
        // A tool that is asked for the purpose means the same by its arguments.
        let told = Arguments::from(&sent).canonical(&asking).unwrap();
        assert_eq!(told, shown, "{sent} by {}", spec.input_schema());
    }
    assert!(formed > cases() / 2);
}
