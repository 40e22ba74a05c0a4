//! A schema of its own on the server of `DATABASE_URL`.

#![allow(dead_code, reason = "each test program uses some of it")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor as _, PgConnection};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{MemoryTickets, StoredTicket, TicketFilter, TicketKey, TicketStore};
use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};
use toolwright_postgres::{PostgresBuilder, PostgresStore};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// The server of the tests. Without one, says so and gives none; fails where a server is required.
pub(crate) fn url() -> Option<String> {
    let url = std::env::var("DATABASE_URL")
        .ok()
        .filter(|url| !url.is_empty());
    let is_required = std::env::var("TOOLWRIGHT_SERVICES").is_ok_and(|value| value == "required");
    assert!(
        url.is_some() || !is_required,
        "a server is required: set DATABASE_URL"
    );
    if url.is_none() {
        eprintln!(
            "SKIPPED, WITHOUT A POSTGRESQL SERVER: run `scripts/services --only postgres cargo test -p toolwright-postgres`"
        );
    }
    url
}

/// An empty place for stores.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) url: String,
    pub(crate) schema: String,
}

impl Place {
    pub(crate) fn new() -> Option<Self> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let schema = format!(
            "test_{}_{}_{number}",
            std::process::id(),
            now.unwrap().as_micros()
        );
        let url = url()?;
        let joint = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{joint}application_name={schema}");
        Some(Self { url, schema })
    }

    pub(crate) fn builder(&self) -> PostgresBuilder {
        PostgresStore::builder(&self.url).schema(&self.schema)
    }

    pub(crate) async fn open(&self) -> PostgresStore {
        self.builder().connect().await.unwrap()
    }

    /// A connection to the tables.
    pub(crate) async fn sql(&self) -> PgConnection {
        let options: sqlx::postgres::PgConnectOptions = self.url.parse().unwrap();
        options
            .application_name("test")
            .options([("search_path", &self.schema)])
            .connect()
            .await
            .unwrap()
    }

    /// Ends the sessions of this place whose last statement begins so, and tells how many.
    pub(crate) async fn terminate(&self, statement: &str) -> usize {
        let mut sql = self.sql().await;
        let sessions = sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity \
             where application_name = $1 and query like $2 and pid <> pg_backend_pid()",
        );
        let sessions = sessions.bind(&self.schema).bind(format!("{statement}%"));
        let ended = sessions.fetch_all(&mut sql).await.unwrap();
        sql.close().await.unwrap();
        ended.len()
    }

    /// Removes the schema.
    pub(crate) async fn remove(&self) {
        let mut sql = self.sql().await;
        let drop = format!("drop schema if exists {} cascade", self.schema);
        sql.execute(AssertSqlSafe(drop)).await.unwrap();
        sql.close().await.unwrap();
    }
}

/// Publish a page.
#[tool(permission = PermissionRequest::new("publish", page.as_str(), "Publish"))]
fn publish(page: String) -> String {
    page
}

/// Add two whole numbers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// An executor of a tool that anybody may call.
pub(crate) fn adder() -> toolwright::ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Add))
}

/// An executor of a tool that somebody has to approve.
pub(crate) fn executor(store: impl TicketStore) -> toolwright::ExecutorBuilder {
    let approvals = Approvals::new()
        .waiting(WaitMode::Suspending)
        .ticket_store(store)
        .ticket_key(TicketKey::from_bytes([7; 32]));
    Executor::builder(ToolRegistry::new().with(Publish)).approvals(approvals)
}

pub(crate) fn publish_call() -> ToolCall<'static> {
    ToolCall::new("publish", r#"{"page": "front"}"#)
}

/// A ticket that waits.
pub(crate) async fn ticket() -> StoredTicket {
    let memory = MemoryTickets::new();
    let executor = executor(memory.clone()).build().unwrap();
    let outcome = executor.session("s").call(publish_call()).await;
    assert!(outcome.suspension().is_some());
    memory
        .list(&TicketFilter::all())
        .await
        .unwrap()
        .remove(0)
        .stored
}

/// The same with another id and time of creation, for stores, which check no signature.
pub(crate) fn another(ticket: &StoredTicket, number: u64) -> StoredTicket {
    let mut json = serde_json::to_value(ticket).unwrap();
    let claims = json.pointer_mut("/ticket/claims").unwrap();
    claims["id"] = format!("{number:032x}").into();
    claims["created"] = (claims["created"].as_u64().unwrap() + number / 3).into();
    serde_json::from_value(json).unwrap()
}

/// Waits for something that comes soon.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(Duration::from_secs(20), future).await;
    waited.unwrap_or_else(|_| panic!("{what} did not come in 20 s"))
}
