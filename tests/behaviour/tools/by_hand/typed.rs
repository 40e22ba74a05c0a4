//! From a spec and a closure whose types have schemas: `tool_fn_typed`, beside the function that says the same.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::spec::Effect;
use toolwright::tools::{ToolFn, tool_fn_typed};
use toolwright::{
    Content, Executor, ToolContext, ToolError, ToolOutput, ToolRegistry, tool, tool_type,
};

use super::{executor, kind, pure};

/// A place on a map.
#[tool_type]
struct Place {
    /// Degrees north.
    #[arg(range = -90..=90)]
    north: i32,
    /// Its name, if it has one.
    name: Option<String>,
}

/// A way between places.
#[tool_type(argument)]
struct Way {
    /// The places in order.
    #[arg(length = 1..=3)]
    places: Vec<Place>,
    /// The means of travel.
    #[arg(default, aliases("by"))]
    means: Means,
    /// The means of payment for the ticket.
    card: Option<String>,
}

#[tool_type]
#[derive(Default)]
#[serde(rename_all = "snake_case")]
enum Means {
    #[default]
    OnFoot,
    Train,
}

/// The result of the search.
#[tool_type(result)]
struct Found {
    /// The number of places.
    places: usize,
    north: Vec<i32>,
}

fn found(way: &Way) -> Found {
    let _ = (&way.card, matches!(way.means, Means::Train));
    Found {
        places: way.places.len(),
        north: way.places.iter().map(|place| place.north).collect(),
    }
}

/// Made at run time.
#[tool(pure, register = false, struct_name = WayTool)]
fn way(#[arg(flatten)] way: Way) -> Found {
    found(&way)
}

fn closure() -> ToolFn<Way> {
    tool_fn_typed(pure("way"), |way: Way| Ok(found(&way)))
}

