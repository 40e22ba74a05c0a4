//! The cost of the stores beside the same statements without them, in the same run.
//!
//! `cargo bench -p toolwright-sqlite`
#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

use std::cell::Cell;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use criterion::{Criterion, criterion_group, criterion_main};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use toolwright::content::ContentHash;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::permission::AllowAll;
use toolwright::ticket::{
    Answer, MemoryTickets, StoredTicket, TicketFilter, TicketRecord, TicketStore as _,
};
use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};
use toolwright_journal::{Durability, Journal, JournalLog, LogError, LogLine, LogLines};
use toolwright_sqlite::{SqliteLog, SqliteStore, SqliteTickets};

/// The open tickets of the benchmark of pages.
const WAITING: u64 = 100_000;

/// The turns of a comparison.
const TURNS: usize = 500;

/// Deploy a version.
#[tool(register = false, permission = PermissionRequest::new("deploy", version.as_str(), "deploy"))]
fn deploy(version: String) -> String {
    version
}

/// A ticket with an answer, to make others of.
struct Sample {
    record: TicketRecord,
    json: Value,
    count: Cell<u64>,
}

fn runtime() -> Runtime {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(1).enable_all().build().unwrap()
}

fn sample(runtime: &Runtime) -> Sample {
    let store = MemoryTickets::new();
    let approvals = Approvals::new()
        .waiting(WaitMode::Suspending)
        .ticket_store(store.clone());
    let tools = ToolRegistry::new().with(Deploy);
    let executor = Executor::builder(tools)
        .approvals(approvals)
        .build()
        .unwrap();
    let call = ToolCall::new("deploy", r#"{"version": "1.4"}"#);
    let record = runtime.block_on(async {
        let outcome = executor.session("s").call(call).await;
        let id = outcome.suspension().unwrap().id();
        executor.tickets().answer(id, Answer::yes()).await.unwrap();
        store.get(id).await.unwrap().unwrap()
    });
    Sample {
        json: serde_json::to_value(&record.stored).unwrap(),
        record,
        count: Cell::new(0),
    }
}

impl Sample {
    /// A new ticket.
    fn ticket(&self) -> StoredTicket {
        let number = self.count.replace(self.count.get() + 1);
        let mut ticket = self.json.clone();
        let claims = &mut ticket["ticket"]["claims"];
        // As random as the ids of tickets are.
        let id = u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        claims["id"] = json!(format!("{id:032x}"));
        claims["session"] = json!(format!("s-{}", number % 1_000));
        claims["created"] = json!(claims["created"].as_u64().unwrap() + number);
        serde_json::from_value(ticket).unwrap()
    }
}

/// A connection of the same settings as those of a store, on tables that a store has made.
fn bare(path: &Path) -> Connection {
    drop(SqliteStore::open(path).unwrap());
    let connection = Connection::open(path).unwrap();
    connection
        .pragma_update(None, "synchronous", "FULL")
        .unwrap();
    connection
        .pragma_update(None, "foreign_keys", true)
        .unwrap();
    connection
}

fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

fn bare_put(connection: &Connection, stored: &StoredTicket) {
    let ticket = stored.ticket();
    let transaction =
        Transaction::new_unchecked(connection, TransactionBehavior::Immediate).unwrap();
    let put = "INSERT INTO tickets (id, session, turn, created, expires, requests, stored)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
    let sweep = "DELETE FROM tickets WHERE rowid IN
        (SELECT rowid FROM tickets WHERE expires < ?1 AND replica IS NULL LIMIT 64)";
    transaction
        .prepare_cached(put)
        .unwrap()
        .execute(params![
            ticket.id().to_string(),
            ticket.session().as_str(),
            1,
            millis(ticket.created_at()),
            millis(ticket.expires_at()),
            1,
            serde_json::to_string(stored).unwrap()
        ])
        .unwrap();
    transaction
        .prepare_cached(sweep)
        .unwrap()
        .execute([0])
        .unwrap();
    transaction.commit().unwrap();
}

fn bare_answer(connection: &Connection, id: &str, answer: &str) {
    let transaction =
        Transaction::new_unchecked(connection, TransactionBehavior::Immediate).unwrap();
    let select = "SELECT closed, requests FROM tickets WHERE id = ?1";
    let requests: i64 = transaction
        .prepare_cached(select)
        .unwrap()
        .query_row([id], |row| row.get(1))
        .unwrap();
    let insert =
        "INSERT INTO answers (ticket, request, answer) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let inserted =
        transaction
            .prepare_cached(insert)
            .unwrap()
            .execute(params![id, requests - 1, answer]);
    assert_eq!(inserted.unwrap(), 1);
    transaction
        .prepare_cached("UPDATE tickets SET answered = answered + 1 WHERE id = ?1")
        .unwrap()
        .execute([id])
        .unwrap();
    transaction.commit().unwrap();
}

/// Times an action on something that is made anew for each, without the making.
fn time<T>(iterations: u64, make: impl Fn() -> T, mut action: impl FnMut(T)) -> Duration {
    let mut spent = Duration::ZERO;
    for _ in 0..iterations {
        let subject = make();
        let begun = Instant::now();
        action(subject);
        spent += begun.elapsed();
    }
    spent
}

/// Prints the medians of two actions that take turns, so that a busy disk slows down both, and their ratio.
fn ratio(name: &str, mut bare: impl FnMut() -> Duration, mut store: impl FnMut() -> Duration) {
    let (mut of_bare, mut of_store): (Vec<_>, Vec<_>) =
        (0..TURNS).map(|_| (bare(), store())).unzip();
    of_bare.sort_unstable();
    of_store.sort_unstable();
    let (bare, store) = (of_bare[TURNS / 2], of_store[TURNS / 2]);
    let ratio = store.as_secs_f64() / bare.as_secs_f64();
    println!("{name}: bare {bare:?}, store {store:?}, {ratio:.2} x in turns");
}

fn tickets(c: &mut Criterion) {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let sample = sample(&runtime);
    let connection = bare(&folder.path().join("bare.db"));
    let store = SqliteStore::open(folder.path().join("store.db"))
        .unwrap()
        .tickets();

    let bare_once = || {
        time(
            1,
            || sample.ticket(),
            |ticket| bare_put(&connection, &ticket),
        )
    };
    let put = |ticket| runtime.block_on(store.put(&ticket)).unwrap();
    ratio("put", bare_once, || time(1, || sample.ticket(), put));
    let mut group = c.benchmark_group("sqlite/put");
    group.bench_function("bare", |b| {
        b.iter_custom(|n| {
            time(
                n,
                || sample.ticket(),
                |ticket| bare_put(&connection, &ticket),
            )
        });
    });
    group.bench_function("store", |b| {
        let put = |ticket| runtime.block_on(store.put(&ticket)).unwrap();
        b.iter_custom(|n| time(n, || sample.ticket(), put));
    });
    group.finish();

    let mut group = c.benchmark_group("sqlite/answer");
    let sealed = sample.record.answers[0].as_ref().unwrap();
    let text = serde_json::to_string(sealed).unwrap();
    let bare_ticket = || {
        let ticket = sample.ticket();
        bare_put(&connection, &ticket);
        ticket.ticket().id().to_string()
    };
    let ticket = || {
        let ticket = sample.ticket();
        runtime.block_on(store.put(&ticket)).unwrap();
        ticket.ticket().id()
    };
    let answer = |id| {
        black_box(runtime.block_on(store.answer(id, 0, sealed)).unwrap());
    };
    ratio(
        "answer",
        || time(1, bare_ticket, |id| bare_answer(&connection, &id, &text)),
        || time(1, ticket, answer),
    );
    group.bench_function("bare", |b| {
        let make = || {
            let ticket = sample.ticket();
            bare_put(&connection, &ticket);
            ticket.ticket().id().to_string()
        };
        let answer = |id: String| {
            let sealed = serde_json::to_string(sealed).unwrap();
            bare_answer(&connection, &id, &sealed);
        };
        b.iter_custom(|n| time(n, make, answer));
    });
    group.bench_function("store", |b| {
        let make = || {
            let ticket = sample.ticket();
            runtime.block_on(store.put(&ticket)).unwrap();
            ticket.ticket().id()
        };
        b.iter_custom(|n| {
            time(n, make, |id| {
                let answered = runtime.block_on(store.answer(id, 0, sealed));
                black_box(answered.unwrap());
            })
        });
    });
    group.finish();
}

/// Repeat a number.
#[tool(register = false)]
fn repeat(n: i64) -> i64 {
    n
}

/// Repeat a number, without effects.
#[tool(pure, register = false)]
fn repeat_pure(n: i64) -> i64 {
    n
}

/// A log that counts its commits, and how often the disk had to confirm them.
#[derive(Clone)]
struct Counted {
    log: SqliteLog,
    counts: Arc<[AtomicU64; 2]>,
}

impl Counted {
    fn take(&self) -> [u64; 2] {
        [0, 1].map(|count: usize| self.counts[count].swap(0, Ordering::Relaxed))
    }
}

impl JournalLog for Counted {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        self.log.head()
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        self.counts[0].fetch_add(1, Ordering::Relaxed);
        self.log.append(head, lines)
    }

    fn sync(&self) -> Result<(), LogError> {
        self.counts[1].fetch_add(1, Ordering::Relaxed);
        self.log.sync()
    }

    fn read(&self) -> Result<LogLines, LogError> {
        self.log.read()
    }
}

