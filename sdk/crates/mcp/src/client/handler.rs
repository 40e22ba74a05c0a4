//! The end of the protocol that servers talk to.

use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorData, FormElicitationCapability, ProtocolVersion,
    UrlElicitationCapability,
};
use rmcp::service::{ClientLifecycleMode, NotificationContext, RequestContext, RoleClient};
use tokio::sync::Notify;

use super::calls::{SentCall, SentCalls};
use super::elicitation::{AnswerElicitation, fitting};
use super::options::ImportOptions;

tokio::task_local! {
    /// The call whose rounds run in this task, so that what the server asks between them belongs to it.
    pub(super) static CURRENT: Arc<SentCall>;
}

/// The client's end of a connection.
pub(super) struct ClientEnd {
    info: ClientConfig,
    calls: Arc<SentCalls>,
    list_changed: Arc<Notify>,
    elicitation: Option<Arc<dyn AnswerElicitation>>,
}

impl ClientEnd {
    pub(super) fn new(
        options: &ImportOptions,
        calls: Arc<SentCalls>,
        list_changed: Arc<Notify>,
    ) -> Self {
        let mut capabilities = ClientCapabilities::default();
        if let Some(elicitation) = &options.elicitation {
            let mut form = FormElicitationCapability::default();
            form.schema_validation = Some(true);
            let mut offered = ElicitationCapability::new().with_form(form);
            if elicitation.opens_addresses() {
                offered = offered.with_url(UrlElicitationCapability::default());
            }
            capabilities.elicitation = Some(offered);
        }
        // The version of the handshake; later ones have none, and are named by each request.
        let version = match &options.lifecycle {
            ClientLifecycleMode::Auto {
                legacy_version: Some(version),
                ..
            } => version.clone(),
            _ => ProtocolVersion::LATEST_WITH_INITIALIZE,
        };
        Self {
            info: ClientConfig::new(capabilities, options.client.clone())
                .with_protocol_version(version),
            calls,
            list_changed,
            elicitation: options.elicitation.clone(),
        }
    }
}

impl ClientHandler for ClientEnd {
    fn get_info(&self) -> ClientConfig {
        self.info.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let Some(elicitation) = &self.elicitation else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let is_address = matches!(request, ElicitRequestParams::UrlElicitationParams { .. });
        if is_address && !elicitation.opens_addresses() {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        let call = CURRENT
            .try_with(Arc::clone)
            .ok()
            .or_else(|| self.calls.only());
        let context = call.as_ref().map(|call| &call.context);
        let answer = elicitation.answer(&request, context).await;
        match answer.and_then(|answer| fitting(&request, answer)) {
            Ok(answer) => Ok(answer),
            Err(error) => {
                if let Some(call) = call {
                    call.fail(error);
                } else {
                    tracing::debug!(%error, "a server asked for input and gets none");
                }
                Ok(ElicitResult::new(ElicitationAction::Cancel))
            }
        }
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.list_changed.notify_one();
    }
}
