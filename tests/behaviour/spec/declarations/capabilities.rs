//! The capabilities that a tool requires, and those that are granted.

use toolwright::arguments::{ArgumentProblem, InvalidArguments, ProblemKind};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::{BuildProblem, SessionOptions, WaitMode};
use toolwright::permission::{AllowAll, DenyAll};
use toolwright::registry::{RoleRules, Selector};
use toolwright::spec::CapabilityGrant;
use toolwright::ticket::Answer;
use toolwright::{
    Executor, PermissionRequest, Session, ToolCall, ToolContext, ToolName, ToolOutcome, ToolOutput,
    ToolRegistry, ToolSpec, tool,
};

use super::{capability, kind};
use crate::support::{HandMade, Trace, ready_now};

/// A tool that requires capabilities and notes each stage that it reaches.
fn requiring(name: &'static str, capabilities: &[&str], trace: &Trace) -> HandMade {
    let (parsed, asked, ran) = (trace.clone(), trace.clone(), trace.clone());
    HandMade::new(name)
        .spec(|spec| {
            let capabilities = capabilities.iter().map(|text| capability(text));
            capabilities.fold(spec, ToolSpec::with_capability)
        })
        .parse(move |_| {
            parsed.note("parse");
            Ok(())
        })
        .ask(move |_| {
            asked.note("ask");
            Ok(Vec::new())
        })
        .run(move |_, _| {
            ran.note("run");
            Ok(ToolOutput::text("done"))
        })
}

fn with_grants(tool: HandMade, grants: &[&str]) -> Executor {
    let builder = Executor::builder(ToolRegistry::new().with(tool));
    let granting = grants
        .iter()
        .fold(builder, |builder, grant| builder.grant_capability(*grant));
    granting.build().unwrap()
}

#[test]
fn s1_04_a_missing_capability_denies_and_is_named() {
    let trace = Trace::default();
    let required = ["fs:read:/data", "fs:write:/index"];
    for (grants, missing) in [
        (
            vec!["fs:read:/data"],
            "capability `fs:write:/index`, which is",
        ),
        (vec!["fs:write:*"], "capability `fs:read:/data`, which is"),
        (
            vec![],
            "capabilities `fs:read:/data`, `fs:write:/index`, which are",
        ),
        (
            vec![
                "fs:read:/dat",
                "fs:read:/data/*",
                "fs:writes:/index",
                "FS:write:/index",
            ],
            "capabilities `fs:read:/data`, `fs:write:/index`, which are",
        ),
    ] {
        let executor = with_grants(requiring("index", &required, &trace), &grants);
        let outcome = ready_now(executor.call("index", "{}"));
        let error = outcome.error().unwrap();
        assert_eq!(error.kind(), ErrorKind::CapabilityDenied);
        assert_eq!(error.code(), "capability_denied");
        let message = format!("`index` was denied: it requires the {missing} not granted");
        assert_eq!(error.message(), message);
        assert_eq!(outcome.text(), message);
        assert_eq!(outcome.result().source(), ResultSource::Executor);
        assert!(trace.take().is_empty());
    }
    for grants in [
        vec!["fs:read:/data", "fs:write:/index"],
        vec!["fs:*:/data", "*:write:/index"],
        vec!["*:*:*"],
    ] {
        let executor = with_grants(requiring("index", &required, &trace), &grants);
        assert_eq!(ready_now(executor.call("index", "{}")).text(), "done");
        assert_eq!(trace.take(), ["parse", "ask", "run"]);
    }
}

#[test]
fn s1_05_a_tool_without_capabilities_needs_no_grant() {
    let echo = HandMade::new("echo");
    let other = requiring("other", &["net:connect:a"], &Trace::default());
    let executor = Executor::new(ToolRegistry::new().with(echo).with(other)).unwrap();
    assert!(ready_now(executor.call("echo", "{}")).is_success());
    let denied = ready_now(executor.call("other", "{}"));
    assert_eq!(kind(&denied), Some(ErrorKind::CapabilityDenied));
    assert!(ready_now(executor.call("echo", "{}")).is_success());
}

