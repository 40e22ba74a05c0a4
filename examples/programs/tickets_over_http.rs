//! Tickets over HTTP, with a restart: one process makes a call that somebody has to allow, and ends. Another serves the
//! tickets, and goes on with a call when its answer comes. Both have the folder of tickets, and the key that signs them.
//!
//! ```sh
//! cargo run --bin program tickets_over_http ask /tmp/waits      # prints the ticket
//! cargo run --bin program tickets_over_http serve /tmp/waits    # prints its address
//! curl http://ADDRESS/tickets
//! curl http://ADDRESS/tickets/TICKET --json '{"allow": true, "reason": "tests are green"}'
//! ```
//!
//! Whoever reaches this server can answer: an app first finds out who that is.

use std::env;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use axum::extract::{self, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::id::TicketId;
use toolwright::ticket::{
    Answer, FolderTickets, OpenTicket, TicketError, TicketErrorKind, TicketFilter, TicketKey,
};
use toolwright::{Executor, PermissionRequest, ToolCall, ToolOutcome, ToolRegistry, tool};

/// Deploy a version.
#[tool(permission = PermissionRequest::new("deploy", version.as_str(), format!("Deploy {version}")))]
fn deploy(version: String) -> String {
    format!("{version} is live")
}

/// Sets up what both processes have in common.
fn executor(store: &FolderTickets, key: TicketKey) -> Result<Executor, Box<dyn Error>> {
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_store(store.clone())
                .ticket_key(key),
        )
        .build()?;
    Ok(executor)
}

/// Reads the key, which is made when it is first needed. It lies beside the folder, not in it: who can only write to the
/// folder can forge nothing.
fn key(path: &Path) -> Result<TicketKey, Box<dyn Error>> {
    if !path.exists() {
        // Readable by its owner alone; of two processes one makes it.
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        let mut file = tempfile::NamedTempFile::new_in(parent.unwrap_or(Path::new(".")))?;
        file.write_all(TicketKey::random()?.as_bytes())?;
        if let Err(error) = file.persist_noclobber(path) {
            drop(error.file);
        }
    }
    let bytes =
        <[u8; 32]>::try_from(fs::read(path)?).map_err(|_| "the key is not 32 bytes long")?;
    Ok(TicketKey::from_bytes(bytes))
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(2).collect();
    let [role, folder] = words.as_slice() else {
        return Err("say `ask FOLDER` or `serve FOLDER`".into());
    };
    let folder = PathBuf::from(folder);
    let store = FolderTickets::open(&folder)?;
    let executor = executor(&store, key(&folder.with_extension("key"))?)?;
    match role.as_str() {
        "ask" => {
            let session = executor.session("release-7");
            let call = ToolCall::new("deploy", r#"{"version": "1.4"}"#);
            match session.call(call).await {
                ToolOutcome::Suspended(waiting) => println!("{}", waiting.id()),
                outcome => println!("{}", outcome.text()),
            }
        }
        "serve" => {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            println!("{}", listener.local_addr()?);
            let app = Router::new()
                .route("/tickets", get(list))
                .route("/tickets/{id}", post(answer))
                .with_state(executor);
            axum::serve(listener, app).await?;
        }
        _ => return Err("say `ask FOLDER` or `serve FOLDER`".into()),
    }
    Ok(())
}

async fn list(State(executor): State<Executor>) -> Result<Json<Value>, (StatusCode, String)> {
    let waiting = executor
        .tickets()
        .list(&TicketFilter::all())
        .await
        .map_err(|error| refused(&error))?;
    let shown = waiting.iter().map(OpenTicket::ticket);
    let shown = shown.map(
        |ticket| json!({"id": ticket.id(), "summary": ticket.summary(), "why": ticket.reason()}),
    );
    Ok(Json(shown.collect()))
}

/// The body of an answer.
#[derive(Deserialize)]
struct Decision {
    allow: bool,
    reason: Option<String>,
}

async fn answer(
    State(executor): State<Executor>,
    extract::Path(id): extract::Path<TicketId>,
    Json(decision): Json<Decision>,
) -> Result<Json<Value>, (StatusCode, String)> {
    let pending = executor
        .tickets()
        .get(id)
        .await
        .map_err(|error| refused(&error))?;
    let ticket = pending.ticket();
    let mut answer = if decision.allow {
        Answer::yes()
    } else {
        Answer::no()
    };
    if let Some(reason) = decision.reason {
        answer = answer.because(reason);
    }
    let session = executor.session(ticket.session().clone());
    let outcome = session
        .resume(ticket, answer)
        .await
        .map_err(|error| refused(&error))?;
    Ok(Json(
        json!({"ran": outcome.is_success(), "text": outcome.text()}),
    ))
}

/// Returns the response for a ticket that is refused or cannot be read.
fn refused(error: &TicketError) -> (StatusCode, String) {
    let status = match error.kind() {
        TicketErrorKind::Unknown => StatusCode::NOT_FOUND,
        TicketErrorKind::Store | TicketErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::CONFLICT,
    };
    (status, error.to_string())
}
