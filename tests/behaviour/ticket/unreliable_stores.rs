//! Stores that hang, fail and panic take no call with them.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde_json::json;
use tokio::time::{Instant, timeout};
use toolwright::executor::{Approvals, Limits, WaitMode};
use toolwright::id::{GrantId, InvocationId, SessionId, TicketId};
use toolwright::results::{MemoryResults, ResultPart, ResultStore};
use toolwright::ticket::{
    Answer, CloseReason, MemoryTickets, SealedAnswer, SealedGrant, StoreError, StoredTicket,
    TicketErrorKind, TicketEvent, TicketFilter, TicketRecord, TicketStore, WriteOutcome,
};
use toolwright::{Executor, ToolCall, ToolOutcome, ToolRegistry, async_trait, tool};

use crate::waiting_support::{Asks, deployment};

/// Deployments, by their place.
#[derive(Default)]
struct Deployed(Mutex<BTreeMap<String, u32>>);

/// Deploy to a place.
#[tool(register = false, permission = deployment(place))]
async fn deploy(place: String, deployed: &Arc<Deployed>) -> String {
    *deployed.0.lock().unwrap().entry(place.clone()).or_default() += 1;
    format!("deployed to {place}")
}

/// Double a number.
#[tool(register = false, pure)]
async fn double(n: u64) -> u64 {
    n * 2
}

/// Say much.
#[tool(register = false, read_only)]
async fn say_much() -> String {
    "much ".repeat(1_000)
}

/// The behaviour of a store in one operation.
#[derive(Clone, Copy)]
enum Fate {
    Well,
    Fails,
    Hangs,
    Panics,
    /// It is done, and nobody hears of it.
    HangsAfter,
    PanicsAfter,
}

/// Fates by a seed.
struct Fates {
    state: AtomicU64,
    is_calm: AtomicBool,
    operations: AtomicU64,
}

impl Fates {
    fn new(seed: u64) -> Self {
        Self {
            state: AtomicU64::new(seed),
            is_calm: AtomicBool::new(false),
            operations: AtomicU64::new(0),
        }
    }

    fn next(&self) -> Fate {
        self.operations.fetch_add(1, Ordering::SeqCst);
        if self.is_calm.load(Ordering::SeqCst) {
            return Fate::Well;
        }
        // SplitMix64.
        let mut z = self
            .state
            .fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::SeqCst);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        match (z ^ (z >> 31)) % 40 {
            0 => Fate::Fails,
            1 => Fate::Hangs,
            2 => Fate::Panics,
            3 => Fate::HangsAfter,
            4 => Fate::PanicsAfter,
            _ => Fate::Well,
        }
    }

    async fn run<T>(
        &self,
        operation: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        match self.next() {
            Fate::Well => operation.await,
            Fate::Fails => Err(StoreError::new("the disk is full")),
            Fate::Hangs => pending().await,
            Fate::Panics => panic!("the disk is gone"),
            Fate::HangsAfter => {
                drop(operation.await);
                pending().await
            }
            Fate::PanicsAfter => {
                drop(operation.await);
                panic!("the disk is gone, and has it")
            }
        }
    }
}

struct Unreliable<S> {
    store: S,
    fates: Arc<Fates>,
}

#[async_trait]
impl TicketStore for Unreliable<MemoryTickets> {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.fates.run(self.store.put(ticket)).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        self.fates.run(self.store.get(id)).await
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        self.fates.run(self.store.answer(id, request, answer)).await
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.fates.run(self.store.close(id, how)).await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        self.fates.run(self.store.list(filter)).await
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        self.fates.run(self.store.changed(id, answers)).await
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        self.fates.run(self.store.put_grant(grant)).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        self.fates.run(self.store.grants(session)).await
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        self.fates.run(self.store.remove_grant(session, id)).await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.fates.run(self.store.forget_session(session)).await
    }
}

#[async_trait]
impl ResultStore for Unreliable<MemoryResults> {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        self.fates.run(self.store.put(session, call, text)).await
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        self.fates
            .run(self.store.read(session, call, offset, length))
            .await
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.fates.run(self.store.end_session(session)).await
    }
}

struct House {
    executor: Executor,
    deployed: Arc<Deployed>,
    fates: Arc<Fates>,
    tickets: MemoryTickets,
}

/// The time in which a ticket can be answered.
const LIFETIME: Duration = Duration::from_secs(600);

