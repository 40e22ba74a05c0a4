//! A sync body that holds its thread for long is reported once.

use std::time::Duration;

use toolwright::event::{EventKind, MemoryEvents};
use toolwright::{Executor, ToolRegistry, tool};

/// Hold the thread.
#[tool(register = false, pure)]
fn hold() {
    std::thread::sleep(Duration::from_millis(60));
}

/// Hold a thread that may be held.
#[tool(register = false, pure, blocking)]
fn hold_elsewhere() {
    std::thread::sleep(Duration::from_millis(60));
}

#[tokio::test]
async fn a_sync_body_that_holds_its_thread_is_told_of_once_for_each_tool() {
    let memory = MemoryEvents::new(100);
    let registry = ToolRegistry::new().with(Hold).with(HoldElsewhere);
    let executor = Executor::builder(registry)
        .events(memory.clone())
        .build()
        .unwrap();
    for name in ["hold", "hold_elsewhere", "hold"] {
        assert!(
            executor
                .session("s-1")
                .call(toolwright::ToolCall::new(name, ""))
                .await
                .is_success()
        );
    }
    let mut told = Vec::new();
    for event in memory.events() {
        if let EventKind::Diagnostic { code, message, .. } = event.kind() {
            assert!(message.contains("`hold` held its thread") && message.contains("blocking"));
            told.push(code.clone());
        }
    }
    assert_eq!(told, ["held_thread"]);
}
