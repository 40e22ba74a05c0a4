//! The same tools, by `rmcp` and its macros alone.

use axum::serve::ListenerExt;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::{Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::net::TcpListener;

#[derive(Deserialize, JsonSchema)]
struct EchoArguments {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct AddArguments {
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

#[derive(Deserialize, JsonSchema)]
struct LinesArguments {
    count: u32,
    word: String,
}

#[derive(Clone)]
struct Plain {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Plain {
    fn new() -> Self {
        Self {
            tool_router: Self::tool_router(),
        }
    }

    #[tool(description = "Say a text back.")]
    async fn echo(&self, Parameters(arguments): Parameters<EchoArguments>) -> String {
        arguments.text
    }

    #[tool(description = "Add two numbers.")]
    async fn add(&self, Parameters(arguments): Parameters<AddArguments>) -> Json<Sum> {
        Json(Sum {
            sum: arguments.a + arguments.b,
        })
    }

    #[tool(description = "Write lines of a word.")]
    async fn lines(&self, Parameters(arguments): Parameters<LinesArguments>) -> String {
        written(arguments.count, &arguments.word)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Plain {}

pub(crate) fn written(count: u32, word: &str) -> String {
    let line = |number| format!("{number}: the word is {word}, as it was before");
    (0..count).map(line).collect::<Vec<_>>().join("\n")
}

/// A socket on a port that the client reads from standard output.
pub(crate) async fn listener() -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    listener
}

pub(crate) async fn on_pipes() {
    let running = Plain::new()
        .serve(rmcp::transport::stdio_pipes())
        .await
        .unwrap();
    running.waiting().await.unwrap();
}

pub(crate) async fn on_http() {
    let plain = Plain::new();
    let service = StreamableHttpService::new(
        move || Ok(plain.clone()),
        Arc::new(LocalSessionManager::default()),
        // As the other server has it.
        StreamableHttpServerConfig::default().with_json_response(true),
    );
    let app = axum::Router::new().nest_service("/mcp", service);
    // Without this each answer of a session, which is sent in parts, waits 40 ms for the client's system.
    let listener = listener()
        .await
        .tap_io(|stream| stream.set_nodelay(true).unwrap());
    axum::serve(listener, app).await.unwrap();
}
