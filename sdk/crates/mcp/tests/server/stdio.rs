//! The example as a process of its own.

use std::path::PathBuf;
use std::process::Stdio;

use rmcp::transport::TokioChildProcess;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use toolwright_mcp::rmcp;

use crate::support::{Client, ERAS, call, mode, text};

/// The example `serve`, built if it is not there.
fn serve() -> Command {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.ancestors().nth(2).unwrap().join("examples");
    let program: PathBuf = folder.join(format!("serve{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let built = std::process::Command::new(env!("CARGO"))
            .args([
                "build",
                "--quiet",
                "--package",
                "toolwright-mcp",
                "--example",
                "serve",
            ])
            .status();
        assert!(built.unwrap().success());
    }
    Command::new(program)
}

#[tokio::test]
async fn a_client_starts_a_server_calls_and_ends_it() {
    for era in ERAS {
        let child = TokioChildProcess::new(serve()).unwrap();
        let client = Client::new()
            .serve_with_lifecycle(child, mode(era))
            .await
            .unwrap();
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 1);
        let counted = client
            .call_tool(call("count", json!({"text": "grüße"})))
            .await
            .unwrap();
        assert_eq!(text(&counted), "5");
        client.cancel().await.unwrap();
    }
    // By default a client finds out the era itself.
    let child = TokioChildProcess::new(serve()).unwrap();
    let auto = ClientLifecycleMode::Auto {
        preferred_versions: vec![rmcp::model::ProtocolVersion::V_2026_07_28],
        legacy_version: None,
    };
    let client = Client::new()
        .serve_with_lifecycle(child, auto)
        .await
        .unwrap();
    assert_eq!(client.list_all_tools().await.unwrap().len(), 1);
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn what_was_sent_before_the_input_ends_is_answered() {
    let mut child = serve()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let client = json!({"name": "raw", "version": "1"});
    let initialize =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": "two", "method": "tools/call", "params": {"name": "count", "arguments": {"text": "ab"}}}),
    ];
    let mut input = child.stdin.take().unwrap();
    for message in messages {
        input
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }
    drop(input);
    let ended = child.wait_with_output().await.unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let said = String::from_utf8(ended.stdout).unwrap();
    let answers: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 2, "{said}");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(
        answers[0]["result"]["capabilities"]["tools"]["listChanged"],
        true
    );
    assert_eq!(answers[1]["id"], "two");
    assert_eq!(answers[1]["result"]["content"][0]["text"], "2");
}
