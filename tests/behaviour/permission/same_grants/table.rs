//! The coverage of grants and refusals beside checkers that know nothing of commands. This file is a part of two test
//! programs: one has the policy's crate in its graph, the other has not.

use serde_json::{Map, Value};
use toolwright::permission::{AllowAll, CallView, PermissionChecker, Verdict};
use toolwright::ticket::{GrantLevel, GrantScope};
use toolwright::{Executor, PermissionRequest, ToolCall, ToolError, ToolRegistry, ToolSpec, tool};

/// Asks about every request.
struct Asks;

impl PermissionChecker for Asks {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        Verdict::ask("a person decides")
    }
}

/// Do what is asked for.
#[tool(register = false, permission = requested(kind, target, details))]
fn act(kind: String, target: String, details: Map<String, Value>) -> String {
    let _ = details;
    format!("{kind} {target}")
}

fn requested(kind: &str, target: &str, details: &Map<String, Value>) -> PermissionRequest {
    let request = PermissionRequest::new(kind.to_owned(), target, "Act");
    details.iter().fold(request, |request, (key, value)| {
        request.with_detail(key.clone(), value.clone())
    })
}

/// A scope, what is requested, and how a call with that request ends.
type Row = (GrantScope, [&'static str; 3], &'static str);

/// The directory in which each command starts.
const START: &str = r#""directory": "/ws""#;

fn command(words: &[&str]) -> GrantScope {
    GrantScope::command(words.iter().copied())
}

/// The ends under a grant, beside a checker that asks about everything.
fn granted() -> Vec<Row> {
    let line = |line| ["command.run", line, ""];
    let argv = |line, argv| ["command.run", line, argv];
    vec![
        (command(&["git", "log"]), line("git log"), "asks"),
        (
            command(&["git", "log"]),
            line("git log && git log -3"),
            "asks",
        ),
        (command(&["ls"]), line("ls -la"), "asks"),
        (
            command(&["git", "log"]),
            argv("git log -3", r#""argv": ["git", "log", "-3"]"#),
            "asks",
        ),
        (
            command(&["sudo"]),
            argv("sudo rm x", r#""argv": ["sudo", "rm", "x"]"#),
            "asks",
        ),
        (
            GrantScope::target("command.run", "git log"),
            line("git log"),
            "runs",
        ),
        (
            GrantScope::target("command.run", "git log"),
            line("git log -3"),
            "asks",
        ),
        (GrantScope::kind("command.run"), line("git log -3"), "runs"),
        (
            GrantScope::reads("/ws/src"),
            ["file.read", "/ws/src/a", ""],
            "runs",
        ),
        (
            GrantScope::reads("/ws/src"),
            ["file.read", "/ws/srcs", ""],
            "asks",
        ),
        (
            GrantScope::reads("/ws/src"),
            ["file.write", "/ws/src/a", ""],
            "asks",
        ),
        (GrantScope::reads("/ws/src"), line("cat /ws/src/a"), "asks"),
        (
            GrantScope::host("example.com", Some(443)),
            ["network.connect", "example.com:443", ""],
            "runs",
        ),
        (
            GrantScope::host("example.com", Some(443)),
            ["network.connect", "example.com", ""],
            "asks",
        ),
        (GrantScope::kind("deploy"), ["deploy", "test", ""], "runs"),
        (
            GrantScope::kind("deploy"),
            ["deploy.all", "test", ""],
            "asks",
        ),
    ]
}

/// The ends under a refusal, beside a checker that allows everything.
fn refused() -> Vec<Row> {
    let line = |line| ["command.run", line, ""];
    let argv = |line, argv| ["command.run", line, argv];
    vec![
        (command(&["rm"]), line("rm x"), "asks"),
        (command(&["rm"]), line("ls"), "asks"),
        (
            command(&["rm"]),
            argv("rm x", r#""argv": ["rm", "x"]"#),
            "refused",
        ),
        (
            command(&["rm"]),
            argv("/bin/rm x", r#""argv": ["/bin/rm", "x"]"#),
            "refused",
        ),
        (
            command(&["rm"]),
            argv("env rm x", r#""argv": ["env", "rm", "x"]"#),
            "asks",
        ),
        (
            command(&["rm"]),
            argv("bash x", r#""argv": ["bash", "x"]"#),
            "asks",
        ),
        (command(&["rm"]), argv("ls", r#""argv": ["ls"]"#), "runs"),
        (command(&["rm"]), ["file.write", "/ws/a", ""], "runs"),
        (
            GrantScope::reads("/ws/key"),
            ["file.read", "/ws/key/a", ""],
            "refused",
        ),
        (
            GrantScope::reads("/ws/key"),
            ["file.read", "/ws/KEY/a", ""],
            "refused",
        ),
        (
            GrantScope::reads("/ws/key"),
            ["file.read", "/ws/\u{212a}ey/a", ""],
            "refused",
        ),
        (
            GrantScope::reads("/ws/k\u{e9}y"),
            ["file.read", "/ws/ke\u{301}y/a", ""],
            "asks",
        ),
        (
            GrantScope::reads("/ws/key"),
            ["file.read", "/ws/keys", ""],
            "runs",
        ),
        (
            GrantScope::reads("/ws/key"),
            ["file.write", "/ws/key/a", ""],
            "runs",
        ),
        (
            GrantScope::reads("/ws/key"),
            ["file.read", "/ws", r#""tree": true"#],
            "asks",
        ),
        // A command may use any file.
        (GrantScope::reads("/ws/key"), line("cat /ws/key/a"), "asks"),
        (
            GrantScope::reads("/ws/key"),
            argv("ls", r#""argv": ["ls"]"#),
            "asks",
        ),
        (
            GrantScope::host("127.0.0.1", None),
            ["network.connect", "127.0.0.1:80", ""],
            "refused",
        ),
        (
            GrantScope::host("127.0.0.1", None),
            ["network.connect", "localhost:80", ""],
            "asks",
        ),
        (
            GrantScope::host("10.0.0.1", None),
            ["network.connect", "[::ffff:10.0.0.1]:80", ""],
            "asks",
        ),
        (
            GrantScope::host("example.com", None),
            ["network.connect", "example.org:80", ""],
            "runs",
        ),
        (
            GrantScope::kind("deploy"),
            ["deploy", "test", ""],
            "refused",
        ),
        (
            GrantScope::kind("deploy"),
            ["deploy.all", "test", ""],
            "runs",
        ),
    ]
}

async fn ends(
    checker: impl PermissionChecker,
    level: GrantLevel,
    (covers, [kind, target, detail], expected): Row,
) {
    let registry = ToolRegistry::new().with(Act);
    let executor = Executor::builder(registry)
        .permission_checker(checker)
        .build()
        .unwrap();
    let session = executor.session("s");
    let shown = format!("{level:?} {covers:?}: {kind} {target} {detail}");
    executor
        .permissions()
        .grant("s", covers)
        .level(level)
        .await
        .unwrap();
    let details = match (kind, detail) {
        ("command.run", "") => START.to_owned(),
        ("command.run", detail) => format!("{START}, {detail}"),
        (_, detail) => detail.to_owned(),
    };
    let arguments =
        format!(r#"{{"kind": "{kind}", "target": "{target}", "details": {{{details}}}}}"#);
    let outcome = session.call(ToolCall::new("act", arguments)).await;
    let end = match outcome.error().map(ToolError::code) {
        None => "runs",
        Some("approval_unavailable") => "asks",
        Some("denied_by_user") => "refused",
        Some(other) => other,
    };
    assert_eq!(end, expected, "{shown}");
}

#[tokio::test]
async fn grants_and_refusals_decide_the_same_whatever_crates_are_linked_in() {
    for row in granted() {
        ends(Asks, GrantLevel::Allow, row).await;
    }
    for row in refused() {
        ends(AllowAll, GrantLevel::Deny, row).await;
    }
}