/// No call takes longer: the ticket's time, and a few operations of ten seconds.
const BOUND: Duration = Duration::from_secs(900);

impl House {
    fn new(mode: WaitMode, seed: u64) -> Self {
        let (deployed, fates) = (Arc::new(Deployed::default()), Arc::new(Fates::new(seed)));
        let tickets = MemoryTickets::new();
        let registry = ToolRegistry::new().with(Deploy).with(Double).with(SayMuch);
        let executor = Executor::builder(registry)
            .resource(Arc::clone(&deployed))
            .permission_checker(Asks)
            .approvals(Approvals::new().waiting(mode).ticket_lifetime(LIFETIME))
            .limits(Limits::new().max_output_bytes(100))
            .approvals(Approvals::new().ticket_store(Unreliable {
                store: tickets.clone(),
                fates: Arc::clone(&fates),
            }))
            .result_store(Unreliable {
                store: MemoryResults::new(),
                fates: Arc::clone(&fates),
            })
            .build()
            .unwrap();
        Self {
            executor,
            deployed,
            fates,
            tickets,
        }
    }

    fn times(&self, place: &str) -> u32 {
        let deployed = self.deployed.0.lock().unwrap();
        deployed.get(place).copied().unwrap_or_default()
    }

    async fn call(&self, session: u32, tool: &str, arguments: serde_json::Value) -> ToolOutcome {
        let session = self.executor.session(format!("s-{session}"));
        timeout(BOUND, session.call(ToolCall::new(tool, arguments)))
            .await
            .expect("the call ends in time")
    }

    async fn deploy(&self, number: u32) -> ToolOutcome {
        let place = number.to_string();
        let outcome = self
            .call(number % 50, "deploy", json!({"place": place}))
            .await;
        let ran = self.times(&place);
        // The outcome tells what happened.
        assert_eq!(ran, u32::from(outcome.is_success()), "{outcome:?}");
        outcome
    }

    /// Pure calls wait for nothing and ask no store, whatever it does.
    async fn double(&self, number: u32) {
        let begun = Instant::now();
        let outcome = self.call(number % 50, "double", json!({"n": number})).await;
        assert_eq!(outcome.text(), (u64::from(number) * 2).to_string());
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }

    async fn say_much(&self, number: u32) {
        let outcome = self.call(number % 50, "say_much", json!({})).await;
        // The tool is allowed, but it is not pure: reading the grants may fail.
        match outcome.error() {
            None => assert!(outcome.text().contains("of 5000 bytes are shown")),
            Some(error) => assert_eq!(error.code(), "tickets_unavailable"),
        }
    }
}

