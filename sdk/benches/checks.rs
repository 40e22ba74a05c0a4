//! Arguments of 1 MiB that are built to take long against schemas and patterns, and some that are not: each
//! is judged or refused within 1 s and 256 MiB, in a release build.
//!
//! `cargo bench -p toolwright --features json-schema --bench checks`. It stops at a case that takes more.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

use std::time::Instant;

use serde_json::{Value, json};
use toolwright::arguments::Arguments;
use toolwright::{Tool, ToolError, ToolName, ToolSpec, tool, tool_fn, tool_type};

const SECONDS: f64 = 1.0;
const BYTES: u64 = 256 << 20;
const SIZE: usize = 1 << 20;

/// Keep a text.
#[tool(register = false, pure)]
fn keep(
    #[arg(pattern = r"^(\S+\s?){1,5}$")] small: String,
    #[arg(pattern = r"^(\S+\s?){1,900}$")] large: String,
) -> usize {
    small.len() + large.len()
}

/// The look of a thing.
#[tool_type]
struct Look {
    color: Option<String>,
}

/// A thing, which serde reads from a copy because of the flattened part.
#[tool_type]
struct Thing {
    name: Option<String>,
    #[serde(flatten)]
    look: Look,
}

/// Sort things.
#[tool(register = false, pure)]
fn sort(things: Vec<Thing>) -> usize {
    let is_named = |thing: &&Thing| thing.name.is_some() || thing.look.color.is_some();
    things.iter().filter(is_named).count()
}

fn judged(name: &str, schema: &Value, arguments: &Value) {
    let spec =
        ToolSpec::new(ToolName::new("judge").unwrap(), "Judge.").with_input_schema(schema.clone());
    let tool = tool_fn(spec, async |_: Value, _| Ok::<_, ToolError>("judged"));
    measured(name, &tool, arguments);
}

fn measured(name: &str, tool: &dyn Tool, arguments: &Value) {
    let text = arguments.to_string();
    let mut result = "taken".to_owned();
    let started = Instant::now();
    let used = allocation_counter::measure(|| {
        if let Err(invalid) = tool.parse(&Arguments::from(&text)) {
            result = invalid.problems()[0].to_string().chars().take(60).collect();
        }
    });
    let (seconds, bytes) = (started.elapsed().as_secs_f64(), used.bytes_max);
    println!(
        "{name:<34} {:>8} bytes {:>7.0} ms {:>6} MiB  {result}",
        text.len(),
        seconds * 1e3,
        bytes >> 20
    );
    assert!(seconds < SECONDS && bytes < BYTES, "{name} takes too much");
}

fn main() {
    let words = "word ".repeat(SIZE / 5);
    let text =
        |pattern: &str| json!({"properties": {"text": {"type": "string", "pattern": pattern}}});
    for (name, pattern) in [
        ("a plain pattern", r"^[\w .-]*$"),
        ("the largest pattern that is tried", r"^(\S+\s?){1,3}$"),
        ("a large pattern", r"^(\S+\s?){1,2000}$"),
        ("a pattern that looks around", r"^(?=.*x)(?!.*y)\S+"),
    ] {
        judged(name, &text(pattern), &json!({"text": words}));
    }
    let looks = json!({"items": {"type": "string", "pattern": r"(?=(\w+\s)+$)b"}});
    let looks = json!({"properties": {"list": looks}});
    for length in [100, 1_000, 60_000] {
        let one = "word ".repeat(length / 5);
        let list = vec![one; SIZE / (length + 3)];
        judged(
            &format!("texts of {length} that look around"),
            &looks,
            &json!({"list": list}),
        );
    }
    for (branches, size) in [
        (1, SIZE),
        (3, SIZE),
        (30, 20_000),
        (30, 360_000),
        (30, SIZE),
    ] {
        let branch = |n: usize| json!({"type": "array", "items": {"enum": [n]}, "minItems": n});
        let inner: Vec<Value> = (0..branches).map(branch).collect();
        let outer =
            |n: usize| json!({"type": "array", "items": {"oneOf": inner}, "maxItems": 900_000 + n});
        let outer: Vec<Value> = (0..branches).map(outer).collect();
        let schema = json!({"properties": {"rows": {"oneOf": outer}}});
        let rows = vec![json!([1]); size / 4];
        judged(
            &format!("oneOf {branches} x {branches}"),
            &schema,
            &json!({"rows": rows}),
        );
    }
    let person = json!({"type": "object", "properties": {
        "name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "minimum": 0},
        "mail": {"anyOf": [{"type": "string", "pattern": "^[^@]+@[^@]+$"}, {"type": "null"}]},
    }, "required": ["name", "age"], "additionalProperties": false});
    let people = json!({"properties": {"people": {"type": "array", "items": person}}});
    let one = json!({"name": "Ada Lovelace", "age": 36, "mail": "ada@example.org"});
    judged(
        "a list of people",
        &people,
        &json!({"people": vec![one; SIZE / 60]}),
    );
    measured(
        "patterns of a typed tool",
        &Keep,
        &json!({"small": words, "large": "a"}),
    );
    measured(
        "a large pattern of a typed tool",
        &Keep,
        &json!({"small": "a", "large": words}),
    );
    measured(
        "a wrong name in each of many copies",
        &Sort,
        &json!({"things": vec![json!({"colr": 1}); SIZE / 12]}),
    );
}
