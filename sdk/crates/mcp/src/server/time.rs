//! The time that a call may take.

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ContentBlock};
use rmcp::service::{RequestContext, RoleServer};

use super::call::call_tool;
use super::connection::ConnectionState;

/// Runs a call, and cancels it when it takes longer than the server allows. The result of the cancelled call is what is
/// known of its effect, so it follows the reason.
pub(super) async fn call_in_time(
    connection: &ConnectionState,
    request: CallToolRequestParams,
    mut context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let limit = connection.server.limits.request_time;
    let late = context.ct.child_token();
    context.ct = late.clone();
    let mut call = std::pin::pin!(call_tool(connection, request, context));
    if let Ok(response) = tokio::time::timeout(limit, &mut call).await {
        return response;
    }
    late.cancel();
    let mut response = call.await?;
    if let CallToolResponse::Complete(result) = &mut response
        && result.is_error == Some(true)
    {
        let reason = format!(
            "the call was cancelled: it took longer than {limit:?}, the limit of this server"
        );
        result.content.insert(0, ContentBlock::text(reason));
    }
    Ok(response)
}
