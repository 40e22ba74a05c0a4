//! The purpose of a call, as the model gives it.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::content::ErrorKind;
use toolwright::permission::{AllowAll, CallView, PermissionChecker, Verdict};
use toolwright::registry::OnCollision;
use toolwright::spec::{Effect, PURPOSE_ARGUMENT};
use toolwright::{
    Executor, PermissionRequest, Tool, ToolContext, ToolError, ToolName, ToolRegistry, ToolResult,
    ToolSpec, tool, tool_fn, tool_type,
};

use crate::support::{HandMade, Trace, place, places};

/// Add two whole numbers.
#[tool(register = false, pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say nothing.
#[tool(register = false, pure)]
fn hush() -> &'static str {
    "..."
}

/// The figure to draw.
#[tool_type]
#[serde(tag = "shape", rename_all = "snake_case")]
enum Drawing {
    Circle { radius: u32 },
    Square { side: u32 },
}

/// Draw something.
#[tool(register = false, pure)]
fn draw(#[arg(flatten)] drawing: Drawing) -> u32 {
    match drawing {
        Drawing::Circle { radius } => radius,
        Drawing::Square { side } => side,
    }
}

/// A tool of a schema, which gives its arguments back.
fn of_schema(name: &'static str, schema: Value) -> impl Tool {
    let spec = ToolSpec::new(ToolName::new(name).unwrap(), "Give the arguments back.")
        .with_input_schema(schema)
        .with_effect(Effect::Pure);
    tool_fn(
        spec,
        |arguments: Map<String, Value>, _: ToolContext| async {
            Ok::<_, ToolError>(Value::Object(arguments).to_string())
        },
    )
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Add)
        .with(Hush)
        .with(Draw)
        .with(of_schema("open", json!({"type": "object"})))
        .with(of_schema("any", json!(true)))
}

fn listed(executor: &Executor) -> Map<String, Value> {
    let listing: Vec<Value> = serde_json::from_str(&executor.tools().to_json().unwrap()).unwrap();
    let schema = |tool: &Value| {
        let name = tool["name"].as_str().unwrap().to_owned();
        (name, tool["input_schema"].clone())
    };
    listing.iter().map(schema).collect()
}

#[tokio::test]
async fn s3_16_the_purpose_is_shown_to_the_model_and_kept_from_the_tool() {
    let asking = Executor::new(registry().ask_purpose()).unwrap();
    let schemas = listed(&asking);
    for at in [
        "/add/properties",
        "/hush/properties",
        "/draw/anyOf/0/properties",
        "/draw/anyOf/1/properties",
        "/open/properties",
        "/any/properties",
    ] {
        let schemas = Value::Object(schemas.clone());
        let property = &schemas.pointer(at).unwrap()[PURPOSE_ARGUMENT];
        assert_eq!(property["type"], "string", "{at}");
        assert!(property["description"].as_str().unwrap().len() > 40, "{at}");
    }
    assert_eq!(schemas["add"]["required"], json!(["a", "b"]));
    assert_eq!(schemas["add"]["additionalProperties"], json!(false));
    for spec in asking.tools().specs() {
        assert_eq!(spec.input_schema(), &schemas[spec.name().as_str()]);
        let tools = asking.tools();
        let own = tools.get(spec.name().as_str()).unwrap().spec();
        assert!(!own.input_schema().to_string().contains(PURPOSE_ARGUMENT));
        assert_eq!(own.description(), spec.description());
    }

    for (tool, arguments, answer) in [
        ("add", json!({"a": 2, "b": 3}), "5"),
        ("hush", json!({}), "..."),
        ("draw", json!({"shape": "square", "side": 4}), "4"),
        ("open", json!({"x": 1}), r#"{"x":1}"#),
        ("any", json!({}), "{}"),
    ] {
        let without = asking.call(tool, &arguments).await;
        assert_eq!(
            (without.text().as_str(), without.result().purpose()),
            (answer, None)
        );
        let mut told = arguments;
        told[PURPOSE_ARGUMENT] = json!("To see whether it works.");
        for outcome in [
            asking.call(tool, &told).await,
            asking.call(tool, told.to_string()).await,
        ] {
            assert_eq!(outcome.text(), answer, "{told}");
            let result = outcome.result();
            assert_eq!(result.purpose(), Some("To see whether it works."));
            let written = result.to_json().unwrap();
            assert_eq!(written["purpose"], "To see whether it works.");
            let read: ToolResult = serde_json::from_value(written).unwrap();
            assert_eq!(&read, result);
        }
    }
}

#[tokio::test]
async fn s3_16_without_the_option_it_is_an_unknown_argument() {
    let plain = Executor::new(registry()).unwrap();
    assert!(!plain.tools().to_json().unwrap().contains(PURPOSE_ARGUMENT));
    let call = r#"{"a": 2, "b": 3, "tool_use_purpose": "x"}"#;
    let outcome = plain.call("add", call).await;
    assert_eq!(
        places(&outcome),
        [place(ProblemKind::Unknown, "/tool_use_purpose")]
    );
    assert_eq!(outcome.result().purpose(), None);
    let written = outcome.result().to_json().unwrap();
    assert!(written.get("purpose").is_none());
}

/// Go outside.
#[tool(register = false, permission = PermissionRequest::new("go", "out", "Go outside"))]
fn go_out(far: bool) -> bool {
    far
}

struct Asks(Trace);

impl PermissionChecker for Asks {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        let arguments = call.arguments().unwrap();
        self.0.note(format!("{arguments} {:?}", call.purpose()));
        match call.purpose() {
            Some(_) => Verdict::Allow,
            None => Verdict::deny("nobody knows why"),
        }
    }
}

