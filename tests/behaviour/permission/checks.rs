//! The requests of a tool while it runs.

use serde_json::json;
use toolwright::arguments::Arguments;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::Approvals;
use toolwright::permission::{
    CallView, DefaultPolicy, DenyAll, PathScope, PermissionChecker, Verdict,
};
use toolwright::{
    CancellationToken, Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry,
    ToolSpec, testing, tool,
};

use crate::support::{HandMade, Trace, judge, ready_now};

fn read(path: &str) -> PermissionRequest {
    PermissionRequest::new("file.read", path, format!("Read `{path}`"))
}

/// Read a file and the one that it leads to.
#[tool(read_only, permission = read(path))]
async fn follow(path: String, steps: &Trace, ctx: &ToolContext) -> Result<String, ToolError> {
    steps.note(format!("opened {path}"));
    ctx.check(read("/secret")).await?;
    steps.note("opened /secret");
    Ok("both".to_owned())
}

fn public_only(request: &PermissionRequest) -> Verdict {
    if request.target() == "/secret" {
        Verdict::deny("that file is secret")
    } else {
        Verdict::Allow
    }
}

#[tokio::test]
async fn s0_13_a_tool_asks_for_a_second_path_on_its_way_and_is_denied() {
    let steps = Trace::default();
    let executor = Executor::builder(ToolRegistry::new().with(Follow))
        .resource(steps.clone())
        .permission_checker(judge(|_| Verdict::Allow, |_, request| public_only(request)))
        .build()
        .unwrap();
    let outcome = executor.call("follow", r#"{"path": "/public"}"#).await;
    assert_eq!(steps.take(), ["opened /public"]);
    let error = outcome.error().unwrap();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Denied, "denied"));
    assert_eq!(
        outcome.text(),
        "`follow` was denied (Read `/secret`): that file is secret"
    );
    assert_eq!(
        outcome.result().source(),
        ResultSource::Tool,
        "it had begun"
    );
}

#[tokio::test]
async fn what_needs_a_person_on_the_way_is_denied_as_it_is_before_a_call() {
    let asks = |path: &'static str| {
        judge(
            |_| Verdict::Allow,
            move |_, request| match request.target() {
                target if target == path => Verdict::ask("it is private"),
                _ => Verdict::Allow,
            },
        )
    };
    for (path, begun) in [("/public", false), ("/secret", true)] {
        let steps = Trace::default();
        let executor = Executor::builder(ToolRegistry::new().with(Follow))
            .resource(steps.clone())
            .permission_checker(asks(path))
            .approvals(Approvals::new().no_approver_hint("Start it with --yes."))
            .build()
            .unwrap();
        let outcome = executor.call("follow", r#"{"path": "/public"}"#).await;
        assert_eq!(outcome.error().unwrap().code(), "approval_unavailable");
        assert_eq!(
            outcome.text(),
            format!(
                "`follow` was denied (Read `{path}`): it needs approval because it is private, and \
                 nobody is here to give it. Start it with --yes."
            )
        );
        assert_eq!(!steps.take().is_empty(), begun);
    }
}

/// Tell which of some files may be read.
#[tool(pure)]
fn readable(paths: Vec<String>, ctx: &ToolContext) -> Vec<String> {
    let may_read = |path: &String| ctx.verdict(&read(path)) == Verdict::Allow;
    paths.into_iter().filter(may_read).collect()
}

