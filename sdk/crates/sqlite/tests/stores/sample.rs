//! Tickets, answers and grants as an executor makes them.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, MemoryTickets, StoredTicket, TicketRecord, TicketStore as _};
use toolwright::{Executor, PermissionRequest, ToolCall, ToolRegistry, tool};
use toolwright_sqlite::SqliteStore;

/// Deploy a version.
#[tool(register = false, permission = PermissionRequest::new("deploy", version.as_str(), "deploy"))]
fn deploy(version: String) -> String {
    version
}

/// A folder, and the path of a database in it.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) path: PathBuf,
}

pub(crate) fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.db");
    Place { folder, path }
}

impl Place {
    pub(crate) fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.path).unwrap()
    }
}

/// A ticket with an answer, as an executor has put it, to make others of.
pub(crate) struct Sample(TicketRecord);

impl Sample {
    pub(crate) async fn make() -> Self {
        let store = MemoryTickets::new();
        let approvals = Approvals::new()
            .waiting(WaitMode::Suspending)
            .ticket_store(store.clone());
        let tools = ToolRegistry::new().with(Deploy);
        let executor = Executor::builder(tools).approvals(approvals).build();
        let executor = executor.unwrap();
        let call = ToolCall::new("deploy", r#"{"version": "1.4"}"#);
        let outcome = executor.session("s").call(call).await;
        let ticket = outcome.suspension().unwrap().ticket().clone();
        let answered = executor
            .tickets()
            .answer(ticket.id(), Answer::yes().because("sure"));
        answered.await.unwrap();
        Self(store.get(ticket.id()).await.unwrap().unwrap())
    }

    /// Another ticket of a session, created so many milliseconds after the sample and valid for a day.
    pub(crate) fn ticket(&self, number: u64, session: &str, after: u64) -> StoredTicket {
        let mut ticket = serde_json::to_value(&self.0.stored).unwrap();
        let claims = &mut ticket["ticket"]["claims"];
        let created = claims["created"].as_u64().unwrap() + after;
        claims["id"] = json!(format!("{number:032x}"));
        claims["session"] = json!(session);
        claims["created"] = json!(created);
        claims["expires"] = json!(created + 86_400_000);
        serde_json::from_value(ticket).unwrap()
    }

    pub(crate) fn answer(&self) -> Value {
        serde_json::to_value(self.0.answers[0].as_ref().unwrap()).unwrap()
    }
}

/// The milliseconds since 1970, so long ago.
pub(crate) fn ago(time: Duration) -> u64 {
    let since = (SystemTime::now() - time).duration_since(UNIX_EPOCH);
    u64::try_from(since.unwrap().as_millis()).unwrap()
}

/// An error with its causes.
pub(crate) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
