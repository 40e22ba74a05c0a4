//! Random batches, disturbed at random moments: whatever happens, each call has exactly one outcome, in
//! its place, and nothing is left of it. `TOOLWRIGHT_CASES` sets how many batches.

mod tools;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use toolwright::content::ToolStatus;
use toolwright::executor::{Limits, WaitMode};
use toolwright::ticket::{Answer, TicketBroker, TicketFilter};
use toolwright::{Executor, Session, ToolCall, ToolError, ToolOutcome, Turn};

use tools::{Asks, KINDS, Kind, Log, READERS, registry};

fn cases() -> u64 {
    let set = std::env::var("TOOLWRIGHT_CASES").ok();
    set.map_or(150, |set| {
        set.parse().expect("TOOLWRIGHT_CASES is a number")
    })
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).expect("it is below a usize")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The disturbance of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Disturbance {
    Nothing,
    CancelCall,
    CancelTurn,
    CancelSession,
    Drop,
}

const DISTURBANCES: [Disturbance; 6] = [
    Disturbance::Nothing,
    Disturbance::Nothing,
    Disturbance::CancelCall,
    Disturbance::CancelTurn,
    Disturbance::CancelSession,
    Disturbance::Drop,
];

/// The way in which the calls are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    CallAll,
    StreamAll,
    /// Each is spawned separately: they keep no order.
    Spawn,
}

const WAYS: [Way; 4] = [Way::CallAll, Way::CallAll, Way::StreamAll, Way::Spawn];

impl Way {
    async fn run(self, turn: &Turn, calls: Vec<ToolCall<'static>>) -> Vec<ToolOutcome> {
        match self {
            Self::CallAll => turn.call_all(calls).await,
            Self::StreamAll => {
                let mut found: Vec<Option<ToolOutcome>> = calls.iter().map(|_| None).collect();
                let mut outcomes = turn.stream_all(calls);
                while let Some((at, outcome)) = outcomes.next().await {
                    assert!(found[at].replace(outcome).is_none(), "two outcomes of {at}");
                }
                found.into_iter().flatten().collect()
            }
            Self::Spawn => {
                let handles: Vec<_> = calls.into_iter().map(|call| turn.spawn(call)).collect();
                let mut outcomes = Vec::new();
                for handle in handles {
                    let mut watch = handle.watch();
                    outcomes.push(handle.join().await);
                    let mut seen = None;
                    while let Some(status) = watch.next().await {
                        assert!(seen.replace(status) != Some(status), "{status} twice");
                    }
                }
                outcomes
            }
        }
    }
}

/// Comes to an end only where the batch is to be dropped.
async fn disturb(how: Disturbance, after: Duration, which: usize, turn: &Turn) {
    sleep(after).await;
    match how {
        Disturbance::Nothing => {}
        Disturbance::CancelCall => {
            let running = turn.session().running();
            if !running.is_empty() {
                let one = &running[which % running.len()];
                turn.session().cancel_call(one.invocation_id());
            }
        }
        Disturbance::CancelTurn => turn.cancel(),
        Disturbance::CancelSession => turn.session().cancel(),
        Disturbance::Drop => return,
    }
    std::future::pending::<()>().await;
}

/// Answers what is asked, now yes, now no.
async fn answer(broker: &TicketBroker, session: &Session, mut count: usize) {
    let of_session = TicketFilter::session(session.id().clone());
    loop {
        for waiting in broker.list(&of_session).await.unwrap() {
            count += 1;
            let said = if count.is_multiple_of(3) {
                Answer::no()
            } else {
                Answer::yes()
            };
            // It may have been cancelled meanwhile.
            let _ = broker.answer(waiting.ticket().id(), said).await;
        }
        sleep(Duration::from_millis(1)).await;
    }
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            sleep(Duration::from_micros(200)).await;
        }
    };
    let waited = timeout(Duration::from_secs(30), waiting).await;
    assert!(waited.is_ok(), "{what}");
}

fn mix_of(outcome: &ToolOutcome) -> String {
    match (outcome.result().status(), outcome.error()) {
        (ToolStatus::Success, _) => "success".to_owned(),
        (_, error) => error.map_or_else(String::new, |error: &ToolError| error.kind().to_string()),
    }
}

#[derive(Default)]
struct Mix {
    outcomes: BTreeMap<String, usize>,
    of_kinds: BTreeMap<(Kind, String), usize>,
    disturbances: BTreeMap<Disturbance, usize>,
    ways: BTreeMap<Way, usize>,
    lost: usize,
}

struct House {
    executor: Executor,
    log: Arc<Log>,
}

impl House {
    /// With a limit for a tool each call goes the full way; without, it goes the plain one.
    fn new(mode: WaitMode, limited: bool) -> Self {
        let log = Arc::new(Log::default());
        let mut builder = Executor::builder(registry())
            .resource(Arc::clone(&log))
            .permission_checker(Asks)
            .approvals(mode);
        if limited {
            builder = builder.limits(Limits::new().max_concurrent_of("narrow", 1));
        }
        Self {
            executor: builder.build().unwrap(),
            log,
        }
    }

