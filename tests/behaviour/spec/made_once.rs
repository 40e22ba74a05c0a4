//! The work for schemas: that of a type is drawn once, and an executor is built and lists its tools without the trees
//! that nobody looks at.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use toolwright::{BuildError, Executor, ToolRegistry, ToolSpec, tool};

static DRAWN: AtomicUsize = AtomicUsize::new(0);

#[derive(Deserialize)]
struct Counted {
    _text: String,
}

impl JsonSchema for Counted {
    fn schema_name() -> Cow<'static, str> {
        "Counted".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        DRAWN.fetch_add(1, Ordering::Relaxed);
        String::json_schema(generator)
    }
}

/// Take one.
#[tool(pure)]
fn take_one(first: Counted) -> u32 {
    let Counted { .. } = first;
    1
}

/// Take one with words.
#[tool(pure)]
fn take_described(
    /// The words.
    described: Counted,
    /// A number.
    number: Option<u32>,
) -> u32 {
    let Counted { .. } = described;
    number.unwrap_or_default()
}

#[test]
fn the_schema_of_a_type_is_drawn_once_for_all_tools() -> Result<(), BuildError> {
    let first = Executor::new(ToolRegistry::new().with(TakeOne))?;
    let drawn = DRAWN.load(Ordering::Relaxed);
    assert!(drawn > 0);
    let second = Executor::new(ToolRegistry::new().with(TakeOne).with(TakeDescribed))?;
    for executor in [&first, &second] {
        executor.tools().to_json().unwrap();
    }
    assert_eq!(DRAWN.load(Ordering::Relaxed), drawn);
    Ok(())
}

/// Describe a page.
#[tool(pure)]
fn describe_page(
    /// The page.
    page: String,
    /// Its notes.
    notes: Vec<String>,
    /// With its number.
    numbered: Option<bool>,
) -> String {
    let _ = (notes, numbered);
    page
}

/// Describe pages.
#[tool(pure)]
fn describe_pages(#[arg(range = 1..=9)] pages: u32) -> u32 {
    pages
}

fn is_made(spec: &ToolSpec) -> bool {
    !format!("{spec:?}").contains("input_schema: (not made yet)")
}

#[test]
fn a_schema_that_nobody_looks_at_is_not_made() -> Result<(), BuildError> {
    let registry = ToolRegistry::new().with(DescribePage).with(DescribePages);
    let executor = Executor::new(registry)?;
    let tools = executor.tools();
    let made = |name: &str| is_made(tools.get(name).unwrap().spec());
    // A constraint may exclude what the type allows, so its schema is looked at.
    assert!(!made("describe_page") && made("describe_pages"));

    let listing = tools.to_json().unwrap();
    assert!(!made("describe_page"));
    let spec = tools.get("describe_page").unwrap().spec();
    assert!(listing.contains(&spec.input_schema_text()));
    assert!(!is_made(spec));

    // Made, it is the same text.
    let text = spec.input_schema_text();
    assert_eq!(spec.input_schema()["required"][1], "notes");
    assert!(is_made(spec));
    assert_eq!(spec.input_schema_text(), text);
    assert_eq!(
        text,
        r#"{"additionalProperties":false,"properties":{"#.to_owned()
            + r#""page":{"description":"The page.","type":"string"},"#
            + r#""notes":{"description":"Its notes.","items":{"type":"string"},"type":"array"},"#
            + r#""numbered":{"description":"With its number.","type":"boolean"}},"#
            + r#""required":["page","notes"],"type":"object"}"#
    );
    let specs: Vec<&ToolSpec> = tools.specs().collect();
    assert_eq!(*serde_json::to_string(&specs).unwrap(), *listing);
    Ok(())
}
