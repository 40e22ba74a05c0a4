//! A server for the tests of imports from child processes, written with `rmcp` alone. Some of its tools misbehave.

use std::io::Write as _;
use std::process::exit;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

struct ChildServer;

const TOOLS: [(&str, &str); 8] = [
    ("echo", "Gives its arguments back."),
    ("environment", "Names the variables of its environment."),
    ("die", "Ends the process."),
    ("hang", "Never answers."),
    (
        "garbage",
        "Writes lines that are no messages, and then answers.",
    ),
    ("big", "Gives as many bytes as it is told."),
    ("flood", "Sends as many reports of progress as it is told."),
    (
        "family",
        "Starts a process of its own, and tells the ids of both.",
    ),
];

impl ServerHandler for ChildServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object"});
        let tool = |(name, description)| -> Tool {
            let schema = schema.as_object().cloned().unwrap_or_default();
            Tool::new(name, description, schema)
        };
        Ok(ListToolsResult::with_all_items(TOOLS.map(tool).to_vec()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(params.arguments.unwrap_or_default());
        let count = arguments["count"].as_u64().unwrap_or_default();
        let text = match &*params.name {
            "environment" => {
                let names =
                    std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
                names.collect::<Vec<_>>().join(" ")
            }
            "die" => exit(3),
            "hang" => std::future::pending().await,
            "garbage" => {
                for line in [
                    "garbage",
                    "{\"jsonrpc\": \"2.0\"",
                    "[1, 2",
                    "\u{0}\u{1b}[2K",
                    "{}",
                ] {
                    let mut output = std::io::stdout().lock();
                    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
                }
                "after the garbage".to_owned()
            }
            "big" => "x".repeat(usize::try_from(count).unwrap_or_default()),
            "flood" => {
                let Some(token) = context.meta.get_progress_token() else {
                    return Err(ErrorData::invalid_params("there is no token", None));
                };
                for number in 0..count {
                    let number = f64::from(u32::try_from(number).unwrap_or_default());
                    let report = ProgressNotificationParam::new(token.clone(), number);
                    let _ = context.peer.notify_progress(report).await;
                }
                "flooded".to_owned()
            }
            "family" => {
                let child = std::process::Command::new("sleep").arg("600").spawn();
                let child =
                    child.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
                format!("{} {}", std::process::id(), child.id())
            }
            _ => arguments.to_string(),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

/// Answers the question for the versions with a line, or ends if that is empty; the handshake goes on as with any server.
///
/// The line has `ID` in the place of the request's id.
async fn serve_oddly(answer: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut input = BufReader::new(tokio::io::stdin());
    let mut first = String::new();
    loop {
        first.clear();
        if input.read_line(&mut first).await? == 0 {
            return Ok(());
        }
        let message: Value = serde_json::from_str(&first)?;
        if message["method"] != "server/discover" {
            break;
        }
        if answer.is_empty() {
            exit(5);
        }
        let answer = answer.replace("ID", &message["id"].to_string());
        let mut output = std::io::stdout().lock();
        writeln!(output, "{answer}").and_then(|()| output.flush())?;
    }
    let input = std::io::Cursor::new(first).chain(input);
    let server = ChildServer.serve((input, tokio::io::stdout())).await?;
    server.waiting().await?;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--die"] => exit(4),
        ["--discover", answer] => return serve_oddly(answer).await,
        _ => {}
    }
    let server = ChildServer.serve(rmcp::transport::stdio()).await?;
    server.waiting().await?;
    Ok(())
}