#[tokio::test]
async fn s1_18_capabilities_come_before_everything_else() {
    let trace = Trace::default();
    let tool = requiring("index", &["fs:read:/data"], &trace)
        .spec(|spec| spec.with_alias(ToolName::new("idx").unwrap()))
        .parse(|_| {
            Err(InvalidArguments::new(vec![ArgumentProblem::new(
                ProblemKind::Unknown,
                "/x",
                "nothing fits",
            )]))
        })
        .ask({
            let trace = trace.clone();
            move |_| {
                trace.note("ask");
                Ok(vec![PermissionRequest::new(
                    "fs.read",
                    "/data",
                    "read /data",
                )])
            }
        });
    let builder = Executor::builder(ToolRegistry::new().with(tool.clone()));
    let executor = builder.permission_checker(DenyAll).build().unwrap();
    let session = executor.session("s");
    for name in ["index", "idx"] {
        for arguments in ["{}", "{", r#"{"x": 1, "x": 2}"#] {
            let by_default = executor.call(name, arguments).await;
            let in_session = session.call(ToolCall::new(name, arguments)).await;
            let in_turn = session.turn().call(ToolCall::new(name, arguments)).await;
            for outcome in [by_default, in_session, in_turn] {
                assert_eq!(kind(&outcome), Some(ErrorKind::CapabilityDenied));
                assert_eq!(outcome.result().tool(), "index");
            }
        }
    }
    assert!(trace.take().is_empty());

    // With the grant, the arguments are looked at next.
    let executor = with_grants(tool, &["fs:read:/data"]);
    let outcome = executor.call("index", "{}").await;
    assert_eq!(kind(&outcome), Some(ErrorKind::InvalidArguments));

    // A name that leads nowhere has no capabilities to speak of.
    let outcome = executor.call("indexx", "{}").await;
    assert_eq!(kind(&outcome), Some(ErrorKind::NotFound));
}

#[test]
fn a_permission_grants_no_capability_and_a_capability_no_permission() {
    let trace = Trace::default();
    let tool = requiring("index", &["fs:read:/data"], &trace);
    let registry = || ToolRegistry::new().with(tool.clone());
    let allowed = Executor::builder(registry())
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let outcome = ready_now(allowed.call("index", "{}"));
    assert_eq!(kind(&outcome), Some(ErrorKind::CapabilityDenied));

    let builder = Executor::builder(registry()).permission_checker(DenyAll);
    let granted = builder.grant_capability("*:*:*").build().unwrap();
    let outcome = ready_now(granted.call("index", "{}"));
    assert_eq!(kind(&outcome), Some(ErrorKind::Denied));
    assert_eq!(trace.take(), ["parse"]);
}

