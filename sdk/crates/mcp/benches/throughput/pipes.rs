//! Over the pipes of a child process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::json;

use crate::{AT_A_TIME, params, start, turns};

struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: Vec<String>,
    line: String,
}

impl Client {
    fn start(which: &str) -> Self {
        let mut process = start(which, "pipes");
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        // An id may come again when its call has ended.
        let calls = (0..3 * AT_A_TIME).map(|id| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params(id)})
                .to_string()
                + "\n"
        });
        let mut client = Self {
            process,
            input,
            output,
            calls: calls.collect(),
            line: String::new(),
        };
        let begin = json!({
            "jsonrpc": "2.0", "id": "begin", "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
        });
        client.write(&format!("{begin}\n"));
        client.read();
        client.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        client
    }

    fn write(&mut self, message: &str) {
        self.input.write_all(message.as_bytes()).unwrap();
    }

    fn read(&mut self) {
        self.line.clear();
        self.output.read_line(&mut self.line).unwrap();
        assert!(self.line.contains("\"result\""), "{}", self.line);
    }

    fn one_by_one(&mut self, calls: usize) {
        for number in 0..calls {
            let place = number % self.calls.len();
            self.input.write_all(self.calls[place].as_bytes()).unwrap();
            self.read();
        }
    }

    fn many(&mut self, calls: usize) {
        for batch in 0..calls / AT_A_TIME {
            let from = batch * AT_A_TIME % self.calls.len();
            let together = self.calls[from..from + AT_A_TIME].concat();
            self.write(&together);
            for _ in 0..AT_A_TIME {
                self.read();
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn compare(rounds: usize) {
    let (mut plain, mut ours) = (Client::start("plain"), Client::start("ours"));
    turns(
        rounds,
        "pipes, latency",
        false,
        |n| plain.one_by_one(n),
        |n| ours.one_by_one(n),
    );
    turns(
        rounds,
        "pipes, calls/s",
        true,
        |n| plain.many(n),
        |n| ours.many(n),
    );
}
