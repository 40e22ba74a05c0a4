//! Replays of what is not as it was.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::*;
use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::permission::AllowAll;
use toolwright::ticket::{Answer, TicketErrorKind};
use toolwright::{PermissionRequest, ToolError, async_trait};
use toolwright_journal::{ContentStore, JournalKey};

async fn replay_of(log: &MemoryLog, tools: ToolRegistry) -> ReplayReport {
    let executor = Executor::new(tools).unwrap();
    Replay::of(log).unwrap().run(&executor).await
}

async fn record(tools: ToolRegistry, calls: &[(&str, &str)]) -> MemoryLog {
    let log = MemoryLog::new();
    let executor = Executor::builder(tools).permission_checker(AllowAll);
    let executor = executor.call_recorder(journal(&log)).build().unwrap();
    let session = executor.session("s");
    for (name, arguments) in calls {
        session.call(ToolCall::new(*name, *arguments)).await;
    }
    log
}

fn greet(version: &'static str, text: &'static str) -> HandMade {
    let tool = HandMade::new("greet").spec(|spec| spec.with_version(version));
    tool.run(move |_, _| Ok(ToolOutput::text(text)))
}

#[tokio::test]
async fn a_tool_that_is_gone_or_has_another_version_is_told_and_answered_from_the_record() {
    let log = record(
        ToolRegistry::new().with(greet("1.0.0", "hello")),
        &[("greet", "{}")],
    )
    .await;
    let gone = replay_of(&log, ToolRegistry::new()).await;
    let newer = replay_of(&log, ToolRegistry::new().with(greet("2.0.0", "hi"))).await;
    assert!(matches!(gone.divergences[0].kind, DivergenceKind::NoTool));
    assert_eq!(
        newer.divergences[0].to_string(),
        "`greet@1.0.0` in session `s`, record 2: the tool has the version 2.0.0, and the version 1.0.0 is \
         recorded; the record has answered"
    );
    for report in [&gone, &newer] {
        assert_eq!((report.ran_again, report.from_record), (0, 1), "{report}");
        assert_eq!(report.divergences.len(), 1, "{report}");
    }
    // Beside the newer one, the one of then is the one that runs.
    let both = ToolRegistry::new()
        .with(greet("1.0.0", "hello"))
        .with(greet("2.0.0", "hi"));
    let report = replay_of(&log, both).await;
    assert!(report.is_faithful(), "{report}");
    assert_eq!(report.ran_again, 1);

    let options = SessionOptions::new().call_source(Replay::of(&log).unwrap());
    let executor = Executor::new(ToolRegistry::new()).unwrap();
    let session = executor.session_with("s", options);
    assert_eq!(
        session.call(ToolCall::new("greet", "{}")).await.text(),
        "hello"
    );
}

#[tokio::test]
async fn a_tool_that_declares_something_else_does_not_run() {
    let runs = Arc::new(AtomicU64::new(0));
    let of = |effect| {
        let runs = Arc::clone(&runs);
        let tool = HandMade::new("act").spec(|spec| spec.with_effect(effect));
        ToolRegistry::new().with(tool.run(move |_, _| {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput::text("done"))
        }))
    };
    let log = record(of(Effect::Pure), &[("act", "{}")]).await;
    let report = replay_of(&log, of(Effect::AtMostOnce)).await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    let kind = &report.divergences[0].kind;
    assert!(
        matches!(kind, DivergenceKind::Declaration { .. }),
        "{report}"
    );
    let shown = "recorded: pure, deterministic\n  replayed: at_most_once, non_deterministic";
    assert!(report.to_string().contains(shown), "{report}");
}

