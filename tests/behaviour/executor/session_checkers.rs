//! Sessions with a checker and resources of their own, and what a checker knows of the caller.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use serde_json::{Map, Value, json};
use toolwright::content::ErrorKind;
use toolwright::executor::{SessionOptions, WaitMode};
use toolwright::id::{CallId, RunIdentity, SessionId};
use toolwright::permission::{AllowAll, CallView, DenyAll, PermissionChecker, Verdict};
use toolwright::registry::{RoleRules, Selector};
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry,
    ToolSpec, tool,
};

use crate::support::{HandMade, Trace, ready_now};

/// Write a file of the workspace.
#[tool(register = false, idempotent)]
fn write_note(name: String, text: String, workspace: &Workspace) -> Result<String, std::io::Error> {
    std::fs::write(workspace.0.join(&name), text)?;
    Ok(format!("wrote {name}"))
}

/// Read a file of the workspace.
#[tool(register = false, read_only)]
fn read_note(name: String, workspace: &Workspace) -> Result<String, std::io::Error> {
    std::fs::read_to_string(workspace.0.join(name))
}

/// Open a door, and enter it.
#[tool(register = false, permission = PermissionRequest::new("open", name.as_str(), "Open a door"))]
async fn enter(name: String, ctx: &ToolContext) -> Result<String, ToolError> {
    ctx.check(PermissionRequest::new("enter", name.as_str(), "Enter"))
        .await?;
    let may_stay = PermissionRequest::new("stay", name.as_str(), "Stay");
    Ok(format!(
        "{name}, stay: {}",
        ctx.verdict(&may_stay) == Verdict::Allow
    ))
}

/// Enter a door by another tool.
#[tool(register = false, pure)]
async fn send_in(name: String, ctx: &ToolContext) -> String {
    ctx.call(ToolCall::new("enter", json!({"name": name})))
        .await
        .text()
}

struct Workspace(PathBuf);

fn notes() -> ToolRegistry {
    ToolRegistry::new().with(WriteNote).with(ReadNote)
}

fn doors() -> ToolRegistry {
    ToolRegistry::new().with(Enter).with(SendIn)
}

/// Notes what it is asked and by whom, and answers as it is told.
struct Noting {
    trace: Trace,
    looks_at_caller: bool,
    answer: fn(&CallView<'_>) -> Verdict,
}

impl Noting {
    fn new(trace: &Trace, answer: fn(&CallView<'_>) -> Verdict) -> Self {
        Self {
            trace: trace.clone(),
            looks_at_caller: true,
            answer,
        }
    }
}

fn caller(call: &CallView<'_>) -> String {
    let id = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let run = call.run().map(|run| run.run().as_str().to_owned());
    let metadata = call
        .metadata()
        .map(|it| Value::Object(it.clone()).to_string());
    format!(
        "session {} turn {} call {} run {} metadata {}",
        id(call.session_id().map(SessionId::as_str)),
        call.turn_id()
            .map_or_else(|| "-".to_owned(), |it| it.to_string()),
        id(call.call_id().map(CallId::as_str)),
        id(run.as_deref()),
        id(metadata.as_deref()),
    )
}

impl PermissionChecker for Noting {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        self.trace.note(format!("tool {}", tool.name()));
        Verdict::Allow
    }

    fn check_call(&self, call: &CallView<'_>) -> Verdict {
        self.trace.note(format!("call {}", caller(call)));
        (self.answer)(call)
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        self.trace
            .note(format!("{} {}", request.kind(), caller(call)));
        (self.answer)(call)
    }

    fn looks_at_arguments(&self, _: &ToolSpec) -> bool {
        false
    }

    fn looks_at_caller(&self, _: &ToolSpec) -> bool {
        self.looks_at_caller
    }
}

fn allow(_: &CallView<'_>) -> Verdict {
    Verdict::Allow
}

#[tokio::test]
async fn s0_47_of_two_sessions_one_may_write_and_each_has_its_workspace() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(other.path().join("todo"), "call Ada").unwrap();
    let executor = Executor::builder(notes())
        .session_resource::<Workspace>()
        .build()
        .unwrap();
    let workspace = |at: &tempfile::TempDir| Workspace(at.path().to_owned());
    let writer = SessionOptions::new()
        .permission_checker(AllowAll)
        .resource(workspace(&one));
    let writer = executor.session_with("writer", writer);
    let reader = executor.session_with("reader", SessionOptions::new().resource(workspace(&other)));

