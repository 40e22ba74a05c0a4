//! A client that notes what it hears, and servers for it.

use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, Implementation, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _, ErrorData};
use serde_json::Value;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ExecutorBuilder, ToolRegistry};
use toolwright_mcp::rmcp;
use toolwright_mcp::server::{McpServer, ServeError};

/// An era of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Stateful,
    Stateless,
}

pub(crate) const ERAS: [Era; 2] = [Era::Stateful, Era::Stateless];

/// The messages that a client got.
#[derive(Default)]
pub(crate) struct Heard {
    pub progress: Mutex<Vec<ProgressNotificationParam>>,
    pub logs: Mutex<Vec<LoggingMessageNotificationParam>>,
    pub changes: Notify,
    pub asked: Mutex<Vec<ElicitRequestParams>>,
}

type Answer = dyn Fn(&ElicitRequestParams) -> ElicitResult + Send + Sync;

/// A client that answers what it is asked.
#[derive(Clone)]
pub(crate) struct Client {
    pub heard: Arc<Heard>,
    pub capabilities: ClientCapabilities,
    answer: Arc<Answer>,
}

impl Client {
    pub(crate) fn new() -> Self {
        Self {
            heard: Arc::default(),
            capabilities: ClientCapabilities::builder().enable_elicitation().build(),
            answer: Arc::new(|_| ElicitResult::new(ElicitationAction::Decline)),
        }
    }

    pub(crate) fn answering(
        mut self,
        answer: impl Fn(&ElicitRequestParams) -> ElicitResult + Send + Sync + 'static,
    ) -> Self {
        self.answer = Arc::new(answer);
        self
    }

    pub(crate) fn with(mut self, capabilities: ClientCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            self.capabilities.clone(),
            Implementation::new("test-client", "1.0.0"),
        )
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let answer = (self.answer)(&request);
        self.heard.asked.lock().unwrap().push(request);
        Ok(answer)
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.heard.progress.lock().unwrap().push(told);
    }

    async fn on_logging_message(
        &self,
        told: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.heard.logs.lock().unwrap().push(told);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.heard.changes.notify_one();
    }
}

/// A connection of a client to a server.
pub(crate) struct Connected {
    pub client: RunningService<RoleClient, Client>,
    pub heard: Arc<Heard>,
    pub server: JoinHandle<Result<(), ServeError>>,
}

impl Connected {
    pub(crate) async fn call(&self, name: &'static str, arguments: Value) -> CallToolResult {
        self.client.call_tool(call(name, arguments)).await.unwrap()
    }

    /// Ends the connection from the client's side, and waits for the server.
    pub(crate) async fn leave(self) {
        self.client.cancel().await.unwrap();
        self.server.await.unwrap().unwrap();
    }
}

pub(crate) fn call(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let params = CallToolRequestParams::new(name);
    match arguments {
        Value::Object(arguments) => params.with_arguments(arguments),
        _ => params,
    }
}

pub(crate) async fn connect(server: McpServer, client: Client, era: Era) -> Connected {
    let (here, there) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(server.on(there));
    let heard = Arc::clone(&client.heard);
    let client = client.serve_with_lifecycle(here, mode(era)).await.unwrap();
    Connected {
        client,
        heard,
        server,
    }
}

pub(crate) fn mode(era: Era) -> ClientLifecycleMode {
    match era {
        Era::Stateful => ClientLifecycleMode::Initialize,
        Era::Stateless => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    }
}

pub(crate) fn allowing(registry: ToolRegistry) -> ExecutorBuilder {
    Executor::builder(registry).permission_checker(AllowAll)
}

pub(crate) fn text(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts
        .map(|text| text.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
