//! A ticket that was changed on its way, or made up: nothing but the ticket itself runs the call.

#![no_main]

#[path = "../patch.rs"]
mod patch;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, Ticket};
use toolwright::{Executor, PermissionRequest, Session, ToolCall, ToolOutcome, ToolRegistry, tool};

static RAN: AtomicUsize = AtomicUsize::new(0);

/// Deploy a version.
#[tool(permission = PermissionRequest::new("deploy", version.as_str(), format!("Deploy {version}")))]
async fn deploy(version: String, note: Option<String>) -> usize {
    RAN.fetch_add(1, Ordering::Relaxed);
    version.len() + note.map_or(0, |note| note.len())
}

struct Waiting {
    runtime: Runtime,
    executor: Executor,
    session: Session,
    ticket: Arc<Ticket>,
    text: String,
}

static WAITING: LazyLock<Waiting> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .approvals(WaitMode::Suspending)
        .build()
        .expect("one tool makes an executor");
    let session = executor.session("fuzz");
    let call = ToolCall::new("deploy", r#"{"version": "1.4", "note": "on Friday"}"#);
    let ToolOutcome::Suspended(waiting) = runtime.block_on(session.call(call)) else {
        panic!("the call asks");
    };
    let ticket = Arc::clone(waiting.ticket());
    let text = serde_json::to_string(&ticket).expect("a ticket is JSON");
    Waiting {
        runtime,
        executor,
        session,
        ticket,
        text,
    }
});

fuzz_target!(|data: &[u8]| {
    let waiting = &*WAITING;
    let text = match data {
        [b'{', ..] => data.to_vec(),
        _ => patch::patched(waiting.text.as_bytes(), data),
    };
    let Ok(ticket) = serde_json::from_slice::<Ticket>(&text) else {
        return;
    };
    // Members that a ticket does not sign, such as its spelling as JSON, may differ.
    if serde_json::to_string(&ticket).ok().as_deref() == Some(&waiting.text) {
        return;
    }
    let outcome = waiting
        .runtime
        .block_on(waiting.session.resume(&ticket, Answer::yes()));
    assert!(
        outcome.is_err(),
        "a changed ticket was taken: {}",
        String::from_utf8_lossy(&text)
    );
    assert_eq!(RAN.load(Ordering::Relaxed), 0, "the call ran");
    let list = waiting
        .runtime
        .block_on(waiting.executor.tickets().get(waiting.ticket.id()));
    assert!(list.is_ok(), "the ticket itself is still there");
});