#[tokio::test]
async fn what_is_not_in_the_record_does_not_run_and_what_is_left_of_it_is_told() {
    let runs = Arc::new(AtomicU64::new(0));
    let tools = || {
        let runs = Arc::clone(&runs);
        ToolRegistry::new().with(HandMade::new("act").run(move |_, _| {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput::text("done"))
        }))
    };
    let calls = [("act", r#"{"a": 1}"#), ("act", r#"{"a": 2}"#)];
    let log = record(tools(), &calls).await;
    let replay = Replay::of(&log).unwrap();
    let executor = Executor::new(tools()).unwrap();
    let open = |id: &str| {
        let options = SessionOptions::new().call_source(replay.clone());
        executor.session_with(id, options)
    };
    let session = open("s");
    let known = session.call(ToolCall::new("act", r#"{"a": 1}"#)).await;
    assert_eq!(known.text(), "done");
    let ran = runs.load(Ordering::SeqCst);
    // Once more, with other arguments, in another session, another tool.
    for (session, name, arguments) in [
        (&session, "act", r#"{"a": 1}"#),
        (&session, "act", r#"{"a": 3}"#),
        (&open("t"), "act", r#"{"a": 2}"#),
        (&session, "no_act", r#"{"a": 2}"#),
    ] {
        let outcome = session.call(ToolCall::new(name, arguments)).await;
        let error = outcome.result().error().unwrap();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Unavailable, "not_recorded")
        );
    }
    assert_eq!(runs.load(Ordering::SeqCst), ran);
    let report = replay.report();
    let kinds: Vec<&DivergenceKind> = report.divergences.iter().map(|its| &its.kind).collect();
    assert!(matches!(kinds[0], DivergenceKind::NotMade), "{report}");
    assert_eq!(kinds.len(), 5, "{report}");
    for kind in &kinds[1..] {
        assert!(
            matches!(kind, DivergenceKind::NotRecorded { .. }),
            "{report}"
        );
    }
    assert!(!report.is_faithful());
    assert_ne!(report.run_hash(), report.recorded_run_hash());
}

#[tokio::test]
async fn equal_calls_are_answered_one_after_another() {
    let count = Arc::new(AtomicU64::new(0));
    let tool = || {
        let count = Arc::clone(&count);
        let tool = HandMade::new("next").spec(|spec| spec.with_effect(Effect::AtMostOnce));
        ToolRegistry::new().with(tool.run(move |_, _| {
            let count = count.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput::text(count.to_string()))
        }))
    };
    let log = record(tool(), &[("next", "{}"); 5]).await;
    let options = SessionOptions::new().call_source(Replay::of(&log).unwrap());
    let executor = Executor::new(tool()).unwrap();
    let session = executor.session_with("s", options);
    let batch = (0..5).map(|_| ToolCall::new("next", "{}"));
    let outcomes = session.turn().call_all(batch).await;
    let texts: Vec<String> = outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(texts, ["0", "1", "2", "3", "4"]);
    assert_eq!(count.load(Ordering::SeqCst), 5);
}

/// A store that loses or changes what it has.
struct Unreliable(Option<Vec<u8>>);

#[async_trait]
impl ContentStore for Unreliable {
    async fn put(
        &self,
        _: toolwright::content::ContentHash,
        _: &[u8],
    ) -> Result<(), toolwright::ticket::StoreError> {
        Ok(())
    }

    async fn get(
        &self,
        _: toolwright::content::ContentHash,
    ) -> Result<Option<Vec<u8>>, toolwright::ticket::StoreError> {
        Ok(self.0.clone())
    }
}

#[tokio::test]
async fn a_large_output_that_is_missing_or_changed_is_a_clear_error() {
    let tool = || {
        let tool = HandMade::new("page").spec(|spec| spec.with_effect(Effect::AtMostOnce));
        ToolRegistry::new().with(tool.run(|_, _| Ok(ToolOutput::text("x".repeat(10_000)))))
    };
    let log = MemoryLog::new();
    let contents = MemoryContents::new();
    let (journal, _) = Journal::builder(log.clone())
        .contents(contents.clone())
        .max_inline_bytes(100)
        .open()
        .unwrap();
    let executor = Executor::builder(tool())
        .permission_checker(AllowAll)
        .call_recorder(journal);
    let session = executor.build().unwrap().session("s");
    session.call(ToolCall::new("page", "{}")).await;

    let executor = Executor::new(tool()).unwrap();
    let whole = Replay::of(&log).unwrap().contents(contents);
    assert!(whole.run(&executor).await.is_faithful());
    for (replay, why) in [
        (Replay::of(&log).unwrap(), "is not there"),
        (
            Replay::of(&log).unwrap().contents(Unreliable(None)),
            "is not there",
        ),
        (
            Replay::of(&log)
                .unwrap()
                .contents(Unreliable(Some(b"{}".to_vec()))),
            "is something else",
        ),
    ] {
        let report = replay.run(&executor).await;
        let DivergenceKind::Unreadable { why: told, .. } = &report.divergences[0].kind else {
            panic!("{report}");
        };
        assert!(told.contains(why), "{told}");
        assert!(!report.is_faithful());
        let session = executor.session_with("s", SessionOptions::new().call_source(replay));
        let outcome = session.call(ToolCall::new("page", "{}")).await;
        assert_eq!(
            outcome.result().error().unwrap().code(),
            "record_unreadable"
        );
    }
}

/// A switch that changes the tools' behaviour.
#[derive(Default)]
struct Changed(AtomicBool);

/// Read the clock.
#[tool(read_only, determinism = bounded, register = false)]
fn read_clock(ctx: &ToolContext, changed: &Arc<Changed>) -> &'static str {
    let count = if changed.0.load(Ordering::SeqCst) {
        5
    } else {
        2
    };
    for _ in 0..count {
        ctx.clock().now();
    }
    "read"
}

/// Panic, now.
#[tool(pure, register = false)]
fn panic_now(changed: &Arc<Changed>) -> &'static str {
    assert!(!changed.0.load(Ordering::SeqCst), "now");
    "calm"
}

/// Take for ever, now.
#[tool(pure, timeout = "1s", register = false)]
async fn hang_now(changed: &Arc<Changed>) -> &'static str {
    if changed.0.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    "quick"
}

#[tokio::test(start_paused = true)]
async fn what_reads_the_clock_more_often_panics_or_hangs_only_now_is_a_divergence() {
    let changed = Arc::new(Changed::default());
    let executor = || {
        let tools = ToolRegistry::new()
            .with(ReadClock)
            .with(PanicNow)
            .with(HangNow);
        Executor::builder(tools).resource(Arc::clone(&changed))
    };
    let log = MemoryLog::new();
    let recording = executor().call_recorder(journal(&log)).build().unwrap();
    let session = recording.session("s");
    for tool in ["read_clock", "panic_now", "hang_now"] {
        session.call(ToolCall::new(tool, "{}")).await;
    }
    let replay = Replay::of(&log).unwrap();
    assert!(replay.run(&executor().build().unwrap()).await.is_faithful());
    changed.0.store(true, Ordering::SeqCst);
    let report = replay.run(&executor().build().unwrap()).await;
    assert_eq!(report.divergences.len(), 3, "{report}");
    let shown: Vec<String> = report.divergences.iter().map(ToString::to_string).collect();
    assert!(
        shown[0].contains("read the clock 5 times, and 2 times when"),
        "{report}"
    );
    assert!(
        shown[1].contains("recorded: success: calm\n  replayed: error panicked"),
        "{report}"
    );
    assert!(
        shown[2].contains("recorded: success: quick\n  replayed: error timed_out"),
        "{report}"
    );
}

/// Sign in.
#[tool(read_only, register = false)]
fn sign_in(#[arg(secret)] password: String, count: &Arc<AtomicU64>) -> String {
    let count = count.fetch_add(1, Ordering::SeqCst);
    format!("visitor {count} with {} letters", password.len())
}

#[tokio::test]
async fn calls_with_secrets_are_told_apart_by_the_journals_key() {
    let count = Arc::new(AtomicU64::new(0));
    let executor =
        || Executor::builder(ToolRegistry::new().with(SignIn)).resource(Arc::clone(&count));
    let log = MemoryLog::new();
    let key = || JournalKey::from_bytes([9; 32]);
    let (journal, _) = Journal::builder(log.clone()).key(key()).open().unwrap();
    let session = executor()
        .call_recorder(journal)
        .build()
        .unwrap()
        .session("s");
    let call = |password: &str| {
        let arguments = serde_json::json!({ "password": password });
        ToolCall::new("sign_in", arguments)
    };
    for password in ["one", "three"] {
        session.call(call(password)).await;
    }
    let by_key = Replay::of(&log).unwrap().key(key());
    let without = Replay::of(&log).unwrap();
    for (replay, expected) in [
        (by_key, "visitor 1 with 5 letters"),
        (without, "visitor 0 with 3 letters"),
    ] {
        let options = SessionOptions::new().call_source(replay.clone());
        let session = executor().build().unwrap().session_with("s", options);
        assert_eq!(session.call(call("three")).await.text(), expected);
        assert!(replay.run(&executor().build().unwrap()).await.is_faithful());
    }
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

/// Open a door.
#[tool(read_only, determinism = deterministic, register = false)]
async fn open_door(name: String, ctx: &ToolContext) -> Result<String, ToolError> {
    let request = PermissionRequest::new("door.open", &name, format!("Open {name}"));
    ctx.check(request).await?;
    Ok(format!("{name} is open"))
}

#[tokio::test]
async fn a_call_that_waited_is_answered_at_once_and_resumes_nothing() {
    let log = MemoryLog::new();
    let executor = || {
        Executor::builder(ToolRegistry::new().with(OpenDoor))
            .permission_checker(crate::support::judge(
                |_| toolwright::permission::Verdict::Allow,
                |_, _| toolwright::permission::Verdict::ask("it is a door"),
            ))
            .approvals(WaitMode::Suspending)
    };
    let recording = executor().call_recorder(journal(&log)).build().unwrap();
    let session = recording.session("s");
    let call = || ToolCall::new("open_door", r#"{"name": "gate"}"#);
    let ToolOutcome::Suspended(suspension) = session.call(call()).await else {
        panic!("somebody has to be asked");
    };
    let ticket = suspension.ticket();
    let outcome = session.resume(ticket, Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "gate is open");

    let replaying = executor().build().unwrap();
    let replay = Replay::of(&log).unwrap();
    let options = SessionOptions::new().call_source(replay.clone());
    let session = replaying.session_with("s", options);
    assert_eq!(session.call(call()).await.text(), "gate is open");
    let error = session.resume(ticket, Answer::yes()).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Unavailable);
    assert!(replay.report().is_faithful(), "{}", replay.report());
    assert!(replay.run(&replaying).await.is_faithful());
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_not_run_and_is_no_divergence() {
    let runs = Arc::new(AtomicU64::new(0));
    let tools = || {
        let runs = Arc::clone(&runs);
        let tool = HandMade::new("act").spec(|spec| spec.with_effect(Effect::AtMostOnce));
        ToolRegistry::new().with(tool.run(move |_, _| {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput::text("done"))
        }))
    };
    let log = MemoryLog::new();
    let executor = Executor::builder(tools())
        .permission_checker(crate::support::judge(
            |_| toolwright::permission::Verdict::ask("it acts"),
            |_, _| toolwright::permission::Verdict::Allow,
        ))
        .approvals(WaitMode::Suspending)
        .call_recorder(journal(&log));
    let session = executor.build().unwrap().session("s");
    let outcome = session.call(ToolCall::new("act", "{}")).await;
    assert!(outcome.suspension().is_some());
    let report = replay_of(&log, tools()).await;
    assert_eq!(
        (report.unfinished, report.divergences.len()),
        (1, 0),
        "{report}"
    );
    assert_eq!(report.run_hash(), verify(&log).unwrap().run_hash);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}
