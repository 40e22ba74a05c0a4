//! The cost of permissions: whole calls under a policy beside the same under `AllowAll`, and single
//! verdicts beside what a host would write by hand, in turns, as medians of ratios within a round.
//!
//! `cargo bench -p toolwright-policy --bench permission`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

#[path = "../../../benches/common/mod.rs"]
mod common;

use std::fs;
use std::future::Future;
use std::hint::black_box;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use brush_parser::{Parser, ParserOptions};
use common::turns::{self, compare};
use toolwright::arguments::Arguments;
use toolwright::permission::{
    AllowAll, CallView, CommandAccess, IntoRequests, PermissionChecker, Verdict,
};
use toolwright::{Executor, FileAccess, Session, Tool, ToolCall, ToolRegistry, tool};
use toolwright_policy::{DefaultDecision, PermissionPolicy, Rule};

/// Add two integers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say which file would be read.
#[tool(read_only, permission = FileAccess::read(path))]
fn read(path: PathBuf) -> usize {
    path.as_os_str().len()
}

/// Say which line would be run.
#[tool(permission = CommandAccess::shell(line).in_directory(directory))]
fn run(line: String, directory: PathBuf) -> usize {
    line.len() + directory.as_os_str().len()
}

/// Five commands, each of which a rule allows.
const LINE: &str = "git status --short && git log -n 5 | head -20; cargo test --lib 2>&1 | tail -5";

fn main() {
    let rounds = turns::rounds();
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("src/deep")).unwrap();
    let file = root.join("src/deep/main.rs");
    fs::write(&file, "fn main() {}").unwrap();
    let policy = policy(&root);

    println!("                  base ns   ours ns   ratio (quartiles)        allocations");
    println!("whole calls: under AllowAll, under the policy");
    let (free, ruled) = (session(AllowAll), session(policy.clone()));
    let read_file = serde_json::json!({ "path": file }).to_string();
    let run_line = serde_json::json!({ "line": LINE, "directory": root }).to_string();
    for (what, name, arguments) in [
        ("no request", "add", r#"{"a": 1, "b": 2}"#),
        ("one file", "read", &read_file),
        ("five commands", "run", &run_line),
    ] {
        let call = || ToolCall::new(black_box(name), black_box(arguments));
        if !ended_well(&ruled, call()) {
            println!("{what:15} is not allowed, so there is nothing to compare");
            continue;
        }
        compare(
            rounds,
            what,
            || assert!(ended_well(&free, call())),
            || assert!(ended_well(&ruled, call())),
        );
    }

    println!("the verdict of which is known before: by hand, under the policy");
    let sum = r#"{"a": 1, "b": 2}"#;
    compare(
        rounds,
        "no request",
        || {
            let _ = black_box(common::by_hand_text(black_box("add"), black_box(sum)));
        },
        || {
            let call = ToolCall::new(black_box("add"), black_box(sum));
            assert!(ended_well(&ruled, call));
        },
    );

    println!("single verdicts, requests made anew: by hand, by the policy");
    let arguments = Arguments::from(read_file.as_str());
    let call = CallView::new(Read.spec(), &arguments);
    compare(
        rounds,
        "one file",
        || {
            let real = black_box(&file).canonicalize().unwrap();
            assert!(black_box(real.starts_with(&root)));
        },
        || {
            let verdict = verdict(&policy, &call, FileAccess::read(black_box(&file)));
            assert_eq!(verdict, Verdict::Allow);
        },
    );
    let arguments = Arguments::from(run_line.as_str());
    let call = CallView::new(Run.spec(), &arguments);
    compare(
        rounds,
        "five commands",
        || {
            let line = Cursor::new(black_box(LINE));
            let mut parser = Parser::new(line, &ParserOptions::default());
            let _ = black_box(parser.parse_program().unwrap());
        },
        || {
            let access = CommandAccess::shell(black_box(LINE)).in_directory(&root);
            let _ = black_box(verdict(&policy, &call, access));
        },
    );
}

/// Some rules of each kind, as an app has them.
fn policy(root: &Path) -> PermissionPolicy {
    PermissionPolicy::builder(root)
        .default_verdict(DefaultDecision::ReadOnly)
        .rule(Rule::allow().reads(["."]))
        .rule(Rule::allow().writes(["src", "tests"]))
        .rule(Rule::deny().paths(["**/.env", "secrets"]))
        .rule(Rule::ask().writes(["**/Cargo.toml"]))
        .rule(Rule::allow().commands(["git status", "git log", "head", "tail"]))
        .rule(Rule::allow().commands(["cargo test", "cargo check"]))
        .rule(Rule::ask().commands(["git push"]))
        .rule(Rule::deny().commands(["git push --force", "sudo"]))
        .build()
        .unwrap()
}

fn session(checker: impl PermissionChecker) -> Session {
    let registry = ToolRegistry::new().with(Add).with(Read).with(Run);
    let executor = Executor::builder(registry)
        .permission_checker(checker)
        .build();
    executor.unwrap().session("bench")
}

/// Polled by hand: the host's own runtime is no part of the call.
fn ended_well(session: &Session, call: ToolCall<'_>) -> bool {
    let polled = pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop()));
    matches!(black_box(polled), Poll::Ready(outcome) if outcome.is_success())
}

fn verdict(
    checker: &impl PermissionChecker,
    call: &CallView<'_>,
    access: impl IntoRequests,
) -> Verdict {
    let requests = access.into_requests().unwrap();
    checker.check_request(call, &requests[0])
}
