//! Three replicas on one server that make, answer and resume 1,000 calls, while they are killed and started at random.
//! A program of its own: it is one of its own processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first fault"
)]

#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{Executor as _, Row as _};
use support::Place;
use tokio::process::{Child, Command};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::id::InvocationId;
use toolwright::ticket::{Answer, TicketErrorKind, TicketFilter, TicketKey, TicketStore};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry, tool,
};
use toolwright_journal::{Durability, Journal, JournalRecords, RecordKind, verify};

const REPLICAS: [&str; 3] = ["r1", "r2", "r3"];
const CALLS: i64 = 1_000;
const KILLS: usize = 24;

/// Pages of tickets that are looked at for some to answer.
const PAGE: usize = 30;

/// The outer system of the tools.
struct Ledger(PgPool);

impl Ledger {
    async fn open(place: &Place) -> Self {
        let search_path = format!("set search_path to {}", place.schema);
        let pool = PgPoolOptions::new()
            .max_connections(4)
            .after_connect(move |sql, _| {
                let search_path = search_path.clone();
                Box::pin(async move {
                    sql.execute(sqlx::AssertSqlSafe(search_path)).await?;
                    Ok(())
                })
            });
        Self(pool.connect(&place.url).await.unwrap())
    }

    /// Takes some time, has an effect in the middle, and notes each run.
    async fn act(&self, tool: &str, ctx: &ToolContext) -> Result<String, ToolError> {
        let key = ctx.invocation_id().to_string();
        let time = Duration::from_millis(
            key.as_bytes()
                .iter()
                .map(|byte| u64::from(*byte))
                .sum::<u64>()
                % 20,
        );
        tokio::time::sleep(time).await;
        let run = sqlx::query("insert into runs (key, tool) values ($1, $2)");
        run.bind(&key)
            .bind(tool)
            .execute(&self.0)
            .await
            .map_err(|error| ToolError::internal(error.to_string()))?;
        if tool == "put" {
            let put =
                sqlx::query("insert into values_by_key (key) values ($1) on conflict do nothing");
            put.bind(&key)
                .execute(&self.0)
                .await
                .map_err(|error| ToolError::internal(error.to_string()))?;
        }
        tokio::time::sleep(time).await;
        Ok(format!("{tool} {key}"))
    }
}

fn asks(what: &str) -> PermissionRequest {
    PermissionRequest::new("act", what, format!("Do {what}"))
}

/// Pay, which is to happen once at most.
#[tool(permission = asks("pay"))]
async fn pay(ledger: &Ledger, ctx: &ToolContext) -> Result<String, ToolError> {
    ledger.act("pay", ctx).await
}

/// Put a value under the key of the call.
#[tool(idempotent, permission = asks("put"))]
async fn put(ledger: &Ledger, ctx: &ToolContext) -> Result<String, ToolError> {
    ledger.act("put", ctx).await
}

