//! The arguments as the checkers of a call see them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::arguments::{Arguments, CanonicalArguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::spec::Effect;
use toolwright::{
    Executor, PermissionRequest, Tool, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec,
    tool, tool_fn, tool_type,
};

use crate::support::{HandMade, Trace};

/// A way in.
#[tool_type]
#[derive(Clone)]
struct Door {
    #[arg(default = 1)]
    floor: u32,
    name: String,
}

/// Open a door.
#[tool(
    register = false,
    permission = PermissionRequest::new("open", door.name.as_str(), "Open a door")
)]
fn open_door(
    #[arg(aliases("gate"))] door: Door,
    #[arg(secret, aliases("pin"))] code: String,
    #[arg(default = 30)] seconds: u32,
    note: Option<String>,
) -> usize {
    code.len() + door.name.len() + seconds as usize + note.map_or(0, |note| note.len())
}

/// Shows each call to a function and then allows it.
struct Judge<F>(F);

impl<F: Fn(&CallView<'_>) + Send + Sync + 'static> PermissionChecker for Judge<F> {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        (self.0)(call);
        Verdict::Allow
    }
}

/// An executor with a judge that notes what it sees.
fn seen(registry: ToolRegistry) -> (Executor, Trace) {
    let trace = Trace::default();
    let notes = trace.clone();
    let judge = Judge(move |call: &CallView<'_>| {
        notes.note(match call.arguments() {
            Ok(arguments) => format!("{} {arguments}", call.spec().name()),
            Err(invalid) => format!("{} {invalid}", call.spec().name()),
        });
    });
    let executor = Executor::builder(registry)
        .permission_checker(judge)
        .build();
    (executor.unwrap(), trace)
}

#[tokio::test]
async fn a_judge_sees_names_defaults_and_no_secrets() {
    let (executor, trace) = seen(ToolRegistry::new().with(OpenDoor));
    let expected =
        r#"open_door {"code":{"$secret":true},"door":{"floor":1,"name":"a"},"seconds":30}"#;
    for text in [
        r#"{"door": {"name": "a"}, "code": "hunter2"}"#,
        r#"{"pin": "hunter3", "gate": {"floor": 1, "name": "a"}, "note": null}"#,
        r#"{"seconds": 30, "note": null, "gate": {"name": "\u0061"}, "code": ""}"#,
    ] {
        assert!(
            executor.call("open_door", text).await.is_success(),
            "{text}"
        );
        assert_eq!(trace.take(), [expected], "{text}");
        let tree: Value = serde_json::from_str(text).unwrap();
        assert!(executor.call("open_door", tree).await.is_success());
        assert_eq!(trace.take(), [expected], "{text}");
    }
}

#[tokio::test]
async fn a_rule_can_go_by_the_arguments() {
    struct GroundFloor;

    impl PermissionChecker for GroundFloor {
        fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
            Verdict::Allow
        }

        fn check_request(&self, call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
            let arguments = call.arguments().ok();
            match arguments.and_then(|arguments| arguments.pointer("/door/floor")) {
                Some(floor) if *floor == json!(1) => Verdict::Allow,
                _ => Verdict::deny("only doors of the first floor"),
            }
        }
    }

    let registry = ToolRegistry::new().with(OpenDoor);
    let builder = Executor::builder(registry).permission_checker(GroundFloor);
    let executor = builder.build().unwrap();
    for (door, allowed) in [
        (json!({"name": "a"}), true),
        (json!({"name": "a", "floor": 1}), true),
        (json!({"name": "a", "floor": 2}), false),
    ] {
        for name in ["door", "gate"] {
            let outcome = executor
                .call("open_door", json!({name: door, "code": "c"}))
                .await;
            assert_eq!(outcome.is_success(), allowed, "{door}");
        }
    }
}

