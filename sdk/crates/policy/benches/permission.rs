//! The cost of permissions: whole calls under a policy beside the same under `AllowAll`, and single
//! verdicts beside what a host would write by hand, in turns, as medians of ratios within a round.
//!
//! `cargo bench -p toolwright-policy --bench permission`. Behind `--`, `--loop CASE COUNT` does one of the single
//! verdicts so often, and nothing else, for programs that count instructions or system calls.

#![allow(missing_docs, reason = "no interface")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark stops at the first fault"
)]

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

/// The file that is read, below the root.
const FILE_PATH: &str = "src/deep/main.rs";

fn main() {
    let rounds = turns::rounds();
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("src/deep")).unwrap();
    let file = root.join(FILE_PATH);
    fs::write(&file, "fn main() {}").unwrap();
    let policy = policy(&root);
    let single = Single::new(&root, &policy);
    if single.looped() {
        return;
    }

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
    for (what, base, ours) in [
        ("one file", FILE_BY_HAND, FILE),
        ("five commands", LINE_BY_HAND, FIVE_COMMANDS),
        ("its look-ups", LINE_BY_HAND, LOOK_UPS),
    ] {
        compare(rounds, what, || single.run(base), || single.run(ours));
    }
}

/// The single verdicts that a loop may do, and the same by hand.
const FILE: &str = "file";
const FILE_BY_HAND: &str = "file-by-hand";
const FIVE_COMMANDS: &str = "line";
const LINE_BY_HAND: &str = "line-by-hand";
/// The line parsed by hand, and each file looked up that the policy has to look up for it, and nothing judged.
const LOOK_UPS: &str = "line-look-ups";

/// Requests that are made and judged without an executor.
struct Single<'s> {
    root: &'s Path,
    file: PathBuf,
    policy: &'s PermissionPolicy,
    read: Arguments<'static>,
    run: Arguments<'static>,
}

impl<'s> Single<'s> {
    fn new(root: &'s Path, policy: &'s PermissionPolicy) -> Self {
        let file = root.join(FILE_PATH);
        let read = serde_json::json!({ "path": file }).to_string();
        let run = serde_json::json!({ "line": LINE, "directory": root }).to_string();
        Self {
            root,
            file,
            policy,
            read: Arguments::from(read),
            run: Arguments::from(run),
        }
    }

    fn run(&self, case: &str) {
        match case {
            FILE => {
                let call = CallView::new(Read.spec(), &self.read);
                let access = FileAccess::read(black_box(&self.file));
                assert_eq!(verdict(self.policy, &call, access), Verdict::Allow);
            }
            FILE_BY_HAND => {
                let real = black_box(&self.file).canonicalize().unwrap();
                assert!(black_box(real.starts_with(self.root)));
            }
            FIVE_COMMANDS => {
                let call = CallView::new(Run.spec(), &self.run);
                let access = CommandAccess::shell(black_box(LINE)).in_directory(self.root);
                assert_eq!(verdict(self.policy, &call, access), Verdict::Allow);
            }
            LINE_BY_HAND => {
                let line = Cursor::new(black_box(LINE));
                let mut parser = Parser::new(line, &ParserOptions::default());
                let _ = black_box(parser.parse_program().unwrap());
            }
            LOOK_UPS => {
                self.run(LINE_BY_HAND);
                // The directory in which the line starts, for the request and for the checker.
                for _ in 0..2 {
                    let _ = black_box(self.root.canonicalize().unwrap());
                }
                // The repository that `git` finds.
                for place in self.root.ancestors() {
                    for name in [".git", "HEAD"] {
                        let _ = black_box(place.join(name).symlink_metadata());
                    }
                }
                // Words that may name a file, or a link to one that a rule denies.
                for word in ["status", "--short", "log", "-n", "5", "test", "--lib"] {
                    let _ = black_box(self.root.join(word).symlink_metadata());
                }
            }
            case => panic!("no such case: {case}"),
        }
    }

    /// Does the case of the command line as often as that says. Returns false if it names none.
    fn looped(&self) -> bool {
        let mut arguments = std::env::args().skip_while(|argument| argument != "--loop");
        let (Some(case), Some(count)) = (arguments.nth(1), arguments.next()) else {
            return false;
        };
        for _ in 0..count.parse().unwrap() {
            self.run(&case);
        }
        true
    }
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
