//! Replays of a journal: each declaration of determinism, and a whole run.

mod edges;
mod mixed;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use toolwright::content::ResultSource;
use toolwright::context::FixedClock;
use toolwright::executor::SessionOptions;
use toolwright::spec::{Determinism, Effect};
use toolwright::{Executor, ToolCall, ToolContext, ToolOutcome, ToolOutput, ToolRegistry, tool};
use toolwright_journal::{
    DivergenceKind, Journal, MemoryContents, MemoryLog, Replay, ReplayReport, verify,
};

use crate::support::HandMade;
use mixed::Acts;

fn journal(log: &MemoryLog) -> Journal {
    Journal::open(log.clone()).unwrap().0
}

/// Records one call of a tool, as often as is said, and replays it with another one.
async fn recorded_and_replayed(
    recorded: impl Fn(ToolRegistry) -> ToolRegistry,
    replayed: impl Fn(ToolRegistry) -> ToolRegistry,
    calls: &[(&str, &str)],
) -> (Vec<ToolOutcome>, ReplayReport) {
    let log = MemoryLog::new();
    let tools = recorded(ToolRegistry::new());
    let executor = Executor::builder(tools)
        .permission_checker(toolwright::permission::AllowAll)
        .call_recorder(journal(&log));
    let session = executor.build().unwrap().session("s");
    let mut outcomes = Vec::new();
    for (name, arguments) in calls {
        outcomes.push(session.call(ToolCall::new(*name, *arguments)).await);
    }
    let executor = Executor::new(replayed(ToolRegistry::new())).unwrap();
    let report = Replay::of(&log).unwrap().run(&executor).await;
    (outcomes, report)
}

#[tokio::test(start_paused = true)]
async fn s1_40_a_whole_run_of_mixed_calls_replays_to_the_same_responses_and_run_hash() {
    let (log, acts) = (MemoryLog::new(), Arc::new(Acts::default()));
    let contents = MemoryContents::new();
    let (journal, _) = Journal::builder(log.clone())
        .contents(contents.clone())
        .max_inline_bytes(4_000)
        .open()
        .unwrap();
    let executor = mixed::executor(&acts)
        .call_recorder(journal)
        .build()
        .unwrap();
    let mut outcomes = mixed::run(&executor, 1_000).await;
    outcomes.extend(mixed::suspended(&executor.session("second")).await);
    let verified = verify(&log).unwrap();
    let acted = acts.count();
    assert!(acted > 100, "{acted}");

    let replay = Replay::of(&log).unwrap().contents(contents.clone());
    let report = replay.run(&mixed::bare(&acts)).await;
    assert!(report.is_faithful(), "{report}");
    assert_eq!(report.run_hash(), verified.run_hash);
    assert_eq!(report.recorded_run_hash(), verified.run_hash);
    assert_eq!(acts.count(), acted, "an act was repeated");
    assert!(report.calls > 1_000, "{report}");
    assert!(report.ran_again > 300, "{report}");
    assert!(report.from_record > 300, "{report}");
    // A call waits for somebody for ever.
    assert_eq!(report.unfinished, 1, "{report}");
    let all = report.ran_again + report.from_record + report.unfinished;
    assert_eq!(all, report.calls);

    // The same calls made by hand give the same.
    let sources = by_hand(&replay, &acts, &outcomes).await;
    assert_eq!(acts.count(), acted, "an act was repeated");
    for source in [ResultSource::Tool, ResultSource::Replay] {
        assert!(sources.contains(&source), "{sources:?}");
    }
    assert_eq!(replay.report().divergences, []);
    assert_eq!(replay.report().run_hash(), verified.run_hash);
}