#[tokio::test]
async fn a_tool_leaves_out_what_it_may_not_touch() {
    let executor = Executor::builder(ToolRegistry::new().with(Readable))
        .permission_checker(judge(|_| Verdict::Allow, |_, request| public_only(request)))
        .build()
        .unwrap();
    let outcome = executor
        .call("readable", r#"{"paths": ["/a", "/secret", "/b"]}"#)
        .await;
    assert_eq!(outcome.text(), r#"["/a","/b"]"#);
}

/// Open a door, and the one behind it, in a task of its own.
#[tool]
async fn open(
    #[arg(aliases("room"))] door: String,
    #[arg(default = 1)] floor: u32,
    #[arg(secret)] code: String,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    drop((floor, code));
    let (own, behind) = (ctx.clone(), format!("behind {door}"));
    let asked = tokio::spawn(async move {
        let request = PermissionRequest::new("door", &behind, format!("Open {behind}"));
        own.check(request).await
    });
    asked.await.map_err(|_| ToolError::failed("lost"))??;
    Ok("open".to_owned())
}

/// Notes what it sees of calls.
struct Watching {
    looks: bool,
    seen: Trace,
}

impl PermissionChecker for Watching {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        let arguments = match call.arguments() {
            Ok(arguments) => arguments.to_string(),
            Err(unseen) => unseen.to_string(),
        };
        self.seen.note(format!(
            "{} {} {arguments} {:?}",
            call.spec().name(),
            request.target(),
            call.purpose()
        ));
        Verdict::Allow
    }

    fn looks_at_arguments(&self, _: &ToolSpec) -> bool {
        self.looks
    }
}

#[tokio::test]
async fn a_clone_in_a_task_of_its_own_asks_for_the_call_as_it_runs_with_secrets_masked() {
    let seen = Trace::default();
    let executor = |looks| {
        let registry = ToolRegistry::new().with(Open).ask_purpose();
        Executor::builder(registry)
            .permission_checker(Watching {
                looks,
                seen: seen.clone(),
            })
            .build()
            .unwrap()
    };
    // By another name, with a number as a text, which is repaired, and one that is left out.
    let sent =
        json!({"room": "a", "floor": "2", "code": "hunter2", "tool_use_purpose": "to get in"});
    for arguments in [Arguments::from(sent.clone()), sent.to_string().into()] {
        let session = executor(true).session("s");
        let outcome = session.call(ToolCall::new("open", arguments)).await;
        assert_eq!(outcome.text(), "open");
        let arguments = r#"{"code":{"$secret":true},"door":"a","floor":2}"#;
        assert_eq!(
            seen.take(),
            [format!(r#"open behind a {arguments} Some("to get in")"#)]
        );
    }
    // A checker that does not look at the arguments gets none, with the reason, rather than empty ones.
    let session = executor(false).session("s");
    let outcome = session.call(ToolCall::new("open", &sent)).await;
    assert!(outcome.is_success());
    let [note] = &seen.take()[..] else {
        panic!("one request");
    };
    assert!(note.contains("were not kept"), "{note}");
    assert!(!note.contains("hunter2"), "{note}");
}

#[tokio::test]
async fn nothing_is_granted_after_a_cancellation() {
    let token = CancellationToken::new();
    let ctx = testing::context().cancellation(token.clone()).build();
    let early = ctx.check(read("/a"));
    ctx.check(read("/a")).await.unwrap();
    token.cancel();
    for late in [early.await, ctx.check(read("/a")).await] {
        assert_eq!(late.unwrap_err().kind(), ErrorKind::Cancelled);
    }
    // A filter goes on as it was, lest a part be taken for the whole.
    assert_eq!(ctx.verdict(&read("/a")), Verdict::Allow);
}

#[tokio::test]
async fn requests_that_cannot_be_worked_out_are_not_granted() {
    let ctx = testing::context().build();
    let broken: Result<PermissionRequest, ToolError> = Err(ToolError::failed("which file?"));
    let error = ctx.check(broken).await.unwrap_err();
    assert_eq!(error.to_string(), "which file?");
    ctx.check(None::<PermissionRequest>).await.unwrap();
    let denied = testing::context().permission_checker(DenyAll).build();
    denied.check(Vec::<PermissionRequest>::new()).await.unwrap();
    assert!(denied.check([read("/a")]).await.is_err());
}

#[tokio::test]
async fn a_context_of_a_unit_test_is_judged_as_the_test_says() {
    let read_only = ToolSpec::new("follow".try_into().unwrap(), "Follow a link.")
        .with_effect(toolwright::spec::Effect::ReadOnly);
    let ctx = testing::context()
        .tool(&read_only)
        .permission_checker(DefaultPolicy)
        .build();
    assert_eq!(ctx.tool_name().as_str(), "follow");
    let inside = read("/a").with_containment(PathScope::Inside);
    ctx.check(inside.clone()).await.unwrap();
    // The declaration of the tool does not cover a request that no root confines.
    assert!(ctx.check(read("/a")).await.is_err());
    let ctx = testing::context().permission_checker(DefaultPolicy).build();
    let error = ctx.check(inside).await.unwrap_err();
    assert_eq!(error.code(), "approval_unavailable");
    let ctx = testing::context()
        .permission_checker(judge(|_| Verdict::Allow, |_, _| panic!("on the way")))
        .build();
    assert_eq!(
        ctx.check(read("/a")).await.unwrap_err().to_string(),
        "`test` was denied (Read `/a`): the permission checker panicked when asked about the request"
    );
    assert!(matches!(ctx.verdict(&read("/a")), Verdict::Deny(_)));
}

#[test]
fn requests_may_be_weighed_while_they_are_worked_out() {
    let picky = HandMade::new("picky").ask(|ctx| {
        let wanted = ["/a", "/secret"].map(read);
        let may = |request: &PermissionRequest| ctx.verdict(request) == Verdict::Allow;
        Ok(wanted.into_iter().filter(may).collect())
    });
    let executor = Executor::builder(ToolRegistry::new().with(picky))
        .permission_checker(judge(|_| Verdict::Allow, |_, request| public_only(request)))
        .build()
        .unwrap();
    assert!(ready_now(executor.call("picky", "")).is_success());
    let session = executor.session("s");
    let preview = session.preview(&ToolCall::new("picky", "")).unwrap();
    assert_eq!(preview.requests(), [read("/a")]);
}
