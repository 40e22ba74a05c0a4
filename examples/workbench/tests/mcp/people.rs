//! Calls of servers that ask: once before they are sent, and once by the server.

use serde_json::{Value, json};

use super::server;
use crate::Bench;
use crate::screen::{ENTER, Screen};
use crate::serve::client::{Person, Served, accept};

const WRITE: [&str; 3] = ["call", "b.fs.write", r#"{"path": "a.txt", "content": "x"}"#];

#[test]
fn the_person_at_the_terminal_is_asked_by_both() {
    let bench = Bench::new();
    let line = server(&bench, "");
    let mut screen = Screen::start(&bench, &[&["--mcp", &line], &WRITE[..]].concat());
    screen.sees("May b.fs.write run?");
    screen.press("y");
    screen.sees("The MCP server `b` asks: Decision");
    screen.press(ENTER);
    screen.sees("The MCP server `b` asks: Reason");
    screen.press(ENTER);
    let (code, said) = screen.ends();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(bench.read("a.txt"), "x");
}

#[test]
fn where_nobody_is_there_nothing_runs() {
    let bench = Bench::new();
    let line = server(&bench, "");
    let ended = bench.run(&[&["--yes", "--mcp", &line], &WRITE[..]].concat());
    assert!(ended.exits(1).contains("nobody is there"), "{ended:?}");
    assert!(!bench.path("a.txt").exists());
}

#[test]
fn a_call_that_asks_waits_and_goes_on() {
    let bench = Bench::new();
    let line = server(&bench, "");
    let waits = bench.outside().join("waits");
    let key = bench.outside().join("key");
    let (waits, key) = (waits.to_str().unwrap(), key.to_str().unwrap());
    let call =
        json!({"id": "1", "name": "b.fs.write", "arguments": {"path": "a.txt", "content": "x"}});
    bench.file("calls.jsonl", call.to_string());
    let calls = bench.path("calls.jsonl");
    let options = [
        "--mcp",
        &line,
        "run",
        "--suspend",
        waits,
        "--key",
        key,
        calls.to_str().unwrap(),
    ];
    let mut ended = bench.run(&options);
    let mut rounds = 0;
    while ended.code == Some(4) {
        rounds += 1;
        let ticket = ended.lines()[0]["ticket"].as_str().unwrap().to_owned();
        let common = [
            "--mcp",
            &line,
            "resume",
            &ticket,
            "--suspend",
            waits,
            "--key",
            key,
        ];
        ended = if ended.lines()[0]["asks"].as_array().unwrap().len() == 2 {
            // A form of two fields: each is answered.
            bench
                .run(
                    &[
                        &common[..],
                        &["--request", "0", "--answer", r#""Yes, this time""#],
                    ]
                    .concat(),
                )
                .exits(4);
            bench.run(&[&common[..], &["--request", "1", "--answer", r#""""#]].concat())
        } else {
            bench.run(&[&common[..], &["yes"]].concat())
        };
    }
    assert!(!ended.exits(0).is_empty());
    assert_eq!(
        (rounds, bench.read("a.txt").as_str()),
        (2, "x"),
        "{ended:?}"
    );
}

#[tokio::test]
async fn a_server_that_is_served_again_asks_the_client() {
    let bench = Bench::new();
    let line = server(&bench, "");
    for (is_stateless, decision) in [(false, "yes"), (true, "yes"), (true, "no")] {
        let name = format!("{is_stateless}-{decision}.txt");
        let person = Person::answering(move |asked| {
            let form = serde_json::to_value(asked).unwrap();
            let fields = form["requestedSchema"]["properties"].as_object().unwrap();
            // The workbench itself asks for its decision; what the inner server asks is a question.
            if fields.contains_key("decision") {
                return accept(json!({"decision": "yes"}));
            }
            let answer = |(name, field): (&String, &Value)| {
                let choice = if decision == "yes" {
                    "Yes, this time"
                } else {
                    "No"
                };
                let is_choice = field.to_string().contains("Yes, this time");
                (name.clone(), json!(if is_choice { choice } else { "" }))
            };
            accept(
                fields
                    .iter()
                    .map(answer)
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
            )
        });
        let mut served = Served::start(&bench, &["--mcp", &line], person, is_stateless).await;
        let tools = served.client.list_all_tools().await.unwrap();
        assert!(tools.iter().any(|tool| tool.name == "b.fs.write"));
        let arguments = json!({"path": name, "content": "x"});
        let (is_error, text) = served.call("b.fs.write", arguments).await;
        assert_eq!(is_error, decision == "no", "{text} {:?}", served.asked());
        assert_eq!(bench.path(&name).exists(), decision == "yes", "{text}");
        assert!(served.asked().len() >= 2, "{:?}", served.asked());
        let (code, stderr) = served.leave().await;
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
    }
}
