//! Requests that a tool makes to the client itself.
#![expect(
    deprecated,
    reason = "sampling and roots are there until the protocol removes them"
)]

use std::collections::BTreeMap;

use rmcp::model::{
    ClientCapabilities, CreateMessageResult, ElicitResult, InputRequest, ListRootsResult,
};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use toolwright::question::ExternalWait;
use toolwright::ticket::PendingRequest;
use toolwright::{ToolContext, ToolError};

/// The member of an external wait's data that tells the requests to a client.
const DATA: &str = "mcp";

/// The key of the capabilities of a client in the `_meta` of its requests
/// (<https://modelcontextprotocol.io/specification/2026-07-28/basic>, read 2026-11-24).
pub(in crate::server) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Asks the client of the call for something that only it has: what its user says to a form (elicitation), what its model
/// says (sampling), or its roots.
///
/// The answer comes as the client gives it: an `ElicitResult`, a `CreateMessageResult` or a `ListRootsResult` as JSON.
/// A declined or cancelled elicitation is an answer too. The key names the request in the protocol of
/// 2026-07-28, where the body of the tool begins again with the answer: what it asks is asked once, and what it does
/// before it asks is done twice.
///
/// The executor has to be built with [`WaitMode::Suspending`](toolwright::executor::WaitMode::Suspending): in a blocking
/// one the call waits for the app to answer its ticket, and the client is not asked.
///
/// ```
/// use rmcp::model::{CreateMessageRequest, CreateMessageRequestParams, InputRequest, SamplingMessage};
/// use toolwright::{ToolContext, ToolError, tool};
/// use toolwright_mcp::rmcp;
/// use toolwright_mcp::server::ask_client;
///
/// /// Find a title for a text.
/// #[tool(read_only)]
/// async fn find_title(text: String, ctx: &ToolContext) -> Result<String, ToolError> {
///     let message = SamplingMessage::user_text(format!("Find a title for this: {text}"));
///     let params = CreateMessageRequestParams::new(vec![message], 100);
///     let request = InputRequest::CreateMessage(CreateMessageRequest::new(params));
///     let said = ask_client(ctx, "title", request).await?;
///     Ok(said["content"]["text"].as_str().unwrap_or_default().to_owned())
/// }
/// ```
///
/// # Errors
///
/// Fails if nobody can be asked, or if the call is cancelled. The call ends without an answer if the client does not have
/// the capability: see [`client_capabilities`].
pub async fn ask_client(
    ctx: &ToolContext,
    key: &str,
    request: InputRequest,
) -> Result<Value, ToolError> {
    let mut answers = ask_client_all(ctx, [(key, request)]).await?;
    Ok(answers.pop().unwrap_or_default())
}

/// Asks the client of the call for several things at once: see [`ask_client`]. The answers are in the order of the
/// requests, whose keys have to differ.
///
/// # Errors
///
/// Fails as [`ask_client`] does, and if two keys are equal.
pub async fn ask_client_all<K: Into<String>>(
    ctx: &ToolContext,
    requests: impl IntoIterator<Item = (K, InputRequest)>,
) -> Result<Vec<Value>, ToolError> {
    let mut keys = Vec::new();
    let mut all = Map::new();
    for (key, request) in requests {
        let key = key.into();
        let request = serde_json::to_value(request).map_err(|error| {
            ToolError::internal("the request to the client cannot be written as JSON")
                .with_source(error)
        })?;
        if all.insert(key.clone(), request).is_some() {
            return Err(ToolError::internal(format!(
                "the tool asks its client two things by the key `{key}`"
            )));
        }
        keys.push(key);
    }
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let words = format!("an answer of the MCP client to {}", keys.join(", "));
    let wait = ExternalWait::external(words).data(json!({DATA: all}));
    let mut answers = ctx.wait_for(wait).await?;
    let mut answer = |key: &String| answers.get_mut(key).map(Value::take).unwrap_or_default();
    Ok(keys.iter().map(&mut answer).collect())
}

/// The capabilities of the client that made the call; none outside of MCP. A client is asked for what it can give alone:
/// see [`ask_client`].
pub fn client_capabilities(ctx: &ToolContext) -> ClientCapabilities {
    let told = ctx
        .metadata()
        .and_then(|metadata| metadata.get(CAPABILITIES));
    told.and_then(|told| ClientCapabilities::deserialize(told).ok())
        .unwrap_or_default()
}

/// The requests of a wait, if a tool asks its client.
pub(super) fn requests(request: &PendingRequest) -> Option<BTreeMap<String, InputRequest>> {
    let asked = request.subject().get(DATA)?.as_object()?;
    let read = |(key, request): (&String, &Value)| {
        let request = InputRequest::deserialize(request).ok()?;
        Some((key.clone(), request))
    };
    asked.iter().map(read).collect()
}

/// Returns true if a response has the form that its request asks for.
pub(super) fn is_fit(request: &InputRequest, response: &Value) -> bool {
    match request {
        InputRequest::Elicitation(_) => ElicitResult::deserialize(response).is_ok(),
        InputRequest::CreateMessage(_) => CreateMessageResult::deserialize(response).is_ok(),
        InputRequest::ListRoots(_) => ListRootsResult::deserialize(response).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use toolwright::content::ErrorKind;
    use toolwright::testing;

    use super::*;

    fn roots() -> InputRequest {
        InputRequest::ListRoots(rmcp::model::ListRootsRequest::default())
    }

    #[tokio::test]
    async fn outside_of_mcp_there_is_no_client() {
        let ctx = testing::context().build();
        assert_eq!(client_capabilities(&ctx), ClientCapabilities::default());
        assert!(ask_client(&ctx, "roots", roots()).await.is_err());
    }

    #[tokio::test]
    async fn two_requests_of_one_key_are_a_fault_of_the_tool_and_none_are_answered_at_once() {
        let ctx = testing::context().build();
        let none: [(&str, InputRequest); 0] = [];
        assert!(
            ask_client_all(&ctx, none)
                .await
                .is_ok_and(|answers| answers.is_empty())
        );
        let two = [("roots", roots()), ("roots", roots())];
        let refused = ask_client_all(&ctx, two).await;
        assert!(refused.is_err_and(|error| error.kind() == ErrorKind::Internal));
    }

    #[test]
    fn answers_have_the_form_of_their_requests() {
        assert!(is_fit(&roots(), &json!({"roots": []})));
        for unfit in [
            json!(12345),
            json!(null),
            json!({"action": "accept"}),
            json!({"roots": 1}),
        ] {
            assert!(!is_fit(&roots(), &unfit), "{unfit}");
        }
    }
}
