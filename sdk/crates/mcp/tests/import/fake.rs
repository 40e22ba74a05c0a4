//! A server that does what a test says, written with `rmcp` alone.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tokio::sync::Notify;
use toolwright::permission::AllowAll;
use toolwright::{CancellationToken, Executor, ToolRegistry};
use toolwright_mcp::client::{Connect, ImportOptions, ImportedServer, connect_fn, import_with};

pub(crate) type Answer = Result<CallToolResponse, ErrorData>;
pub(crate) type Context = RequestContext<RoleServer>;
type Behaviour = dyn Fn(CallToolRequestParams, Context) -> Pin<Box<dyn Future<Output = Answer> + Send>>
    + Send
    + Sync;

/// A server; clones share everything.
#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) tools: Arc<Mutex<Vec<Tool>>>,
    /// The calls that reached it.
    pub(crate) calls: Arc<Mutex<Vec<CallToolRequestParams>>>,
    pub(crate) connections: Arc<AtomicUsize>,
    pub(crate) lists: Arc<AtomicUsize>,
    /// Tells subscribers of a changed list.
    pub(crate) changed: Arc<Notify>,
    /// Ends the connection that stands.
    pub(crate) kill: Arc<Mutex<CancellationToken>>,
    pub(crate) page: usize,
    peer: Arc<Mutex<Option<Peer<RoleServer>>>>,
    behaviour: Arc<Behaviour>,
}

/// A definition from its parts as JSON.
pub(crate) fn definition(definition: Value) -> Tool {
    serde_json::from_value(definition).unwrap()
}

/// A tool without a schema.
pub(crate) fn plain(name: &str) -> Tool {
    definition(json!({"name": name, "description": "Does it.", "inputSchema": {"type": "object"}}))
}

/// A result from its parts as JSON.
#[allow(clippy::unnecessary_wraps, reason = "behaviours return it")]
pub(crate) fn result(result: Value) -> Answer {
    let result: CallToolResult = serde_json::from_value(result).unwrap();
    Ok(result.into())
}

pub(crate) fn said(text: impl Into<String>) -> Answer {
    result(json!({"content": [{"type": "text", "text": text.into()}]}))
}

impl Fake {
    pub(crate) fn new<F, Fut>(tools: Vec<Tool>, behaviour: F) -> Self
    where
        F: Fn(CallToolRequestParams, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        Self {
            tools: Arc::new(Mutex::new(tools)),
            calls: Arc::default(),
            connections: Arc::default(),
            lists: Arc::default(),
            changed: Arc::default(),
            kill: Arc::default(),
            page: usize::MAX,
            peer: Arc::default(),
            behaviour: Arc::new(move |params, context| Box::pin(behaviour(params, context))),
        }
    }

    /// A server whose tools say their own names.
    pub(crate) fn parrot(tools: Vec<Tool>) -> Self {
        Self::new(tools, async |params: CallToolRequestParams, _| {
            said(params.name)
        })
    }

    pub(crate) fn calls(&self) -> Vec<CallToolRequestParams> {
        self.calls.lock().unwrap().clone()
    }

    /// The way to it, over an in-memory pipe.
    pub(crate) fn way(&self) -> impl Connect + use<> {
        let server = self.clone();
        connect_fn(move || std::future::ready(Ok::<_, std::io::Error>(server.pipe())))
    }

    /// The client's end of a pipe to it.
    pub(crate) fn pipe(&self) -> DuplexStream {
        self.pipe_with(|| ())
    }

    /// The same, with what is to be done when the server's end is closed.
    pub(crate) fn pipe_with(&self, ended: impl FnOnce() + Send + 'static) -> DuplexStream {
        let server = self.clone();
        let (near, mut between) = tokio::io::duplex(1 << 16);
        let (mut relayed, far) = tokio::io::duplex(1 << 16);
        server.connections.fetch_add(1, Ordering::SeqCst);
        let kill = CancellationToken::new();
        *server.kill.lock().unwrap() = kill.clone();
        tokio::spawn(async move {
            let peer = Arc::clone(&server.peer);
            if let Ok(running) = server.serve(far).await {
                *peer.lock().unwrap() = Some(running.peer().clone());
                let _ = running.waiting().await;
            }
        });
        // The relay ends at once, whatever the server still has to say.
        tokio::spawn(async move {
            let relaying = tokio::io::copy_bidirectional(&mut between, &mut relayed);
            kill.run_until_cancelled(relaying).await;
            ended();
        });
        near
    }

    /// Tells clients of both eras that the list has changed.
    pub(crate) async fn tell_of_change(&self) {
        self.changed.notify_one();
        let peer = self.peer.lock().unwrap().clone();
        if let Some(peer) = peer {
            let _ = peer.notify_tool_list_changed().await;
        }
    }

    pub(crate) async fn imported(&self, options: ImportOptions) -> ImportedServer {
        import_with("fake", self.way(), options).await.unwrap()
    }

    /// An executor that allows everything, with the tools under `fake`.
    pub(crate) async fn executor(&self) -> (Executor, ImportedServer) {
        let imported = self.imported(ImportOptions::new()).await;
        (executor(&imported), imported)
    }
}

pub(crate) fn executor(imported: &ImportedServer) -> Executor {
    let registry = ToolRegistry::new().with_server(imported.name(), imported.registry());
    let builder = Executor::builder(registry);
    builder.permission_checker(AllowAll).build().unwrap()
}

impl ServerHandler for Fake {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        self.lists.fetch_add(1, Ordering::SeqCst);
        let tools = self.tools.lock().unwrap().clone();
        let cursor = request.and_then(|request| request.cursor);
        let from: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        let to = from.saturating_add(self.page).min(tools.len());
        let mut page = ListToolsResult::with_all_items(tools[from..to].to_vec());
        page.next_cursor = (to < tools.len()).then(|| to.to_string());
        Ok(page)
    }

    async fn call_tool(&self, params: CallToolRequestParams, context: Context) -> Answer {
        self.calls.lock().unwrap().push(params.clone());
        (self.behaviour)(params, context).await
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.changed.notified() => {}
            }
            let _ = context.sink().notify_tool_list_changed().await;
        }
    }
}
