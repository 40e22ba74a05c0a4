//! The same tool, written in each form: a function, a method, a method without `self`, a struct and a closure, async
//! and sync. Whatever is called, they end alike.

mod forms;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::arguments::Arguments;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::context::ResourceKey;
use toolwright::permission::Verdict;
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, Tool, ToolCall, ToolError, ToolOutcome,
    ToolRegistry, testing,
};

use crate::support::judge;
use forms::{Form, Ledger, forms};

/// The facts about the end of a call that can be seen from outside.
#[derive(Debug, PartialEq)]
struct Ending {
    text: String,
    error: Option<(ErrorKind, String, bool, Option<String>)>,
    source: ResultSource,
    tool: String,
    fatal: bool,
}

fn ending(outcome: &ToolOutcome) -> Ending {
    let told = |error: &ToolError| {
        let source = std::error::Error::source(error).map(ToString::to_string);
        let code = error.code().to_owned();
        (error.kind(), code, error.is_retryable(), source)
    };
    Ending {
        // An object that is read as a whole says more of two names for one argument.
        text: outcome.text().replace(", under different names", ""),
        error: outcome.error().map(told),
        source: outcome.result().source(),
        tool: outcome.result().tool().to_owned(),
        fatal: matches!(outcome, ToolOutcome::Failed(_)),
    }
}

fn build(form: &Form) -> ExecutorBuilder {
    Executor::builder((form.registry)()).resource_arc(Arc::clone(&form.ledger))
}

fn executor(form: &Form) -> Executor {
    allowing_all_but_secrets(build(form))
}

fn allowing_all_but_secrets(builder: ExecutorBuilder) -> Executor {
    let secret = |request: &PermissionRequest| request.target().contains("secret");
    let checker = judge(
        |_| Verdict::Allow,
        move |_, request| {
            if secret(request) {
                Verdict::deny(format!("no: {}", request.summary()))
            } else {
                Verdict::Allow
            }
        },
    );
    builder.permission_checker(checker).build().unwrap()
}

