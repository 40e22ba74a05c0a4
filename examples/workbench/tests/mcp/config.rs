//! Servers of configuration files.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::serve::client::listening;
use crate::{Bench, Ended, finish};

const SECRET: &str = "s3cret-0123456789abcdef";

fn file(bench: &Bench, config: &Value) -> PathBuf {
    let path = bench.outside().join("mcp.json");
    std::fs::write(&path, config.to_string()).unwrap();
    path
}

/// Nothing that is written has the secret.
fn run(bench: &Bench, config: &Value, options: &[&str]) -> Ended {
    let path = file(bench, config);
    let mut command = bench.command(&[&["--mcp-config", path.to_str().unwrap()], options].concat());
    command.env("THE_KEY", SECRET);
    let ended = finish(&mut command, "");
    let said = format!("{ended:?}");
    assert!(!said.contains("s3cret"), "{said}");
    ended
}

#[test]
fn each_client_s_form_is_read() {
    let bench = Bench::new();
    let root = bench.root.to_str().unwrap();
    let program = env!("CARGO_BIN_EXE_workbench");
    for key in ["mcpServers", "servers", "context_servers"] {
        let config = json!({key: {
            "My files": {"type": "stdio", "command": program, "args": ["serve", "--root", root], "env": {"KEY": "${THE_KEY}"}},
            "off": {"command": "no such program", "disabled": true},
        }, "inputs": []});
        let listed = run(&bench, &config, &["list"]);
        assert!(listed.exits(0).contains("My-files.fs.read"), "{listed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_http_gets_its_headers() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let options = ["--http", "127.0.0.1:0"];
    let (mut child, stderr, url) = listening(&bench, &options, Some(SECRET)).await;
    for (value, is_right) in [("Bearer ${THE_KEY}", true), ("Bearer s3cret", false)] {
        let entry = json!({"url": url, "headers": {"Authorization": value}});
        let config = json!({"mcpServers": {"far": entry}});
        let call = ["--yes", "call", "far.fs.read", r#"{"path": "a.txt"}"#];
        let ended = run(&bench, &config, &call);
        if is_right {
            assert_eq!(ended.exits(0), "     1\tone\n", "{ended:?}");
        } else {
            ended.exits(2);
            assert!(
                ended.stderr.contains("`far`") && ended.stderr.contains("headers"),
                "{ended:?}"
            );
        }
    }
    child.kill().await.unwrap();
    drop(stderr);
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let bench = Bench::new();
    for (config, word) in [
        (json!({}), "mcpServers"),
        (json!([SECRET]), "mcpServers"),
        (json!({"mcpServers": {"a": {"env": {"K": SECRET}}}}), "`a`"),
        (
            json!({"mcpServers": {"a": {"command": "x", "env": {"K": [SECRET]}}}}),
            "`env`",
        ),
        (
            json!({"mcpServers": {"a": {"command": "x", "args": ["${NOT_SET_ANYWHERE}"]}}}),
            "NOT_SET_ANYWHERE",
        ),
        (
            json!({"mcpServers": {"a": {"command": "no such program", "env": {"K": SECRET}}}}),
            "no such program",
        ),
        (
            json!({"mcpServers": {"a b": {"command": "x"}, "a-b": {"command": "y"}}}),
            "a-b",
        ),
    ] {
        let ended = run(&bench, &config, &["list"]);
        assert_eq!(ended.exits(2), "");
        assert!(ended.stderr.contains(word), "{ended:?}");
    }
    let path = file(&bench, &json!(null));
    std::fs::write(&path, format!("{{\"mcpServers\": {SECRET}}}")).unwrap();
    let ended = bench.run(&["--mcp-config", path.to_str().unwrap(), "list"]);
    ended.exits(2);
    assert!(
        ended.stderr.contains("line 1") && !ended.stderr.contains("s3cret"),
        "{ended:?}"
    );
    let ended = bench.run(&["--mcp-config", "none.json", "list"]);
    ended.exits(2);
    assert!(ended.stderr.contains("none.json"), "{ended:?}");
}