/// Somebody who answers whatever is asked, as often as it takes.
fn answers(executor: &Executor) -> tokio::task::JoinHandle<()> {
    let tickets = executor.tickets().clone();
    let mut events = tickets.subscribe();
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            let TicketEvent::Opened(opened) = event else {
                continue;
            };
            for ticket in opened {
                let tickets = tickets.clone();
                tokio::spawn(async move {
                    for _ in 0..10 {
                        match tickets.answer(ticket.id(), Answer::yes()).await {
                            Err(error) if error.kind() == TicketErrorKind::Store => {}
                            _ => return,
                        }
                    }
                });
            }
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_on_stores_that_hang_fail_and_panic() {
    let house = Arc::new(House::new(WaitMode::Blocking, 17));
    let host = answers(&house.executor);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1_000 {
        let house = Arc::clone(&house);
        calls.spawn(async move {
            match number % 4 {
                0 => house.double(number).await,
                1 => house.say_much(number).await,
                _ => return house.deploy(number).await.is_success(),
            }
            true
        });
    }
    let mut succeeded = 0;
    let mut ended = 0;
    while let Some(call) = calls.join_next().await {
        succeeded += u32::from(call.expect("no call panics"));
        ended += 1;
    }
    assert_eq!(ended, 1_000);
    // Some faults hit, and most calls do what they are to do all the same.
    assert!((500..1_000).contains(&succeeded), "{succeeded}");
    host.abort();
    // A ticket that nobody waits for is closed once the store is calm, so that nothing can be run by it.
    house.fates.is_calm.store(true, Ordering::SeqCst);
    tokio::time::sleep(LIFETIME).await;
    let open = house
        .executor
        .tickets()
        .list(&TicketFilter::all())
        .await
        .unwrap();
    assert!(open.is_empty(), "{open:?}");
}

#[tokio::test(start_paused = true)]
async fn resumed_calls_run_once_at_most_whatever_the_store_does() {
    let house = House::new(WaitMode::Suspending, 4);
    let mut ran = 0;
    for number in 0..300_u32 {
        let place = number.to_string();
        let session = house.executor.session(format!("s-{}", number % 20));
        let call = ToolCall::new("deploy", json!({"place": place}));
        let outcome = timeout(BOUND, session.call(call)).await.unwrap();
        let ToolOutcome::Suspended(waits) = outcome else {
            assert_eq!(outcome.error().unwrap().code(), "tickets_unavailable");
            assert_eq!(house.times(&place), 0);
            continue;
        };
        let mut succeeded = 0;
        let mut is_answered = false;
        for _ in 0..8 {
            let resumed = if is_answered {
                timeout(
                    BOUND,
                    session.resume(waits.ticket(), toolwright::ticket::Answers::none()),
                )
                .await
            } else {
                timeout(BOUND, session.resume(waits.ticket(), Answer::yes())).await
            };
            match resumed.unwrap() {
                Ok(outcome) if outcome.is_success() => succeeded += 1,
                Err(error) if error.kind() == TicketErrorKind::AlreadyAnswered => {
                    is_answered = true;
                }
                Ok(_) | Err(_) => {}
            }
        }
        assert!(succeeded <= 1, "{number}");
        assert_eq!(house.times(&place), succeeded, "{number}");
        ran += succeeded;
    }
    assert!(ran > 100, "{ran}");
}

#[tokio::test(start_paused = true)]
async fn a_pure_call_asks_no_store() {
    for mode in [
        WaitMode::Unattended,
        WaitMode::Blocking,
        WaitMode::Suspending,
    ] {
        let house = House::new(mode, 1);
        for number in 0..100 {
            house.double(number).await;
        }
        assert_eq!(house.fates.operations.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_ticket_that_is_put_late_is_closed() {
    /// Puts what it is given when nobody waits for that any more.
    struct Late(MemoryTickets);

    #[async_trait]
    impl TicketStore for Late {
        async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
            let (store, ticket) = (self.0.clone(), ticket.clone());
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(60)).await;
                store.put(&ticket).await
            });
            pending().await
        }

        async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
            self.0.get(id).await
        }

        async fn answer(
            &self,
            id: TicketId,
            request: usize,
            answer: &SealedAnswer,
        ) -> Result<WriteOutcome, StoreError> {
            self.0.answer(id, request, answer).await
        }

        async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
            self.0.close(id, how).await
        }

        async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
            self.0.list(filter).await
        }

        async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
            self.0.changed(id, answers).await
        }

        async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
            self.0.put_grant(grant).await
        }

        async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
            self.0.grants(session).await
        }

        async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
            self.0.remove_grant(session, id).await
        }

        async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
            self.0.forget_session(session).await
        }
    }

    let tickets = MemoryTickets::new();
    let deployed = Arc::new(Deployed::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(deployed)
        .permission_checker(Asks)
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_store(Late(tickets.clone())),
        )
        .build()
        .unwrap();
    let begun = Instant::now();
    let outcome = executor.call("deploy", r#"{"place": "Mars"}"#).await;
    assert_eq!(outcome.error().unwrap().code(), "tickets_unavailable");
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
    tokio::time::sleep(Duration::from_secs(120)).await;
    let there = tickets.list(&TicketFilter::all()).await.unwrap();
    assert_eq!(there.len(), 1);
    assert!(there[0].stored.ticket().expires_at() > SystemTime::now());
    // Nobody who looks finds it.
    assert!(
        executor
            .tickets()
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    assert!(tickets.list(&TicketFilter::all()).await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_does_not_wait_for_the_store() {
    let house = House::new(WaitMode::Suspending, 1);
    let session = house.executor.session("s-1");
    let turn = session.turn();
    let mut cancelled = 0;
    for _ in 0..200 {
        let spawned = turn.spawn(ToolCall::new("deploy", r#"{"place": "Mars"}"#));
        tokio::time::sleep(Duration::from_millis(1)).await;
        spawned.cancel();
        let begun = Instant::now();
        let outcome = spawned.join().await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
        let code = outcome.error().map(|error| error.code().to_owned());
        cancelled += u32::from(code.as_deref() == Some("cancelled"));
    }
    assert!(cancelled > 5, "{cancelled}");
    let _ = &house.tickets;
}
