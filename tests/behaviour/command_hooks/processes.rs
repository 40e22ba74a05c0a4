//! The end of a program: nothing of it is left.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use toolwright::executor::Limits;

use toolwright::content::ErrorKind;
use toolwright::{Executor, ToolCall, ToolOutcome};

use super::{before, sh, tools};

/// A shell and a child of it that both run for ever, and write who they are.
const ENDLESS: &str = "sleep 1000 & echo $$ $! > \"$IDS.part\"; mv \"$IDS.part\" \"$IDS\"; wait";

/// The numbers that a program has written.
fn ids(path: &Path) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(path).ok()?;
    let ids: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    assert_eq!(ids.len(), 2, "{text}");
    Some(ids)
}

/// Waits until a file is there.
async fn written(path: &Path) -> Vec<String> {
    loop {
        if let Some(ids) = ids(path) {
            return ids;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Waits until none of these runs. What has ended may wait for its parent to look.
async fn gone(ids: &[String]) {
    for id in ids {
        loop {
            let shown = Command::new("ps").args(["-o", "stat=", "-p", id]).output();
            let state = String::from_utf8(shown.unwrap().stdout).unwrap();
            if state.trim().is_empty() || state.starts_with('Z') {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Calls a tool, and lets the clock run ahead by so many seconds once its hook is running.
async fn called(executor: &Executor, file: &Path, seconds: u64) -> (ToolOutcome, Vec<String>) {
    let ahead = async {
        let ids = written(file).await;
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(seconds)).await;
        tokio::time::resume();
        ids
    };
    tokio::join!(executor.call("notes.write", r#"{"text": ""}"#), ahead)
}

#[tokio::test]
async fn a_program_that_takes_too_long_is_killed_with_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ids");
    let hook = sh(ENDLESS)
        .env("IDS", &file)
        .timeout(Duration::from_secs(40));
    let (outcome, ids) = called(&before(hook), &file, 40).await;
    let error = outcome.result().error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::TimedOut, "hook_timed_out")
    );
    assert_eq!(
        outcome.text(),
        "`notes.write` was not run, because a check of the app took longer than 40s: this is a fault \
         of the app, not of the call"
    );
    gone(&ids).await;
}

#[tokio::test]
async fn so_is_one_whose_call_is_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ids");
    let session = before(sh(ENDLESS).env("IDS", &file)).session("s-1");
    let call = session.call(ToolCall::new("notes.write", r#"{"text": ""}"#));
    let cancel = async {
        let ids = written(&file).await;
        session.cancel();
        ids
    };
    let (outcome, ids) = tokio::join!(call, cancel);
    let error = outcome.result().error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    gone(&ids).await;
}

#[tokio::test]
async fn so_is_one_for_which_the_executor_does_not_wait() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ids");
    let executor = Executor::builder(tools())
        .before(sh(ENDLESS).env("IDS", &file))
        .limits(Limits::new().hook_timeout(Duration::from_secs(20)))
        .build()
        .unwrap();
    let (outcome, ids) = called(&executor, &file, 20).await;
    assert_eq!(outcome.result().error().unwrap().code(), "hook_timed_out");
    gone(&ids).await;
}

#[tokio::test]
async fn what_a_program_leaves_behind_is_killed_when_it_ends() {
    let dir = tempfile::tempdir().unwrap();
    for (number, end) in ["exit 0", "echo no >&2; exit 2", "exit 1"]
        .into_iter()
        .enumerate()
    {
        let file = dir.path().join(number.to_string());
        let line = format!("sleep 1000 & echo $$ $! > \"$IDS\"; {end}");
        let outcome = before(sh(&line).env("IDS", &file))
            .call("notes.write", r#"{"text": ""}"#)
            .await;
        assert_eq!(
            outcome.result().is_success(),
            number == 0,
            "{}",
            outcome.text()
        );
        gone(&ids(&file).unwrap()).await;
    }
}
