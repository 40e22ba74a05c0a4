//! The answers of programs, and their effect on the call.

use std::error::Error;
use std::time::Duration;

use toolwright::content::{ErrorKind, ResultSource};
use toolwright::registry::Selector;
use toolwright::{ToolCall, ToolOutcome};
use toolwright_command_hooks::CommandHook;

use super::{after, before, lines, sh};

const CALL: &str = r#"{"text": "milk"}"#;

/// The causes of a call's error, for the operator.
fn causes(outcome: &ToolOutcome) -> String {
    let mut causes = Vec::new();
    let mut next: Option<&dyn Error> = outcome.result().error().and_then(Error::source);
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes.join(": ")
}

#[tokio::test]
async fn s3_41_exit_code_2_blocks_the_call_and_its_stderr_reaches_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("check.sh");
    std::fs::write(
        &script,
        "case $(cat) in *whisky*) echo 'no spirits,\nsays the doctor.' >&2; exit 2;; esac\n",
    )
    .unwrap();
    let executor = before(CommandHook::new("sh").arg(script));
    let outcome = executor.call("notes.write", CALL).await;
    assert_eq!(outcome.text(), "wrote 3 times: milk");
    let outcome = executor.call("notes.write", r#"{"text": "whisky"}"#).await;
    let result = outcome.result();
    let error = result.error().unwrap();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Denied, "vetoed"));
    assert_eq!(result.source(), ResultSource::Executor);
    assert_eq!(
        result.text(),
        "`notes.write` was stopped before it ran: no spirits,\nsays the doctor. Do not repeat the \
         call as it is"
    );
}

#[tokio::test]
async fn s3_42_a_hook_after_a_call_that_succeeded_sees_its_arguments_and_what_it_gave() {
    let dir = tempfile::tempdir().unwrap();
    let seen = dir.path().join("seen");
    let linter = "cat >> \"$SEEN\"; echo 'line 1: say which milk' >&2; exit 2";
    let linter = || sh(linter).env("SEEN", &seen);

    let executor = after(linter().keep_result());
    let outcome = executor.call("notes.write", CALL).await;
    assert!(outcome.result().is_success());
    assert_eq!(
        outcome.text(),
        "wrote 3 times: milk\nA check after this call says: line 1: say which milk"
    );
    let said = std::fs::read_to_string(&seen).unwrap();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["tool_input"]["text"], "milk");
    assert_eq!(
        said["tool_response"]["content"][0]["text"],
        "wrote 3 times: milk"
    );

    // It runs after success alone, unless it is to see every result.
    let outcome = executor.call("notes.read", "{}").await;
    assert_eq!(
        (outcome.text().as_str(), lines(&seen)),
        ("there is no note", 1)
    );
    let executor = after(linter().keep_result().every_result());
    let outcome = executor.call("notes.read", "{}").await;
    assert!(outcome.result().is_error());
    assert_eq!(lines(&seen), 2);

    // Without `keep_result` what it says takes the place of the result.
    let outcome = after(linter()).call("notes.write", CALL).await;
    assert_eq!(outcome.result().error().unwrap().code(), "vetoed");
    assert_eq!(
        outcome.text(),
        "what `notes.write` gave was held back by a check after it: line 1: say which milk"
    );
}