/// Arguments, and how the call ends: a kind of error or none, and a part of the text.
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn calls() -> Vec<(Arguments<'static>, Option<ErrorKind>, &'static str)> {
    use ErrorKind::{Denied, Failed, InvalidArguments, NotFound, Panicked};
    let invalid = Some(InvalidArguments);
    let text = |text: &'static str, kind, part| (Arguments::from(text), kind, part);
    let mut calls = vec![
        text(r#"{"path": "a"}"#, None, r#""done":["a 1 none"]"#),
        text(
            r#"{"path": "a", "count": 3, "note": "n"}"#,
            None,
            r#"["a 1 n","a 2 n","a 3 n"]"#,
        ),
        text(
            r#"{"file": "a", "times": 2}"#,
            None,
            r#"["a 1 none","a 2 none"]"#,
        ),
        text(r#"{"path": "a", "note": null}"#, None, r#"["a 1 none"]"#),
        text(
            r#"{"count": [], "path": "a"}"#,
            invalid,
            "`/count`: expected an integer from 1 to 9, found an empty list",
        ),
        text(
            "",
            invalid,
            "`/path`: is required and missing: expected text of at least 1 character",
        ),
        text("null", invalid, "`/path`: is required and missing"),
        text("{}", invalid, "`/path`: is required and missing"),
        text(" \n", invalid, "`/path`: is required and missing"),
        text(
            "[]",
            invalid,
            "expected an object of arguments, found an empty list",
        ),
        text(
            r#"["a", 1]"#,
            invalid,
            "expected an object of arguments, found a list of 2",
        ),
        text("7", invalid, "expected an object of arguments, found 7"),
        text(
            r#"{"path": "a""#,
            invalid,
            "the text ends before the object does",
        ),
        text(r#"{"path": "a"} x"#, invalid, "error at character 15 of 15"),
        text(
            r#"{"path": 1}"#,
            invalid,
            "`/path`: expected text of at least 1 character, found 1",
        ),
        text(r#"{"path": ""}"#, invalid, "found the text \"\""),
        text(
            r#"{"path": "a", "count": 10}"#,
            invalid,
            "`/count`: expected an integer from 1 to 9, found 10",
        ),
        text(r#"{"path": "a", "count": -1}"#, invalid, "found -1"),
        text(
            r#"{"path": "a", "count": "one"}"#,
            invalid,
            "found the text \"one\"",
        ),
        text(
            r#"{"pth": "a", "count": 1}"#,
            invalid,
            "`/pth`: there is no such argument; did you mean `path`?",
        ),
        text(
            r#"{"path": "a", "ledger": {}}"#,
            invalid,
            "`/ledger`: there is no such argument",
        ),
        text(
            r#"{"path": "a", "self": {}}"#,
            invalid,
            "`/self`: there is no such argument",
        ),
        text(
            r#"{"path": "a", "path": "b"}"#,
            invalid,
            "`/path`: is given more than once",
        ),
        text(
            r#"{"path": "a", "file": "b"}"#,
            invalid,
            "`/path`: is given more than once",
        ),
        text(
            r#"{"path": "a", "how": {"step": "fial"}}"#,
            invalid,
            "`/how/step`: expected one of \"well\", \"fail\", \"panic\", \"wait\", found the text \"fial\"; did you mean `fail`?",
        ),
        text(
            r#"{"path": "a", "how": {"step": "fail", "x": 1}}"#,
            invalid,
            "`/how/x`: there is no such argument",
        ),
        text(
            r#"{"path": "a", "how": {"step": "fail"}}"#,
            Some(Failed),
            "a: it cannot be done",
        ),
        text(
            r#"{"path": "gone", "how": {"step": "fail"}}"#,
            Some(NotFound),
            "`gone` is gone",
        ),
        text(
            r#"{"path": "a", "how": {"step": "panic"}}"#,
            Some(Panicked),
            "the tool panicked: this is a fault of the tool",
        ),
        text(
            r#"{"path": "secret"}"#,
            Some(Denied),
            "no: use secret 1 as Ada",
        ),
        text(r#"{"path": "secret", "count": 0}"#, invalid, "found 0"),
        text(
            r#"{"path": "secret", "count": 7}"#,
            invalid,
            "seven is too many for `secret`",
        ),
        text(
            r#"{"path": "abc", "count": 7}"#,
            invalid,
            "seven is too many for `abc`",
        ),
    ];
    let trees: Vec<_> = calls
        .iter()
        .filter_map(|(arguments, kind, part)| {
            let tree: Value = serde_json::from_str(arguments.as_text()?).ok()?;
            // A tree has each name once.
            (!part.contains("more than once")).then(|| (Arguments::from(tree), *kind, *part))
        })
        .collect();
    calls.extend(trees);
    calls
}

#[tokio::test]
async fn s0_03_s0_38_s0_39_s3_17_every_call_ends_alike_in_every_form() {
    let forms = forms();
    let executors: Vec<Executor> = forms.iter().map(executor).collect();
    for (arguments, kind, part) in calls() {
        let mut first: Option<Ending> = None;
        for (form, executor) in forms.iter().zip(&executors) {
            form.ledger.runs.store(0, Ordering::SeqCst);
            let outcome = executor.call("work.do", arguments.clone()).await;
            let ending = ending(&outcome);
            let shown = format!("{}: {:?}: {}", form.name, arguments.as_text(), ending.text);
            assert_eq!(ending.error.as_ref().map(|error| error.0), kind, "{shown}");
            assert!(ending.text.contains(part), "{shown}");
            let ran = matches!(
                kind,
                None | Some(ErrorKind::Failed | ErrorKind::NotFound | ErrorKind::Panicked)
            );
            assert_eq!(
                form.ledger.runs.load(Ordering::SeqCst),
                usize::from(ran),
                "{shown}"
            );
            match &first {
                Some(first) => assert_eq!(*first, ending, "{shown}"),
                None => first = Some(ending),
            }
        }
    }
    // After all that, each still works.
    for executor in &executors {
        assert!(
            executor
                .call("work.do", r#"{"path": "a"}"#)
                .await
                .is_success()
        );
    }
}

#[tokio::test]
async fn s0_46_a_tool_made_at_run_time_ends_in_the_same_kinds() {
    let form = &forms()[0];
    let of_function = executor(form);
    let mut made = ToolRegistry::new();
    made.register(forms::at_run_time(&form.ledger)).unwrap();
    let of_closure = allowing_all_but_secrets(Executor::builder(made));
    for (arguments, kind, part) in calls() {
        // A closure makes its own refusals, and serde reads its type by its own rules.
        if part.contains("seven is too many") || part.contains("`/how/x`") {
            continue;
        }
        let function = of_function.call("work.do", arguments.clone()).await;
        let closure = of_closure.call("work.do", arguments.clone()).await;
        let shown = format!("{:?}: {}", arguments.as_text(), closure.text());
        assert_eq!(closure.error().map(ToolError::kind), kind, "{shown}");
        let told = |outcome: &ToolOutcome| {
            let error = outcome
                .error()
                .map(|error| (error.code().to_owned(), error.is_retryable()));
            (
                error,
                outcome.result().source(),
                outcome.result().is_error(),
            )
        };
        assert_eq!(told(&closure), told(&function), "{shown}");
        if kind != Some(ErrorKind::InvalidArguments) && kind.is_some() {
            assert_eq!(closure.text(), function.text());
        }
    }
}

#[tokio::test]
async fn s3_08_s3_05_each_answers_to_its_aliases_and_says_its_own_name() {
    for form in forms() {
        let executor = executor(&form);
        for name in ["work.do", "work_do", "work.perform"] {
            let outcome = executor.call(name, r#"{"path": "a"}"#).await;
            assert!(
                outcome.is_success(),
                "{} {name}: {}",
                form.name,
                outcome.text()
            );
            assert_eq!(outcome.result().tool(), "work.do");
        }
        let outcome = executor.call("work.od", "").await;
        assert!(
            outcome.text().contains("did you mean `work.do`?"),
            "{}",
            outcome.text()
        );
    }
}

#[test]
fn s0_02_s0_04_s3_07_s4_02_each_says_the_same_of_itself_without_a_run() {
    let forms = forms();
    let mut specs = forms.iter().map(|form| {
        let registry = (form.registry)();
        let tool = registry.get("work.do").unwrap();
        let mut needs = tool.needs().iter().map(ResourceKey::type_name);
        assert!(needs.any(|name| name.ends_with("Ledger")), "{}", form.name);
        let spec = serde_json::to_value(tool.spec()).unwrap();
        let back: toolwright::ToolSpec = serde_json::from_value(spec.clone()).unwrap();
        assert_eq!(serde_json::to_value(&back).unwrap(), spec);
        (form, spec)
    });
    let (_, first) = specs.next().unwrap();
    assert_eq!(first["name"], "work.do");
    assert_eq!(first["description"], "Do some work.");
    assert_eq!(first["timeout_ms"], 250);
    assert_eq!(first["effect"], "idempotent");
    assert_eq!(first["category"], "work");
    assert_eq!(first["metadata"], json!({"team": "core"}));
    assert_eq!(first["input_schema"]["required"], json!(["path"]));
    assert_eq!(
        first["output_schema"]["properties"]["done"]["type"],
        "array"
    );
    for (form, mut spec) in specs {
        if form.waits {
            assert_eq!(spec, first, "{}", form.name);
        } else {
            // A body that cannot be stopped has no timeout.
            spec["timeout_ms"] = json!(250);
            assert_eq!(spec, first, "{}", form.name);
        }
    }
}

#[test]
fn what_the_app_has_not_provided_is_told_at_build() {
    let mut told = Vec::new();
    for form in forms() {
        let error = Executor::new((form.registry)()).unwrap_err();
        assert_eq!(error.problems().len(), 1, "{}", form.name);
        told.push(error.to_string());
    }
    assert!(
        told[0].contains("`work.do` needs") && told[0].contains("Ledger"),
        "{}",
        told[0]
    );
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_timeout_ends_each_that_waits() {
    let mut endings = Vec::new();
    for form in forms().iter().filter(|form| form.waits) {
        let begun = tokio::time::Instant::now();
        let waiting = r#"{"path": "a", "how": {"step": "wait"}}"#;
        let outcome = executor(form).call("work.do", waiting).await;
        assert_eq!(begun.elapsed(), Duration::from_millis(250), "{}", form.name);
        assert_eq!(form.ledger.left.load(Ordering::SeqCst), 1, "{}", form.name);
        endings.push(ending(&outcome));
    }
    assert_eq!(endings[0].error.as_ref().unwrap().0, ErrorKind::TimedOut);
    assert_eq!(
        endings[0].text,
        "the call took longer than its timeout of 250ms"
    );
    endings.dedup();
    assert_eq!(endings.len(), 1, "{endings:?}");
}

#[tokio::test]
async fn a_cancelled_turn_ends_each_that_waits_and_starts_none() {
    for form in forms().iter().filter(|form| form.waits) {
        let turn = executor(form).session("s").turn();
        let waiting = r#"{"path": "a", "how": {"step": "wait"}}"#;
        let (outcome, ()) = tokio::join!(turn.call(ToolCall::new("work.do", waiting)), async {
            while form.ledger.runs.load(Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
            }
            turn.cancel();
        });
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
        assert_eq!(outcome.text(), "the call was cancelled", "{}", form.name);
        assert_eq!(form.ledger.left.load(Ordering::SeqCst), 1, "{}", form.name);
    }
    for form in forms() {
        let turn = executor(&form).session("s").turn();
        turn.cancel();
        let late = turn
            .call(ToolCall::new("work.do", r#"{"path": "a"}"#))
            .await;
        assert_eq!(
            late.text(),
            "the call was cancelled before it began",
            "{}",
            form.name
        );
        assert_eq!(form.ledger.runs.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn s0_08_s0_12_each_sees_the_call_that_it_is_in() {
    for form in forms() {
        let session = executor(&form).session("s-7");
        let call = ToolCall::new("work.perform", r#"{"path": "a"}"#).with_id("c-9");
        let outcome = session.call(call).await;
        let shown: Value = serde_json::from_str(&outcome.text()).unwrap();
        assert_eq!(
            shown["call"],
            json!("work.do in s-7 by c-9"),
            "{}",
            form.name
        );
        assert_eq!(outcome.result().call_id().unwrap().as_str(), "c-9");
    }
}

#[test]
fn s3_13_s0_30_s0_31_parsing_and_asking_run_nothing() {
    for form in forms() {
        let registry = (form.registry)();
        let tool = registry.get("work.do").unwrap();
        let ctx = testing::context()
            .resource_arc(Arc::clone(&form.ledger))
            .build();
        let invocation = tool.parse(&r#"{"path": "a", "count": 2}"#.into()).unwrap();
        let requests = invocation.proposed_requests(&ctx).unwrap();
        let asked: Vec<&str> = requests.iter().map(PermissionRequest::summary).collect();
        assert_eq!(asked, ["use a 2 as Ada"], "{}", form.name);
        let invalid = tool.parse(&r#"{"count": 0}"#.into()).err().unwrap();
        assert_eq!(invalid.problems().len(), 2, "{}: {invalid}", form.name);
        // The permission needs a resource that the context lacks.
        let bare = testing::context().build();
        assert!(
            invocation.proposed_requests(&bare).is_err(),
            "{}",
            form.name
        );
        drop(invocation);
        assert_eq!(form.ledger.runs.load(Ordering::SeqCst), 0, "{}", form.name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s0_01_s4_01_each_is_shared_by_calls_that_run_at_once() {
    for form in forms() {
        let registry = (form.registry)();
        let tool: Arc<dyn Tool> = Arc::clone(registry.get("work.do").unwrap());
        let calls: Vec<_> = (0..32)
            .map(|number| {
                let (tool, ledger) = (Arc::clone(&tool), Arc::clone(&form.ledger));
                tokio::spawn(async move {
                    let ctx = testing::context().resource_arc(ledger).build();
                    let arguments = json!({"path": format!("p{number}")});
                    let invocation = tool.parse(&arguments.into()).unwrap();
                    let output = invocation.start(&ctx).await.unwrap();
                    let shown = serde_json::to_string(output.content()).unwrap();
                    assert!(shown.contains(&format!("p{number} 1 none")), "{shown}");
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap();
        }
        assert_eq!(form.ledger.runs.load(Ordering::SeqCst), 32, "{}", form.name);
    }
}

#[tokio::test]
async fn s2_43_a_session_ends_where_no_tool_has_anything_to_let_go_of() {
    for form in forms() {
        let session = executor(&form).session("s");
        session
            .call(ToolCall::new("work.do", r#"{"path": "a"}"#))
            .await;
        assert!(session.end().await.is_ok(), "{}", form.name);
    }
}

#[tokio::test]
async fn s0_29_a_tool_of_any_form_that_asks_for_nothing_runs_where_every_request_is_denied() {
    for (name, registry) in forms::asking_for_nothing() {
        let checker = judge(|_| Verdict::Allow, |_, _| Verdict::deny("never"));
        let executor = Executor::builder(registry).permission_checker(checker);
        let outcome = executor.build().unwrap().call("idle", "").await;
        assert!(outcome.is_success(), "{name}: {}", outcome.text());
        assert!(outcome.result().content().is_empty(), "{name}");
    }
}

#[test]
fn s0_46_s2_11_the_forms_are_interchangeable_and_collide_by_name() {
    let mut all = ToolRegistry::new();
    let forms = forms();
    for form in &forms {
        let registry = (form.registry)();
        let tool = registry.get("work.do").unwrap();
        let registered = all.register_arc(Arc::clone(tool));
        assert_eq!(
            registered.is_ok(),
            all.len() == 1 && form.name == forms[0].name
        );
        if let Err(error) = registered {
            assert!(error.to_string().contains("`work.do`"), "{error}");
        }
    }
    assert_eq!(all.len(), 1);
    let _: &Ledger = &forms[0].ledger;
}
