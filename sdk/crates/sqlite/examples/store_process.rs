//! A process with the stores of a file, for tests of several processes: `store_process FILE [REPLICA]`.
//!
//! Each line of its standard input is a request, `{"id": N, "do": {"put": ..}}`, and is answered by a line,
//! `{"id": N, "done": ..}` or `{"id": N, "error": "..", "kind": ".."}`, as soon as it is done.
#![allow(
    clippy::unwrap_used,
    reason = "a helper of tests stops at the first fault"
)]

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use toolwright::content::ContentHash;
use toolwright::id::{GrantId, InvocationId, SessionId, TicketId};
use toolwright::results::ResultStore as _;
use toolwright::state::{SaveOutcome, StateStore as _};
use toolwright::ticket::{
    CloseReason, SealedAnswer, SealedGrant, StoredTicket, TicketFilter, TicketStore as _,
    WriteOutcome,
};
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_journal::{ContentStore as _, Durability, Journal};
use toolwright_sqlite::{SqliteError, SqliteStore};

#[derive(Deserialize)]
struct Request {
    id: u64,
    r#do: Action,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Put(Box<StoredTicket>),
    Get(TicketId),
    Answer(TicketId, usize, SealedAnswer),
    Close(TicketId, CloseReason),
    Claim(TicketId),
    List(Option<SessionId>, Option<usize>),
    Changed(TicketId, usize),
    PutGrant(SealedGrant),
    Grants(SessionId),
    RemoveGrant(SessionId, GrantId),
    Forget(SessionId),
    Claimed(()),
    Finish(Vec<TicketId>),
    PutResult(SessionId, InvocationId, String),
    ReadResult(SessionId, InvocationId, u64, u64),
    EndSession(SessionId),
    Load(SessionId),
    Save(SessionId, u64, Map<String, Value>),
    ForgetState(SessionId),
    PutContent(ContentHash, Vec<u8>),
    GetContent(ContentHash),
    /// Opens the journal of a log; calls are recorded in it from then on.
    Journal(String),
    Call(i64),
    /// Fills the rest of a disk by a file.
    Fill(String),
    Remove(String),
}

/// Add one.
#[tool(register = false)]
fn next(n: i64) -> i64 {
    n + 1
}

struct Process {
    store: SqliteStore,
    executor: std::sync::Mutex<Option<Executor>>,
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let opened = SqliteStore::open(&arguments[1]).and_then(|store| match arguments.get(2) {
        Some(name) => store.replica(name),
        None => Ok(store),
    });
    let store = match opened {
        Ok(store) => store,
        Err(error) => {
            say(&failed(0, &error));
            std::process::exit(1);
        }
    };
    say(&json!({"id": 0, "done": null}));
    let process = Arc::new(Process {
        store,
        executor: std::sync::Mutex::default(),
    });
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        let request: Request = serde_json::from_str(&line).unwrap();
        let process = Arc::clone(&process);
        tokio::spawn(async move {
            let answer = match process.act(request.r#do).await {
                Ok(done) => json!({"id": request.id, "done": done}),
                Err(error) => failed(request.id, &*error),
            };
            say(&answer);
        });
    }
}

fn say(line: &Value) {
    let mut out = std::io::stdout().lock();
    // Whoever asked may be gone.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn failed(id: u64, error: &(dyn Error + 'static)) -> Value {
    let (mut text, mut kind, mut cause) = (error.to_string(), Value::Null, Some(error));
    while let Some(error) = cause {
        if let Some(SqliteError::Failed { kind: found, .. }) = error.downcast_ref() {
            kind = json!(format!("{found:?}"));
        }
        // A `StoreError` shows its cause's causes alone.
        if let Some(rusqlite::Error::SqliteFailure(found, _)) = error.downcast_ref() {
            kind = json!(format!("{:?}", found.code));
        }
        cause = error.source();
        if let Some(cause) = cause {
            text = format!("{text}: {cause}");
        }
    }
    json!({"id": id, "error": text, "kind": kind})
}