#[tokio::test]
async fn s3_43_within_the_lifetime_of_an_answer_the_program_does_not_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let line = "echo >> \"$RUNS\"; echo no >&2; grep -q milk && exit 2; exit 0";
    let executor = before(sh(line).env("RUNS", &runs).cache(Duration::from_secs(60)));
    let ask = async |arguments: &'static str| {
        let outcome = executor.call("notes.write", arguments).await;
        (outcome.result().is_success(), lines(&runs))
    };
    assert_eq!(ask(CALL).await, (false, 1));
    // The program has ended; a clock that runs ahead would be its timeout.
    tokio::time::pause();
    assert_eq!(ask(CALL).await, (false, 1));
    // Equal arguments, however they are written.
    assert_eq!(ask(r#"{"copies": 3, "text": "milk"}"#).await, (false, 1));
    tokio::time::advance(Duration::from_secs(59)).await;
    assert_eq!(ask(CALL).await, (false, 1));
    tokio::time::advance(Duration::from_secs(1)).await;
    tokio::time::resume();
    assert_eq!(ask(CALL).await, (false, 2));
    // Others are asked about by themselves, and so is another session.
    assert_eq!(ask(r#"{"text": "tea"}"#).await, (true, 3));
    assert_eq!(ask(r#"{"text": "tea"}"#).await, (true, 3));
    let call = ToolCall::new("notes.write", CALL);
    executor.session("other").call(call).await;
    assert_eq!(lines(&runs), 4);
}

#[tokio::test]
async fn that_a_program_failed_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let line = "echo >> \"$RUNS\"; exit 1";
    let executor = before(sh(line).env("RUNS", &runs).cache(Duration::from_secs(60)));
    for run in 1..3 {
        assert!(executor.call("notes.write", CALL).await.result().is_error());
        assert_eq!(lines(&runs), run);
    }
}

#[tokio::test]
async fn whatever_is_no_clear_answer_keeps_the_call_from_running() {
    let table = [
        (
            sh("echo 'token t0p' >&2; exit 1"),
            "exit status: 1, which is neither 0 (go on) nor 2 (no); its standard error: token t0p",
        ),
        (sh("exit 127"), "exit status: 127"),
        (sh("kill -9 $$"), "signal: 9"),
        (sh("exit 2"), "exit code 2, and no reason"),
        (
            sh("printf ' \\n' >&2; exit 2"),
            "exit code 2, and no reason",
        ),
        (sh("printf 'a\\377' >&2; exit 2"), "what is not UTF-8"),
        (
            CommandHook::new("/there/is/no/program"),
            "cannot be started: No such file",
        ),
        (
            sh("exit 0").directory("/there/is/no/directory"),
            "cannot be started: No such file",
        ),
    ];
    for (hook, cause) in table {
        let outcome = before(hook.named("the check"))
            .call("notes.write", CALL)
            .await;
        let error = outcome.result().error().unwrap();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Internal, "hook_failed")
        );
        assert_eq!(
            outcome.text(),
            "`notes.write` was not run, because a check of the app failed: this is a fault of the \
             app, not of the call"
        );
        let causes = causes(&outcome);
        assert!(
            causes.starts_with("the command hook `the check`: "),
            "{causes}"
        );
        assert!(causes.contains(cause), "{causes}");
    }
    let outcome = after(sh("exit 1")).call("notes.write", CALL).await;
    assert_eq!(
        outcome.text(),
        "what `notes.write` gave was held back, because a check of the app failed: this is a fault of \
         the app, not of the call"
    );
}

#[tokio::test]
async fn of_standard_error_a_bounded_and_harmless_text_is_read() {
    let line = "printf 'red \\033[31m\\342\\200\\256\\r\\n\\tnext' >&2; exit 2";
    let text = before(sh(line)).call("notes.write", CALL).await.text();
    assert!(
        text.contains(": red \\u{1b}[31m\\u{202e}\n\tnext. Do not"),
        "{text:?}"
    );
    // More than a pipe holds, so that it has to be read to the end.
    let line = "yes ü | tr -d '\\n' | head -c 300001 >&2; exit 2";
    let text = before(sh(line)).call("notes.write", CALL).await.text();
    let shown = text.matches('ü').count();
    assert_eq!(shown * 2, 8 * 1024);
    assert!(
        text.contains(" [291809 bytes more]"),
        "{}",
        &text[text.len() - 100..]
    );
}

#[tokio::test]
async fn a_program_runs_for_the_tools_of_its_patterns() {
    let no = || sh("echo no >&2; exit 2");
    for (patterns, stopped) in [
        (&["*"][..], true),
        (&["notes.*"], true),
        (&["note"], true),
        (&["notes_write"], true),
        (&["notes.*", "!notes.write"], false),
        (&["notes.read"], false),
        (&["@notes"], false),
        (&[], false),
    ] {
        let hook = no().tools(Selector::new(patterns).unwrap());
        let outcome = before(hook).call("notes.write", CALL).await;
        assert_eq!(outcome.result().is_error(), stopped, "{patterns:?}");
    }
    let server = toolwright::ToolRegistry::new().with_server("diary", super::tools());
    for (pattern, stopped) in [
        ("@diary", true),
        ("@diary/notes.w*", true),
        ("@other", false),
    ] {
        let hook = no().tools(Selector::new([pattern]).unwrap());
        let executor = toolwright::Executor::builder(server.clone()).before(hook);
        let outcome = executor
            .build()
            .unwrap()
            .call("diary.notes.write", CALL)
            .await;
        assert_eq!(outcome.result().is_error(), stopped, "{pattern}");
    }
}
