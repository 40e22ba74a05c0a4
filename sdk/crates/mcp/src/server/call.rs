//! A call: from its request to its response.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, InputResponses,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};
use toolwright::registry::ToolSnapshot;
use toolwright::ticket::{Answers, Ticket, TicketError};
use toolwright::{Session, ToolCall, ToolOutcome, Turn};

use super::connection::{ConnectionState, is_stateless};
use super::people::CAPABILITIES;
use super::reports::Reports;
use super::result::result;
use super::session::OpenSession;
use super::{state, waits};

/// A request for a call.
pub(super) struct CallRequest<'c> {
    pub(super) connection: &'c ConnectionState,
    pub(super) context: RequestContext<RoleServer>,
    pub(super) open: Arc<OpenSession>,
    pub(super) name: String,
    pub(super) arguments: Value,
    /// The answers of the client, where it makes its request once more.
    pub(super) responses: InputResponses,
    pub(super) is_stateless: bool,
}

/// Runs a call in a turn of its own. When the request is cancelled, the turn is, and nothing of it runs on.
pub(super) async fn call_tool(
    connection: &ConnectionState,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let state = request.request_state.as_deref();
    let (open, ticket) = match state {
        Some(state) => {
            let ticket = state::read(state)?;
            let open = connection.session_of(&context, &ticket)?;
            (open, Some(ticket))
        }
        None => (connection.session(&context)?, None),
    };
    let running = Arc::clone(&open);
    let _running = running.calls.read().await;
    let request = CallRequest {
        connection,
        open,
        is_stateless: is_stateless(&context),
        context,
        name: request.name.into_owned(),
        arguments: Value::Object(request.arguments.unwrap_or_default()),
        responses: request.input_responses.unwrap_or_default(),
    };
    match ticket {
        Some(ticket) => Box::pin(waits::again(&request, ticket)).await,
        None => request.begin().await,
    }
}

impl CallRequest<'_> {
    async fn begin(&self) -> Result<CallToolResponse, ErrorData> {
        let turn = self.open.session().turn();
        let call = ToolCall::new(self.name.as_str(), self.arguments.clone())
            .with_id(state::call_id(self)?)
            .with_metadata(self.metadata());
        let outcome = self
            .reporting(
                &turn,
                self.until_cancelled(turn.call(call), || turn.cancel()),
            )
            .await;
        if outcome.suspension().is_some() {
            return Box::pin(waits::settle(self, self.responses.clone(), outcome)).await;
        }
        let tools = turn.tools();
        if tools.get(&self.name).is_none() {
            // By the rule of the protocol a tool that does not exist is an error of the request, and no result.
            return Err(ErrorData::invalid_params(outcome.text(), None));
        }
        Ok(self.response(&outcome, &tools).into())
    }

    /// Goes on with the call of a ticket.
    pub(super) async fn resume(
        &self,
        ticket: &Ticket,
        answers: Answers,
    ) -> Result<ToolOutcome, TicketError> {
        // A handle of its own, which is cancelled alone.
        let session: Session = self.open.again();
        let resumed = Box::pin(session.resume(ticket, answers));
        let resumed = self.until_cancelled(resumed, || session.cancel());
        self.reporting_as(ticket.turn(), resumed).await
    }

    /// Awaits a call. When its request is cancelled before, the call is, and its end is awaited all the same.
    async fn until_cancelled<T>(&self, call: impl Future<Output = T>, cancel: impl FnOnce()) -> T {
        let mut call = std::pin::pin!(call);
        tokio::select! {
            biased;
            ended = &mut call => return ended,
            () = self.context.ct.cancelled() => cancel(),
        }
        call.await
    }

    /// Awaits a call of a turn, and sends what it reports. All of it is sent before this returns.
    async fn reporting<T>(&self, turn: &Turn, call: impl Future<Output = T>) -> T {
        self.reporting_as(turn.id(), call).await
    }

    async fn reporting_as<T>(
        &self,
        turn: toolwright::id::TurnId,
        call: impl Future<Output = T>,
    ) -> T {
        let wanted = (
            self.context.meta.get_progress_token(),
            self.connection.log_level(&self.context),
        );
        let routes = &self.open.routes;
        let (route, reports) = Reports::of(routes, turn, &self.context.peer, wanted).unzip();
        let run = async {
            let ended = call.await;
            // Nothing is reported any more. What waits is sent before the result is.
            drop(route);
            ended
        };
        let send = async {
            if let Some(reports) = reports {
                reports.send_all().await;
            }
        };
        tokio::join!(run, send).0
    }

    /// The result of a call that has ended, with the tools that it began with.
    pub(super) fn response(&self, outcome: &ToolOutcome, tools: &ToolSnapshot) -> CallToolResult {
        let tool = tools.get(&self.name);
        let schema = tool.and_then(|tool| tool.spec().output_schema());
        result(outcome.result(), schema)
    }

    pub(super) fn capabilities(&self) -> Option<ClientCapabilities> {
        self.context.client_capabilities()
    }

    /// The words of the client about its request, for hooks, tools and records. The capabilities of the client are among it in
    /// both eras.
    fn metadata(&self) -> Map<String, Value> {
        let mut metadata = self.context.meta.0.0.clone();
        if !metadata.contains_key(CAPABILITIES)
            && let Some(capabilities) = self.capabilities()
            && let Ok(capabilities) = serde_json::to_value(capabilities)
        {
            metadata.insert(CAPABILITIES.to_owned(), capabilities);
        }
        metadata
    }
}
