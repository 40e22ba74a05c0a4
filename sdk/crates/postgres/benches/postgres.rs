//! The stores beside bare `sqlx` with the same statements, on the server of `DATABASE_URL`:
//! `scripts/services --only postgres --durable cargo bench -p toolwright-postgres --bench postgres`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Row};
use tokio::runtime::Runtime;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::permission::AllowAll;
use toolwright::ticket::{
    Answer, MemoryTickets, SealedAnswer, StoredTicket, TicketFilter, TicketKey, TicketStore,
};
use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};
use toolwright_journal::{Durability, Journal};
use toolwright_postgres::PostgresStore;

/// Publish a page.
#[tool(permission = PermissionRequest::new("publish", page.as_str(), "Publish"))]
fn publish(page: String) -> String {
    page
}

const SCHEMA: &str = "bench";

struct Setup {
    runtime: Runtime,
    store: PostgresStore,
    pool: PgPool,
    ticket: StoredTicket,
    answer: SealedAnswer,
}

fn setup() -> Option<Setup> {
    let Ok(url) = std::env::var("DATABASE_URL") else {
        eprintln!(
            "skipped: run `scripts/services --only postgres --durable cargo bench -p toolwright-postgres --bench postgres`"
        );
        return None;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let (store, pool, ticket, answer) = runtime.block_on(async {
        let store = PostgresStore::builder(&url)
            .schema(SCHEMA)
            .connect()
            .await
            .unwrap();
        let options: PgConnectOptions = url.parse().unwrap();
        let options = options
            .options([("search_path", SCHEMA)])
            .disable_statement_logging();
        let pool = PgPoolOptions::new()
            .test_before_acquire(false)
            .connect_with(options)
            .await
            .unwrap();
        let memory = MemoryTickets::new();
        let approvals = Approvals::new()
            .waiting(WaitMode::Suspending)
            .ticket_store(memory.clone())
            .ticket_key(TicketKey::from_bytes([7; 32]));
        let executor = Executor::builder(ToolRegistry::new().with(Publish))
            .approvals(approvals)
            .build()
            .unwrap();
        executor
            .session("s")
            .call(ToolCall::new("publish", r#"{"page": "front"}"#))
            .await;
        let ticket = memory
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .remove(0)
            .stored;
        let id = ticket.ticket().id();
        executor.tickets().answer(id, Answer::yes()).await.unwrap();
        let answer = memory
            .get(id)
            .await
            .unwrap()
            .unwrap()
            .answers
            .remove(0)
            .unwrap();
        (store, pool, ticket, answer)
    });
    Some(Setup {
        runtime,
        store,
        pool,
        ticket,
        answer,
    })
}

fn fresh(ticket: &StoredTicket) -> StoredTicket {
    let mut json = serde_json::to_value(ticket).unwrap();
    let mut id = [0; 16];
    getrandom::fill(&mut id).unwrap();
    json["ticket"]["claims"]["id"] = format!("{:032x}", u128::from_be_bytes(id)).into();
    serde_json::from_value(json).unwrap()
}

fn bytes(ticket: &StoredTicket) -> [u8; 16] {
    u128::from_str_radix(&ticket.ticket().id().to_string(), 16)
        .unwrap()
        .to_be_bytes()
}

async fn bare_put(pool: &PgPool, ticket: &StoredTicket) {
    let millis = |time: std::time::SystemTime| {
        i64::try_from(
            time.duration_since(std::time::UNIX_EPOCH)
                .unwrap()
                .as_millis(),
        )
        .unwrap()
    };
    let stored = serde_json::to_vec(ticket).unwrap();
    sqlx::query(
        "insert into tickets (id, session, turn, created, expires, stored, answers) \
         values ($1, $2, $3, $4, $5, $6, array_fill(null::bytea, array[$7::integer])) on conflict (id) do nothing",
    )
    .bind(bytes(ticket))
    .bind([7_u8; 32])
    .bind(1_i64)
    .bind(millis(ticket.ticket().created_at()))
    .bind(millis(ticket.ticket().expires_at()))
    .bind(stored)
    .bind(1_i32)
    .execute(pool)
    .await
    .unwrap();
}

async fn bare_answer(pool: &PgPool, ticket: &StoredTicket, answer: &SealedAnswer) {
    sqlx::query(
        "with answered as (update tickets set answers[$2] = $3, answered = true where id = $1 and closed is null \
         and $2 <= cardinality(answers) and answers[$2] is null returning id) select pg_notify($4, $5) from answered",
    )
    .bind(bytes(ticket))
    .bind(1_i32)
    .bind(serde_json::to_vec(answer).unwrap())
    .bind("toolwright_bench")
    .bind(ticket.ticket().id().to_string())
    .fetch_all(pool)
    .await
    .unwrap();
}

fn timed(count: u64, mut each: impl FnMut(u64)) -> Duration {
    let begun = Instant::now();
    (0..count).for_each(&mut each);
    begun.elapsed()
}

fn writes(criterion: &mut Criterion) {
    let Some(setup) = setup() else { return };
    let Setup {
        runtime,
        store,
        pool,
        ticket,
        answer,
    } = &setup;
    let tickets = store.tickets();
    let several = |count: u64| (0..count).map(|_| fresh(ticket)).collect::<Vec<_>>();
    let at = |number: u64| usize::try_from(number).unwrap();
    criterion.bench_function("put/bare", |bench| {
        bench.iter_custom(|count| {
            let all = several(count);
            timed(count, |number| {
                runtime.block_on(bare_put(pool, &all[at(number)]));
            })
        });
    });
    criterion.bench_function("put/store", |bench| {
        bench.iter_custom(|count| {
            let all = several(count);
            timed(count, |number| {
                runtime.block_on(tickets.put(&all[at(number)])).unwrap();
            })
        });
    });
    let waiting = |count: u64| {
        let all = several(count);
        for ticket in &all {
            runtime.block_on(tickets.put(ticket)).unwrap();
        }
        all
    };
    criterion.bench_function("answer/bare", |bench| {
        bench.iter_custom(|count| {
            let all = waiting(count);
            timed(count, |number| {
                runtime.block_on(bare_answer(pool, &all[at(number)], answer));
            })
        });
    });
    criterion.bench_function("answer/store", |bench| {
        bench.iter_custom(|count| {
            let all = waiting(count);
            timed(count, |number| {
                let id = all[at(number)].ticket().id();
                runtime
                    .block_on(tickets.answer(id, 0, answer))
                    .map(drop)
                    .unwrap();
            })
        });
    });
}

fn transaction(setup: &Setup) -> u64 {
    let row = setup
        .runtime
        .block_on(sqlx::query("select pg_current_xact_id()::text").fetch_one(&setup.pool));
    row.unwrap().get::<String, _>(0).parse().unwrap()
}

fn calls(criterion: &mut Criterion) {
    let Some(setup) = setup() else { return };
    let Setup {
        runtime,
        store,
        pool,
        ..
    } = &setup;
    let log = runtime.block_on(store.log("bench")).unwrap();
    let (journal, _) = Journal::builder(log)
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Publish))
        .permission_checker(AllowAll)
        .call_recorder(journal)
        .build()
        .unwrap();
    let call = || executor.call("publish", r#"{"page": "front"}"#);
    runtime.block_on(call());
    // The lines that a call writes, for the statements without a journal.
    let lines =
        sqlx::query("select line, hash from log_lines order by log desc, number desc limit 2");
    let lines = runtime.block_on(lines.fetch_all(pool)).unwrap();
    let lines: Vec<(Vec<u8>, Vec<u8>)> = lines.iter().map(|row| (row.get(0), row.get(1))).collect();
    let mut number = 0_i64;
    criterion.bench_function("call/bare", |bench| {
        let mut connection = runtime.block_on(pool.acquire()).unwrap().detach();
        bench.iter(|| {
            runtime.block_on(async {
                for (line, hash) in lines.iter().rev() {
                    number += 1;
                    sqlx::query(
                        "insert into log_lines (log, number, line, hash) select $1, $2 + new.place, new.line, new.hash \
                         from unnest($3::bytea[], $4::bytea[]) with ordinality as new (line, hash, place)",
                    )
                    .bind(-1_i64)
                    .bind(number)
                    .bind(vec![line.as_slice()])
                    .bind(vec![hash.as_slice()])
                    .execute(&mut connection)
                    .await
                    .unwrap();
                }
            });
        });
    });
    criterion.bench_function("call/journal", |bench| {
        bench.iter(|| runtime.block_on(call()));
    });
    let before = transaction(&setup);
    let count = 200_u64;
    timed(count, |_| drop(runtime.block_on(call())));
    let commits = transaction(&setup) - before - 1;
    println!("commits of {count} calls, one after the other: {commits}");
    let before = transaction(&setup);
    let begun = Instant::now();
    runtime.block_on(async {
        let many = (0..count).map(|_| call());
        futures_util::future::join_all(many).await;
    });
    let took = begun.elapsed();
    let commits = transaction(&setup) - before - 1;
    println!("commits of {count} calls side by side: {commits}, in {took:?}");
}

fn pages(criterion: &mut Criterion) {
    let Some(setup) = setup() else { return };
    let Setup {
        runtime,
        store,
        pool,
        ticket,
        ..
    } = &setup;
    let fill = "insert into tickets (id, session, turn, created, expires, stored, answers) \
                select decode(lpad(to_hex(n), 32, '0'), 'hex'), sha256(decode(to_hex(n % 100), 'escape')), 1, \
                $1 + n, $1 + 86400000, $2, array[null::bytea] from generate_series(1, 100000) n";
    let created = ticket
        .ticket()
        .created_at()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let stored = serde_json::to_vec(ticket).unwrap();
    runtime.block_on(async {
        sqlx::query("delete from tickets")
            .execute(pool)
            .await
            .unwrap();
        let fill = sqlx::query(fill)
            .bind(i64::try_from(created.as_millis()).unwrap())
            .bind(stored);
        fill.execute(pool).await.unwrap();
        sqlx::query("vacuum analyze tickets")
            .execute(pool)
            .await
            .unwrap();
    });
    let tickets = store.tickets();
    let mut json = serde_json::to_value(ticket).unwrap();
    let created = json["ticket"]["claims"]["created"].as_u64().unwrap() + 50_000;
    json["ticket"]["claims"]["created"] = created.into();
    let middle: StoredTicket = serde_json::from_value(json).unwrap();
    for (name, filter) in [
        ("first", TicketFilter::all().limit(50)),
        (
            "middle",
            TicketFilter::all().limit(50).after(middle.ticket()),
        ),
    ] {
        assert_eq!(runtime.block_on(tickets.list(&filter)).unwrap().len(), 50);
        criterion.bench_function(&format!("page of 50 of 100000/{name}"), |bench| {
            bench.iter(|| runtime.block_on(tickets.list(black_box(&filter))).unwrap());
        });
    }
    runtime
        .block_on(sqlx::query("drop schema bench cascade").execute(pool))
        .unwrap();
}

criterion_group!(benches, writes, calls, pages);
criterion_main!(benches);
