//! Parameters by reference come from the app: the types that a tool may take so, and the errors about missing ones.

use std::any::Any;
use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::sync::{Arc, Mutex, RwLock};

use serde_json::json;
use toolwright::executor::BuildProblem;
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolName, ToolOutcome, ToolRegistry, tool,
};

use crate::support::HandMade;

/// A thing of the app.
struct Greeting {
    word: &'static str,
}

trait Dictionary: Send + Sync {
    fn translate(&self, word: &str) -> Option<String>;
}

impl Dictionary for HashMap<&'static str, &'static str> {
    fn translate(&self, word: &str) -> Option<String> {
        self.get(word).map(|word| (*word).to_owned())
    }
}

type Guests = RwLock<Vec<String>>;

/// Greet somebody in the app's own words.
#[tool(pure)]
fn greet_guest(greeting: &Greeting, name: String) -> String {
    format!("{}, {name}", greeting.word)
}

/// Translate a word.
#[tool(pure)]
fn translate(word: String, dictionary: &dyn Dictionary) -> Option<String> {
    dictionary.translate(&word)
}

/// Put a guest on the list, which has a type of the standard library.
#[tool(idempotent)]
async fn invite(name: String, list: &Mutex<Vec<String>>, again: bool) -> usize {
    let mut list = list.lock().unwrap();
    if again || !list.contains(&name) {
        list.push(name);
    }
    list.len()
}

/// Tell who is on the list, which has an alias for a type.
#[tool(read_only)]
fn list_guests(list: &Guests) -> Vec<String> {
    list.read().unwrap().clone()
}

/// Tell the word of greeting, if there is one.
#[tool(read_only)]
fn greeting_word(greeting: Option<&Greeting>) -> &'static str {
    greeting.map_or("nothing", |greeting| greeting.word)
}

