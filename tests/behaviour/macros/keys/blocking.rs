//! `blocking`: a body that blocks its thread stops nobody else.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::{AllowAll, Verdict};
use toolwright::{
    Executor, PermissionRequest, Tool, ToolCall, ToolContext, ToolRegistry, tool, toolset,
};

use super::{allowing, kind};
use crate::support::{judge, ready_now};

/// Sleep on the thread.
#[tool(register = false, read_only, blocking)]
fn doze(milliseconds: u64) -> String {
    std::thread::sleep(Duration::from_millis(milliseconds));
    format!("{:?}", std::thread::current().id())
}

#[tokio::test(flavor = "current_thread")]
async fn the_heart_goes_on_beating_while_a_body_blocks() {
    let executor = allowing(ToolRegistry::new().with(Doze));
    let beats = Arc::new(AtomicUsize::new(0));
    let heart = tokio::spawn({
        let beats = Arc::clone(&beats);
        async move {
            loop {
                tokio::time::sleep(Duration::from_millis(5)).await;
                beats.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let begun = std::time::Instant::now();
    let calls = [(); 3].map(|()| executor.call("doze", r#"{"milliseconds": 200}"#));
    let [first, second, third] = calls;
    let (first, second, third) = tokio::join!(first, second, third);
    heart.abort();
    let here = format!("{:?}", std::thread::current().id());
    let threads = [first.text(), second.text(), third.text()];
    assert!(!threads.contains(&here));
    assert!(threads[0] != threads[1] && threads[1] != threads[2]);
    assert!(
        begun.elapsed() < Duration::from_millis(590),
        "they run at once"
    );
    assert!(beats.load(Ordering::Relaxed) >= 10);
}

/// The gate that a body waits at, and the marks that it leaves.
struct Gate {
    begun: Mutex<Sender<()>>,
    opened: Mutex<Receiver<()>>,
    left: AtomicBool,
}

fn gate() -> (Arc<Gate>, Receiver<()>, Sender<()>) {
    let ((begun, has_begun), (open, opened)) = (channel(), channel());
    let gate = Gate {
        begun: Mutex::new(begun),
        opened: Mutex::new(opened),
        left: AtomicBool::new(false),
    };
    (Arc::new(gate), has_begun, open)
}

fn pass(gate: &Gate) -> &'static str {
    gate.begun.lock().unwrap().send(()).unwrap();
    let _ = gate.opened.lock().unwrap().recv();
    gate.left.store(true, Ordering::SeqCst);
    "passed"
}

/// Wait at a gate.
#[tool(register = false, blocking, timeout = "30ms")]
fn wait_shortly(gate: &Gate) -> &'static str {
    pass(gate)
}

/// Wait at a gate for ever.
#[tool(register = false, read_only, blocking)]
fn wait_long(gate: &Gate) -> &'static str {
    pass(gate)
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_timeout_ends_the_wait_and_not_the_body() {
    let (gate, has_begun, open) = gate();
    let builder = Executor::builder(ToolRegistry::new().with(WaitShortly));
    let builder = builder.resource_arc(Arc::clone(&gate));
    let executor = builder.permission_checker(AllowAll).build().unwrap();
    let late = executor.call("wait_shortly", "").await;
    assert_eq!(kind(&late), Some(ErrorKind::TimedOut));
    assert!(late.text().contains("effect is unknown"), "{}", late.text());
    has_begun.recv().unwrap();
    assert!(!gate.left.load(Ordering::SeqCst));
    open.send(()).unwrap();
    until(|| gate.left.load(Ordering::SeqCst)).await;
}

#[tokio::test]
async fn a_cancelled_turn_ends_the_wait() {
    let (gate, has_begun, open) = gate();
    let builder = Executor::builder(ToolRegistry::new().with(WaitLong));
    let executor = builder.resource_arc(Arc::clone(&gate)).build().unwrap();
    let turn = executor.session("s").turn();
    let (outcome, ()) = tokio::join!(turn.call(ToolCall::new("wait_long", "")), async {
        until(|| has_begun.try_recv().is_ok()).await;
        turn.cancel();
    });
    assert_eq!(kind(&outcome), Some(ErrorKind::Cancelled));
    let late = turn.call(ToolCall::new("wait_long", "")).await;
    assert_eq!(late.text(), "the call was cancelled before it began");
    assert!(has_begun.try_recv().is_err());
    drop(open);
}

#[test]
fn a_body_that_has_no_thread_when_its_call_ends_never_begins() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    let (gate, has_begun, open) = gate();
    let registry = ToolRegistry::new().with(WaitLong).with(WaitShortly);
    let builder = Executor::builder(registry).resource_arc(gate);
    let executor = builder.permission_checker(AllowAll).build().unwrap();
    runtime.block_on(async {
        let first = tokio::spawn({
            let executor = executor.clone();
            async move { executor.call("wait_long", "").await }
        });
        until(|| has_begun.try_recv().is_ok()).await;
        let late = executor.call("wait_shortly", "").await;
        assert_eq!(kind(&late), Some(ErrorKind::TimedOut));
        open.send(()).unwrap();
        assert_eq!(first.await.unwrap().text(), "passed");
    });
    drop(open);
    drop(runtime);
    assert!(has_begun.try_recv().is_err(), "the second body never began");
}

/// Panic in one way or another.
#[tool(register = false, read_only, blocking)]
fn blow_up(how: u8) -> u8 {
    match how {
        0 => panic!("over {}", "there"),
        1 => std::panic::panic_any(7_u8),
        2 => std::panic::resume_unwind(Box::new("quietly")),
        _ => how,
    }
}

#[tokio::test]
async fn a_panic_on_another_thread_is_told_as_a_panic() {
    let executor = allowing(ToolRegistry::new().with(BlowUp));
    for (how, source) in [
        (0, "over there"),
        (1, "a panic without a message"),
        (2, "quietly"),
    ] {
        let outcome = executor
            .call("blow_up", format!("{{\"how\": {how}}}"))
            .await;
        assert_eq!(kind(&outcome), Some(ErrorKind::Panicked));
        assert_eq!(
            outcome.text(),
            "the tool panicked: this is a fault of the tool, not of the call"
        );
        assert_eq!(outcome.result().source(), ResultSource::Executor);
        let error = outcome.error().unwrap();
        assert_eq!(
            std::error::Error::source(error).unwrap().to_string(),
            source
        );
    }
    assert_eq!(executor.call("blow_up", r#"{"how": 3}"#).await.text(), "3");
}

#[test]
fn without_a_runtime_the_call_is_an_error_for_the_host() {
    let executor = allowing(ToolRegistry::new().with(BlowUp));
    let outcome = ready_now(executor.call("blow_up", r#"{"how": 3}"#));
    assert_eq!(kind(&outcome), Some(ErrorKind::Internal));
    assert!(!outcome.text().contains("Tokio"), "{}", outcome.text());
    let source = std::error::Error::source(outcome.error().unwrap()).unwrap();
    assert!(source.to_string().contains("Tokio"));
}

struct Library {
    books: Mutex<Vec<String>>,
}

struct Owner(&'static str);

#[toolset(prefix = "library")]
impl Library {
    /// Add a book.
    #[tool(idempotent, blocking, timeout = "5s", permission = self.ask(title, owner))]
    fn add(&self, title: String, ctx: &ToolContext, owner: &Owner) -> Result<String, String> {
        std::thread::sleep(Duration::from_millis(1));
        let mut books = self.books.lock().unwrap();
        if title.is_empty() {
            return Err("a book has a title".to_owned());
        }
        books.push(title);
        Ok(format!(
            "{} of {} in {} turn {} call {} as {}",
            books.len(),
            owner.0,
            ctx.session_id(),
            ctx.turn_id(),
            ctx.call_id().unwrap(),
            ctx.tool_name(),
        ))
    }

    fn ask(&self, title: &str, owner: &Owner) -> PermissionRequest {
        let books = self.books.lock().unwrap().len();
        let summary = format!("{books} {title} {}", owner.0);
        PermissionRequest::new("library.add", title.to_owned(), summary)
    }
}

#[tokio::test]
async fn permission_resources_and_ids_are_those_of_the_call() {
    let checker = judge(
        |_| Verdict::Allow,
        |_, request| match request.summary() {
            "0 Emma Ada" | "1  Ada" => Verdict::Allow,
            other => Verdict::deny(other.to_owned()),
        },
    );
    let set = Library {
        books: Mutex::default(),
    };
    let builder = Executor::builder(ToolRegistry::new().with_set(set)).resource(Owner("Ada"));
    let executor = builder.permission_checker(checker).build().unwrap();
    let turn = executor.session("s-1").turn();
    let call = |title: &str| {
        let arguments = serde_json::json!({"title": title});
        ToolCall::new("library.add", arguments).with_id("c-1")
    };
    let added = turn.call(call("Emma")).await;
    let turn_id = turn.id();
    assert_eq!(
        added.text(),
        format!("1 of Ada in s-1 turn {turn_id} call c-1 as library.add")
    );
    assert_eq!(added.result().call_id().unwrap().as_str(), "c-1");
    assert_eq!(turn.call(call("")).await.text(), "a book has a title");
    let denied = turn.call(call("Dune")).await;
    assert_eq!(kind(&denied), Some(ErrorKind::Denied));
    assert!(denied.text().contains("1 Dune Ada"), "{}", denied.text());
    let spec_timeout = executor
        .tools()
        .get("library.add")
        .unwrap()
        .spec()
        .timeout();
    assert_eq!(spec_timeout, Some(Duration::from_secs(5)));
    assert_eq!(Doze.spec().timeout(), None);
}
