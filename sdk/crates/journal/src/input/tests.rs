use toolwright::ToolName;

use super::*;

/// A source of numbers that look random, the same in every run: a linear congruential generator with the constants of
/// Knuth's MMIX.
struct Source(u64);

impl Source {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn member(&mut self, values: &[&str]) -> String {
        format!("{}:{}", json!(self.one(&NAMES)), self.one(values))
    }

    fn object(&mut self, values: &[&str]) -> String {
        let members: Vec<String> = (0..self.below(5)).map(|_| self.member(values)).collect();
        format!("{{{}}}", members.join(", "))
    }
}

/// Names whose order differs by bytes and by UTF-16, and some that need care.
const NAMES: [&str; 7] = ["a", "b", "q\"\n", "\u{fffd}", "\u{10000}", "é", "$secret"];

const VALUES: [&str; 26] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "7",
    "-12",
    "5.0",
    "0.5",
    "1e2",
    "1e21",
    "999999999999999",
    "-99999999999999",
    "1234567890123456",
    "9007199254740991",
    "-9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "123456789012345678901.5",
    r#""""#,
    r#""1234567890123456789""#,
    r#""é\u20ac\u0000\u001f\u007f\/\b\f\n\r\t\"\\""#,
    "\"\u{202e}\u{2028}\"",
    r#""\ud83d\ude00""#,
    r#""\ud83d""#,
    r#"[1, {"a": 2}]"#,
];

const SCHEMAS: [&str; 8] = [
    "{}",
    r#"{"type": "string"}"#,
    r#"{"type": ["integer", "null"]}"#,
    r#"{"type": "number", "default": 3}"#,
    r#"{"type": "string", "default": "x\n\u001f"}"#,
    r#"{"anyOf": [{"type": "null"}, {"$ref": "/"}], "default": null}"#,
    r#"{"enum": ["x", 2], "default": 1.5}"#,
    r#"{"writeOnly": true}"#,
];

/// Arguments have one record, whether a tree of them was made or not.
#[test]
fn scalars_are_recorded_as_their_tree_is() {
    let mut source = Source(3);
    let key = JournalKey::from_bytes([7; 32]);
    let name = ToolName::new("a.tool").unwrap();
    let mut count = 0;
    for _ in 0..2_000 {
        let end = if source.below(4) == 0 { 8 } else { 6 };
        let properties = source.object(&SCHEMAS[..end]);
        let required = json!([source.one(&NAMES)]);
        let schema =
            format!(r#"{{"type": "object", "properties": {properties}, "required": {required}}}"#);
        let schema = serde_json::from_str(&schema).unwrap();
        let spec = ToolSpec::new(name.clone(), "A tool.").with_input_schema(schema);
        let spec = match source.below(2) {
            0 => spec.with_version("1.2"),
            _ => spec,
        };
        for _ in 0..3 {
            let text = source.object(&VALUES);
            let sent = Arguments::from(&text);
            let Some(plain) = RecordedInput::of_scalars(&sent, "a.tool", &spec) else {
                continue;
            };
            count += 1;
            let of_tree = RecordedInput::of_tree(&sent, "a.tool", &spec, &key).unwrap();
            assert_eq!(plain, of_tree, "{text}");
        }
    }
    assert!(count > 500, "{count}");
}
