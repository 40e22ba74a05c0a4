//! `--mcp` and `--mcp-config`: a workbench that uses the tools of another one, and of servers that are broken.
#![cfg(unix)]

mod broken;
mod config;
mod people;

use model_server::{ModelServer, Reply};
use serde_json::{Value, json};

use crate::{Bench, Ended, finish};

/// The line that starts a workbench as the server `b`, on the same root.
fn server(bench: &Bench, options: &str) -> String {
    let program = env!("CARGO_BIN_EXE_workbench");
    format!(
        "b='{program}' --root '{}' {options} serve",
        bench.root.display()
    )
}

fn with_server(bench: &Bench, options: &[&str], inner: &str) -> Ended {
    let line = server(bench, inner);
    bench.run(&[&["--mcp", &line], options].concat())
}

#[test]
fn tools_of_a_server_are_listed_beside_the_own_ones() {
    let bench = Bench::new();
    let listed = with_server(&bench, &["list", "--json"], "");
    let specs: Value = serde_json::from_str(listed.exits(0)).unwrap();
    let name_of = |spec: &Value| spec["name"].as_str().unwrap().to_owned();
    let names: Vec<String> = specs.as_array().unwrap().iter().map(name_of).collect();
    let own: Vec<&String> = names
        .iter()
        .filter(|name| !name.starts_with("b."))
        .collect();
    for name in own {
        assert!(names.contains(&format!("b.{name}")), "{names:?}");
    }
    for api in ["openai", "responses", "anthropic", "gemini", "compatible"] {
        let listed = with_server(&bench, &["list", "--for", api], "");
        let list: Value = serde_json::from_str(listed.exits(0)).unwrap();
        let text = list.to_string();
        assert!(
            text.contains("b_fs_read") && text.contains("\"fs_read\""),
            "{api}"
        );
    }
    assert_eq!(listed.stderr, "");
}

#[test]
fn a_server_is_not_trusted_with_what_it_says_of_its_tools() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let read = ["call", "b.fs.read", r#"{"path": "a.txt"}"#];
    let denied = with_server(&bench, &read, "");
    assert!(denied.exits(3).contains("approval"), "{denied:?}");
    let allowed = with_server(&bench, &[&["--yes"], &read[..]].concat(), "");
    assert_eq!(allowed.exits(0), "     1\tone\n");
    let denied = with_server(&bench, &[&["--deny"], &read[..]].concat(), "");
    denied.exits(3);
    let wrong = ["--yes", "call", "b.fs.read", r#"{"path": 5, "x": 1}"#];
    let wrong = with_server(&bench, &[&wrong[..], &["--strict"]].concat(), "");
    assert!(wrong.exits(1).contains("path"), "{wrong:?}");
    let failed = ["--yes", "call", "b.fs.read", r#"{"path": "none.txt"}"#];
    let failed = with_server(&bench, &failed, "");
    assert!(failed.exits(1).contains("none.txt"), "{failed:?}");
}

#[test]
fn a_policy_decides_about_tools_of_servers() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let policy = bench.outside().join("policy.toml");
    std::fs::write(&policy, "[[allow]]\ntools = [\"b.fs.read\"]\n").unwrap();
    let policy = policy.to_str().unwrap();
    let checked = with_server(&bench, &["--policy", policy, "policy", "check"], "");
    assert!(checked.exits(0).contains("no problem"), "{checked:?}");
    let read = [
        "--policy",
        policy,
        "call",
        "b.fs.read",
        r#"{"path": "a.txt"}"#,
    ];
    with_server(&bench, &read, "").exits(0);
    let listed = ["--policy", policy, "call", "b.fs.list"];
    with_server(&bench, &listed, "").exits(3);
}

#[test]
fn calls_of_a_run_go_to_both() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let line = server(&bench, "");
    let journal = bench.outside().join("journal");
    let journal = journal.to_str().unwrap();
    let lines = concat!(
        r#"[{"id":"1","name":"fs_read","arguments":{"path":"a.txt"}},{"id":"2","name":"b_fs_read","arguments":{"path":"a.txt"}}]"#,
        "\n",
        r#"{"id":"3","name":"b.text.count","arguments":{"text":"a b"}}"#
    );
    let options = ["--yes", "--mcp", &line, "run", "--journal", journal, "-"];
    let ended = finish(&mut bench.command(&options), lines);
    ended.exits(0);
    let results = ended.lines();
    assert_eq!(results[0]["content"], results[1]["content"]);
    assert_eq!(results[1]["tool"], "b.fs.read");
    assert_eq!(results[2]["content"][0]["json"]["words"], 2, "{results:?}");
    // Recorded calls of servers are answered by the journal.
    let replayed = bench.run(&["--yes", "--mcp", &line, "journal", "replay", journal]);
    replayed.exits(0);
}

#[test]
fn a_model_calls_tools_of_a_server() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let model = ModelServer::start([
        Reply::call("b_fs_read", &json!({"path": "a.txt"})),
        Reply::text("It says one."),
    ]);
    let line = server(&bench, "");
    let base = model.url();
    let options = [
        "--yes",
        "--mcp",
        &line,
        "chat",
        "--model",
        "claude-1",
        "--base-url",
        &base,
        "What does a.txt say?",
    ];
    let mut command = bench.command(&options);
    command
        .env("ANTHROPIC_API_KEY", "sk-test-1")
        .env_remove("HTTP_PROXY")
        .env_remove("http_proxy");
    let ended = finish(&mut command, "");
    assert_eq!(ended.exits(0), "It says one.\n");
    assert!(ended.stderr.contains("[b.fs.read: done]"), "{ended:?}");
    let request = model.request(2);
    assert!(request.tools().contains(&"b_fs_read"));
    assert!(
        request.results()[0].contains("one"),
        "{:?}",
        request.results()
    );
}
