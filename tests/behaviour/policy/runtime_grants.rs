//! The grants and refusals of a person while a session runs, beside a policy that asks about everything.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolwright::executor::WaitMode;
use toolwright::outcome::Suspension;
use toolwright::permission::CommandAccess;
use toolwright::ticket::{Answer, GrantScope, TicketEvent, TicketEvents};
use toolwright::{
    Executor, FileAccess, PermissionRequest, Session, ToolCall, ToolOutcome, ToolRegistry, tool,
};
use toolwright_policy::PermissionPolicy;

use crate::waiting_support::interrupted;

/// The directory that the tools work in.
struct Root(PathBuf);

/// Read a text file.
#[tool(name = "fs.read", register = false, permission = FileAccess::read(path).within(&root.0))]
fn read(path: String, root: &Root) -> Result<String, std::io::Error> {
    fs::read_to_string(root.0.join(path))
}

/// Write a text file.
#[tool(name = "fs.write", register = false, permission = FileAccess::write(path).within(&root.0))]
fn write(path: String, root: &Root) -> Result<(), std::io::Error> {
    fs::write(root.0.join(path), "written")
}

/// Say what a shell would run.
#[tool(name = "shell.run", register = false, permission = CommandAccess::shell(line).in_directory(&root.0))]
fn run(line: String, root: &Root) -> String {
    let _ = root;
    line
}

/// Set the counter.
#[tool(name = "counter.set", register = false)]
fn set(to: u32) -> u32 {
    to
}

/// Read the counter, for a fee.
#[tool(name = "counter.get", register = false, permission = PermissionRequest::new("fee", unit.as_str(), "Pay"))]
fn get(unit: String) -> String {
    unit
}

struct Desk {
    _folder: TempDir,
    root: PathBuf,
    session: Session,
    events: TicketEvents,
}

impl Desk {
    /// Folders `src`, `src/deep`, `src-2` and `docs`, with the files `a` and `b` in each.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for directory in ["src", "src/deep", "src-2", "docs"] {
            fs::create_dir(root.join(directory)).unwrap();
            for file in ["a", "b"] {
                fs::write(root.join(directory).join(file), directory).unwrap();
            }
        }
        let tools = ToolRegistry::new()
            .with(Read)
            .with(Write)
            .with(Run)
            .with(Set)
            .with(Get);
        let executor = Executor::builder(tools)
            .resource(Root(root.clone()))
            .permission_checker(
                PermissionPolicy::builder(&root)
                    .shared(true)
                    .build()
                    .unwrap(),
            )
            .approvals(WaitMode::Suspending)
            .build()
            .unwrap();
        Self {
            _folder: folder,
            root,
            session: executor.session("s-1"),
            events: executor.tickets().subscribe(),
        }
    }

    fn tree(&self, directory: &str) -> String {
        self.root.join(directory).to_str().unwrap().to_owned()
    }

    /// Makes a call, and tells whether a person was asked about it.
    async fn call(&mut self, tool: &str, arguments: Value) -> (ToolOutcome, bool) {
        let outcome = self.session.call(ToolCall::new(tool, arguments)).await;
        let events = std::iter::from_fn(|| self.events.try_recv());
        let opened = events.filter(|event| matches!(event, TicketEvent::Opened(_)));
        let asked = opened.count() == 1;
        (outcome, asked)
    }

    async fn runs(&mut self, tool: &str, arguments: Value) {
        let (outcome, asked) = self.call(tool, arguments).await;
        assert!(outcome.is_success() && !asked, "{}", outcome.text());
    }

    async fn asks(&mut self, tool: &str, arguments: Value) -> Suspension {
        let (outcome, asked) = self.call(tool, arguments).await;
        assert!(asked, "{}", outcome.text());
        interrupted(outcome)
    }

    async fn denies(&mut self, tool: &str, arguments: Value) {
        let (outcome, asked) = self.call(tool, arguments).await;
        let code = outcome.error().map(|error| error.code().to_owned());
        assert_eq!(
            (code.as_deref(), asked),
            (Some("denied_by_user"), false),
            "{}",
            outcome.text()
        );
    }

    async fn answers(&self, call: &Suspension, answer: Answer) -> ToolOutcome {
        self.session.resume(call.ticket(), answer).await.unwrap()
    }
}

