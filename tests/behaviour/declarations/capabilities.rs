//! What a tool requires and what is granted.

use toolwright::{
    AllowAll, ArgumentProblem, BuildProblem, CapabilityGrant, DenyAll, ErrorKind, Executor,
    InvalidArguments, PermissionRequest, ProblemKind, ResultSource, ToolCall, ToolName, ToolOutput,
    ToolRegistry, ToolSpec,
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
    let executor = builder.permissions(DenyAll).build().unwrap();
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
        .permissions(AllowAll)
        .build()
        .unwrap();
    let outcome = ready_now(allowed.call("index", "{}"));
    assert_eq!(kind(&outcome), Some(ErrorKind::CapabilityDenied));

    let builder = Executor::builder(registry()).permissions(DenyAll);
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
