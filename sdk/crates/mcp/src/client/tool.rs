//! The call of an imported tool.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, RequestMetaObject};
use rmcp::service::ServiceError;
use serde_json::{Map, Value};
use toolwright::content::ErrorKind;
use toolwright::text::one_line;
use toolwright::tools::ToolFn;
use toolwright::{ToolContext, ToolError, ToolOutput, tool_fn};

use super::calls::CALL;
use super::connection::Connection;
use super::core::ServerCore;
use super::event::ServerStatus;
use super::handler::CURRENT;
use super::result::output;
use super::spec::ImportedTool;

/// Makes the tool that calls one of a server.
pub(super) fn tool(core: &Arc<ServerCore>, imported: &ImportedTool) -> ToolFn {
    let name: Arc<str> = imported.spec.name().as_str().into();
    let (of_request, name_of_request) = (Arc::clone(core), Arc::clone(&name));
    let core = Arc::clone(core);
    tool_fn(
        imported.spec.clone(),
        move |arguments: Map<String, Value>, ctx: ToolContext| {
            let (core, name) = (Arc::clone(&core), Arc::clone(&name));
            async move { core.call(&name, arguments, ctx).await }
        },
    )
    .with_permission(move |_: &Map<String, Value>, _: &ToolContext| {
        let drift = of_request.drift_of(&name_of_request);
        drift.map(|drift| drift.request(&of_request.name))
    })
}

/// The keys of a call's metadata that servers are told of, as trace contexts travel by the protocol.
///
/// By <https://modelcontextprotocol.io/specification/2026-07-28/basic#meta>.
const TRACE: [&str; 3] = ["traceparent", "tracestate", "baggage"];

impl ServerCore {
    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        ctx: ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let connection = self.connection()?;
        let mut meta = RequestMetaObject::new();
        for key in TRACE {
            if let Some(value) = ctx.metadata().and_then(|metadata| metadata.get(key)) {
                meta.insert(key.to_owned(), value.clone());
            }
        }
        let running = connection.calls.begin(ctx);
        meta.insert(CALL.to_owned(), running.id.into());
        let mut params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        params.meta = Some(meta);
        // The server learns that the call is given up when this future is dropped.
        let calling = connection.service.call_tool(params);
        let called = tokio::select! {
            biased;
            called = CURRENT.scope(Arc::clone(&running.call), calling) => called,
            () = connection.end.token.cancelled() => Err(ServiceError::TransportClosed),
        };
        if let Some(failure) = running.call.failure() {
            return Err(failure);
        }
        match called {
            Ok(result) => output(result, self.options.max_result_bytes),
            Err(error) => Err(self.failed(error, &connection)),
        }
    }

    /// The connection, if there is one.
    fn connection(&self) -> Result<Arc<Connection>, ToolError> {
        let state = self.state.borrow();
        if let Some(connection) = &state.connection
            && !connection.end.token.is_cancelled()
        {
            return Ok(Arc::clone(connection));
        }
        let server = &self.name;
        Err(match &state.status {
            ServerStatus::Closed => {
                ToolError::unavailable(format!("the MCP server `{server}` has been closed"))
            }
            _ => ToolError::unavailable(format!(
                "the MCP server `{server}` is not connected now; it is being connected again"
            ))
            .with_retryable(true),
        })
    }

    fn failed(&self, error: ServiceError, connection: &Connection) -> ToolError {
        let server = &self.name;
        let error_of = |text| ToolError::failed(text).with_code("mcp_error");
        let failed = match &error {
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                let reason = match &error {
                    ServiceError::TransportSend(_) => "the call could not be sent",
                    _ => connection.end.reason(),
                };
                let unknown = "whether the call had an effect is not known";
                ToolError::unavailable(format!(
                    "the MCP server `{server}` was lost while the call ran: {reason}; {unknown}"
                ))
            }
            ServiceError::McpError(refused) => {
                let text = one_line(&refused.message, REFUSAL);
                error_of(format!(
                    "the MCP server `{server}` refused the call: {text}"
                ))
            }
            ServiceError::InputRequiredRoundsExceeded { max_rounds } => error_of(format!(
                "the MCP server `{server}` asked for input {max_rounds} times and gave no result"
            )),
            ServiceError::Cancelled { .. } => {
                ToolError::new(ErrorKind::Cancelled, "the call was cancelled")
            }
            _ => error_of(format!(
                "the MCP server `{server}` answered with something that is no result"
            )),
        };
        failed.with_source(error)
    }
}

/// The most characters of a server's error that a model reads.
const REFUSAL: usize = 2_000;