#[tokio::test]
async fn the_schemas_and_every_text_are_those_of_the_function_of_the_same_types() {
    let of_function = ToolRegistry::new().with(WayTool);
    let of_closure = ToolRegistry::new().with(closure());
    let spec = |registry: &ToolRegistry| {
        let specs = registry.specs().next().unwrap();
        serde_json::to_string(specs).unwrap()
    };
    assert_eq!(spec(&of_closure), spec(&of_function));
    let function = Executor::new(of_function).unwrap();
    let closure = Executor::new(of_closure).unwrap();
    for (arguments, expected) in [
        (
            r#"{"places": [{"north": 5}]}"#,
            r#"{"places":1,"north":[5]}"#,
        ),
        (
            r#"{"places": [{"north": "5"}], "means": "Train"}"#,
            r#"{"places":1,"north":[5]}"#,
        ),
        (r#"{"places": {"north": 5}}"#, r#"{"places":1,"north":[5]}"#),
        (
            r#"{"places": []}"#,
            "`/places`: expected a list of objects with `north`",
        ),
        (
            r#"{"places": [{"north": 91}]}"#,
            "`/places/0/north`: expected an integer from -90 to 90, found 91",
        ),
        (
            r#"{"place": []}"#,
            "`/place`: there is no such argument; did you mean `places`?",
        ),
        (r#"{"places": [{"nroth": 1}]}"#, "did you mean `north`?"),
        (
            r#"{"places": [{"north": 1.5}], "means": "trian"}"#,
            "did you mean `train`?",
        ),
        (
            r#"{"places": [{"north": 1}], "card": 4111}"#,
            "`/card`: expected text",
        ),
        (
            r#"{"places": [{"north": 1}], "places": []}"#,
            "is given more than once",
        ),
        ("[]", "expected an object of arguments"),
        ("", "`/places`: is required and missing"),
        (r#"{"places": "#, "ends before the object does"),
    ] {
        let of_function = function.call("way", arguments).await;
        let of_closure = closure.call("way", arguments).await;
        assert!(
            of_closure.text().contains(expected),
            "{arguments}: {}",
            of_closure.text()
        );
        assert_eq!(of_closure.text(), of_function.text(), "{arguments}");
        assert_eq!(
            of_closure.result().repairs().len(),
            of_function.result().repairs().len(),
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn nothing_of_a_secret_is_told() {
    let spec = pure("way").with_secret("card");
    let executor = executor(tool_fn_typed(spec, |way: Way| Ok(found(&way))));
    for arguments in [
        r#"{"places": [{"north": 1}], "card": 4111}"#,
        r#"{"places": [{"north": 1}], "card": {"4111": 4111}}"#,
        r#"{"places": [{"north": 1}], "card": {"4111": 1, "4111": 2}}"#,
        r#"{"places": [{"north": 1.5}], "card": ["4111"]}"#,
    ] {
        let refused = executor.call("way", arguments).await;
        assert_eq!(kind(&refused), ErrorKind::InvalidArguments);
        assert!(refused.text().contains("`/card`"), "{}", refused.text());
        assert!(!refused.text().contains("4111"), "{}", refused.text());
    }
}

#[tokio::test]
async fn each_form_of_a_body_runs_and_fails_as_a_function_does() {
    let lent = Arc::new(AtomicUsize::new(0));
    let count = |lent: &Arc<AtomicUsize>| lent.fetch_add(1, Ordering::SeqCst);
    let (one, two, three) = (Arc::clone(&lent), Arc::clone(&lent), Arc::clone(&lent));
    let tools = ToolRegistry::new()
        .with(tool_fn_typed(pure("now"), move |place: Place| {
            count(&one);
            place
                .name
                .ok_or_else(|| ToolError::not_found("it has no name"))
        }))
        .with(tool_fn_typed(
            pure("now_in_context"),
            move |place: Place, ctx: &ToolContext| {
                count(&two);
                Ok(format!("{} in {}", place.north, ctx.tool_name()))
            },
        ))
        .with(tool_fn_typed(pure("later"), async |place: Place| {
            tokio::task::yield_now().await;
            // The errors of the standard library are the tool's.
            Ok(place.name.unwrap_or_default().parse::<u8>()?)
        }))
        .with(tool_fn_typed(
            pure("later_in_context"),
            move |place: Place, ctx: ToolContext| {
                let lent = Arc::clone(&three);
                async move {
                    tokio::task::yield_now().await;
                    count(&lent);
                    Ok(json!({ "north": place.north, "tool": ctx.tool_name().as_str() }))
                }
            },
        ))
        .with(tool_fn_typed(pure("output"), |_: Place| {
            Ok(ToolOutput::text("one").with(Content::text("two")))
        }))
        .with(tool_fn_typed(pure("content"), |_: Place| {
            Ok(Content::text("one"))
        }))
        .with(tool_fn_typed(pure("nothing"), |_: Place| Ok(())))
        .with(tool_fn_typed(
            pure("panics"),
            |_: Place| -> Result<(), ToolError> { panic!("no") },
        ));
    let executor = Executor::new(tools).unwrap();
    let call = async |name: &str, arguments: &'static str| executor.call(name, arguments).await;
    assert_eq!(
        call("now", r#"{"north": 1, "name": "\"x\""}"#).await.text(),
        "\"x\""
    );
    assert_eq!(
        kind(&call("now", r#"{"north": 1}"#).await),
        ErrorKind::NotFound
    );
    assert_eq!(
        call("now_in_context", r#"{"north": 1}"#).await.text(),
        "1 in now_in_context"
    );
    assert_eq!(
        call("later", r#"{"north": 1, "name": "7"}"#).await.text(),
        "7"
    );
    let failed = call("later", r#"{"north": 1, "name": "x"}"#).await;
    assert_eq!(
        (kind(&failed), &*failed.text()),
        (ErrorKind::Failed, "invalid digit found in string")
    );
    assert_eq!(
        call("later_in_context", r#"{"north": 1}"#).await.text(),
        r#"{"north":1,"tool":"later_in_context"}"#
    );
    assert_eq!(
        call("output", r#"{"north": 1}"#)
            .await
            .result()
            .content()
            .len(),
        2
    );
    assert_eq!(call("content", r#"{"north": 1}"#).await.text(), "one");
    assert!(
        call("nothing", r#"{"north": 1}"#)
            .await
            .result()
            .content()
            .is_empty()
    );
    assert_eq!(
        kind(&call("panics", r#"{"north": 1}"#).await),
        ErrorKind::Panicked
    );
    assert_eq!(lent.load(Ordering::SeqCst), 4);
}

#[test]
fn the_spec_keeps_what_types_do_not_say() {
    let spec = pure("way")
        .with_example(json!({ "places": [{ "north": 1 }] }))
        .with_input_schema(json!({ "type": "object", "properties": { "other": {} } }))
        .with_example(json!({ "places": [{ "north": 2 }] }));
    let registry = ToolRegistry::new().with(tool_fn_typed(spec, |way: Way| Ok(found(&way))));
    let spec = registry.specs().next().unwrap();
    // An input schema before it takes its examples along; the types say what the arguments are.
    assert_eq!(spec.examples(), [json!({ "places": [{ "north": 2 }] })]);
    assert!(spec.input_schema()["properties"]["other"].is_null());
    assert_eq!(spec.input_schema()["required"], json!(["places"]));
    assert_eq!(spec.effect(), Effect::Pure);

    let own = json!({ "type": "object", "title": "mine" });
    let spec = pure("way").with_output_schema(own.clone());
    let registry = ToolRegistry::new().with(tool_fn_typed(spec, |way: Way| Ok(found(&way))));
    assert_eq!(registry.specs().next().unwrap().output_schema(), Some(&own));
    // Text and lists are no objects, and have no output schema.
    let text = tool_fn_typed(pure("t"), |_: Way| Ok(String::new()));
    assert_eq!(
        ToolRegistry::new()
            .with(text)
            .specs()
            .next()
            .unwrap()
            .output_schema(),
        None
    );
}

#[test]
fn types_that_cannot_be_arguments_keep_an_executor_from_being_built() {
    let no_object = tool_fn_typed(pure("text"), |text: String| Ok(text));
    let line = line!() + 1;
    let registry = ToolRegistry::new().with(no_object);
    let error = Executor::new(registry).unwrap_err();
    let [
        BuildProblem::InvalidDeclaration {
            origin, message, ..
        },
    ] = error.problems()
    else {
        panic!("{error}");
    };
    assert!(
        message.contains("which the type that the closure takes does not read"),
        "{message}"
    );
    assert!(
        origin.file().ends_with("by_hand/typed.rs") && origin.line() == line,
        "{origin}"
    );

    let of_map = tool_fn_typed(pure("map"), |map: BTreeMap<String, u32>| Ok(map.len()));
    assert!(Executor::new(ToolRegistry::new().with(of_map)).is_ok());
}

#[tokio::test]
async fn free_objects_and_parts_that_serde_buffers_are_held_to_their_schema_too() {
    #[tool_type(argument)]
    struct Nested {
        #[serde(flatten)]
        place: Place,
        #[serde(default)]
        rest: Value,
    }
    let executor = executor(tool_fn_typed(pure("nested"), |nested: Nested| {
        Ok(format!("{} {}", nested.place.north, nested.rest))
    }));
    assert_eq!(
        executor
            .call("nested", r#"{"north": 3, "rest": [1]}"#)
            .await
            .text(),
        "3 [1]"
    );
    let unknown = executor.call("nested", r#"{"north": 3, "extra": 1}"#).await;
    assert_eq!(kind(&unknown), ErrorKind::InvalidArguments);
    assert!(
        unknown
            .text()
            .contains("`/extra`: there is no such argument"),
        "{}",
        unknown.text()
    );
}