fn written(outcome: WriteOutcome) -> Value {
    match outcome {
        WriteOutcome::Now => json!("now"),
        WriteOutcome::Before => json!("before"),
        WriteOutcome::Closed(how) => json!({"closed": how}),
        WriteOutcome::Unknown => json!("unknown"),
    }
}

impl Process {
    async fn act(&self, action: Action) -> Result<Value, Box<dyn Error + Send + Sync>> {
        let (tickets, results) = (self.store.tickets(), self.store.results());
        let (states, contents) = (self.store.states(), self.store.contents());
        Ok(match action {
            Action::Put(ticket) => json!(tickets.put(&ticket).await?),
            Action::Get(id) => json!(tickets.get(id).await?),
            Action::Answer(id, request, answer) => {
                written(tickets.answer(id, request, &answer).await?)
            }
            Action::Close(id, how) => written(tickets.close(id, how).await?),
            Action::Claim(id) => written(tickets.claim(id).await?),
            Action::List(session, limit) => {
                let filter = session.map_or_else(TicketFilter::all, TicketFilter::session);
                json!(
                    tickets
                        .list(&filter.limit(limit.unwrap_or(usize::MAX)))
                        .await?
                )
            }
            Action::Changed(id, answers) => json!(tickets.changed(id, answers).await?),
            Action::PutGrant(grant) => json!(tickets.put_grant(&grant).await?),
            Action::Grants(session) => json!(tickets.grants(&session).await?),
            Action::RemoveGrant(session, id) => json!(tickets.remove_grant(&session, id).await?),
            Action::Forget(session) => json!(tickets.forget_session(&session).await?),
            Action::Claimed(()) => json!(tickets.claimed().await?),
            Action::Finish(ids) => json!(tickets.finish(&ids).await?),
            Action::PutResult(session, call, text) => {
                json!(results.put(&session, call, &text).await?)
            }
            Action::ReadResult(session, call, offset, length) => {
                let part = results.read(&session, call, offset, length).await?;
                json!(part.map(|part| (part.bytes, part.total)))
            }
            Action::EndSession(session) => json!(results.end_session(&session).await?),
            Action::Load(session) => json!(states.load(&session).await?),
            Action::Save(session, expected, values) => {
                match states.save(&session, expected, &values).await? {
                    SaveOutcome::Saved { version } => json!({"saved": version}),
                    SaveOutcome::Conflict { version } => json!({"conflict": version}),
                }
            }
            Action::ForgetState(session) => json!(states.forget_session(&session).await?),
            Action::PutContent(hash, bytes) => json!(contents.put(hash, &bytes).await?),
            Action::GetContent(hash) => json!(contents.get(hash).await?),
            Action::Journal(log) => {
                let journal = Journal::builder(self.store.log(&log)?)
                    .contents(contents)
                    .durability(Durability::Synced);
                let (journal, recovery) = journal.open()?;
                let tools = ToolRegistry::new().with(Next);
                let executor = Executor::builder(tools)
                    .permission_checker(toolwright::permission::AllowAll)
                    .call_recorder(journal)
                    .build()?;
                *self.executor.lock().unwrap() = Some(executor);
                json!(recovery.unfinished.len())
            }
            Action::Call(n) => {
                let executor = self.executor.lock().unwrap().clone();
                let executor = executor.ok_or("there is no journal")?;
                let outcome = executor.call("next", json!({"n": n}).to_string()).await;
                let error = outcome.result().error();
                json!({"text": outcome.text(), "code": error.map(toolwright::ToolError::code)})
            }
            Action::Fill(path) => {
                let mut file = std::fs::File::create(path)?;
                // Ever less at a time: no byte is left.
                for bytes in [65_536, 4_096, 1] {
                    while file.write_all(&vec![0; bytes]).is_ok() {}
                }
                json!(())
            }
            Action::Remove(path) => json!(std::fs::remove_file(path)?),
        })
    }
}
