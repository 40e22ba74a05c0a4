//! The input of programs.

use serde_json::{Value, json};
use toolwright::event::{EventKind, MemoryEvents};
use toolwright::{Executor, ToolCall};
use toolwright_command_hooks::CommandHook;

use super::{after, before, sh, tools};

/// The input of a hook for a call.
async fn told(is_before: bool, name: &str, arguments: &str) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("told");
    let hook = sh("cat > \"$TOLD\"").env("TOLD", &file).every_result();
    let executor = if is_before { before(hook) } else { after(hook) };
    let call = ToolCall::new(name, arguments.to_owned()).with_id("call-1");
    let outcome = executor.session("s-1").call(call).await;
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        (text.matches('\n').count(), text.ends_with('\n')),
        (1, true)
    );
    let mut told: Value = serde_json::from_str(&text).unwrap();
    let id = told["invocation_id"].take();
    assert_eq!(id, outcome.result().invocation_id().to_string());
    told
}

#[tokio::test]
async fn a_program_reads_the_canonical_call_as_one_line_of_json() {
    let told = told(true, "notes_write", r#"{"pin": "0815", "text": "milk"}"#).await;
    let expected = json!({
        "hook_event_name": "PreToolUse",
        "session_id": "s-1",
        "turn_id": 1,
        "invocation_id": null,
        "call_id": "call-1",
        "tool_name": "notes.write",
        "tool_input": {"copies": 3, "pin": {"$secret": true}, "text": "milk"},
    });
    assert_eq!(told, expected);
}

#[tokio::test]
async fn after_a_call_it_reads_how_it_ended() {
    let ok = told(false, "notes.write", r#"{"text": "milk"}"#).await;
    assert_eq!(ok["hook_event_name"], "PostToolUse");
    let expected = json!({
        "status": "success",
        "source": "tool",
        "content": [{"type": "text", "text": "wrote 3 times: milk"}],
    });
    assert_eq!(ok["tool_response"], expected);
    let failed = told(false, "notes.read", "{}").await;
    let response = &failed["tool_response"];
    assert_eq!(response["status"], "error");
    assert_eq!(response["content"][0]["text"], "there is no note");
    assert_eq!(response["error"]["kind"], "failed");
}

#[tokio::test]
async fn it_need_not_read_it() {
    // More than a pipe holds.
    let text = "x".repeat(900_000);
    let arguments = json!({ "text": text }).to_string();
    for line in ["exit 0", "exec <&-; exit 0", "exec <&-; sleep 0.05"] {
        let outcome = before(sh(line))
            .call("notes.write", arguments.clone())
            .await;
        assert!(outcome.result().is_success(), "{line}: {}", outcome.text());
    }
    let outcome = before(sh("exec <&-; echo no >&2; exit 2"))
        .call("notes.write", arguments.clone())
        .await;
    assert_eq!(outcome.result().error().unwrap().code(), "vetoed");
}

#[tokio::test]
async fn it_has_the_environment_of_the_host_unless_that_is_kept_from_it() {
    // A variable that shells do not set themselves.
    let (name, own) = ["HOME", "CARGO_MANIFEST_DIR", "USER", "LANG"]
        .into_iter()
        .find_map(|name| Some((name, std::env::var(name).ok().filter(|is| !is.is_empty())?)))
        .unwrap();
    let line = format!("echo \"${{{name}:-nothing}} ${{MORE:-nothing}}\" >&2; exit 2");
    let inherits = before(sh(&line).env("MORE", "more"));
    let text = inherits.call("notes.write", r#"{"text": ""}"#).await.text();
    assert!(text.contains(&format!("{own} more")), "{text}");
    let shell = CommandHook::new("/bin/sh").args(["-c", line.as_str()]);
    let cleared = before(shell.env_clear().env("MORE", "more"));
    let text = cleared.call("notes.write", r#"{"text": ""}"#).await.text();
    assert!(text.contains("nothing more"), "{text}");
}

#[tokio::test]
async fn it_runs_in_its_directory() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("reason"), "as it stands in the file").unwrap();
    let hook = sh("cat reason >&2; exit 2").directory(dir.path());
    let text = before(hook)
        .call("notes.write", r#"{"text": ""}"#)
        .await
        .text();
    assert!(text.contains("as it stands in the file"), "{text}");
}

/// The runs of a program leave the events of any hook, under the name that the app gave.
#[tokio::test]
async fn s3_57_each_run_of_a_program_is_told_by_events() {
    let events = MemoryEvents::new(100);
    let executor = Executor::builder(tools())
        .before(sh("exit 0").named("looks"))
        .after(sh("exit 3").named("breaks"))
        .events(events.clone())
        .build()
        .unwrap();
    let call = ToolCall::new("notes.write", r#"{"text": "milk"}"#);
    executor.session("s-1").call(call).await;
    let mut runs = Vec::new();
    for event in events.events() {
        match event.kind() {
            EventKind::HookStarted { hook, stage, .. } => {
                runs.push(format!("{hook} {stage:?} began"));
            }
            EventKind::HookFinished { hook, error, .. } => {
                runs.push(format!("{hook} ended with {error:?}"));
            }
            _ => {}
        }
    }
    // A hook looks at the calls of a message together, which a program leaves at that, and then at each.
    let expected = [
        "looks Before began",
        "looks ended with None",
        "looks Before began",
        "looks ended with None",
        "breaks After began",
        "breaks ended with Some(Internal)",
    ];
    assert_eq!(runs, expected);
}
