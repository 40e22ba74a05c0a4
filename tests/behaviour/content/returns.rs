//! The values that a tool may return, and the text that the model reads; errors are in `failures`.

use std::borrow::Cow;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::{Content, Executor, Tool, ToolError, ToolOutput, ToolRegistry, tool};

use crate::support::outcome;

fn content(tool: impl Tool) -> Vec<Content> {
    let outcome = outcome(tool);
    assert!(outcome.is_success(), "{}", outcome.text());
    outcome.result().content().to_vec()
}

fn text(text: &str) -> Vec<Content> {
    vec![Content::text(text)]
}

fn data(value: Value) -> Vec<Content> {
    vec![Content::json(&value).unwrap()]
}

/// Give owned text.
#[tool(pure)]
fn give_string() -> String {
    "\"quoted\"".to_owned()
}

/// Give text of the program.
#[tool(pure)]
fn give_str() -> &'static str {
    "constant"
}

/// Give text that may be owned.
#[tool(pure)]
fn give_cow() -> Cow<'static, str> {
    "either".into()
}

/// Give a character.
#[tool(pure)]
fn give_char() -> char {
    'ß'
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Weather {
    LightRain,
    Storm { wind: u8 },
}

/// Give a variant without fields.
#[tool(pure)]
fn give_unit_variant() -> Weather {
    Weather::LightRain
}

/// Give a variant with a field.
#[tool(pure)]
fn give_struct_variant() -> Weather {
    Weather::Storm { wind: 9 }
}

#[test]
fn text_stays_text() {
    assert_eq!(content(GiveString), text("\"quoted\""));
    assert_eq!(content(GiveStr), text("constant"));
    assert_eq!(content(GiveCow), text("either"));
    assert_eq!(content(GiveChar), text("ß"));
    assert_eq!(content(GiveUnitVariant), text("light_rain"));
    assert_eq!(
        content(GiveStructVariant),
        data(json!({"storm": {"wind": 9}}))
    );
}

/// Give a number.
#[tool(pure)]
fn give_number() -> u64 {
    u64::MAX
}

/// Give a truth value.
#[tool(pure)]
fn give_bool() -> bool {
    false
}

/// A place on a map.
#[derive(Serialize, JsonSchema)]
struct Place {
    /// The name.
    name: &'static str,
    height: Option<f64>,
}

/// Give an object.
#[tool(pure)]
fn give_struct() -> Place {
    Place {
        name: "Oslo",
        height: Some(1.5),
    }
}

/// A type without a schema.
#[derive(Serialize)]
struct Schemaless(u8, u8);

/// Give a pair without a schema.
#[tool(pure)]
fn give_schemaless() -> Schemaless {
    Schemaless(1, 2)
}

/// Give something without saying what.
#[tool(pure)]
fn give_impl() -> impl Serialize {
    [1, 2, 3]
}

/// Give a tree.
#[tool(pure)]
async fn give_tree() -> Value {
    json!({"deep": [{"er": null}]})
}

#[test]
fn whatever_can_be_serialised_is_data() {
    assert_eq!(content(GiveNumber), data(json!(u64::MAX)));
    assert_eq!(content(GiveBool), data(json!(false)));
    assert_eq!(
        content(GiveStruct),
        data(json!({"name": "Oslo", "height": 1.5}))
    );
    assert_eq!(content(GiveSchemaless), data(json!([1, 2])));
    assert_eq!(content(GiveImpl), data(json!([1, 2, 3])));
    assert_eq!(content(GiveTree), data(json!({"deep": [{"er": null}]})));

    let schema = GiveStruct.spec().output_schema().unwrap();
    assert_eq!(schema["properties"]["name"]["description"], "The name.");
    assert_eq!(
        schema["required"],
        json!(["name", "height"]),
        "both are always written"
    );
    assert_eq!(GiveFallibly.spec().output_schema(), Some(schema));
    assert_eq!(GiveSchemaless.spec().output_schema(), None);
    assert_eq!(GiveNumber.spec().output_schema(), None, "it is no object");
}

/// Give nothing.
#[tool(pure)]
fn give_nothing() {}

/// Give nothing, and never fail.
#[tool(pure)]
fn give_nothing_fallibly() -> Result<(), io::Error> {
    Ok(())
}

/// Give something that is there.
#[tool(pure)]
fn give_some() -> Option<u8> {
    Some(5)
}

/// Give something that is not there.
#[tool(pure)]
fn give_none() -> Option<String> {
    None
}

#[test]
fn nothing_is_an_empty_success() {
    assert_eq!(content(GiveNothing), []);
    assert_eq!(content(GiveNothingFallibly), []);
    assert_eq!(content(GiveSome), data(json!(5)));
    assert_eq!(content(GiveNone), []);
}

/// Give a part.
#[tool(pure)]
fn give_part() -> Content {
    Content::resource_link("file:///a.txt", "a")
}

/// Give several parts.
#[tool(pure)]
fn give_parts() -> Result<Vec<Content>, serde_json::Error> {
    Ok(vec![
        Content::text("two hits"),
        Content::json(&[1, 2])?,
        Content::image([0, 1, 255], "image/png"),
    ])
}

/// Give an output that is complete.
#[tool(pure)]
fn give_output() -> ToolOutput {
    ToolOutput::text("seen")
        .with(Content::text("by the model"))
        .with_metadata("cost", 3)
}

/// Give an error that is an answer.
#[tool(pure)]
fn give_error_output() -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::error_with_code(
        "no_such_user",
        "ada is not here",
    ))
}