    let write = || ToolCall::new("write_note", r#"{"name": "todo", "text": "milk"}"#);
    let read = || ToolCall::new("read_note", r#"{"name": "todo"}"#);
    assert_eq!(writer.call(write()).await.text(), "wrote todo");
    assert_eq!(writer.call(read()).await.text(), "milk");
    assert_eq!(reader.call(read()).await.text(), "call Ada");
    let denied = reader.call(write()).await;
    assert_eq!(denied.error().map(ToolError::kind), Some(ErrorKind::Denied));
    let there = std::fs::read_to_string(other.path().join("todo")).unwrap();
    assert_eq!(there, "call Ada");
}

#[tokio::test]
async fn a_checker_sees_whose_call_it_is_before_the_body_and_in_it() {
    let trace = Trace::default();
    let executor = Executor::builder(doors())
        .permission_checker(Noting::new(&trace, allow))
        .build()
        .unwrap();
    trace.take();
    let options = SessionOptions::new().run(RunIdentity::new("run-7"));
    let session = executor.session_with("ada", options);
    let turn = session.turn();
    let mut metadata = Map::new();
    metadata.insert("tenant".to_owned(), json!("blue"));
    let call = || {
        ToolCall::new("enter", r#"{"name": "hall"}"#)
            .with_id("c-1")
            .with_metadata(metadata.clone())
    };
    assert_eq!(turn.call(call()).await.text(), "hall, stay: true");
    let whose = format!(
        r#"session ada turn {} call c-1 run run-7 metadata {{"tenant":"blue"}}"#,
        turn.id()
    );
    let expected = ["call", "open", "enter", "stay"].map(|what| format!("{what} {whose}"));
    assert_eq!(trace.take(), expected);

    // The host's preview tells the same, and another checker may be asked by it.
    let preview = session.preview(&call()).unwrap();
    assert_eq!(
        preview.call().session_id().map(SessionId::as_str),
        Some("ada")
    );
    assert!(preview.call().metadata().is_some() && preview.call().invocation_id().is_some());
    // By hand nobody is known.
    let spec = HandMade::new("door").spec(|spec| spec);
    let none = toolwright::arguments::Arguments::empty();
    assert!(
        CallView::new(toolwright::Tool::spec(&spec), &none)
            .session_id()
            .is_none()
    );
}

/// Sessions of one executor: the first may, the second may not, in one call each and in batches.
#[tokio::test]
async fn one_checker_for_all_sessions_can_go_by_the_caller() {
    fn by_session(call: &CallView<'_>) -> Verdict {
        match call.session_id().map(SessionId::as_str) {
            Some("ada") => Verdict::Allow,
            _ => Verdict::deny("only Ada may"),
        }
    }
    let trace = Trace::default();
    let pure = HandMade::new("plain");
    let executor = Executor::builder(doors().with(pure))
        .permission_checker(Noting::new(&trace, by_session))
        .build()
        .unwrap();
    let call = || ToolCall::new("plain", "{}");
    let (ada, bob) = (executor.session("ada"), executor.session("bob"));
    assert!(ada.call(call()).await.is_success());
    assert!(bob.call(call()).await.text().ends_with("only Ada may"));
    for outcome in bob.turn().call_all([call(), call()]).await {
        assert!(outcome.text().ends_with("only Ada may"));
    }
    let spawned = bob.spawn(call()).join().await;
    assert!(spawned.text().ends_with("only Ada may"));
    // A call that a tool makes is a call of its session.
    let nested = || ToolCall::new("send_in", r#"{"name": "hall"}"#);
    assert!(ada.call(nested()).await.text().contains("hall, stay: true"));
    assert!(bob.call(nested()).await.text().contains("only Ada may"));
}

#[tokio::test]
async fn a_checker_that_does_not_look_at_the_caller_is_not_asked_about_calls() {
    let trace = Trace::default();
    let checker = Noting {
        looks_at_caller: false,
        ..Noting::new(&trace, allow)
    };
    let executor = Executor::builder(ToolRegistry::new().with(HandMade::new("plain")))
        .permission_checker(Arc::new(checker))
        .build()
        .unwrap();
    assert!(executor.call("plain", "{}").await.is_success());
    assert_eq!(trace.take(), ["tool plain"]);
}

#[tokio::test]
async fn sessions_with_one_checker_share_what_it_says_of_tools() {
    let trace = Trace::default();
    let executor = Executor::new(doors()).unwrap();
    let checker = Arc::new(Noting {
        looks_at_caller: false,
        ..Noting::new(&trace, allow)
    });
    let call = || ToolCall::new("send_in", r#"{"name": "hall"}"#);
    let each_once = ["tool enter", "tool send_in"];
    let about_tools = |trace: &Trace| {
        let said = trace.take().into_iter();
        let mut said: Vec<String> = said.filter(|it| it.starts_with("tool ")).collect();
        said.sort();
        said
    };
    for number in 0..50 {
        // Each is gone before the next comes.
        let options = SessionOptions::new().permission_checker(Arc::clone(&checker));
        let session = executor.session_with(format!("s-{number}"), options);
        assert!(session.call(call()).await.text().contains("stay: true"));
    }
    assert_eq!(about_tools(&trace), each_once);

    // So do those that get the same options, a session below, and the `dyn` form of the same.
    let dynamic: Arc<dyn PermissionChecker> = checker.clone();
    let options = SessionOptions::new().permission_checker(dynamic);
    let one = executor.session_with("one", options.clone());
    let other = executor.session_with("other", options.clone());
    let below = one.sub_session("below");
    for session in [&one, &other, &below] {
        assert!(session.call(call()).await.text().contains("stay: true"));
    }
    assert_eq!(about_tools(&trace), [""; 0]);

    // Another is another, though it says the same.
    let another = Noting::new(&trace, allow);
    let session = executor.session_with("s", SessionOptions::new().permission_checker(another));
    assert!(session.call(call()).await.is_success());
    assert_eq!(about_tools(&trace), each_once);

    // Tools that change are looked at anew, once for all.
    executor
        .update_tools(|tools| tools.register(HandMade::new("plain")))
        .unwrap();
    for session in [&one, &other, &below] {
        let outcome = session.call(ToolCall::new("plain", "{}")).await;
        assert!(outcome.is_success(), "{}", outcome.text());
    }
    assert_eq!(
        about_tools(&trace),
        ["tool enter", "tool plain", "tool send_in"]
    );
}

#[tokio::test]
async fn a_checker_that_nobody_has_any_more_is_let_go() {
    let trace = Trace::default();
    let executor = Executor::new(doors()).unwrap();
    let mut gone: Vec<Weak<Noting>> = Vec::new();
    for number in 0..100 {
        let checker = Arc::new(Noting::new(&trace, allow));
        gone.push(Arc::downgrade(&checker));
        let options = SessionOptions::new().permission_checker(checker);
        let session = executor.session_with(format!("s-{number}"), options);
        assert!(!session.tools().is_empty());
    }
    let left = gone.iter().filter(|it| it.strong_count() > 0).count();
    assert!(left <= 2, "{left} checkers of ended sessions are kept");
}

#[tokio::test]
async fn a_session_below_has_checker_and_resources_of_the_one_above_unless_it_brings_its_own() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let executor = Executor::builder(notes())
        .resource(Workspace(PathBuf::from("/nowhere")))
        .build()
        .unwrap();
    let options = SessionOptions::new()
        .permission_checker(AllowAll)
        .resource(Workspace(one.path().to_owned()));
    let above = executor.session_with("above", options);
    let call = || ToolCall::new("write_note", r#"{"name": "n", "text": "t"}"#);
    let is_there = |at: &tempfile::TempDir| at.path().join("n").exists();

    let selected = SessionOptions::new().tools(Selector::new(["write_note"]).unwrap());
    for below in [
        above.sub_session("plain"),
        above.sub_session("lower").sub_session("lowest"),
        above.sub_session_with("selected", selected),
    ] {
        assert!(below.call(call()).await.is_success(), "{:?}", below.id());
        assert!(is_there(&one));
        std::fs::remove_file(one.path().join("n")).unwrap();
    }
    let elsewhere = SessionOptions::new().resource(Workspace(other.path().to_owned()));
    let elsewhere = above.sub_session_with("elsewhere", elsewhere);
    assert!(elsewhere.call(call()).await.is_success());
    assert!(is_there(&other) && !is_there(&one));

    let narrower = above.sub_session_with(
        "narrower",
        SessionOptions::new().permission_checker(DenyAll),
    );
    let denied = narrower.call(call()).await;
    assert!(
        denied.text().contains("no tool may run here"),
        "{}",
        denied.text()
    );
    assert!(!is_there(&one));
    // A tool that a role always has is judged by the session's checker too.
    let role = RoleRules::new().always(Selector::new(["read_note"]).unwrap());
    let options = SessionOptions::new()
        .tools(Selector::new(["write_note"]).unwrap())
        .role(role);
    let denied = narrower.sub_session_with("role", options);
    let denied = denied
        .call(ToolCall::new("read_note", r#"{"name": "n"}"#))
        .await;
    assert!(
        denied.text().contains("no tool may run here"),
        "{}",
        denied.text()
    );
    // The executor's own workspace is as it was.
    let own = executor
        .session("s")
        .call(ToolCall::new("read_note", r#"{"name": "n"}"#))
        .await;
    assert!(own.text().contains("No such file"), "{}", own.text());
}

fn needy() -> ExecutorBuilder {
    Executor::builder(notes().with(HandMade::new("plain")))
}

#[tokio::test]
async fn a_resource_that_sessions_bring_is_declared_and_one_that_is_missing_ends_the_call() {
    let error = needy().build().unwrap_err().to_string();
    assert!(
        error.contains("needs a `") && error.contains("Workspace` and there is none"),
        "{error}"
    );
    assert!(error.contains(".session_resource::<"), "{error}");

    // Nobody is asked about a call that could not run.
    let executor = needy()
        .session_resource::<Workspace>()
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let call = || ToolCall::new("write_note", r#"{"name": "n", "text": "t"}"#);
    let without = executor.session("s").call(call()).await;
    let error = without.error().expect("it ends in an error");
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert_eq!(
        error.message(),
        "the app has not provided something that the tool needs"
    );
    let cause = std::error::Error::source(error)
        .expect("for the log")
        .to_string();
    assert!(cause.contains("Workspace` is not there"), "{cause}");
    assert!(cause.contains("SessionOptions::resource"), "{cause}");
    assert!(executor.call("plain", "{}").await.is_success());

    let options = SessionOptions::new().resource(Workspace(PathBuf::from("/nowhere")));
    let with = executor.session_with("s", options).call(call()).await;
    assert!(with.suspension().is_some(), "{}", with.text());
    // The same for tools that come later.
    executor.replace_tools(notes()).unwrap();
    let without = executor.session("t").call(call()).await;
    assert_eq!(
        without.error().map(ToolError::kind),
        Some(ErrorKind::Internal)
    );
}

#[tokio::test]
async fn a_suspended_call_goes_on_by_the_checker_of_the_session_that_resumes_it() {
    let ran = Arc::new(AtomicUsize::new(0));
    let tool = HandMade::new("deploy")
        .spec(|spec| spec.with_effect(toolwright::spec::Effect::AtMostOnce))
        .run({
            let ran = Arc::clone(&ran);
            move |_, _| {
                ran.fetch_add(1, Ordering::SeqCst);
                Ok("done".into())
            }
        });
    let executor = Executor::builder(ToolRegistry::new().with(tool))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let outcome = executor
        .session("s")
        .call(ToolCall::new("deploy", "{}"))
        .await;
    let ticket = Arc::clone(outcome.suspension().expect("it waits").ticket());
    let other = executor.session_with("s", SessionOptions::new().permission_checker(DenyAll));
    let denied = other
        .resume(&ticket, toolwright::ticket::Answer::yes())
        .await
        .unwrap();
    assert!(
        denied.text().contains("no tool may run here"),
        "{}",
        denied.text()
    );
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}

/// Mistakes of a session's checker come too late to stop the build of the executor, so the session
/// tells them.
#[test]
fn the_mistakes_of_a_sessions_checker_are_told() {
    let policy = toolwright_policy::PermissionPolicy::builder("/")
        .rule(toolwright_policy::Rule::deny().tools(["write_nots"]))
        .build()
        .unwrap();
    let executor = Executor::builder(notes())
        .resource(Workspace(PathBuf::from("/")))
        .build()
        .unwrap();
    assert!(
        executor
            .session("s")
            .availability()
            .checker_problems()
            .is_empty()
    );
    let options = SessionOptions::new().permission_checker(policy);
    let session = executor.session_with("s", options.clone());
    let problems = session.availability().checker_problems().to_vec();
    assert!(problems[0].contains("write_nots"), "{problems:?}");
    let below = SessionOptions::new().tools(Selector::new(["read_note"]).unwrap());
    let below = session.sub_session_with("below", below);
    assert_eq!(below.availability().checker_problems(), problems);
}

/// A checker that panics denies, for a session as for an executor.
#[test]
fn a_sessions_checker_that_panics_denies() {
    struct Broken;

    impl PermissionChecker for Broken {
        fn check_tool(&self, _: &ToolSpec) -> Verdict {
            panic!("no verdict")
        }

        fn check_request(&self, _: &CallView<'_>, _: &PermissionRequest) -> Verdict {
            Verdict::Allow
        }

        fn looks_at_caller(&self, _: &ToolSpec) -> bool {
            panic!("no idea")
        }
    }

    let executor = Executor::new(ToolRegistry::new().with(HandMade::new("plain"))).unwrap();
    let session = executor.session_with("s", SessionOptions::new().permission_checker(Broken));
    let denied = ready_now(session.call(ToolCall::new("plain", "{}")));
    assert_eq!(denied.error().map(ToolError::kind), Some(ErrorKind::Denied));
    assert!(denied.text().contains("panicked"), "{}", denied.text());
}