/// Makes the calls of the mixed run once more, and compares.
async fn by_hand(
    replay: &Replay,
    acts: &Arc<Acts>,
    outcomes: &[ToolOutcome],
) -> HashSet<ResultSource> {
    let executor = mixed::bare(acts);
    let options = || SessionOptions::new().call_source(replay.clone());
    let first = executor.session_with("first", options());
    let below = first.sub_session("below");
    let second = executor.session_with("second", options());
    let again = mixed::run_in([first, below, second.clone()], 1_000).await;
    let mut sources = HashSet::new();
    for (outcome, again) in outcomes.iter().zip(&again) {
        let (result, again) = (outcome.result(), again.result());
        assert_eq!(
            result.response_hash(),
            again.response_hash(),
            "{}",
            again.text()
        );
        assert_eq!(result.status(), again.status());
        assert_eq!(
            result.error().map(toolwright::ToolError::code),
            again.error().map(toolwright::ToolError::code)
        );
        assert_eq!(result.tool(), again.tool());
        assert_eq!(result.call_id(), again.call_id());
        if result.truncated().is_none() {
            assert_eq!(result.content(), again.content());
        }
        sources.insert(again.source());
    }
    for (number, outcome) in outcomes[again.len()..].iter().enumerate() {
        let arguments = serde_json::json!({ "place": format!("place {number}") });
        let again = second.call(ToolCall::new("deploy", arguments)).await;
        if outcome.suspension().is_some() {
            let code = again.result().error().map(|error| error.code().to_owned());
            assert_eq!(code.as_deref(), Some("not_finished_in_record"));
        } else {
            assert_eq!(outcome.text(), again.text());
        }
    }
    sources
}

/// Tell the time.
#[tool(pure, register = false)]
fn now() -> String {
    format!("{:?}", SystemTime::now())
}

/// List some names.
#[tool(read_only, determinism = deterministic, register = false)]
fn names() -> String {
    let names: HashSet<u32> = (0..64).collect();
    let names: Vec<String> = names.iter().map(u32::to_string).collect();
    names.join(" ")
}

/// Draw a number.
#[tool(pure, register = false)]
fn draw(ctx: &ToolContext) -> u64 {
    ctx.rng().next_u64()
}

/// Tell the time that the app says it is.
#[tool(pure, register = false)]
fn time(ctx: &ToolContext) -> u64 {
    let since = ctx.clock().now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// Tell the time twice, once by a clock that nobody has given.
#[tool(read_only, determinism = bounded, register = false)]
fn past_the_clock(ctx: &ToolContext) -> String {
    format!("{:?} {:?}", ctx.clock().now(), SystemTime::now())
}

#[tokio::test]
async fn s1_38_a_dishonest_declaration_is_found_and_shown_with_both_values() {
    let log = MemoryLog::new();
    let registry = || {
        ToolRegistry::new()
            .with(Now)
            .with(Names)
            .with(Draw)
            .with(Time)
            .with(PastTheClock)
    };
    // The same clock and the same seed then and now do not help.
    let executor = || {
        Executor::builder(registry())
            .clock(FixedClock::default())
            .seed(1)
    };
    let recording = executor().call_recorder(journal(&log)).build().unwrap();
    let session = recording.session("s");
    let tools = ["now", "names", "draw", "time", "past_the_clock"];
    let mut texts = Vec::new();
    for tool in tools {
        texts.push(session.call(ToolCall::new(tool, "{}")).await.text());
    }
    let replay = Replay::of(&log).unwrap();
    let report = replay.run(&executor().build().unwrap()).await;
    assert_eq!(report.divergences.len(), tools.len(), "{report}");
    assert!(!report.is_faithful());
    assert_ne!(report.run_hash(), report.recorded_run_hash());
    let shown = report.to_string();
    for ((divergence, tool), text) in report.divergences.iter().zip(tools).zip(texts) {
        assert_eq!(divergence.tool, tool);
        let DivergenceKind::Output {
            recorded,
            replayed,
            bounded,
            ..
        } = &divergence.kind
        else {
            panic!("{divergence}");
        };
        assert_eq!(*recorded, format!("success: {text}"));
        assert!(replayed.starts_with("success: "));
        assert_ne!(recorded, replayed);
        assert_eq!(*bounded, tool == "past_the_clock");
        assert!(shown.contains(&divergence.to_string()));
    }
}

#[tokio::test]
async fn a_divergence_reads_well() {
    let answer = |text: &'static str| {
        move |registry: ToolRegistry| {
            registry.with(HandMade::new("greet").run(move |_, _| Ok(ToolOutput::text(text))))
        }
    };
    let (_, report) = recorded_and_replayed(
        answer("good\nday"),
        answer("good\nnight"),
        &[("greet", "{}")],
    )
    .await;
    let recorded = report.recorded_run_hash();
    let replayed = report.run_hash();
    assert_eq!(
        report.to_string(),
        format!(
            "1 call: 1 ran again, 0 answered from the record; 1 divergence\n\
             run hash, recorded: {recorded}\n\
             run hash, replayed: {replayed}\n\
             \n\
             1. `greet` in session `s`, record 2: ran again and gave something else. It declares itself \
             deterministic, and so depends on nothing but its arguments: no time, chance, order of a hash \
             map, or file\n  \
             recorded: success: good⏎day\n  \
             replayed: success: good⏎night"
        )
    );
}

