//! Requests as bytes on a socket, so that a test can send what no client library would.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) const OLD: &str = "2025-11-25";
pub(crate) const NEW: &str = "2026-07-28";

/// An HTTP request, on a connection of its own.
#[derive(Clone)]
pub(crate) struct Post {
    pub(crate) method: &'static str,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Post {
    /// A message with the headers that each needs.
    pub(crate) fn new(message: &Value) -> Self {
        Self::bytes(message.to_string())
    }

    pub(crate) fn bytes(body: impl Into<Vec<u8>>) -> Self {
        let post = Self {
            method: "POST",
            headers: Vec::new(),
            body: body.into(),
        };
        post.header("Host", "localhost")
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
    }

    /// A call in the era of requests that stand for themselves.
    pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Self {
        Self::new_era(
            id,
            "tools/call",
            json!({"name": tool, "arguments": arguments}),
        )
        .header("Mcp-Name", tool)
    }

    /// A request in the era of requests that stand for themselves.
    pub(crate) fn new_era(id: u64, method: &str, mut params: Value) -> Self {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": NEW,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        });
        Self::new(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .header("MCP-Protocol-Version", NEW)
            .header("Mcp-Method", method)
    }

    /// Sets a header, in place of one of that name.
    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn token(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    pub(crate) fn session(self, id: &str) -> Self {
        self.header("Mcp-Session-Id", id)
            .header("MCP-Protocol-Version", OLD)
    }

    pub(crate) fn head(&self) -> String {
        let mut head = format!("{} /mcp HTTP/1.1\r\nConnection: close\r\n", self.method);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head
    }

    pub(crate) async fn send(self, to: SocketAddr) -> Answer {
        let mut stream = self.begin(to).await;
        Answer::read(&mut stream).await
    }

    /// Sends the request, and leaves its answer to be read.
    pub(crate) async fn begin(self, to: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(to).await.unwrap();
        let head = format!("{}Content-Length: {}\r\n\r\n", self.head(), self.body.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        // A server that refuses may close before it has read all.
        let _ = stream.write_all(&self.body).await;
        stream
    }
}

/// The answer to an HTTP request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn read(stream: &mut TcpStream) -> Self {
        let mut all = Vec::new();
        // Bytes that were read before a reset count.
        let _ = stream.read_to_end(&mut all).await;
        Self::parse(&all)
    }

    fn parse(all: &[u8]) -> Self {
        let text = String::from_utf8_lossy(all);
        let (head, body) = text
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("no answer: {text:?}"));
        let mut lines = head.lines();
        let status = lines
            .next()
            .unwrap()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let chunked = headers
            .iter()
            .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = if chunked {
            joined(body)
        } else {
            body.to_owned()
        };
        Self {
            status,
            headers,
            body,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The messages: one, or the events of a stream.
    pub(crate) fn messages(&self) -> Vec<Value> {
        if self.header("content-type") != Some("text/event-stream") {
            return vec![serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))];
        }
        let data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"));
        data.filter(|data| !data.trim().is_empty())
            .map(|data| serde_json::from_str(data).unwrap())
            .collect()
    }

    /// The last message.
    pub(crate) fn message(&self) -> Value {
        self.messages().pop().unwrap_or_else(|| panic!("{self:?}"))
    }

    /// The text of the result of a call, or of the error.
    pub(crate) fn text(&self) -> String {
        let message = self.message();
        let text = message["result"]["content"][0]["text"].as_str();
        text.or_else(|| message["error"]["message"].as_str())
            .unwrap_or_else(|| panic!("{message}"))
            .to_owned()
    }
}

/// The chunks of a body in one.
fn joined(mut chunks: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > rest.len() {
            break;
        }
        out.push_str(&rest[..size]);
        chunks = rest[size..].trim_start_matches("\r\n");
    }
    out
}

/// A session of the old era.
pub(crate) struct OldSession {
    pub(crate) id: String,
    pub(crate) token: Option<String>,
}

pub(crate) fn initialize() -> Post {
    Post::new(&json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": OLD, "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }))
}

impl OldSession {
    pub(crate) async fn open(to: SocketAddr, token: Option<&str>) -> Self {
        let mut post = initialize();
        if let Some(token) = token {
            post = post.token(token);
        }
        let answer = post.send(to).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let session = Self {
            id: answer.header("mcp-session-id").unwrap().to_owned(),
            token: token.map(str::to_owned),
        };
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let answer = session.post(&initialized).send(to).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        session
    }

    pub(crate) fn post(&self, message: &Value) -> Post {
        self.with(Post::new(message))
    }

    pub(crate) fn with(&self, post: Post) -> Post {
        let post = post.session(&self.id);
        match &self.token {
            Some(token) => post.token(token),
            None => post,
        }
    }

    pub(crate) fn call(&self, id: u64, tool: &str, arguments: Value) -> Post {
        self.post(&json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }))
    }

    pub(crate) fn delete(&self) -> Post {
        let mut post = self.with(Post::bytes(""));
        post.method = "DELETE";
        post
    }

    pub(crate) fn get(&self) -> Post {
        let mut post = self.with(Post::bytes(""));
        post.method = "GET";
        post
    }
}