/// Tell how many translations there are of some words.
#[tool(read_only)]
fn count_known(words: Vec<String>, dictionary: Option<&(dyn Dictionary + 'static)>) -> usize {
    let known = |word: &&String| dictionary.is_some_and(|d| d.translate(word).is_some());
    words.iter().filter(known).count()
}

/// Show whatever the app wants shown.
#[tool(read_only)]
fn show_any(
    shown: &(dyn Display + Send + Sync),
    raw: &(dyn Any + Send + Sync),
    shared: &Arc<dyn Debug + Send + Sync>,
) -> String {
    format!("{shown} {:?} {shared:?}", raw.downcast_ref::<u8>())
}

async fn text(executor: &Executor, name: &str, arguments: &str) -> String {
    let outcome = executor.call(name, arguments).await;
    assert!(outcome.is_success(), "{}", outcome.text());
    outcome.text()
}

fn dictionary() -> Arc<dyn Dictionary> {
    Arc::new(HashMap::from([("bread", "brød")]))
}

#[tokio::test]
async fn a_tool_takes_any_type_by_reference() {
    let registry = ToolRegistry::new()
        .with(GreetGuest)
        .with(Translate)
        .with(Invite)
        .with(ListGuests)
        .with(ShowAny);
    let executor = Executor::builder(registry)
        .permission_checker(toolwright::permission::AllowAll)
        .resource(Greeting { word: "Hei" })
        .resource_arc(dictionary())
        .resource(Mutex::new(vec!["Bo".to_owned()]))
        .resource(Guests::new(vec!["Ada".to_owned()]))
        .resource_arc::<dyn Display + Send + Sync>(Arc::new("a text"))
        .resource_arc::<dyn Any + Send + Sync>(Arc::new(7_u8))
        .resource::<Arc<dyn Debug + Send + Sync>>(Arc::new(Some(1)))
        .build()
        .unwrap();
    assert_eq!(
        text(&executor, "greet_guest", r#"{"name": "Ada"}"#).await,
        "Hei, Ada"
    );
    assert_eq!(
        text(&executor, "translate", r#"{"word": "bread"}"#).await,
        "brød"
    );
    assert_eq!(
        text(&executor, "invite", r#"{"name": "Ada", "again": false}"#).await,
        "2"
    );
    assert_eq!(text(&executor, "list_guests", "").await, r#"["Ada"]"#);
    assert_eq!(
        text(&executor, "show_any", "").await,
        "a text Some(7) Some(1)"
    );
}

#[tokio::test]
async fn an_optional_thing_may_be_missing() {
    let registry = || ToolRegistry::new().with(GreetingWord).with(CountKnown);
    let bare = Executor::new(registry()).unwrap();
    assert_eq!(text(&bare, "greeting_word", "").await, "nothing");
    assert_eq!(
        text(&bare, "count_known", r#"{"words": ["bread", "x"]}"#).await,
        "0"
    );

    let equipped = Executor::builder(registry())
        .resource(Greeting { word: "Hei" })
        .resource_arc(dictionary())
        .build()
        .unwrap();
    assert_eq!(text(&equipped, "greeting_word", "").await, "Hei");
    assert_eq!(
        text(&equipped, "count_known", r#"{"words": ["bread", "x"]}"#).await,
        "1"
    );
}

/// Tell the call, with the context first.
#[tool(read_only)]
fn context_first(ctx: &ToolContext, one: u8, two: u8) -> String {
    format!("{} {one} {two}", ctx.session_id())
}

/// Tell the call, with the context in between, twice and under any name.
#[tool(read_only)]
async fn context_between(one: u8, c: &ToolContext, two: u8, d: Option<&ToolContext>) -> String {
    assert!(d.is_some_and(|d| d.invocation_id() == c.invocation_id()));
    format!("{} {one} {two}", c.session_id())
}

/// Tell the call, with the context last.
#[tool(read_only)]
fn context_last(one: u8, two: u8, _greeting: &Greeting, ctx: &ToolContext) -> String {
    format!("{} {one} {two}", ctx.session_id())
}

#[tokio::test]
async fn the_context_may_stand_anywhere() {
    let registry = ToolRegistry::new()
        .with(ContextFirst)
        .with(ContextBetween)
        .with(ContextLast);
    let executor = Executor::builder(registry)
        .resource(Greeting { word: "" })
        .build()
        .unwrap();
    let session = executor.session("s-1");
    for name in ["context_first", "context_between", "context_last"] {
        let tools = executor.tools();
        let spec = tools.get(name).unwrap().spec();
        let properties: Vec<_> = spec.input_schema()["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect();
        assert_eq!(properties, ["one", "two"], "{name}");
        let outcome = session
            .call(ToolCall::new(name, json!({"one": 1, "two": 2})))
            .await;
        assert_eq!(outcome.text(), "s-1 1 2", "{name}");
    }
}

#[test]
fn all_that_keeps_an_executor_from_being_built_is_told_at_once() {
    let registry = ToolRegistry::new()
        .with(GreetGuest)
        .with(GreetingWord)
        .with(Invite)
        .with(Translate)
        .with(Translate)
        .with(
            HandMade::new("guests").spec(|spec| spec.with_alias(ToolName::new("invite").unwrap())),
        );
    let error = Executor::builder(registry)
        .resource(Guests::default())
        .build()
        .unwrap_err();

    let mut missing = Vec::new();
    let mut clashes = 0;
    for problem in error.problems() {
        match problem {
            BuildProblem::MissingResource { tool, resource, .. } => {
                missing.push((tool.as_str(), *resource));
            }
            BuildProblem::Registry(error) => clashes += error.collisions().len(),
            other => panic!("{other} is none of the mistakes"),
        }
    }
    assert_eq!(clashes, 2);
    let tools: Vec<&str> = missing.iter().map(|(tool, _)| *tool).collect();
    assert_eq!(
        tools,
        ["greet_guest", "invite", "translate"],
        "in the order of their names"
    );
    for ((_, resource), part) in missing.iter().zip(["Greeting", "Mutex", "dyn "]) {
        assert!(resource.contains(part), "{resource}");
    }
    let text = error.to_string();
    for part in [
        "the name `translate` is wanted by two tools",
        "the name `invite` is wanted by two tools",
        "the tool `greet_guest` needs a `",
        "Executor::builder(..).resource(..)",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(text.lines().count(), 6, "a line for each problem: {text}");
}

#[tokio::test]
async fn what_comes_from_the_app_is_never_shown_to_the_model() {
    let executor = Executor::builder(ToolRegistry::new().with(GreetGuest))
        .resource(Greeting { word: "Hei" })
        .build()
        .unwrap();
    let spec = serde_json::to_string(GreetGuest.spec()).unwrap();
    assert!(!spec.contains("greeting"), "{spec}");
    for bad in [
        "",
        r#"{"greeting": {"word": "Hi"}}"#,
        r#"{"name": 1}"#,
        "[]",
        "{",
    ] {
        let refused: ToolOutcome = executor.call("greet_guest", bad).await;
        assert!(refused.result().is_error());
        // The model's own word for it is quoted, and no other.
        let echoed = usize::from(bad.contains("greeting"));
        assert_eq!(
            refused.text().matches("greeting").count(),
            echoed,
            "{}",
            refused.text()
        );
        assert!(!refused.text().contains("Greeting"), "{}", refused.text());
    }
}

#[test]
fn a_second_thing_of_a_type_takes_the_place_of_the_first() {
    let executor = Executor::builder(ToolRegistry::new().with(GreetingWord))
        .resource(Greeting { word: "Hei" })
        .resource(Greeting { word: "Hallo" })
        .build()
        .unwrap();
    let outcome = crate::support::ready_now(executor.call("greeting_word", ""));
    assert_eq!(outcome.text(), "Hallo");
}