/// The option that a person chooses: one of those that the request offers.
fn offered(call: &Suspension, covers: GrantScope) -> GrantScope {
    let options = call.requests()[0].trust_options();
    assert!(
        options.iter().any(|option| *option.covers() == covers),
        "{options:?}"
    );
    covers
}

fn path(path: &str) -> Value {
    json!({ "path": path })
}

#[tokio::test]
async fn s3_24_a_directory_is_granted_to_read_or_write_and_its_sibling_still_asks() {
    let mut desk = Desk::new();
    let asked = desk.asks("fs.read", path("src/a")).await;
    let src = offered(&asked, GrantScope::reads(desk.tree("src")));
    let outcome = desk.answers(&asked, Answer::always(src)).await;
    assert_eq!(outcome.text(), "src");
    desk.runs("fs.read", path("src/b")).await;
    desk.runs("fs.read", path("src/deep/a")).await;
    desk.asks("fs.read", path("docs/a")).await;
    desk.asks("fs.read", path("src-2/a")).await;
    desk.asks("fs.read", path("src/../docs/a")).await;

    // To read is not to write.
    let asked = desk.asks("fs.write", path("src/a")).await;
    let deep = Answer::always(GrantScope::writes(desk.tree("src")));
    assert!(desk.answers(&asked, deep).await.is_success());
    desk.runs("fs.write", path("src/deep/new")).await;
    desk.asks("fs.write", path("docs/a")).await;

    // The same for what a person refuses, which also holds in what was granted.
    let asked = desk.asks("fs.write", path("docs/a")).await;
    let docs = offered(&asked, GrantScope::writes(desk.tree("docs")));
    let outcome = desk.answers(&asked, Answer::never(docs)).await;
    assert!(!outcome.is_success());
    desk.denies("fs.write", path("docs/b")).await;
    desk.asks("fs.write", path("src-2/a")).await;
    desk.asks("fs.read", path("docs/a")).await;
    assert_eq!(
        fs::read_to_string(desk.root.join("docs/a")).unwrap(),
        "docs"
    );
}

#[tokio::test]
async fn s3_25_after_always_for_a_tool_nobody_is_asked_about_it_again() {
    let mut desk = Desk::new();
    for (tool, first, next) in [
        ("counter.set", json!({"to": 1}), json!({"to": 2})),
        (
            "counter.get",
            json!({"unit": "euro"}),
            json!({"unit": "yen"}),
        ),
    ] {
        let asked = desk.asks(tool, first.clone()).await;
        let every = offered(&asked, GrantScope::tool(tool.parse().unwrap()));
        let outcome = desk.answers(&asked, Answer::always(every)).await;
        assert!(outcome.is_success(), "{}", outcome.text());
        for arguments in [first, next.clone(), next] {
            desk.runs(tool, arguments).await;
        }
        desk.asks("fs.read", path("src/a")).await;
    }
}

#[tokio::test]
async fn s3_26_after_never_for_a_tool_it_is_rejected_without_a_prompt() {
    let mut desk = Desk::new();
    let asked = desk.asks("counter.set", json!({"to": 1})).await;
    let every = offered(&asked, GrantScope::tool("counter.set".parse().unwrap()));
    let outcome = desk
        .answers(&asked, Answer::never(every).because("it is sealed"))
        .await;
    assert!(
        outcome.text().contains("it is sealed"),
        "{}",
        outcome.text()
    );
    desk.denies("counter.set", json!({"to": 1})).await;
    desk.denies("counter.set", json!({"to": 2})).await;
    desk.asks("counter.get", json!({"unit": "euro"})).await;
}

#[tokio::test]
async fn s3_27_commands_are_granted_by_how_they_begin() {
    let mut desk = Desk::new();
    let line = |line: &str| json!({ "line": line });
    let asked = desk.asks("shell.run", line("git log")).await;
    // `git *`: wider than any option, for `git` can run anything; a person may say so all the same.
    let git = Answer::always(GrantScope::command(["git"]));
    assert_eq!(desk.answers(&asked, git).await.text(), "git log");
    desk.runs("shell.run", line("git log")).await;
    desk.runs("shell.run", line("git log --oneline -5")).await;
    desk.runs("shell.run", line("git status && git diff")).await;
    for other in [
        "rm -rf src",
        "gitk",
        "git log; rm -rf src",
        "git log $(rm -rf src)",
    ] {
        desk.asks("shell.run", line(other)).await;
    }
}
