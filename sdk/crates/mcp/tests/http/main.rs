//! The server over HTTP, by real sockets: what it answers to clients that are wrong, slow, many or foreign.
#![cfg(all(feature = "client", feature = "http", feature = "server"))]
#![allow(
    clippy::format_push_string,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first fault"
)]

mod auth;
mod bodies;
mod ends;
mod imports;
mod limits;
mod sessions;
mod states;
mod waits;
mod wire;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpSocket;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use toolwright::executor::WaitMode;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_mcp::server::{McpServer, ServeError};

/// Long enough for the slowest machine: only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The things that have happened to the tools.
#[derive(Default)]
pub(crate) struct Log {
    /// The number of bodies of `hold` run.
    running: watch::Sender<usize>,
    /// The number of sessions with a call have ended.
    cleaned: watch::Sender<usize>,
    /// The word that `wait_for_word` waits for.
    word: watch::Sender<Option<String>>,
    /// The texts that `publish` has had.
    published: Mutex<Vec<String>>,
}

impl Log {
    async fn until_running(&self, count: usize) {
        until(&self.running, count).await;
    }

    fn published(&self) -> Vec<String> {
        self.published.lock().unwrap().clone()
    }

    async fn until_cleaned(&self, count: usize) {
        until(&self.cleaned, count).await;
    }
}

async fn until(count: &watch::Sender<usize>, wanted: usize) {
    let mut count = count.subscribe();
    let reached = tokio::time::timeout(PATIENCE, count.wait_for(|count| *count == wanted));
    reached
        .await
        .unwrap_or_else(|_| panic!("not {wanted}"))
        .unwrap();
}

struct Holding<'a>(&'a Log);

impl<'a> Holding<'a> {
    fn new(log: &'a Log) -> Self {
        log.running.send_modify(|count| *count += 1);
        Self(log)
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        self.0.running.send_modify(|count| *count -= 1);
    }
}

/// Say a text back.
#[tool(register = false, pure)]
fn echo(text: String) -> String {
    text
}

/// Wait until the call is cancelled.
#[tool(register = false, pure, timeout = "1h", cleanup = { let _ = session; log.cleaned.send_modify(|count| *count += 1) })]
async fn hold(log: &Arc<Log>) -> String {
    let _holding = Holding::new(log);
    std::future::pending().await
}

/// Wait until there is a word, and say it.
#[tool(register = false, pure, timeout = "1h")]
async fn wait_for_word(log: &Arc<Log>) -> String {
    let _holding = Holding::new(log);
    let mut word = log.word.subscribe();
    let word = word.wait_for(Option::is_some).await;
    word.ok().and_then(|word| word.clone()).unwrap_or_default()
}

/// Publish a text, which cannot be undone.
#[tool(register = false, needs_approval)]
fn publish(text: String, log: &Arc<Log>) -> String {
    let answer = format!("published {text}");
    log.published.lock().unwrap().push(text);
    answer
}

/// Read the notes of all.
#[tool(register = false, pure, capabilities("notes:read:all"))]
fn read_notes() -> &'static str {
    "a note"
}

/// A server that listens, and its log.
pub(crate) struct Server {
    pub(crate) at: SocketAddr,
    pub(crate) log: Arc<Log>,
    pub(crate) shutdown: CancellationToken,
    pub(crate) task: JoinHandle<Result<(), ServeError>>,
}

impl Server {
    pub(crate) fn start(set: impl FnOnce(McpServer) -> McpServer) -> Self {
        let log = Arc::new(Log::default());
        let executor = Executor::builder(
            ToolRegistry::new()
                .with(Echo)
                .with(Hold)
                .with(WaitForWord)
                .with(Publish)
                .with(ReadNotes),
        )
        .resource(log.clone())
        .grant_capability("notes:read:*")
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
        let shutdown = CancellationToken::new();
        let server = set(toolwright_mcp::serve(executor)).shutdown(shutdown.clone());
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1024).unwrap();
        let at = listener.local_addr().unwrap();
        let task = tokio::spawn(server.http_on(listener));
        Self {
            at,
            log,
            shutdown,
            task,
        }
    }
}