fn at_run_time() -> impl Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "to": {"type": "array", "items": {"$ref": "#/$defs/Host"}},
            "count": {"type": ["integer", "null"], "default": 3},
        },
        "$defs": {"Host": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "port": {"type": "integer", "default": 443},
                "token": {"type": "string", "writeOnly": true},
            },
        }},
    });
    let spec = ToolSpec::new(ToolName::new("ping").unwrap(), "Ping hosts.")
        .with_input_schema(schema)
        .with_effect(Effect::Pure);
    let body = |_: Map<String, Value>, _: ToolContext| async { Ok::<_, ToolError>("done") };
    tool_fn(spec, body)
        .with_permission(|_, _| Ok::<_, ToolError>(PermissionRequest::new("ping", "x", "Ping")))
}

#[tokio::test]
async fn tools_made_at_run_time_are_seen_in_the_same_form() {
    let (executor, trace) = seen(ToolRegistry::new().with(at_run_time()));
    let sent = r#"{"to": [{"name": "a", "token": "t"}, {"port": 80.0}], "count": null}"#;
    assert!(executor.call("ping", sent).await.is_success());
    assert_eq!(
        trace.take(),
        [concat!(
            r#"ping {"count":null,"#,
            r#""to":[{"name":"a","port":443,"token":{"$secret":true}},{"port":80}]}"#
        )]
    );
}

