//! Tickets over HTTP: the processes that ask, and those that serve the answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{PROGRAM, run};

/// A process that serves tickets. It is killed at the end, as by a crash.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut process = program("serve", folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        Self {
            process,
            address: address.trim().to_owned(),
        }
    }

    /// Sends a request, and returns the status and the body of its answer.
    fn send(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn tickets(&self) -> Value {
        let (status, body) = self.send("GET", "/tickets", "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn answer(&self, ticket: &str, answer: &Value) -> (u16, String) {
        self.send("POST", &format!("/tickets/{ticket}"), &answer.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn program(role: &str, folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["tickets_over_http", role]).arg(folder);
    command
}

/// Makes a call in a process that ends, and returns its ticket.
fn ask(folder: &Path) -> String {
    run(&mut program("ask", folder)).trim().to_owned()
}

#[test]
fn a_call_of_another_process_goes_on_behind_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let waits = folder.path().join("waits");
    let ticket = ask(&waits);

    let first = Server::start(&waits);
    let listed = first.tickets();
    assert_eq!(listed[0]["id"], ticket.as_str());
    assert_eq!(listed[0]["summary"], "Deploy 1.4");
    drop(first);

    let second = Server::start(&waits);
    assert_eq!(second.tickets(), listed);
    let (status, body) = second.answer(
        &ticket,
        &json!({"allow": true, "reason": "tests are green"}),
    );
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["ran"], true);
    let text = body["text"].as_str().unwrap();
    assert!(text.starts_with("1.4 is live"), "{text}");
    assert!(text.contains("tests are green"), "{text}");
    assert_eq!(second.tickets(), json!([]));
    drop(second);

    // The ticket is used up, behind another restart too.
    let third = Server::start(&waits);
    let (status, body) = third.answer(&ticket, &json!({"allow": true}));
    assert_eq!(status, 409, "{body}");
}

#[test]
fn a_no_does_not_run_the_call_and_the_model_reads_why() {
    let folder = tempfile::tempdir().unwrap();
    let waits = folder.path().join("waits");
    let server = Server::start(&waits);
    // The server that is there already finds the ticket of a process that comes later.
    let ticket = ask(&waits);
    let (status, body) = server.answer(
        &ticket,
        &json!({"allow": false, "reason": "not on a Friday"}),
    );
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["ran"], false);
    assert!(body["text"].as_str().unwrap().contains("not on a Friday"));
}

#[test]
fn what_is_no_answer_leaves_the_ticket_open() {
    let folder = tempfile::tempdir().unwrap();
    let waits = folder.path().join("waits");
    let ticket = ask(&waits);
    let server = Server::start(&waits);
    let (status, _) = server.answer(&ticket, &json!({"allow": "perhaps"}));
    assert_eq!(status, 422);
    let (status, _) = server.answer("not-a-ticket", &json!({"allow": true}));
    assert_eq!(status, 400);
    let (status, _) = server.answer(&"0".repeat(32), &json!({"allow": true}));
    assert_eq!(status, 404);
    assert_eq!(server.tickets()[0]["id"], ticket.as_str());
}

/// A ticket that was signed with another key is none.
#[test]
fn a_server_with_another_key_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let waits = folder.path().join("waits");
    let ticket = ask(&waits);
    std::fs::write(folder.path().join("waits.key"), [7; 32]).unwrap();
    let server = Server::start(&waits);
    let (status, body) = server.answer(&ticket, &json!({"allow": true}));
    assert!(status >= 400, "{body}");
    assert!(!body.contains("is live"), "{body}");
}
