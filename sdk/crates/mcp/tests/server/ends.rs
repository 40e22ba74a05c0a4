//! The end of calls, of sessions and of servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CancelledNotificationParam, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, Implementation,
};
use rmcp::service::{
    NotificationContext, PeerRequestOptions, RequestContext, RequestHandle, RoleClient,
    RunningService,
};
use rmcp::{ClientHandler, ClientServiceExt as _, ErrorData};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use toolwright::executor::WaitMode;
use toolwright::ticket::TicketFilter;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_mcp::server::{ServeError, ServerLimits};
use toolwright_mcp::{rmcp, serve};

use crate::support::{Client, ERAS, Era, allowing, call, connect, mode, text};

/// The bodies that run.
#[derive(Default)]
struct World {
    begun: Notify,
    running: AtomicUsize,
    stopped: Notify,
}

struct Running<'w>(&'w World);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        self.0.stopped.notify_one();
    }
}

/// Change the world, if somebody says yes.
#[tool]
fn change(world: &Arc<World>) {
    world.running.fetch_add(100, Ordering::SeqCst);
}

/// Never end.
#[tool(read_only)]
async fn hang(world: &Arc<World>) {
    world.running.fetch_add(1, Ordering::SeqCst);
    let _running = Running(world);
    world.begun.notify_one();
    std::future::pending::<()>().await;
}

fn executor(world: &Arc<World>) -> Executor {
    allowing(ToolRegistry::new().with(Hang))
        .resource(Arc::clone(world))
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_cancelled_call_leaves_nothing_running() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let connected = connect(serve(executor(&world)), Client::new(), era).await;
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(call("hang", json!({}))));
        let options = PeerRequestOptions::no_options();
        let handle = connected
            .client
            .send_cancellable_request(request, options)
            .await
            .unwrap();
        world.begun.notified().await;
        handle.cancel(Some("enough".to_owned())).await.unwrap();
        world.stopped.notified().await;
        assert_eq!(world.running.load(Ordering::SeqCst), 0);
        // The connection goes on.
        assert_eq!(connected.client.list_all_tools().await.unwrap().len(), 1);
        connected.leave().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_goes_takes_its_calls_with_it() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let connected = connect(serve(executor(&world)), Client::new(), era).await;
        let peer = connected.client.peer().clone();
        tokio::spawn(async move { peer.call_tool_once(call("hang", json!({}))).await });
        world.begun.notified().await;
        let server = connected.server;
        connected.client.cancel().await.unwrap();
        server.await.unwrap().unwrap();
        assert_eq!(world.running.load(Ordering::SeqCst), 0, "{era:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_told_to_end_ends_its_calls_and_sessions() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let shutdown = CancellationToken::new();
        let server = serve(executor(&world)).shutdown(shutdown.clone());
        let connected = connect(server, Client::new(), era).await;
        let peer = connected.client.peer().clone();
        let called =
            tokio::spawn(async move { peer.call_tool_once(call("hang", json!({}))).await });
        world.begun.notified().await;
        shutdown.cancel();
        connected.server.await.unwrap().unwrap();
        assert_eq!(world.running.load(Ordering::SeqCst), 0);
        let _ = called.await.unwrap();
    }
}

#[tokio::test]
async fn a_request_has_so_much_time() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let limits = ServerLimits::new().request_time(Duration::from_millis(50));
        let connected = connect(serve(executor(&world)).limits(limits), Client::new(), era).await;
        let late = connected.call("hang", json!({})).await;
        assert_eq!(late.is_error, Some(true));
        assert!(text(&late).contains("50ms"), "{}", text(&late));
        assert_eq!(world.running.load(Ordering::SeqCst), 0);
        connected.leave().await;
    }
}

#[tokio::test]
async fn what_does_not_begin_as_mcp_asks_is_told_without_its_words() {
    let server = serve(executor(&Arc::default()));
    let (mut here, there) = tokio::io::duplex(1 << 16);
    let running = tokio::spawn(server.on(there));
    let secret = r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"token":"hunter2"}}"#;
    here.write_all(format!("{secret}\n").as_bytes())
        .await
        .unwrap();
    let error = running.await.unwrap().unwrap_err();
    assert!(matches!(error, ServeError::Beginning(_)), "{error}");
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_client_that_says_nothing_is_no_error() {
    let (here, there) = tokio::io::duplex(1 << 16);
    drop(here);
    serve(executor(&Arc::default())).on(there).await.unwrap();
    // Nor is one that sends garbage, which is answered.
    let (mut here, there) = tokio::io::duplex(1 << 16);
    let running = tokio::spawn(serve(executor(&Arc::default())).on(there));
    here.write_all(b"garbage\n{\"jsonrpc\":\n\n").await.unwrap();
    here.shutdown().await.unwrap();
    let mut said = String::new();
    here.read_to_string(&mut said).await.unwrap();
    running.await.unwrap().unwrap();
}

/// A client that never answers what it is asked.
#[derive(Clone, Default)]
struct Silent {
    asked: Arc<Notify>,
    told: Arc<Notify>,
}

impl ClientHandler for Silent {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("silent", "1"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.notify_one();
        std::future::pending().await
    }

    async fn on_cancelled(
        &self,
        _: CancelledNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.told.notify_one();
    }
}

/// A client that was asked about a call and does not answer.
async fn asked() -> (
    Executor,
    Arc<World>,
    RunningService<RoleClient, Silent>,
    RequestHandle<RoleClient>,
    JoinHandle<Result<(), ServeError>>,
) {
    let world: Arc<World> = Arc::default();
    let executor = Executor::builder(ToolRegistry::new().with(Change))
        .resource(Arc::clone(&world))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let (here, there) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(serve(executor.clone()).on(there));
    let silent = Silent::default();
    let client = silent
        .clone()
        .serve_with_lifecycle(here, mode(Era::Stateful))
        .await
        .unwrap();
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(call("change", json!({}))));
    let options = PeerRequestOptions::no_options();
    let handle = client
        .send_cancellable_request(request, options)
        .await
        .unwrap();
    silent.asked.notified().await;
    (executor, world, client, handle, server)
}

async fn open_tickets(executor: &Executor) -> usize {
    executor
        .tickets()
        .list(&TicketFilter::all())
        .await
        .unwrap()
        .len()
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_somebody_is_asked_leaves_no_ticket() {
    let (executor, world, client, handle, server) = asked().await;
    assert_eq!(open_tickets(&executor).await, 1);
    let silent = client.service().clone();
    handle.cancel(None).await.unwrap();
    // The client can close its form.
    silent.told.notified().await;
    while open_tickets(&executor).await > 0 {
        tokio::task::yield_now().await;
    }
    client.cancel().await.unwrap();
    server.await.unwrap().unwrap();
    assert_eq!(world.running.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_goes_while_it_is_asked_leaves_no_ticket() {
    let (executor, world, client, handle, server) = asked().await;
    client.cancel().await.unwrap();
    server.await.unwrap().unwrap();
    assert_eq!(open_tickets(&executor).await, 0);
    assert_eq!(world.running.load(Ordering::SeqCst), 0);
    drop(handle);
}
