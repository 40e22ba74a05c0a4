//! What a tool may return, and what the model reads of it.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use toolwright::{
    Content, ErrorKind, Executor, Tool, ToolError, ToolOutcome, ToolOutput, ToolRegistry, tool,
};

use crate::support::ready_now;

/// Calls the one tool of an executor, which takes no arguments.
fn outcome(tool: impl Tool) -> ToolOutcome {
    let name = tool.spec().name().as_str().to_owned();
    let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
    ready_now(executor.call(&name, ""))
}

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
    assert_eq!(schema["required"], json!(["name"]));
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

/// Has no source and is no `Error`: it can only be displayed.
struct Shrug;

impl fmt::Display for Shrug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("who knows")
    }
}

/// An error with a chain.
#[derive(Debug)]
struct Above(io::Error);

impl fmt::Display for Above {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the report cannot be made")
    }
}

impl Error for Above {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Fail with an I/O error.
#[tool(pure)]
fn fail_io() -> Result<u8, io::Error> {
    Err(io::Error::other("disk on fire"))
}

/// Fail with text.
#[tool(pure)]
fn fail_string() -> Result<u8, String> {
    Err("plain text".to_owned())
}

/// Fail with text of the program.
#[tool(pure)]
fn fail_str() -> Result<u8, &'static str> {
    Err("constant text")
}

/// Fail with any error that threads can share.
#[tool(pure)]
async fn fail_boxed() -> Result<u8, Box<dyn Error + Send + Sync>> {
    Err(Above(io::Error::other("disk on fire")))?
}

/// Fail with any error.
#[tool(pure)]
fn fail_boxed_locally() -> Result<u8, Box<dyn Error>> {
    Err(Above(io::Error::other("disk on fire")))?
}

/// Fail with something that can only be displayed.
#[tool(pure)]
fn fail_displayed() -> Result<(), Shrug> {
    Err(Shrug)
}

/// Fail with an error of a type of one's own.
#[tool(pure)]
fn fail_chained() -> Result<(), Above> {
    Err(Above(io::Error::other("disk on fire")))
}

#[test]
fn whatever_can_be_displayed_can_be_the_error() {
    let message = |tool: ToolOutcome| {
        let error = tool.error().unwrap().clone();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert_eq!(tool.text(), error.message());
        error.message().to_owned()
    };
    assert_eq!(message(outcome(FailIo)), "disk on fire");
    assert_eq!(message(outcome(FailString)), "plain text");
    assert_eq!(message(outcome(FailStr)), "constant text");
    assert_eq!(message(outcome(FailBoxed)), "the report cannot be made");
    assert_eq!(
        message(outcome(FailBoxedLocally)),
        "the report cannot be made"
    );
    assert_eq!(message(outcome(FailDisplayed)), "who knows");
    assert_eq!(message(outcome(FailChained)), "the report cannot be made");
}

/// All that the log can read of an error, from its source down.
fn chain(outcome: &ToolOutcome) -> Vec<String> {
    let mut chain = Vec::new();
    let mut next = outcome.error().and_then(Error::source);
    while let Some(error) = next {
        chain.push(error.to_string());
        next = error.source();
    }
    chain
}

#[test]
fn the_log_has_the_whole_chain_of_an_error() {
    let expected = ["the report cannot be made", "disk on fire"];
    assert_eq!(chain(&outcome(FailChained)), expected);
    assert_eq!(chain(&outcome(FailBoxed)), expected);
}

#[test]
fn the_log_has_the_whole_chain_of_a_local_box_too() {
    let chain = chain(&outcome(FailBoxedLocally)).join(": ");
    assert!(chain.contains("disk on fire"), "{chain:?}");
}

fn unavailable() -> ToolError {
    ToolError::unavailable("try again at noon")
        .with_code("closed")
        .with_retryable(true)
}

/// Fail with an error that says what it is.
#[tool(pure)]
fn fail_own() -> Result<(), ToolError> {
    Err(unavailable())
}

/// Fail with such an error in a box.
#[tool(pure)]
fn fail_own_boxed() -> Result<(), Box<dyn Error + Send + Sync>> {
    Err(unavailable().into())
}

/// Fail with such an error in a box of one thread.
#[tool(pure)]
fn fail_own_boxed_locally() -> Result<(), Box<dyn Error>> {
    Err(unavailable().into())
}

#[test]
fn a_tool_error_keeps_what_it_says() {
    assert_eq!(outcome(FailOwn).error(), Some(&unavailable()));
    assert_eq!(outcome(FailOwnBoxed).error(), Some(&unavailable()));
}

#[test]
fn a_tool_error_in_a_local_box_keeps_what_it_says_too() {
    assert_eq!(outcome(FailOwnBoxedLocally).error(), Some(&unavailable()));
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