#[test]
fn an_output_passes_through() {
    assert_eq!(
        content(GivePart),
        [Content::resource_link("file:///a.txt", "a")]
    );
    let parts = content(GiveParts);
    assert_eq!(parts[0], Content::text("two hits"));
    assert_eq!(parts[1], Content::json(&[1, 2]).unwrap());
    assert_eq!(parts[2], Content::image([0, 1, 255], "image/png"));
    assert_eq!(outcome(GiveParts).text(), "two hits\n[1,2]");

    let output = outcome(GiveOutput);
    assert_eq!(output.text(), "seen\nby the model");
    assert_eq!(output.result().metadata().unwrap()["cost"], 3);

    let error = outcome(GiveErrorOutput);
    assert!(error.result().is_error());
    assert_eq!(error.text(), "[no_such_user] ada is not here");
    assert_eq!(error.error().unwrap().code(), "no_such_user");
}

type Answer<T> = Result<T, ToolError>;
type Perhaps = Option<u32>;
type Words = Answer<Option<Vec<String>>>;

/// Give an object, or fail.
#[tool(pure)]
fn give_fallibly() -> Answer<Place> {
    Ok(give_struct())
}

/// Give as many words, by aliases of `Option` and `Result` throughout.
#[tool(pure)]
fn give_aliases(count: Perhaps) -> Words {
    match count {
        None => Ok(None),
        Some(0) => Err(ToolError::not_found("no words at all")),
        Some(count) => Ok(Some((0..count).map(|n| n.to_string()).collect())),
    }
}

/// Fail as the standard library does, by its own alias.
#[tool(pure)]
fn give_io_alias() -> io::Result<String> {
    Ok("read".to_owned())
}

#[tokio::test]
async fn aliases_are_what_they_stand_for() {
    assert_eq!(GiveAliases.spec().input_schema().get("required"), None);
    let executor = Executor::new(ToolRegistry::new().with(GiveAliases)).unwrap();
    assert_eq!(
        executor.call("give_aliases", "").await.result().content(),
        []
    );
    let two = executor.call("give_aliases", r#"{"count": 2}"#).await;
    assert_eq!(two.text(), r#"["0","1"]"#);
    let failed = executor.call("give_aliases", r#"{"count": 0}"#).await;
    assert_eq!(failed.error().unwrap().kind(), ErrorKind::NotFound);
    assert_eq!(content(GiveFallibly), content(GiveStruct));
    assert_eq!(content(GiveIoAlias), text("read"));
}

/// Give a map that JSON has no way to write.
#[tool(pure)]
fn give_unwritable() -> std::collections::BTreeMap<Vec<u8>, u8> {
    [(vec![1], 2)].into()
}

#[test]
fn a_result_that_cannot_be_written_is_the_hosts_fault() {
    let outcome = outcome(GiveUnwritable);
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Internal);
    assert_eq!(
        outcome.text(),
        "the tool's result cannot be written as JSON"
    );
}