    async fn one(&self, number: u64, mix: &mut Mix) {
        let mut random = Random(number);
        self.log.clear();
        let mut options = toolwright::executor::SessionOptions::new();
        if random.below(4) == 0 {
            options = options.max_concurrent(1 + random.below(2));
        }
        let session = self.executor.session_with(format!("s-{number}"), options);
        let turn = session.turn();
        // Without effects no member waits for another.
        let of: &[Kind] = match random.below(3) {
            0 => &READERS,
            _ => &KINDS,
        };
        let kinds: Vec<Kind> = (0..=random.below(8)).map(|_| random.one(of)).collect();
        let calls = kinds.iter().enumerate();
        let calls: Vec<ToolCall<'static>> = calls.map(|(at, kind)| kind.call(at)).collect();
        let how = random.one(&DISTURBANCES);
        let after = Duration::from_micros(random.below(6_000) as u64);
        let way = random.one(&WAYS);
        let outcomes = {
            let batch = way.run(&turn, calls);
            let which = random.below(8);
            tokio::select! {
                biased;
                outcomes = batch => Some(outcomes),
                () = disturb(how, after, which, &turn) => None,
                () = answer(self.executor.tickets(), &session, random.below(3)) => None,
                () = sleep(Duration::from_secs(30)) => panic!("batch {number} hangs: {kinds:?}"),
            }
        };
        *mix.disturbances.entry(how).or_default() += 1;
        *mix.ways.entry(way).or_default() += 1;
        match outcomes {
            None => {
                mix.lost += kinds.len();
                if way == Way::Spawn {
                    // They run on without their handles.
                    for running in session.running() {
                        session.cancel_call(running.invocation_id());
                    }
                }
            }
            Some(outcomes) => {
                assert_eq!(outcomes.len(), kinds.len());
                for (at, (kind, outcome)) in kinds.iter().zip(&outcomes).enumerate() {
                    let id = outcome.result().call_id().unwrap();
                    assert_eq!(id.as_str(), format!("{at} {kind:?}"));
                    let what = match outcome {
                        ToolOutcome::Suspended(_) => "suspended".to_owned(),
                        outcome => mix_of(outcome),
                    };
                    *mix.outcomes.entry(what.clone()).or_default() += 1;
                    *mix.of_kinds.entry((*kind, what)).or_default() += 1;
                }
                assert!(session.running().is_empty());
            }
        }
        until("no call is listed", || session.running().is_empty()).await;
        until("no body is left", || self.log.is_over()).await;
        for pid in self.log.children() {
            let there = std::path::Path::new("/proc").join(pid.to_string());
            assert!(!there.exists(), "child {pid} of batch {number} is left");
        }
        if way != Way::Spawn {
            self.log.assert_order(&kinds, number);
        }
        session.end().await.unwrap();
    }
}

async fn batches(mode: WaitMode, first: u64, count: u64) -> Mix {
    // Panics of tools are part of it.
    let houses = [House::new(mode, false), House::new(mode, true)];
    let mut mix = Mix::default();
    for number in first..first + count {
        houses[usize::from(number % 2 == 1)]
            .one(number, &mut mix)
            .await;
    }
    // Tasks that keep time end some time after the last call.
    let metrics = Handle::current().metrics();
    until("no task is left", || metrics.num_alive_tasks() == 0).await;
    println!(
        "{mode:?}: {:?}, {:?}, without outcome {}",
        mix.ways, mix.disturbances, mix.lost
    );
    for (what, count) in &mix.outcomes {
        println!("  {what}: {count}");
    }
    mix
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_batch_ends_with_one_outcome_a_call_and_leaves_nothing() {
    let count = cases();
    let blocking = batches(WaitMode::Blocking, 0, count - count / 4).await;
    let suspending = batches(WaitMode::Suspending, count, count / 4).await;
    let reached = |what: &str| {
        let of = |mix: &Mix| mix.outcomes.get(what).copied().unwrap_or_default();
        of(&blocking) + of(&suspending)
    };
    let kinds = [
        "success",
        "failed",
        "panicked",
        "denied",
        "cancelled",
        "timed out",
        "not found",
        "invalid arguments",
        "suspended",
    ];
    for what in kinds {
        assert!(reached(what) > 0, "no call ended {what}");
    }
    for how in DISTURBANCES {
        assert!(blocking.disturbances.contains_key(&how), "{how:?}");
    }
    for way in WAYS {
        assert!(blocking.ways.contains_key(&way), "{way:?}");
    }
    for kind in KINDS {
        let mut ended = blocking.of_kinds.keys();
        assert!(ended.any(|(ended, _)| *ended == kind), "{kind:?}");
    }
    assert!(blocking.lost > 0);
}