#[tokio::test]
async fn the_form_is_made_when_it_is_asked_for_and_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let registry = || {
        let request = || PermissionRequest::new("do", "x", "Do it");
        ToolRegistry::new().with(HandMade::new("do").ask(move |_| Ok(vec![request(), request()])))
    };
    let count = Arc::clone(&asked);
    let judge = Judge(move |call: &CallView<'_>| {
        let first: *const CanonicalArguments = call.arguments().unwrap();
        let second: *const CanonicalArguments = call.arguments().unwrap();
        assert!(std::ptr::eq(first, second));
        count.fetch_add(1, Ordering::SeqCst);
    });
    let executor = Executor::builder(registry())
        .permission_checker(judge)
        .build()
        .unwrap();
    assert!(executor.call("do", r#"{"a": 1}"#).await.is_success());
    assert_eq!(asked.load(Ordering::SeqCst), 2);

    // Arguments without such a form do not matter to one who does not ask for it.
    let twice = r#"{"a": 1, "a": 2}"#;
    let executor = Executor::builder(registry())
        .permission_checker(Judge(|_: &CallView<'_>| {}))
        .build()
        .unwrap();
    assert!(executor.call("do", twice).await.is_success());
    let judge = Judge(|call: &CallView<'_>| {
        let invalid = call.arguments().unwrap_err();
        assert_eq!(invalid.problems()[0].pointer(), "/a");
    });
    let executor = Executor::builder(registry())
        .permission_checker(judge)
        .build()
        .unwrap();
    assert!(executor.call("do", twice).await.is_success());
}

#[test]
fn an_alias_and_its_argument_are_one_name() {
    let both = r#"{"door": {"name": "a"}, "gate": {"name": "b"}, "code": "c"}"#;
    let invalid = Arguments::from(both)
        .canonical(OpenDoor.spec())
        .unwrap_err();
    let [problem] = invalid.problems() else {
        panic!("{invalid}");
    };
    assert_eq!(
        (problem.kind(), problem.pointer()),
        (ProblemKind::Repeated, "/door")
    );
}

#[test]
fn a_call_can_be_made_up_for_the_test_of_a_checker() {
    let arguments = Arguments::from(r#"{"gate": {"name": "a"}, "code": "hunter2"}"#);
    let call = CallView::new(OpenDoor.spec(), &arguments).with_purpose("To go in.");
    // The schema of a spec that was written and read knows no aliases: what is hidden stays so.
    let written = serde_json::to_value(OpenDoor.spec()).unwrap();
    let read: ToolSpec = serde_json::from_value(written).unwrap();
    let by_alias = Arguments::from(r#"{"pin": "hunter2"}"#);
    let shown = by_alias.canonical(&read).unwrap();
    assert!(CanonicalArguments::is_secret(&shown.as_value()["pin"]));
    assert_eq!(call.purpose(), Some("To go in."));
    let shown = call.arguments().unwrap();
    assert!(shown.get("code").is_some_and(CanonicalArguments::is_secret));
    for text in [format!("{call:?}"), format!("{shown:?} {shown}")] {
        assert!(!text.contains("hunter2"), "{text}");
    }
    let request = PermissionRequest::new("open", "a", "Open a door");
    let verdict = toolwright::permission::DenyAll.check_request(&call, &request);
    assert!(matches!(verdict, Verdict::Deny(_)));
}

/// A default of serde's replaces a missing value, and not `null`.
#[tool_type]
struct Wait {
    #[serde(default = "half")]
    hours: Option<f64>,
}

#[expect(clippy::unnecessary_wraps, reason = "the type of the field")]
fn half() -> Option<f64> {
    Some(0.5)
}

/// Wait.
#[tool(pure, register = false, permission = PermissionRequest::new("wait", "x", "Wait"))]
fn pause(wait: Wait) -> String {
    format!("{:?}", wait.hours)
}

#[tokio::test]
async fn what_is_seen_is_what_the_tool_gets() {
    let (executor, trace) = seen(ToolRegistry::new().with(Pause));
    for (sent, seen, got) in [
        (r#"{"wait": {}}"#, r#"{"wait":{"hours":0.5}}"#, "Some(0.5)"),
        (
            r#"{"wait": {"hours": null}}"#,
            r#"{"wait":{"hours":null}}"#,
            "None",
        ),
        (
            r#"{"wait": {"hours": 2.0}}"#,
            r#"{"wait":{"hours":2}}"#,
            "Some(2.0)",
        ),
    ] {
        assert_eq!(executor.call("pause", sent).await.text(), got);
        assert_eq!(trace.take(), [format!("pause {seen}")]);
    }
}

/// Sends nothing that does not count.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Letter {
    to: String,
}

#[tokio::test]
async fn s4_04_what_does_not_fit_reaches_neither_gate_nor_hook_nor_body() {
    let trace = Trace::default();
    let (of_request, of_checker, of_body) = (trace.clone(), trace.clone(), trace.clone());
    let schema = json!({
        "type": "object",
        "properties": {"to": {"type": "string"}},
        "required": ["to"],
        "additionalProperties": false,
    });
    let spec =
        ToolSpec::new(ToolName::new("send").unwrap(), "Send a letter.").with_input_schema(schema);
    let body = move |letter: Letter, _: ToolContext| {
        of_body.note(format!("body {}", letter.to));
        async { Ok::<_, ToolError>("sent") }
    };
    let send = tool_fn(spec, body).with_permission(move |letter: &Letter, _| {
        of_request.note(format!("request {}", letter.to));
        Ok::<_, ToolError>(PermissionRequest::new("send", &letter.to, "Send"))
    });
    let judge = Judge(move |call: &CallView<'_>| {
        of_checker.note(format!("checker {}", call.arguments().unwrap()));
    });
    let registry = ToolRegistry::new().with(send).with(OpenDoor);
    let executor = Executor::builder(registry)
        .permission_checker(judge)
        .build()
        .unwrap();
    for (tool, bad) in [
        ("send", r#"{"to": "a", "cc": "b"}"#),
        ("send", r#"{"to": ["a", "b"]}"#),
        ("send", r#"{"to": "a", "to": "b"}"#),
        ("send", "{}"),
        ("open_door", r#"{"door": {"name": "a"}}"#),
        (
            "open_door",
            r#"{"door": {"name": "a"}, "code": "c", "second": 1}"#,
        ),
    ] {
        let outcome = executor.call(tool, bad).await;
        let kind = outcome.error().map(ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{bad}");
    }
    assert!(trace.take().is_empty());

    assert!(executor.call("send", r#"{"to": "a"}"#).await.is_success());
    assert_eq!(
        trace.take(),
        ["request a", r#"checker {"to":"a"}"#, "body a"]
    );
}
