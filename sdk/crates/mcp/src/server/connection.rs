//! The handler of one client's requests.
#![expect(deprecated, reason = "logs are there until the protocol removes them")]

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, InitializeRequestParams, InitializeResult,
    ListToolsResult, LoggingLevel, PaginatedRequestParams, ServerConfig, SetLevelRequestMethod,
    SetLevelRequestParams, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use toolwright::ticket::Ticket;

use super::client::{ClientInfo, principal_of, word_of};
use super::error::ServeError;
use super::session::{Lifetime, OpenSession};
use super::{McpServer, list, state, time};

/// The kind of transport that a connection is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A single client, from its first message to its last.
    Stream,
    /// Streamable HTTP: a session that begins with `initialize`, or requests that stand for themselves.
    Http,
}

/// The handler of one connection, or of one session or request over HTTP.
#[derive(Clone)]
pub(crate) struct ConnectionHandler(Arc<ConnectionState>);

pub(super) struct ConnectionState {
    pub(super) server: Arc<McpServer>,
    channel: Channel,
    /// The session of the connection, if it has one.
    session: Mutex<Option<Arc<OpenSession>>>,
    /// The level of logs that the client asked for.
    level: Mutex<Option<LoggingLevel>>,
}

impl ConnectionHandler {
    pub(crate) fn new(server: Arc<McpServer>, channel: Channel) -> Self {
        Self(Arc::new(ConnectionState {
            server,
            channel,
            session: Mutex::default(),
            level: Mutex::default(),
        }))
    }

    /// Ends the session of the connection, if there is one.
    pub(super) async fn end(&self) -> Result<(), ServeError> {
        let session = locked(&self.0.session).take();
        match session {
            Some(session) => session.end().await.map_err(ServeError::SessionEnd),
            None => Ok(()),
        }
    }
}

impl ConnectionState {
    /// The session that a request belongs to: that of its connection, or a new one for the request.
    pub(super) fn session(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<Arc<OpenSession>, ErrorData> {
        let mut kept = locked(&self.session);
        if let Some(session) = &*kept {
            let owner = word_of(principal_of(context).as_ref());
            if !session.is_of(&owner) {
                return Err(ErrorData::invalid_request(
                    "the session belongs to another principal; begin one of your own",
                    None,
                ));
            }
            return Ok(Arc::clone(session));
        }
        let client = ClientInfo::of(context, None);
        if self.channel == Channel::Http {
            self.server.waiting.end_expired(&self.server.executor);
            let reports = self.wants_reports(context);
            return OpenSession::new(&self.server, &client, Lifetime::Request, reports);
        }
        let session = OpenSession::new(&self.server, &client, Lifetime::Connection, true)?;
        *kept = Some(Arc::clone(&session));
        Ok(session)
    }

    /// The session that the ticket of a request belongs to.
    pub(super) fn session_of(
        &self,
        context: &RequestContext<RoleServer>,
        ticket: &Ticket,
    ) -> Result<Arc<OpenSession>, ErrorData> {
        let is_kept = locked(&self.session).is_some();
        if is_kept || self.channel == Channel::Stream {
            return self.session(context);
        }
        let client = ClientInfo::of(context, None);
        let session = ticket.session().as_str();
        let reports = self.wants_reports(context);
        OpenSession::of_ticket(&self.server, &client, session, reports)
            .ok_or_else(|| state::unknown("it belongs to another session or another principal"))
    }

    /// Opens the session of the connection.
    fn begin(&self, client: &ClientInfo) -> Result<(), ErrorData> {
        let mut kept = locked(&self.session);
        if kept.is_some() {
            return Err(ErrorData::invalid_request(
                "the connection has begun already; `initialize` comes once, and first",
                None,
            ));
        }
        *kept = Some(OpenSession::new(
            &self.server,
            client,
            Lifetime::Connection,
            true,
        )?);
        Ok(())
    }

    /// Returns true if the client of a request wants word of its call while it runs.
    fn wants_reports(&self, context: &RequestContext<RoleServer>) -> bool {
        context.meta.get_progress_token().is_some() || self.log_level(context).is_some()
    }

    /// The level of logs that the client wants of a call; `None` if it wants none.
    pub(super) fn log_level(&self, context: &RequestContext<RoleServer>) -> Option<LoggingLevel> {
        if is_stateless(context) {
            return context.meta.log_level();
        }
        Some(locked(&self.level).unwrap_or(LoggingLevel::Info))
    }
}

/// Returns true if the request is of the era in which each stands for itself.
pub(super) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| !version.has_initialize())
}

fn locked<T>(value: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ServerHandler for ConnectionHandler {
    fn get_info(&self) -> ServerConfig {
        self.0.server.config.clone()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        context.peer.set_peer_info(request.clone());
        let client = ClientInfo::of(&context, Some(&request));
        self.0
            .begin(&client.speaking(result.protocol_version.clone()))?;
        Ok(result)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let session = locked(&self.0.session).clone();
        if let Some(session) = session {
            list::tell_of_changes(&session, context.peer);
        }
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_stateless(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        *locked(&self.0.level) = Some(request.level);
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let session = self.0.session(&context)?;
        let cursor = request.and_then(|request| request.cursor);
        let page = list::page(
            &session.session().tools(),
            cursor.as_deref(),
            self.0.server.page_size,
        )?;
        Ok(match self.0.server.cache {
            Some((lifetime, scope)) if is_stateless(&context) => page
                .with_ttl_ms(u64::try_from(lifetime.as_millis()).unwrap_or(u64::MAX))
                .with_cache_scope(scope),
            _ => page,
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        time::call_in_time(&self.0, request, context).await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let session = locked(&self.0.session).clone();
        let tools = match session {
            Some(session) => session.session().tools(),
            None => self.0.server.executor.tools(),
        };
        list::get(&tools, name)
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let session = self.0.session(context.request_context())?;
        list::listen(&session, &context).await;
        Ok(())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [rmcp::model::ProtocolVersion]> {
        Cow::Borrowed(rmcp::model::ProtocolVersion::KNOWN_VERSIONS)
    }
}