#[test]
fn a_grant_is_text_a_grant_or_a_capability_and_nothing_else_builds() {
    let builder = || Executor::builder(ToolRegistry::new());
    let grant: CapabilityGrant = "fs:*:*".parse().unwrap();
    let built = builder()
        .grant_capability(grant)
        .grant_capability(capability("fs:read:/data"))
        .grant_capability(String::from("net:connect:*"))
        .build();
    assert!(built.is_ok());

    let error = builder()
        .grant_capability("fs")
        .grant_capability("fs:read:/data")
        .grant_capability("f*:read:/data")
        .build()
        .unwrap_err();
    let refused: Vec<&str> = error
        .problems()
        .iter()
        .map(|problem| match problem {
            BuildProblem::InvalidGrant(invalid) => invalid.text(),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(refused, ["fs", "f*:read:/data"]);
    assert!(
        error
            .to_string()
            .contains("\n- `fs` cannot be a grant of a capability: ")
    );
}

fn grants(texts: &[&str]) -> SessionOptions {
    let grants = texts.iter().map(|text| text.parse().unwrap());
    SessionOptions::new().capabilities(grants.collect::<Vec<CapabilityGrant>>())
}

fn missing(session: &Session, tool: &str) -> Vec<String> {
    let outcome = ready_now(session.call(ToolCall::new(tool, "{}")));
    let Some(error) = outcome.error() else {
        assert_eq!(outcome.text(), "done");
        return Vec::new();
    };
    assert_eq!(error.kind(), ErrorKind::CapabilityDenied);
    let missing = error.missing_capabilities().iter();
    let missing: Vec<String> = missing.map(ToString::to_string).collect();
    for name in &missing {
        assert!(error.message().contains(&format!("`{name}`")));
    }
    missing
}

#[test]
fn a_session_has_less_and_one_below_it_less_again_never_more() {
    let trace = Trace::default();
    let tool = requiring("index", &["fs:read:/data", "fs:write:/index"], &trace);
    let executor = with_grants(tool, &["fs:read:*", "fs:write:/index"]);
    let none: &[&str] = &[];
    for (above, below, of_above, of_below) in [
        (None, None, none, none),
        (None, Some(&["*:*:*"][..]), none, none),
        (None, Some(&["fs:read:*"]), none, &["fs:write:/index"][..]),
        (
            None,
            Some(none),
            none,
            &["fs:read:/data", "fs:write:/index"],
        ),
        (
            Some(&["fs:read:*"][..]),
            Some(&["*:*:*"]),
            &["fs:write:/index"][..],
            &["fs:write:/index"],
        ),
        (
            Some(&["fs:read:*"]),
            Some(&["fs:write:*"]),
            &["fs:write:/index"],
            &["fs:read:/data", "fs:write:/index"],
        ),
        (Some(&["fs:*:*"]), None, none, none),
        (
            Some(none),
            None,
            &["fs:read:/data", "fs:write:/index"],
            &["fs:read:/data", "fs:write:/index"],
        ),
    ] {
        let options = |texts: Option<&[&str]>| texts.map_or_else(SessionOptions::new, grants);
        let session = executor.session_with("s", options(above));
        let sub = session.sub_session_with("sub", options(below));
        let lowest = sub.sub_session_with("lowest", grants(&["*:*:*"]));
        assert_eq!(missing(&session, "index"), of_above, "{above:?}");
        assert_eq!(missing(&sub, "index"), of_below, "{above:?}, {below:?}");
        assert_eq!(missing(&lowest, "index"), of_below, "{above:?}, {below:?}");
        let ran = usize::from(of_above.is_empty()) + 2 * usize::from(of_below.is_empty());
        assert_eq!(trace.take().len(), 3 * ran);
    }
    // A session cannot grant more than the executor.
    let tool = requiring("index", &["fs:read:/data", "fs:write:/index"], &trace);
    let executor = with_grants(tool, &["fs:read:*"]);
    let session = executor.session_with("s", grants(&["fs:write:*"]));
    assert_eq!(
        missing(&session, "index"),
        ["fs:read:/data", "fs:write:/index"]
    );
    let session = executor.session_with("s", grants(&["*:*:*"]));
    assert_eq!(missing(&session, "index"), ["fs:write:/index"]);
    assert!(trace.take().is_empty());
}

#[test]
fn what_a_session_may_not_do_stays_so_when_tools_and_roles_change() {
    let trace = Trace::default();
    let tool = requiring("index", &["fs:read:/data"], &trace);
    let role = RoleRules::new().always(Selector::all());
    let executor = Executor::builder(ToolRegistry::new().with(HandMade::new("first")))
        .grant_capability("*:*:*")
        .sub_session_rules(role)
        .build()
        .unwrap();
    let session = executor.session_with("s", grants(&[]));
    let sub = session.sub_session("sub");
    let of_none = SessionOptions::new().tools(Selector::none());
    let above = executor.session_with("above", of_none.capabilities([]));
    let always = above.sub_session("always");
    executor
        .update_tools(|tools| tools.register(tool.clone()))
        .unwrap();
    for narrowed in [&session, &sub, &always] {
        assert_eq!(missing(narrowed, "index"), ["fs:read:/data"]);
    }
    assert!(missing(&executor.session("other"), "index").is_empty());
    assert_eq!(trace.take(), ["parse", "ask", "run"]);
}

#[tokio::test]
async fn calls_of_tools_and_resumed_calls_are_held_to_their_session() {
    /// Call the index.
    #[tool(
        name = "relay",
        read_only,
        capabilities("fs:read:/data"),
        register = false
    )]
    async fn relay(ctx: &ToolContext) -> String {
        ctx.call(ToolCall::new("index", "{}")).await.text()
    }
    /// Deploy.
    #[tool(name = "deploy", capabilities("net:connect:a"), register = false)]
    fn deploy() -> &'static str {
        "deployed"
    }
    let trace = Trace::default();
    let registry = ToolRegistry::new()
        .with(requiring("index", &["fs:read:/data"], &trace))
        .with(Relay)
        .with(Deploy);
    let executor = Executor::builder(registry)
        .grant_capability("*:*:*")
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session_with("s", grants(&["fs:read:*"]));
    let call = || ToolCall::new("relay", "{}");
    assert_eq!(session.call(call()).await.text(), "done");
    let nothing = executor.session_with("s", grants(&["net:connect:a"]));
    assert_eq!(
        kind(&nothing.call(call()).await),
        Some(ErrorKind::CapabilityDenied)
    );
    trace.take();

    let waits = |outcome: ToolOutcome| match outcome {
        ToolOutcome::Suspended(waits) => waits,
        other => panic!("{other:?}"),
    };
    let deploy = || ToolCall::new("deploy", "{}");
    let first = waits(nothing.call(deploy()).await);
    let resumed = session.resume(first.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(kind(&resumed), Some(ErrorKind::CapabilityDenied));
    let second = waits(nothing.call(deploy()).await);
    let resumed = nothing.resume(second.ticket(), Answer::yes()).await;
    assert!(resumed.unwrap().text().starts_with("deployed"));
}
