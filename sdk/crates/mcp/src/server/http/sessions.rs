//! The sessions of the protocol before 2026-07-28, each of the principal that opened it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::{SessionId, SessionManager};
use thiserror::Error;
use tokio::sync::RwLock;
use tokio_util::sync::CancellationToken;

use super::gate::Gate;
use super::refusal::Refusal;
use crate::server::{Principal, ServerLimits};

/// All sessions of a server.
#[derive(Debug)]
pub(super) struct Sessions {
    local: LocalSessionManager,
    open: RwLock<HashMap<SessionId, HttpSession>>,
    limit: usize,
    limit_of_principal: usize,
}

#[derive(Debug)]
struct HttpSession {
    principal: Option<Principal>,
    /// Ends the session, and with it its calls.
    end: CancellationToken,
}

impl Sessions {
    pub(super) fn new(limits: &ServerLimits) -> Self {
        // Each message begins the idle time anew, and a call may send none: its session must not look idle while it runs.
        let margin = Duration::from_secs(1);
        let idle = limits
            .idle_time
            .max(limits.request_time.saturating_add(margin));
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(idle);
        Self {
            local,
            open: RwLock::default(),
            limit: limits.sessions,
            limit_of_principal: limits.sessions_per_principal,
        }
    }

    /// Returns true if the principal has this session open.
    pub(super) async fn has(&self, id: &SessionId, principal: Option<&Principal>) -> bool {
        let open = self.open.read().await;
        // Equality includes the capabilities: a token that grants less cannot use what a session was opened with.
        open.get(id)
            .is_some_and(|session| session.principal.as_ref() == principal)
    }
}

/// The sessions as one request sees them: those of its principal.
pub(super) struct SessionsOfRequest {
    sessions: Arc<Sessions>,
    gate: Arc<Gate>,
    /// Ends the session that the request opens.
    end: CancellationToken,
    /// The session that the request has opened. Its task, which has this value, closes it when it ends.
    opened: OnceLock<SessionId>,
}

impl SessionsOfRequest {
    pub(super) fn new(sessions: Arc<Sessions>, gate: Arc<Gate>, end: CancellationToken) -> Self {
        Self {
            sessions,
            gate,
            end,
            opened: OnceLock::new(),
        }
    }

    fn refuse(&self, refusal: Refusal) -> SessionError {
        self.gate.refuse(refusal);
        SessionError::Refused
    }

    async fn end_of(&self, id: &SessionId) -> Option<CancellationToken> {
        let open = self.sessions.open.read().await;
        open.get(id).map(|session| session.end.clone())
    }
}

/// The reason why there is no session. A refusal stands in the gate of the request.
#[derive(Debug, Error)]
pub(super) enum SessionError {
    #[error("the request was refused")]
    Refused,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl SessionManager for SessionsOfRequest {
    type Error = SessionError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let sessions = &self.sessions;
        // Held until the session is in the table, so that the count is exact.
        let mut open = sessions.open.write().await;
        if open.len() >= sessions.limit {
            let limit = sessions.limit;
            return Err(self.refuse(Refusal::TooManySessions { limit }));
        }
        let principal = self.gate.principal().cloned();
        if let Some(principal) = &principal {
            let limit = sessions.limit_of_principal;
            let same = |session: &&HttpSession| {
                session
                    .principal
                    .as_ref()
                    .is_some_and(|p| p.id() == principal.id())
            };
            if open.values().filter(same).count() >= limit {
                let principal = principal.key().clone();
                return Err(self.refuse(Refusal::TooManySessionsOfPrincipal { principal, limit }));
            }
        }
        let (id, transport) = sessions.local.create_session().await?;
        let end = self.end.clone();
        open.insert(id.clone(), HttpSession { principal, end });
        let _ = self.opened.set(id.clone());
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.sessions.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        let known = self.sessions.has(id, self.gate.principal()).await;
        if !known {
            self.gate.refuse(Refusal::UnknownSession);
        }
        Ok(known)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        if self.opened.get() != Some(id) && !self.has_session(id).await? {
            return Err(SessionError::Refused);
        }
        if let Some(session) = self.sessions.open.write().await.remove(id) {
            session.end.cancel();
        }
        Ok(self.sessions.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let end = self
            .end_of(id)
            .await
            .ok_or_else(|| self.refuse(Refusal::UnknownSession))?;
        let stream = self.sessions.local.create_stream(id, message).await?;
        Ok(stream.take_until(end.cancelled_owned()))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        Ok(self.sessions.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let end = self
            .end_of(id)
            .await
            .ok_or_else(|| self.refuse(Refusal::UnknownSession))?;
        let stream = self.sessions.local.create_standalone_stream(id).await?;
        Ok(stream.take_until(end.cancelled_owned()))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let end = self
            .end_of(id)
            .await
            .ok_or_else(|| self.refuse(Refusal::UnknownSession))?;
        let stream = self.sessions.local.resume(id, last_event_id).await?;
        Ok(stream.take_until(end.cancelled_owned()))
    }
}