fn journaled_calls(c: &mut Criterion) {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let connection = bare(&folder.path().join("bare.db"));
    let store = SqliteStore::open(folder.path().join("store.db")).unwrap();
    let log = Counted {
        log: store.log("main").unwrap(),
        counts: Arc::default(),
    };
    let journal = Journal::builder(log.clone()).durability(Durability::Synced);
    let executor = Executor::builder(ToolRegistry::new().with(Repeat).with(RepeatPure))
        .permission_checker(AllowAll)
        .call_recorder(journal.open().unwrap().0)
        .build()
        .unwrap();
    let arguments = r#"{"n": 5}"#;
    let call = || {
        let outcome = runtime.block_on(executor.call("repeat", arguments));
        assert_eq!(outcome.text(), "5");
    };
    log.take();
    call();
    let [commits, syncs] = log.take();
    println!("a journaled at-most-once call: {commits} commits, {syncs} confirmed by the disk");
    runtime.block_on(executor.call("repeat_pure", arguments));
    let [commits, syncs] = log.take();
    println!("a journaled pure call: {commits} commits, {syncs} confirmed by the disk");
    let lines: Vec<Vec<u8>> = {
        let log = store.log_read_only("main").unwrap();
        log.read().unwrap().map(Result::unwrap).collect()
    };
    let position = Cell::new(1_i64 << 40);
    // An at-most-once call: its request is durable before its body begins, its response before it returns.
    let bare_call = || {
        for line in &lines[1..3] {
            position.set(position.get() + 1);
            let transaction =
                Transaction::new_unchecked(&connection, TransactionBehavior::Immediate).unwrap();
            let last = "SELECT position, hash FROM log_lines WHERE position > ?1 AND position < ?2
                ORDER BY position DESC LIMIT 1";
            let found = transaction
                .prepare_cached(last)
                .unwrap()
                .query_row([0, i64::MAX], |row| row.get::<_, i64>(0));
            black_box(found.ok());
            transaction
                .prepare_cached("INSERT INTO log_lines (position, hash, line) VALUES (?1, ?2, ?3)")
                .unwrap()
                .execute(params![position.get(), [0_u8; 32], line])
                .unwrap();
            transaction.commit().unwrap();
        }
    };
    let nothing = || ();
    ratio(
        "journaled call",
        || time(1, nothing, |()| bare_call()),
        || time(1, nothing, |()| call()),
    );
    let mut group = c.benchmark_group("sqlite/journaled_call");
    group.bench_function("bare", |b| b.iter(bare_call));
    group.bench_function("store", |b| b.iter(call));
    group.finish();
}

