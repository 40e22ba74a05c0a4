//! A client of a server that is a child process.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, Implementation, ProtocolVersion,
};
use rmcp::service::{
    PeerRequestOptions, RequestContext, RequestHandle, RoleClient, RunningService,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _, ErrorData};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use toolwright_mcp::rmcp;

use crate::{Bench, PATIENCE};

type Answer = dyn Fn(&ElicitRequestParams) -> ElicitResult + Send + Sync;

/// The person at a client.
#[derive(Clone)]
pub(crate) struct Person {
    asked: Arc<Mutex<Vec<ElicitRequestParams>>>,
    capabilities: ClientCapabilities,
    answer: Arc<Answer>,
}

impl Person {
    pub(crate) fn answering(
        answer: impl Fn(&ElicitRequestParams) -> ElicitResult + Send + Sync + 'static,
    ) -> Self {
        Self {
            asked: Arc::default(),
            capabilities: ClientCapabilities::builder().enable_elicitation().build(),
            answer: Arc::new(answer),
        }
    }

    /// Says no to all.
    pub(crate) fn silent() -> Self {
        Self::answering(|_| decline())
    }

    pub(crate) fn with(mut self, capabilities: ClientCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }
}

pub(crate) fn accept(content: Value) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(content)
}

pub(crate) fn decline() -> ElicitResult {
    ElicitResult::new(ElicitationAction::Decline)
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(self.capabilities.clone(), Implementation::new("test", "1"))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let answer = (self.answer)(&request);
        self.asked.lock().unwrap().push(request);
        Ok(answer)
    }
}

fn mode(is_stateless: bool) -> ClientLifecycleMode {
    if is_stateless {
        ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        }
    } else {
        ClientLifecycleMode::Initialize
    }
}

fn params(name: &str, arguments: Value) -> CallToolRequestParams {
    let params = CallToolRequestParams::new(name.to_owned());
    match arguments {
        Value::Object(arguments) => params.with_arguments(arguments),
        _ => params,
    }
}

/// A server with its client.
pub(crate) struct Served {
    pub(crate) client: RunningService<RoleClient, Person>,
    person: Person,
    child: Child,
    stderr: BufReader<ChildStderr>,
}

fn command(bench: &Bench, options: &[&str]) -> Command {
    let mut command = Command::from(bench.command(&[&["serve"], options].concat()));
    command
        .stderr(Stdio::piped())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .env_remove("WORKBENCH_TOKEN")
        .kill_on_drop(true);
    command
}

impl Served {
    pub(crate) async fn start(
        bench: &Bench,
        options: &[&str],
        person: Person,
        is_stateless: bool,
    ) -> Self {
        let mut child = command(bench, options).spawn().unwrap();
        let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let serving = person
            .clone()
            .serve_with_lifecycle(pipes, mode(is_stateless));
        let client = serving.await.unwrap();
        Self {
            client,
            person,
            child,
            stderr,
        }
    }

    /// Over HTTP, with the token that the server asks for.
    pub(crate) async fn start_http(bench: &Bench, options: &[&str], token: Option<&str>) -> Self {
        let (child, stderr, url) = listening(bench, options, token).await;
        let person = Person::silent();
        let client = connect(&url, token, person.clone()).await.unwrap();
        Self {
            client,
            person,
            child,
            stderr,
        }
    }

    /// Returns if it is an error, and the texts.
    pub(crate) async fn call(&mut self, name: &str, arguments: Value) -> (bool, String) {
        let result = self
            .client
            .call_tool(params(name, arguments))
            .await
            .unwrap();
        let texts = result.content.iter().filter_map(|block| block.as_text());
        let texts: Vec<&str> = texts.map(|text| text.text.as_str()).collect();
        (result.is_error == Some(true), texts.join("\n"))
    }

    pub(crate) async fn begin(&self, name: &str, arguments: Value) -> RequestHandle<RoleClient> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params(name, arguments)));
        let options = PeerRequestOptions::no_options();
        let peer = self.client.peer();
        peer.send_cancellable_request(request, options)
            .await
            .unwrap()
    }

    pub(crate) fn asked(&self) -> Vec<ElicitRequestParams> {
        self.person.asked.lock().unwrap().clone()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().unwrap().try_into().unwrap());
        kill_process(pid.unwrap(), signal).unwrap();
    }

    /// Closes the client, and waits for the server.
    pub(crate) async fn leave(self) -> (Option<i32>, String) {
        let Self {
            client,
            child,
            stderr,
            ..
        } = self;
        client.cancel().await.unwrap();
        ended(child, stderr).await
    }

    /// Waits for a server that ends while its client is there.
    pub(crate) async fn ends(self) -> (Option<i32>, String) {
        let Self {
            client,
            child,
            stderr,
            ..
        } = self;
        let ended = ended(child, stderr).await;
        drop(client);
        ended
    }
}

async fn ended(mut child: Child, mut stderr: BufReader<ChildStderr>) -> (Option<i32>, String) {
    let mut text = String::new();
    let ending = async {
        stderr.read_to_string(&mut text).await.unwrap();
        child.wait().await.unwrap()
    };
    let status = tokio::time::timeout(PATIENCE, ending).await;
    let status = status.unwrap_or_else(|_| panic!("the server hangs"));
    assert!(!text.contains("panicked"), "{text}");
    (status.code(), text)
}

/// A server over HTTP, and its address, as it says it.
pub(crate) async fn listening(
    bench: &Bench,
    options: &[&str],
    token: Option<&str>,
) -> (Child, BufReader<ChildStderr>, String) {
    let mut command = command(bench, options);
    if let Some(token) = token {
        command.env("WORKBENCH_TOKEN", token);
    }
    let mut child = command.spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).await.unwrap();
    let url = line
        .split_once("http://")
        .unwrap_or_else(|| panic!("{line}"))
        .1;
    let url = url.split(';').next().unwrap();
    (child, stderr, format!("http://{url}"))
}

pub(crate) async fn connect(
    url: &str,
    token: Option<&str>,
    person: Person,
) -> Result<RunningService<RoleClient, Person>, String> {
    let _ = rustls_graviola::default_provider().install_default();
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    if let Some(token) = token {
        let value = format!("Bearer {token}").parse().unwrap();
        config = config.custom_headers(HashMap::from([("authorization".parse().unwrap(), value)]));
    }
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let transport = StreamableHttpClientTransport::with_client(http, config);
    let connected = person.serve_with_lifecycle(transport, mode(false)).await;
    connected.map_err(|error| error.to_string())
}
