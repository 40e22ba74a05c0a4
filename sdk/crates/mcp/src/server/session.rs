//! The sessions of clients: how they are opened, and that each ends once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Waker};

use rmcp::ErrorData;
use tokio::sync::RwLock;
use tokio::task::AbortHandle;
use toolwright::Session;
use toolwright::executor::{SessionEndError, SessionOptions};
use toolwright::ticket::{Ticket, TicketKey};

use super::McpServer;
use super::client::{ClientInfo, word_of};
use super::reports::Routes;

/// The time for which a session is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// As long as its connection, or its session of streamable HTTP.
    Connection,
    /// A single request, and those that bring the answers that it waits for.
    Request,
}

impl Lifetime {
    /// The part of a session's id that tells it, so that a request cannot end the session of a connection.
    fn word(self) -> &'static str {
        match self {
            Self::Connection => "s",
            Self::Request => "r",
        }
    }
}

/// A session that is open for a client. It ends when this is dropped, if it has not before.
pub(super) struct OpenSession {
    session: Session,
    /// The options that it was opened with.
    options: SessionOptions,
    server: Arc<McpServer>,
    lifetime: Lifetime,
    /// The principal that it belongs to, as a word.
    owner: String,
    pub(super) routes: Arc<Routes>,
    /// Read by each call while it runs.
    pub(super) calls: RwLock<()>,
    ended: AtomicBool,
    /// The task that tells the client of other tools.
    watch: OnceLock<AbortHandle>,
}

impl OpenSession {
    /// Opens a session for a client. The events of its calls are watched only for requests that may want reports of them.
    pub(super) fn new(
        server: &Arc<McpServer>,
        client: &ClientInfo,
        lifetime: Lifetime,
        reports: bool,
    ) -> Result<Arc<Self>, ErrorData> {
        let owner = word_of(client.principal());
        let mut id = prefix(&owner, lifetime);
        id.extend(
            random()?
                .into_iter()
                .flat_map(|byte| [byte >> 4, byte & 15])
                .map(digit),
        );
        Ok(Self::with_id(
            server,
            client,
            lifetime,
            (owner, id),
            reports,
        ))
    }

    /// Opens the session that a ticket names, once more. `None` if no request of this client goes on with it.
    pub(super) fn of_ticket(
        server: &Arc<McpServer>,
        client: &ClientInfo,
        session: &str,
        reports: bool,
    ) -> Option<Arc<Self>> {
        let owner = word_of(client.principal());
        let lifetime = Lifetime::Request;
        let is_own = session.starts_with(&prefix(&owner, lifetime));
        is_own.then(|| {
            let id = session.to_owned();
            let open = Self::with_id(server, client, lifetime, (owner, id), reports);
            // A ticket that is refused ends nothing.
            open.leave();
            open
        })
    }

    fn with_id(
        server: &Arc<McpServer>,
        client: &ClientInfo,
        lifetime: Lifetime,
        (owner, id): (String, String),
        reports: bool,
    ) -> Arc<Self> {
        let routes = Arc::new(Routes::default());
        let mut options = server.session_options(client);
        if reports {
            options = options.events(Arc::clone(&routes).sink(id.as_str().into()));
        }
        let session = server.executor.session_with(id, options.clone());
        Arc::new(Self {
            session,
            options,
            server: Arc::clone(server),
            lifetime,
            owner,
            routes,
            calls: RwLock::default(),
            ended: AtomicBool::new(false),
            watch: OnceLock::new(),
        })
    }

    /// Another handle of the session, which is cancelled alone.
    pub(super) fn again(&self) -> Session {
        let id = self.session.id().clone();
        self.server.executor.session_with(id, self.options.clone())
    }

    /// Returns true if it is there for more than one call.
    pub(super) fn lasts(&self) -> bool {
        self.lifetime == Lifetime::Connection
    }

    /// Lets the session be, for another handle of it.
    pub(super) fn leave(&self) {
        if self.lifetime == Lifetime::Request {
            self.ended.store(true, Ordering::Relaxed);
        }
    }

    /// Goes on with a session that waited for this request.
    pub(super) fn take_over(&self) {
        if self.lifetime == Lifetime::Request {
            self.server.waiting.take(self.session.id().as_str());
            self.ended.store(false, Ordering::Relaxed);
        }
    }

    /// Keeps the session of one request for the request that brings the answers to a ticket.
    pub(super) fn leave_for(&self, ticket: &Ticket) {
        if self.lifetime == Lifetime::Request {
            self.leave();
            let waiting = &self.server.waiting;
            waiting.add(self.session.id().as_str(), ticket.expires_at());
        }
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Returns true if it belongs to that principal.
    pub(super) fn is_of(&self, owner: &str) -> bool {
        self.owner == owner
    }

    /// Sets the task that lives as long as the session.
    pub(super) fn watched_by(&self, task: AbortHandle) {
        if let Err(second) = self.watch.set(task) {
            second.abort();
        }
    }

    /// Ends the session, if it has not ended, once its calls have: they are cancelled.
    pub(super) async fn end(&self) -> Result<(), SessionEndError> {
        if self.ended.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.session.cancel();
        let _none_runs = self.calls.write().await;
        self.session.clone().end().await
    }
}

impl Drop for OpenSession {
    fn drop(&mut self) {
        if let Some(task) = self.watch.get() {
            task.abort();
        }
        if self.ended.swap(true, Ordering::Relaxed) {
            return;
        }
        let session = self.session.clone();
        let mut end = Box::pin(async move {
            if let Err(error) = session.end().await {
                tracing::warn!(%error, "the session of an MCP client did not end well");
            }
        });
        // Most sessions end at once, and a task would only wake another thread. The first poll cancels what runs.
        let is_pending = end
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending();
        // Without a runtime nothing can be awaited.
        if is_pending && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(end);
        }
    }
}

fn prefix(owner: &str, lifetime: Lifetime) -> String {
    format!("mcp/{owner}/{}-", lifetime.word())
}

/// The hexadecimal digit of a number below 16.
fn digit(number: u8) -> char {
    char::from_digit(number.into(), 16).unwrap_or_default()
}

/// Bytes that nobody can guess.
fn random() -> Result<[u8; 32], ErrorData> {
    match TicketKey::random() {
        Ok(key) => Ok(*key.as_bytes()),
        Err(error) => {
            tracing::error!(%error, "no session can be opened");
            Err(ErrorData::internal_error(
                "the server cannot open a session now; try again later",
                None,
            ))
        }
    }
}