#[tokio::test]
async fn s3_16_people_and_the_log_see_it_whatever_becomes_of_the_call() {
    let trace = Trace::default();
    let registry = ToolRegistry::new().with(GoOut).with(Add).ask_purpose();
    let builder = Executor::builder(registry).permission_checker(Asks(trace.clone()));
    let executor = builder.build().unwrap();

    let told = r#"{"tool_use_purpose": "Fresh air.", "far": true}"#;
    assert!(executor.call("go_out", told).await.is_success());
    let denied = executor.call("go_out", r#"{"far": true}"#).await;
    assert_eq!(denied.error().unwrap().kind(), ErrorKind::Denied);
    assert_eq!(
        trace.take(),
        [r#"{"far":true} Some("Fresh air.")"#, r#"{"far":true} None"#]
    );

    let refused = r#"{"tool_use_purpose": "Fresh air.", "fra": true, "far": 1}"#;
    let refused = executor.call("go_out", refused).await;
    assert_eq!(
        places(&refused),
        [
            place(ProblemKind::Unknown, "/fra"),
            place(ProblemKind::Type, "/far")
        ]
    );
    assert!(
        !refused.text().contains(PURPOSE_ARGUMENT),
        "{}",
        refused.text()
    );
    assert_eq!(refused.result().purpose(), Some("Fresh air."));
}

#[tokio::test]
async fn s3_16_nothing_else_of_the_arguments_changes() {
    let executor = Executor::new(registry().ask_purpose()).unwrap();
    let call = r#"{"a": 9223372036854775807, "tool_use_purpose": "x", "b": 0}"#;
    assert_eq!(
        executor.call("add", call).await.text(),
        "9223372036854775807"
    );
    let escaped = r#"{"a": 1, "\u0074ool_use_purpos\u0065": "x", "b": 2}"#;
    assert_eq!(executor.call("add", escaped).await.text(), "3");

    let twice = r#"{"a": 1, "tool_use_purpose": "x", "b": 2, "a": 3}"#;
    let outcome = executor.call("add", twice).await;
    assert_eq!(places(&outcome), [place(ProblemKind::Repeated, "/a")]);
    let twice = r#"{"a": 1, "tool_use_purpose": "x", "b": 2, "tool_use_purpose": "y"}"#;
    let outcome = executor.call("add", twice).await;
    assert_eq!(
        places(&outcome),
        [place(ProblemKind::Repeated, "/tool_use_purpose")]
    );
    for broken in [
        r#"["tool_use_purpose"]"#,
        r#"{"a": 1, "b": 2, "tool_use_purpose": "x""#,
        r#"{"a": 1, "b": {"tool_use_purpose": "x"}}"#,
    ] {
        let asked = executor.call("add", broken).await;
        let plain = Executor::new(registry()).unwrap();
        let plain = plain.call("add", broken).await;
        assert_eq!(asked.text(), plain.text(), "{broken}");
        assert_eq!(asked.error().unwrap().kind(), ErrorKind::InvalidArguments);
    }
}

#[test]
fn s3_16_a_tool_with_an_argument_of_that_name_is_an_error() {
    /// Say why.
    #[tool(register = false, pure)]
    fn explain(tool_use_purpose: String) -> String {
        tool_use_purpose
    }

    /// Say why.
    #[tool(register = false, pure)]
    fn justify(#[arg(aliases("tool_use_purpose"))] why: String) -> String {
        why
    }

    let branch = json!({"type": "object", "properties": {"tool_use_purpose": {}}});
    let registry = || {
        registry()
            .with(Explain)
            .with(Justify)
            .with(of_schema("union", json!({"anyOf": [{}, branch]})))
    };
    assert!(registry().check().is_ok());
    let error = registry().ask_purpose().freeze().unwrap_err();
    let tools: Vec<&str> = error.purpose_taken().map(ToolName::as_str).collect();
    assert_eq!(tools, ["explain", "justify", "union"]);
    let text = error.to_string();
    for name in ["`explain`", "`justify`", "`union`", "purpose.rs:"] {
        assert!(text.contains(name), "{text}");
    }
    let error = Executor::new(registry().ask_purpose()).unwrap_err();
    assert!(error.to_string().contains("`justify`"), "{error}");
}

#[test]
fn s3_16_who_merges_decides() {
    let plain = || ToolRegistry::new().with(Add);
    let mut app = ToolRegistry::new().with(Hush);
    app.merge(plain().ask_purpose(), OnCollision::Fail).unwrap();
    let listing = app.freeze().unwrap().to_json().unwrap();
    assert!(!listing.contains(PURPOSE_ARGUMENT));

    let mut app = ToolRegistry::new().with(Hush).ask_purpose();
    app.merge(plain(), OnCollision::Fail).unwrap();
    assert_eq!(app.specs().count(), 2);
    let listing = app.freeze().unwrap().to_json().unwrap();
    assert_eq!(listing.matches(PURPOSE_ARGUMENT).count(), 2);
}

#[test]
fn s3_16_a_listing_is_made_once_and_computed_descriptions_stay_so() {
    let described = HandMade::new("now").spec(|spec| {
        let count = std::sync::atomic::AtomicUsize::new(0);
        spec.with_computed_description(move || {
            let count = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            format!("Asked {count} times.")
        })
    });
    let fixed = registry().ask_purpose().freeze().unwrap();
    assert!(Arc::ptr_eq(
        &fixed.to_json().unwrap(),
        &fixed.to_json().unwrap()
    ));
    let first: Vec<*const ToolSpec> = fixed.specs().map(std::ptr::from_ref).collect();
    let second: Vec<*const ToolSpec> = fixed.specs().map(std::ptr::from_ref).collect();
    assert_eq!(first, second);
    assert_eq!(fixed.specs().len(), 5);

    let computed = registry().with(described).ask_purpose().freeze().unwrap();
    assert_ne!(computed.to_json().unwrap(), computed.to_json().unwrap());
}

#[tokio::test]
async fn what_a_tool_by_hand_reads_has_no_purpose_in_it() {
    let trace = Trace::default();
    let seen = trace.clone();
    let by_hand = HandMade::new("by_hand").parse(move |arguments| {
        let text = arguments.as_text().map(str::to_owned);
        seen.note(text.unwrap_or_else(|| arguments.to_value().unwrap().to_string()));
        Ok(())
    });
    let registry = ToolRegistry::new().with(by_hand).ask_purpose();
    let executor = Executor::builder(registry)
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let untouched = r#"{ "a" : 1.0 }"#;
    for (sent, reads) in [
        (untouched, untouched),
        (r#"{"a": 1.0, "tool_use_purpose": null}"#, r#"{"a":1.0}"#),
        (r#"{"tool_use_purpose": ["x"]}"#, "{}"),
    ] {
        assert!(executor.call("by_hand", sent).await.is_success());
        assert_eq!(trace.take(), [reads]);
    }
    let outcome = executor
        .call("by_hand", json!({"tool_use_purpose": ["x"]}))
        .await;
    assert_eq!(trace.take(), ["{}"]);
    assert_eq!(outcome.result().purpose(), Some(r#"["x"]"#));
}
