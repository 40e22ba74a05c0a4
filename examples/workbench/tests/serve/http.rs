//! The same over HTTP.

use std::process::Command;

use rustix::process::Signal;
use serde_json::json;

use super::client::{Person, Served, connect, listening};
use crate::{Bench, Ended, finish};

const TOKEN: &str = "s3cret-0123456789abcdef";

#[tokio::test]
async fn a_server_on_this_machine_needs_no_token() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let mut served = Served::start_http(&bench, &["--http", "localhost:0"], None).await;
    let read = served.call("fs.read", json!({"path": "a.txt"})).await;
    assert_eq!(read, (false, "     1\tone".to_owned()));
    served.signal(Signal::TERM);
    let (code, stderr) = served.ends().await;
    assert_eq!((code, stderr.as_str()), (Some(143), ""));
}

#[tokio::test]
async fn with_a_token_nobody_else_is_served() {
    let bench = Bench::new();
    let options = ["--http", "127.0.0.1:0"];
    let (mut child, stderr, url) = listening(&bench, &options, Some(TOKEN)).await;
    for wrong in [None, Some("s3cret"), Some("")] {
        let refused = connect(&url, wrong, Person::silent()).await;
        assert!(refused.is_err(), "{wrong:?}");
    }
    let client = connect(&url, Some(TOKEN), Person::silent()).await.unwrap();
    assert!(!client.list_all_tools().await.unwrap().is_empty());
    client.cancel().await.unwrap();
    child.kill().await.unwrap();
    drop(stderr);
}

/// A server that is refused. Nothing that is written has the token.
fn refused(options: &[&str], token: Option<&str>) -> Ended {
    let bench = Bench::new();
    let mut command: Command = bench.command(&[&["serve"], options].concat());
    command.env_remove("WORKBENCH_TOKEN");
    if let Some(token) = token {
        command.env("WORKBENCH_TOKEN", token);
    }
    let ended = finish(&mut command, "");
    assert_eq!(ended.exits(2), "");
    assert!(!ended.stderr.contains("s3cret"), "{ended:?}");
    ended
}

#[test]
fn others_need_a_token_and_a_name_of_the_server() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let told = refused(&["--http", address], None).stderr;
        for word in [address, "other machines", "WORKBENCH_TOKEN", "127.0.0.1"] {
            assert!(told.contains(word), "{told}");
        }
        let told = refused(&["--http", address], Some(TOKEN)).stderr;
        assert!(told.contains("--host NAME"), "{told}");
    }
}

#[tokio::test]
async fn others_reach_a_server_by_the_names_that_it_has() {
    let bench = Bench::new();
    let options = ["--http", "0.0.0.0:0", "--host", "tools.test"];
    let (mut child, stderr, url) = listening(&bench, &options, Some(TOKEN)).await;
    let url = url.replace("0.0.0.0", "127.0.0.1");
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for (host, status) in [("tools.test", 400), ("other.test", 403)] {
        let request = http.post(&url).header("host", host).bearer_auth(TOKEN);
        let request = request
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        let response = request.body("{}").send().await.unwrap();
        assert_eq!(response.status(), status, "{host}");
    }
    child.kill().await.unwrap();
    drop(stderr);
}

#[test]
fn what_cannot_be_served_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (options, token, word) in [
        (&["--http", "nonsense"][..], None, "HOST:PORT"),
        (&["--http", "127.0.0.1:99999"], None, "HOST:PORT"),
        (&["--http", "127.0.0.1:0"], Some(""), "is empty"),
        (
            &["--http", "127.0.0.1:0"],
            Some("s3cret word"),
            "characters",
        ),
        (&["--env", "WORKBENCH_TOKEN"], Some(TOKEN), "leave it out"),
        (&["--host", "a"], None, "--http"),
    ] {
        let told = refused(options, token).stderr;
        assert!(told.contains(word), "{options:?}: {told}");
    }
    let told = refused(&["--http", &address], None).stderr;
    assert!(
        told.contains("no program has") && told.contains("because:"),
        "{told}"
    );
    drop(taken);
}
