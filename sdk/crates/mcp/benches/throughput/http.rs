//! Over HTTP, by connections that stay open.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::{Value, json};

use crate::{AT_A_TIME, params, start, turns};

/// The connections where many calls are made at a time.
const CONNECTIONS: usize = AT_A_TIME / 4;

struct Connection {
    stream: BufReader<TcpStream>,
    calls: Vec<Vec<u8>>,
}

struct Server {
    process: Child,
    at: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start(which: &str) -> Self {
        let mut process = start(which, "http");
        let mut at = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut at).unwrap();
        let at = at.trim().to_owned();
        Self { process, at }
    }

    /// Opens connections, all of one session in the old era.
    fn connections(&self, is_old: bool) -> Vec<Connection> {
        let session = is_old.then(|| self.session());
        let connect = |number: usize| Connection {
            stream: self.connect(),
            // Ids differ between connections, for a session has each at most once at a time.
            calls: (0..12)
                .map(|call| request(session.as_deref(), number * 12 + call))
                .collect(),
        };
        (0..CONNECTIONS).map(connect).collect()
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(&self.at).unwrap();
        stream.set_nodelay(true).unwrap();
        BufReader::new(stream)
    }

    fn session(&self) -> String {
        let mut stream = self.connect();
        let begin = json!({
            "jsonrpc": "2.0", "id": "begin", "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
        });
        stream.get_mut().write_all(&post("", &begin)).unwrap();
        let head = answer(&mut stream).0.to_ascii_lowercase();
        let session = head
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        let headers = format!(
            "Mcp-Session-Id: {}\r\nMCP-Protocol-Version: 2025-11-25\r\n",
            session.unwrap()
        );
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        stream
            .get_mut()
            .write_all(&post(&headers, &initialized))
            .unwrap();
        answer(&mut stream);
        headers
    }
}

fn request(session: Option<&str>, id: usize) -> Vec<u8> {
    let mut params = params(id);
    let headers = if let Some(headers) = session {
        headers.to_owned()
    } else {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().unwrap();
        format!(
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
        )
    };
    let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    post(&headers, &message)
}

fn post(headers: &str, message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Reads an answer: its head and its body.
fn answer(stream: &mut BufReader<TcpStream>) -> (String, Vec<u8>) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).unwrap() > 0, "{head}");
    }
    assert!(head.starts_with("HTTP/1.1 20"), "{head}");
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = Vec::new();
    if let Some(length) = length {
        body.resize(length.parse().unwrap(), 0);
        stream.read_exact(&mut body).unwrap();
        return (head, body);
    }
    let mut line = String::new();
    loop {
        line.clear();
        stream.read_line(&mut line).unwrap();
        let size = usize::from_str_radix(line.trim(), 16).unwrap();
        let begun = body.len();
        body.resize(begun + size + 2, 0);
        stream.read_exact(&mut body[begun..]).unwrap();
        if size == 0 {
            return (head, body);
        }
    }
}

impl Connection {
    fn one_by_one(&mut self, calls: usize) {
        for number in 0..calls {
            let call = &self.calls[number % self.calls.len()];
            self.stream.get_mut().write_all(call).unwrap();
            let (_, body) = answer(&mut self.stream);
            let wanted = b"\"result\"";
            assert!(
                body.windows(wanted.len()).any(|part| part == wanted),
                "{}",
                String::from_utf8_lossy(&body)
            );
        }
    }
}

fn many(connections: &mut [Connection], calls: usize) {
    std::thread::scope(|scope| {
        for connection in connections {
            scope.spawn(move || connection.one_by_one(calls.div_ceil(CONNECTIONS)));
        }
    });
}

pub(crate) fn compare(rounds: usize) {
    let (plain, ours) = (Server::start("plain"), Server::start("ours"));
    for (is_old, era) in [(true, "http 2025-11-25"), (false, "http 2026-07-28")] {
        let mut plain = plain.connections(is_old);
        let mut ours = ours.connections(is_old);
        let label = format!("{era}, latency");
        turns(
            rounds,
            &label,
            false,
            |n| plain[0].one_by_one(n),
            |n| ours[0].one_by_one(n),
        );
        let label = format!("{era}, calls/s");
        turns(
            rounds,
            &label,
            true,
            |n| many(&mut plain, n),
            |n| many(&mut ours, n),
        );
    }
}
