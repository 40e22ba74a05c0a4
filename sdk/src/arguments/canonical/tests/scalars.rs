//! The text that is written without a tree: that of the tree, byte by byte.

use super::arbitrary::{Source, cases};
use super::*;

/// The text of a tree of scalars in the canonical form of RFC 8785.
fn text_of(tree: &Value) -> String {
    let mut members: Vec<_> = tree.as_object().unwrap().iter().collect();
    members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    let members = members.into_iter();
    let members: Vec<String> = members
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Compares the text that is written with that of the tree. Returns it, if it is written.
fn written(spec: &ToolSpec, arguments: &Arguments<'_>) -> Option<String> {
    let mut text = "before".to_owned();
    let is_written = arguments.write_canonical(spec, &mut text);
    let text = text.strip_prefix("before").unwrap().to_owned();
    if !is_written {
        assert_eq!(text, "");
        return None;
    }
    let canonical = arguments.canonical(spec).unwrap();
    assert_eq!(text, text_of(canonical.as_value()), "{arguments:?}");
    Some(text)
}

/// Members whose order differs by bytes and by UTF-16, and one that needs escapes.
const NAMES: [&str; 6] = ["a", "b", "q\"\n", "\u{fffd}", "\u{10000}", "$secret"];

impl Source {
    fn scalar_schema(&mut self) -> Value {
        let mut schema = match self.below(8) {
            0 => json!({"type": "string"}),
            1 => json!({"type": "integer", "minimum": 0}),
            2 => json!({"type": ["integer", "null"]}),
            3 => json!({"$ref": "#/$defs/d"}),
            4 => json!({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/d"}]}),
            5 => json!({"enum": ["x", 2, null]}),
            6 => json!({"type": "boolean", "description": "whether"}),
            _ => self.schema(1),
        };
        if self.below(3) == 0 {
            schema["default"] = self.value(1);
        }
        schema
    }

    fn scalar_object(&mut self) -> Value {
        let properties: Map<String, Value> = (0..self.below(5))
            .map(|_| (self.one(&NAMES).to_owned(), self.scalar_schema()))
            .collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if self.below(2) == 0 {
            schema["required"] = json!([self.one(&NAMES), self.one(&NAMES)]);
        }
        if self.below(2) == 0 {
            schema["additionalProperties"] = json!(false);
        }
        schema["$defs"] = json!({"d": self.schema(1)});
        schema
    }

    /// The text of an object, mostly of scalars.
    fn scalar_text(&mut self) -> String {
        let members: Vec<String> = (0..self.below(5))
            .map(|_| format!("{} : {}", json!(self.one(&NAMES)), self.scalar_value()))
            .collect();
        format!(" {{ {} }} ", members.join(" , "))
    }

    fn scalar_value(&mut self) -> String {
        let plain = [
            "null",
            "true",
            "false",
            "0",
            "-0",
            "7",
            "-12",
            "5.0",
            "1e2",
            "9007199254740991",
            "-9007199254740991",
            "9007199254740992",
            "18446744073709551615",
            "123456789012345678901",
            r#""""#,
            r#""x""#,
            r#""é\u20ac""#,
            r#""\u0000\u001f\u007f\/\b\f\n\r\t""#,
            r#""\"\\""#,
            "\"\u{202e}\u{2028}\"",
            r#""\ud83d\ude00""#,
            r#""\ud83d""#,
            "[]",
        ];
        self.one(&plain).to_owned()
    }
}

#[test]
fn text_without_a_tree_is_that_of_the_tree() {
    let mut source = Source(7);
    let mut count = 0;
    for _ in 0..cases() {
        let spec = spec(source.scalar_object());
        for _ in 0..4 {
            let text = source.scalar_text();
            let of_text = written(&spec, &Arguments::from(&text));
            count += usize::from(of_text.is_some());
            if let Ok(tree) = serde_json::from_str::<Value>(&text)
                && let Some(of_text) = of_text
            {
                assert_eq!(written(&spec, &Arguments::from(tree)), Some(of_text));
            }
        }
    }
    assert!(count > cases() / 4, "{count}");
    // Schemas and arguments of any other shape.
    for _ in 0..cases() {
        let mut schema = source.schema(3);
        schema["$defs"] = json!({"d": source.schema(2)});
        let spec = spec(schema);
        written(&spec, &Arguments::from(source.object(3)));
    }
}

#[test]
fn scalars_of_plain_schemas_are_written() {
    let spec = search();
    for (sent, text) in [
        (r#"{"query":"x"}"#, Some(r#"{"limit":10,"query":"x"}"#)),
        (
            r#"{"query":null,"ratio":null,"limit":null}"#,
            Some(r#"{"limit":null,"query":null,"ratio":null}"#),
        ),
        (
            r#"{"tags":null,"query":"\u0078","limit":-5}"#,
            Some(r#"{"limit":-5,"query":"x"}"#),
        ),
        ("", Some(r#"{"limit":10}"#)),
        (r#"{"query":"x","query":"x"}"#, None),
        (r#"{"query":"x","tags":[]}"#, None),
        (r#"{"query":"x","ratio":1.5}"#, None),
        (r#"{"query":"x","other":1}"#, None),
        (r#"{"query":"x"} {}"#, None),
        (r#"{"query":"#, None),
        ("[]", None),
    ] {
        assert_eq!(
            written(&spec, &Arguments::from(sent)).as_deref(),
            text,
            "{sent}"
        );
    }
    let sent = Arguments::from(r#"{"query":"x"}"#);
    let secret = search().with_secret("query");
    assert_eq!(written(&secret, &sent), None);
    let hidden = self::spec(json!({"properties": {"query": {"$ref": "#/$defs/S"}},
        "$defs": {"S": {"writeOnly": true}}}));
    assert_eq!(written(&hidden, &sent), None);
}

#[test]
fn a_changed_schema_is_read_anew() {
    let sent = Arguments::from(r#"{"a":1}"#);
    let spec = spec(json!({"properties": {"a": {}}}));
    assert_eq!(written(&spec, &sent).as_deref(), Some(r#"{"a":1}"#));
    let other = spec.with_input_schema(json!({"properties": {"a": {"writeOnly": true}}}));
    assert_eq!(written(&other, &sent), None);
}