#[tokio::test]
async fn s1_06_a_pure_tool_runs_again_in_a_replay() {
    let runs = Arc::new(AtomicU64::new(0));
    let tool = |registry: ToolRegistry| {
        let runs = Arc::clone(&runs);
        registry.with(HandMade::new("count").run(move |_, arguments| {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput::text(arguments.to_string()))
        }))
    };
    let (_, report) = recorded_and_replayed(tool, tool, &[("count", r#"{"a": 1}"#)]).await;
    assert!(report.is_faithful(), "{report}");
    assert_eq!((report.ran_again, report.from_record), (1, 0));
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn s1_07_a_tool_with_an_effect_is_never_run_in_a_replay() {
    for effect in [Effect::Idempotent, Effect::AtMostOnce] {
        let runs = Arc::new(AtomicU64::new(0));
        let tool = |registry: ToolRegistry| {
            let runs = Arc::clone(&runs);
            let tool = HandMade::new("act").spec(|spec| {
                let spec = spec.with_effect(effect);
                spec.with_determinism(Determinism::Deterministic)
            });
            registry.with(tool.run(move |_, _| {
                let count = runs.fetch_add(1, Ordering::SeqCst);
                Ok(ToolOutput::text(count.to_string()))
            }))
        };
        let (_, report) = recorded_and_replayed(tool, tool, &[("act", "{}"), ("act", "{}")]).await;
        assert!(report.is_faithful(), "{report}");
        assert_eq!((report.ran_again, report.from_record), (0, 2));
        assert_eq!(runs.load(Ordering::SeqCst), 2);
    }
}

#[tokio::test]
async fn s1_08_a_deterministic_tool_runs_again_and_the_hashes_agree() {
    let tool = |registry: ToolRegistry| {
        let tool = HandMade::new("sum").spec(|spec| {
            let spec = spec.with_effect(Effect::ReadOnly);
            spec.with_determinism(Determinism::Deterministic)
        });
        registry.with(tool.run(|_, arguments| {
            let sum = arguments["a"].as_f64().zip(arguments["b"].as_f64());
            Ok(ToolOutput::text(
                sum.map_or(0.0, |(a, b)| a + b).to_string(),
            ))
        }))
    };
    let calls = [("sum", r#"{"b": 1, "a": 2.0}"#)];
    let (outcomes, report) = recorded_and_replayed(tool, tool, &calls).await;
    assert!(report.is_faithful(), "{report}");
    assert_eq!(report.ran_again, 1);
    assert!(outcomes[0].result().response_hash().is_some());
}

/// Draw two ids and the time.
#[tool(read_only, determinism = bounded, register = false)]
async fn letter_head(ctx: &ToolContext) -> String {
    let before = ctx.clock().now();
    tokio::task::yield_now().await;
    format!(
        "{} {} {before:?} {:?}",
        ctx.new_id(),
        ctx.new_id(),
        ctx.clock().now()
    )
}

#[tokio::test]
async fn s1_09_a_bounded_tool_gets_the_time_and_the_chance_that_it_had() {
    let tool = |registry: ToolRegistry| registry.with(LetterHead);
    let calls = [("letter_head", "{}"), ("letter_head", "{}")];
    let (outcomes, report) = recorded_and_replayed(tool, tool, &calls).await;
    assert_ne!(outcomes[0].text(), outcomes[1].text());
    assert!(report.is_faithful(), "{report}");
    assert_eq!(report.ran_again, 2);
}

#[tokio::test]
async fn s1_10_a_non_deterministic_tool_gives_what_it_gave_and_does_not_run() {
    let log = MemoryLog::new();
    let acts = Arc::new(Acts::default());
    let recording = mixed::executor(&acts)
        .call_recorder(journal(&log))
        .build()
        .unwrap();
    let session = recording.session("s");
    let call = || ToolCall::new("look_up", "");
    let texts = [
        session.call(call()).await.text(),
        session.call(call()).await.text(),
    ];
    assert_eq!(texts, ["1", "2"]);

    let none = Arc::new(Acts::default());
    let options = SessionOptions::new().call_source(Replay::of(&log).unwrap());
    let session = mixed::bare(&none).session_with("s", options);
    for text in texts {
        let again = session.call(call()).await;
        assert_eq!(again.text(), text);
        assert_eq!(again.result().source(), ResultSource::Replay);
    }
    assert_eq!(none.count(), 0);
}
