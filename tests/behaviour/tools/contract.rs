//! The contract of a tool: what it says of itself, how it is called, what comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright::content::ErrorKind;
use toolwright::id::CallId;
use toolwright::registry::{OnCollision, ToolSnapshot};
use toolwright::{
    Executor, Tool, ToolCall, ToolContext, ToolError, ToolOutput, ToolRegistry, Turn, testing, tool,
};

use crate::support::{HandMade, context_signatures, ready_now};

/// Write a text in capitals.
#[tool(pure)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

#[test]
fn s0_01_different_tools_in_one_list_are_called_from_two_threads() {
    let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Shout), Arc::new(HandMade::new("echo"))];
    let threads = ["one", "two"].map(|text| {
        let tools = tools.clone();
        std::thread::spawn(move || {
            let ctx = testing::context().build();
            let run = |tool: &Arc<dyn Tool>| {
                let invocation = tool.parse(&json!({"text": text}).into()).unwrap();
                ready_now(invocation.start(&ctx).into_future()).unwrap()
            };
            tools.iter().map(run).collect::<Vec<_>>()
        })
    });
    let [one, two] = threads.map(|thread| thread.join().unwrap());
    assert_eq!(
        one,
        [
            ToolOutput::text("ONE"),
            ToolOutput::text(r#"{"text":"one"}"#)
        ]
    );
    assert_eq!(
        two,
        [
            ToolOutput::text("TWO"),
            ToolOutput::text(r#"{"text":"two"}"#)
        ]
    );
}

struct Turbine(AtomicUsize);

/// Start the turbine.
#[tool]
fn start_turbine(turbine: &Turbine, speed: usize) {
    turbine.0.store(speed, Ordering::Relaxed);
}

#[test]
fn s0_02_a_spec_is_read_without_a_call_or_an_executor() {
    let parsed = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&parsed);
    let by_hand = HandMade::new("by_hand").parse(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    // The turbine itself is nowhere.
    let registry = ToolRegistry::new().with(StartTurbine).with(by_hand);
    let specs: Vec<_> = registry.specs().collect();
    assert_eq!(specs[0].description(), "Give the arguments back.");
    assert_eq!(specs[1].description(), "Start the turbine.");
    assert_eq!(specs[1].input_schema()["required"], json!(["speed"]));
    assert_eq!(parsed.load(Ordering::Relaxed), 0);
}

/// Wait a while and say for how long.
#[tool(read_only)]
async fn nap(seconds: u64) -> Result<String, ToolError> {
    if seconds > 50 {
        return Err(ToolError::unavailable("nobody naps that long").with_code("too_tired"));
    }
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    Ok(format!("slept {seconds} s"))
}

#[tokio::test(start_paused = true)]
async fn s0_03_a_call_gives_what_the_tool_gives() {
    let executor = Executor::new(ToolRegistry::new().with(Nap)).unwrap();
    let begun = tokio::time::Instant::now();
    let slept = executor.call("nap", json!({"seconds": 7})).await;
    assert!(slept.is_success());
    assert_eq!(slept.text(), "slept 7 s");
    assert_eq!(begun.elapsed().as_secs(), 7);

    let refused = executor.call("nap", json!({"seconds": 70})).await;
    let error = refused.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert_eq!(error.code(), "too_tired");
    assert_eq!(refused.text(), "nobody naps that long");
}

/// Tell everything about this call.
#[tool(read_only)]
fn tell_call(question: String, ctx: &ToolContext) -> ToolOutput {
    ToolOutput::json(&json!({
        "call_id": ctx.call_id(),
        "tool": ctx.tool_name(),
        "input": {"question": question},
        "session_id": ctx.session_id(),
        "turn_id": ctx.turn_id(),
        "metadata": ctx.metadata(),
        "invocation_id": ctx.invocation_id(),
    }))
    .unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

#[tokio::test]
async fn s0_08_s0_12_a_tool_sees_every_part_of_its_call() {
    let executor = Executor::new(ToolRegistry::new().with(TellCall)).unwrap();
    let session = executor.session("s-7");
    let first = session.turn();
    let turn = session.turn();
    let metadata = object(json!({"user": "ada", "trace": [1, 2]}));
    let call = ToolCall::new("tell_call", json!({"question": "which?"}))
        .with_id("call-3")
        .with_metadata(metadata.clone());
    let outcome = turn.call(call).await;

    let result = outcome.result();
    let seen: Value = serde_json::from_str(&outcome.text()).unwrap();
    let expected = json!({
        "call_id": "call-3",
        "tool": "tell_call",
        "input": {"question": "which?"},
        "session_id": "s-7",
        "turn_id": turn.id(),
        "metadata": metadata,
        "invocation_id": result.invocation_id(),
    });
    assert_eq!(seen, expected);
    assert_ne!(seen["turn_id"], json!(first.id()));
    assert_eq!(result.call_id().map(CallId::as_str), Some("call-3"));
    assert_eq!(result.tool(), "tell_call");
}

/// Work for a while.
#[tool(read_only)]
fn work() -> ToolOutput {
    std::thread::sleep(Duration::from_millis(3));
    ToolOutput::text("worked").with_metadata("rows", 12)
}

#[tokio::test]
async fn s0_10_a_result_has_content_duration_and_metadata() {
    let registry = ToolRegistry::new().with(Work);
    let timed = Executor::builder(registry.clone()).measure_time(true);
    let result = timed
        .build()
        .unwrap()
        .call("work", "{}")
        .await
        .into_result();
    assert_eq!(result.text(), "worked");
    assert!(result.duration().unwrap() >= Duration::from_millis(3));
    assert_eq!(result.metadata().unwrap()["rows"], 12);

    // Nobody asked for times, so there are none.
    let untimed = Executor::new(registry).unwrap();
    assert_eq!(untimed.call("work", "{}").await.result().duration(), None);
}

/// Divide one number by another.
#[tool(pure)]
fn divide(dividend: i64, divisor: i64) -> Result<i64, String> {
    dividend
        .checked_div(divisor)
        .ok_or_else(|| "the divisor is zero".to_owned())
}

#[tokio::test]
async fn s0_11_a_result_says_whether_it_is_an_error() {
    let executor = Executor::new(ToolRegistry::new().with(Divide)).unwrap();
    let good = executor
        .call("divide", r#"{"dividend": 6, "divisor": 3}"#)
        .await;
    assert!(!good.result().is_error());
    assert_eq!(good.text(), "2");
    let bad = executor
        .call("divide", r#"{"dividend": 6, "divisor": 0}"#)
        .await;
    assert!(bad.result().is_error());
    assert_eq!(bad.text(), "the divisor is zero");
}

/// Look for the machinery that runs this call.
#[tool(read_only)]
fn look_around(ctx: &ToolContext) -> Vec<&'static str> {
    let found = [
        ("Executor", ctx.resource::<Executor>().is_some()),
        ("Session", ctx.resource::<toolwright::Session>().is_some()),
        ("Turn", ctx.resource::<Turn>().is_some()),
        ("ToolRegistry", ctx.resource::<ToolRegistry>().is_some()),
        ("ToolSnapshot", ctx.resource::<ToolSnapshot>().is_some()),
    ];
    found
        .iter()
        .filter(|(_, there)| *there)
        .map(|(name, _)| *name)
        .collect()
}

// The crate `tests/crates/kit-user` shows that a crate of tools compiles without the crate of a loop.
#[tokio::test]
async fn s0_16_a_tool_needs_no_loop_and_finds_none_in_its_context() {
    let executor = Executor::new(ToolRegistry::new().with(LookAround)).unwrap();
    let outcome = executor
        .session("s")
        .turn()
        .call(ToolCall::new("look_around", ""))
        .await;
    assert_eq!(outcome.text(), "[]");

    // No function of the context takes or gives a part of what runs calls.
    let parts = [
        "Executor",
        "ExecutorBuilder",
        "Session",
        "Turn",
        "ToolRegistry",
        "ToolSnapshot",
        "TaskHandle",
        "PermissionRegistry",
        "UserInteractionRegistry",
        "TicketBroker",
    ];
    for signature in context_signatures() {
        let mut words = signature.split(|c: char| !c.is_alphanumeric() && c != '_');
        assert!(!words.any(|word| parts.contains(&word)), "{signature}");
    }

    // With no executor anywhere, the tool runs all the same.
    let ctx = testing::context().build();
    let invocation = LookAround.parse(&"".into()).unwrap();
    let output = invocation.start(&ctx).await.unwrap();
    assert_eq!(output, ToolOutput::json(&json!([])).unwrap());
}

/// Fills in arguments for a tool by its schema alone, as a model would.
fn made_up_arguments(schema: &Value) -> Value {
    let mut arguments = Map::new();
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        let value = match schema["properties"][name]["type"].as_str().unwrap() {
            "string" => json!("grüße"),
            "integer" => json!(4),
            other => panic!("no value of type {other} is made up"),
        };
        arguments.insert(name.to_owned(), value);
    }
    Value::Object(arguments)
}

/// A host's loop: it knows an executor, and of no tool.
async fn drive(executor: &Executor) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for spec in executor.tools().specs() {
        let name = spec.name().as_str();
        let arguments = made_up_arguments(spec.input_schema());
        let outcome = executor.call(name, arguments).await;
        texts.push((name.to_owned(), outcome.text()));
    }
    texts
}

#[tokio::test]
async fn s0_22_a_driver_runs_tools_that_it_has_no_types_of() {
    let registry = ToolRegistry::new()
        .with(Shout)
        .with(Divide)
        .with(HandMade::new("echo"));
    let executor = Executor::new(registry).unwrap();
    let expected = [("divide", "1"), ("echo", "{}"), ("shout", "GRÜSSE")];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(drive(&executor).await, expected);
}

/// Double a number.
#[tool(name = "double", pure)]
fn double_generated(number: i64) -> i64 {
    number * 2
}

fn double_by_hand() -> HandMade {
    HandMade::new("double")
        .spec(|spec| {
            spec.with_input_schema(json!({
                "type": "object",
                "properties": {"number": {"type": "integer"}},
                "required": ["number"],
                "additionalProperties": false,
            }))
        })
        .run(|_, arguments| match arguments["number"].as_i64() {
            Some(number) => Ok(ToolOutput::json(&(number * 2)).map_err(ToolError::from_source)?),
            None => Err(ToolError::new(
                ErrorKind::InvalidArguments,
                "`number` is an integer",
            )),
        })
}

#[tokio::test]
async fn s0_46_generated_and_hand_written_tools_are_interchangeable() {
    let mixed = ToolRegistry::new().with(Shout).with(double_by_hand());
    let mut replaced = mixed.clone();
    let generated = ToolRegistry::new().with(DoubleGenerated);
    replaced.merge(generated, OnCollision::Replace).unwrap();

    for registry in [mixed, replaced] {
        let executor = Executor::new(registry).unwrap();
        let doubled = executor.call("double", r#"{"number": 21}"#).await;
        assert_eq!(doubled.text(), "42");
        let content = doubled.result().content();
        assert_eq!(content, ToolOutput::json(&42).unwrap().content());
        let refused = executor.call("double", r#"{"number": "x"}"#).await;
        assert_eq!(refused.error().unwrap().kind(), ErrorKind::InvalidArguments);
        let tools = executor.tools();
        let names: Vec<_> = tools.specs().map(|spec| spec.name().as_str()).collect();
        assert_eq!(names, ["double", "shout"]);
    }
}

/// Greet somebody by name.
#[tool(pure)]
fn greet(
    /// Whom to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::test]
async fn s2_35_a_simple_tool_is_a_function_and_four_words() {
    let executor = Executor::new(ToolRegistry::new().with(Greet)).unwrap();
    let outcome = executor.call("greet", r#"{"name": "Ada"}"#).await;
    assert_eq!(outcome.text(), "Hello, Ada!");
    // The function is still one.
    assert_eq!(greet("Ada".into()), "Hello, Ada!");
}