/// The process of a replica, until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replica() {
    let (Ok(name), Ok(schema)) = (std::env::var("REPLICA"), std::env::var("REPLICA_SCHEMA")) else {
        return;
    };
    let place = Place {
        url: support::url().unwrap(),
        schema,
    };
    let store = place
        .builder()
        .name_wait(Duration::from_secs(20))
        .connect()
        .await
        .unwrap();
    let replica = store.replica(&name).await.unwrap();
    let (journal, _) = Journal::builder(store.log(&name).await.unwrap())
        .durability(Durability::Synced)
        .contents(store.contents())
        .open()
        .unwrap();
    let approvals = Approvals::new()
        .waiting(WaitMode::Suspending)
        .ticket_store(replica.tickets())
        .ticket_key(TicketKey::from_bytes([7; 32]));
    let executor = Executor::builder(ToolRegistry::new().with(Pay).with(Put))
        .resource(Ledger::open(&place).await)
        .approvals(approvals)
        .call_recorder(journal)
        .build()
        .unwrap();
    let recovered = executor.recover().await.unwrap();
    assert!(recovered.failed.is_empty(), "{recovered:?}");
    let ledger = Ledger::open(&place).await;
    let calls = make_calls(&executor, &ledger);
    let answers = give_answers(&executor, &ledger);
    let resumes = async {
        loop {
            let resumed = executor.resume_answered().await.unwrap();
            assert!(resumed.failed.is_empty(), "{resumed:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::join!(calls, answers, resumes);
}

async fn make_calls(executor: &Executor, ledger: &Ledger) {
    loop {
        let next = sqlx::query("select nextval('calls')")
            .fetch_one(&ledger.0)
            .await
            .unwrap();
        let number: i64 = next.get(0);
        if number > CALLS {
            return;
        }
        let tool = if number % 2 == 0 { "pay" } else { "put" };
        let session = executor.session(format!("s-{}", number % 10));
        let outcome = session.call(ToolCall::new(tool, "{}")).await;
        assert!(outcome.suspension().is_some(), "{}", outcome.text());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn give_answers(executor: &Executor, ledger: &Ledger) {
    let mut refusals = 0_u32;
    loop {
        let waiting = executor
            .tickets()
            .list(&TicketFilter::all().limit(PAGE))
            .await
            .unwrap();
        for open in waiting {
            refusals += 1;
            let answer = if refusals.is_multiple_of(10) {
                Answer::no()
            } else {
                Answer::yes()
            };
            let word = if answer.is_refusal() { "no" } else { "yes" };
            match executor.tickets().answer(open.id(), answer).await {
                Ok(_) => {
                    // Two answers to one ticket would break the key of the table.
                    let given = sqlx::query("insert into given (key, answer) values ($1, $2)");
                    let key = open.ticket().invocation().to_string();
                    given.bind(key).bind(word).execute(&ledger.0).await.unwrap();
                }
                Err(error) => assert!(
                    matches!(
                        error.kind(),
                        TicketErrorKind::AlreadyAnswered | TicketErrorKind::Used
                    ),
                    "{error}"
                ),
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn start(place: &Place, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["replica", "--exact", "--nocapture"])
        .env("REPLICA", name)
        .env("REPLICA_SCHEMA", &place.schema)
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

/// Numbers that look random, and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_approved_call_is_lost_or_doubled_while_replicas_are_killed() {
    if std::env::var_os("REPLICA").is_some() {
        return;
    }
    let Some(place) = Place::new() else { return };
    let store = place.open().await;
    let ledger = Ledger::open(&place).await;
    for statement in [
        "create sequence calls",
        "create table runs (key text not null, tool text not null)",
        "create table values_by_key (key text primary key)",
        "create table given (key text primary key, answer text not null)",
    ] {
        ledger.0.execute(statement).await.unwrap();
    }

    let mut dice = Dice(20_261_124);
    let mut replicas: Vec<Child> = REPLICAS.iter().map(|name| start(&place, name)).collect();
    for _ in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(250 + dice.below(900))).await;
        let number = usize::try_from(dice.below(3)).unwrap();
        let ended = replicas[number].try_wait().unwrap();
        assert_eq!(ended, None, "a replica has ended before it was killed");
        replicas[number].kill().await.unwrap();
        replicas[number] = start(&place, REPLICAS[number]);
    }
    let begun = Instant::now();
    let tickets = store.tickets();
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(
            begun.elapsed() < Duration::from_mins(4),
            "the calls do not come to an end"
        );
        for replica in &mut replicas {
            assert_eq!(replica.try_wait().unwrap(), None, "a replica has ended");
        }
        let made: i64 = sqlx::query("select last_value from calls")
            .fetch_one(&ledger.0)
            .await
            .unwrap()
            .get(0);
        if made > CALLS && tickets.list(&TicketFilter::all()).await.unwrap().is_empty() {
            break;
        }
    }
    // Calls that were claimed last end within their time.
    tokio::time::sleep(Duration::from_secs(3)).await;
    for mut replica in replicas {
        replica.kill().await.unwrap();
    }
    check(&place, &store, &ledger).await;
    drop((tickets, store, ledger));
    place.remove().await;
}

/// The calls as the three journals have them.
#[derive(Default)]
struct Recorded {
    tools: BTreeMap<InvocationId, String>,
    begun: BTreeSet<InvocationId>,
    ended: BTreeMap<InvocationId, usize>,
}

async fn recorded(store: &toolwright_postgres::PostgresStore) -> Recorded {
    let mut all = Recorded::default();
    for name in REPLICAS {
        let log = store.read_log(name).await.unwrap();
        verify(&log).unwrap();
        // A call goes on before its suspension is recorded, if somebody answers at once: they are counted.
        let mut open: BTreeMap<InvocationId, i32> = BTreeMap::new();
        for record in JournalRecords::of(&log).unwrap() {
            match record.unwrap().kind {
                RecordKind::Requested(request) => {
                    let resumed = i32::from(request.resumes.is_some());
                    *open.entry(request.invocation).or_default() += resumed;
                    all.tools.insert(request.invocation, request.tool);
                }
                RecordKind::Resumed(resumed) => *open.entry(resumed.invocation).or_default() += 1,
                RecordKind::Suspended(call) => *open.entry(call.invocation).or_default() -= 1,
                RecordKind::Responded(response) => {
                    open.remove(&response.invocation);
                    *all.ended.entry(response.invocation).or_default() += 1;
                }
                _ => {}
            }
        }
        let begun = open.into_iter().filter(|(_, count)| *count >= 0);
        all.begun.extend(begun.map(|(call, _)| call));
    }
    all
}

async fn check(place: &Place, store: &toolwright_postgres::PostgresStore, ledger: &Ledger) {
    let recorded = recorded(store).await;
    let given = sqlx::query("select key, answer from given")
        .fetch_all(&ledger.0)
        .await
        .unwrap();
    let runs = sqlx::query("select key, count(*) from runs group by key")
        .fetch_all(&ledger.0)
        .await
        .unwrap();
    let runs: BTreeMap<String, i64> = runs.iter().map(|row| (row.get(0), row.get(1))).collect();
    let values = sqlx::query("select key from values_by_key")
        .fetch_all(&ledger.0)
        .await
        .unwrap();
    let values: BTreeSet<String> = values.iter().map(|row| row.get(0)).collect();

    let (mut puts, mut paid, mut indeterminate, mut refused, mut repeated) = (0, 0, 0, 0, 0);
    for row in given {
        let (key, answer): (String, String) = (row.get(0), row.get(1));
        let id: InvocationId = key.parse().unwrap();
        let ran = runs.get(&key).copied().unwrap_or(0);
        let ended = recorded.ended.get(&id).copied().unwrap_or(0);
        if answer == "no" {
            refused += 1;
            assert_eq!((ran, ended), (0, 1), "{key} was refused");
        } else if recorded.tools[&id] == "put" {
            puts += 1;
            repeated += i64::from(ran > 1);
            assert!(
                values.contains(&key),
                "{key} was approved and has no effect"
            );
            assert_eq!(ended, 1, "{key} has one end");
        } else {
            assert!(ran <= 1, "{key} ran {ran} times");
            if ended == 0 {
                indeterminate += 1;
                assert!(
                    recorded.begun.contains(&id),
                    "{key} is lost: nobody can settle it"
                );
            } else {
                paid += 1;
                assert_eq!((ran, ended), (1, 1), "{key} has ended");
            }
        }
    }
    // A replica may be killed between an answer and the note of it: such calls count too.
    for (key, ran) in &runs {
        let id: InvocationId = key.parse().unwrap();
        if recorded.tools[&id] == "pay" {
            assert_eq!(*ran, 1, "{key} ran more than once");
        }
    }
    for name in REPLICAS {
        let replica = store.replica(name).await;
        let replica = replica.unwrap_or_else(|error| panic!("{error}"));
        let left = replica.tickets().claimed().await.unwrap();
        for kept in left {
            let id = kept.stored.ticket().invocation();
            assert_eq!(
                recorded.ended.get(&id),
                Some(&1),
                "{id} was claimed and left"
            );
        }
    }
    eprintln!(
        "{}: {puts} puts ({repeated} repeated by key), {paid} paid, {indeterminate} indeterminate, {refused} refused, {KILLS} kills",
        place.schema
    );
    assert!(puts + paid + indeterminate + refused > CALLS * 9 / 10);
}