fn pages(c: &mut Criterion) {
    let (folder, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let sample = sample(&runtime);
    let path = folder.path().join("state.db");
    let store = SqliteStore::open(&path).unwrap().tickets();
    let connection = Connection::open(&path).unwrap();
    connection
        .pragma_update(None, "synchronous", "OFF")
        .unwrap();
    for _ in 0..WAITING {
        bare_put(&connection, &sample.ticket());
    }
    let page = |store: &SqliteTickets, filter: TicketFilter| {
        let page = runtime.block_on(store.list(&filter)).unwrap();
        assert_eq!(page.len(), 50);
        page
    };
    let mut middle = TicketFilter::all().limit(50);
    for _ in 0..1_000 {
        let last = page(&store, middle.clone()).pop().unwrap();
        middle = middle.after(last.stored.ticket());
    }
    let mut group = c.benchmark_group("sqlite/page_of_50_of_100000");
    for (name, filter) in [
        ("first", TicketFilter::all().limit(50)),
        ("in_the_middle", middle),
        ("of_a_session", TicketFilter::session("s-7").limit(50)),
    ] {
        group.bench_function(name, |b| b.iter(|| page(&store, filter.clone())));
    }
    group.bench_function("closing_one", |b| {
        let all = TicketFilter::all().limit(1);
        let oldest = || runtime.block_on(store.list(&all)).unwrap().remove(0);
        b.iter_custom(|n| {
            time(n, oldest, |record| {
                let id = record.stored.ticket().id();
                let closed = runtime.block_on(store.claim(id));
                black_box(closed.unwrap());
            })
        });
    });
    group.finish();
}

criterion_group!(benches, tickets, journaled_calls, pages);
criterion_main!(benches);
