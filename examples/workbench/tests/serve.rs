//! `workbench serve`, driven by clients that are written with the official SDK.
#![cfg(unix)]

pub(crate) mod client;
mod http;

use rmcp::model::{ClientCapabilities, ElicitRequestParams};
use rustix::process::Signal;
use serde_json::{Value, json};
use toolwright_mcp::rmcp;

use self::client::{Person, Served, accept, decline};
use crate::gone::{all_go, wait_until};
use crate::{Bench, finish};

fn message(asked: &ElicitRequestParams) -> &str {
    match asked {
        ElicitRequestParams::FormElicitationParams { message, .. } => message,
        _ => panic!("{asked:?}"),
    }
}

#[tokio::test]
async fn a_client_lists_the_tools_and_calls_them() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    for is_stateless in [false, true] {
        let mut served = Served::start(&bench, &[], Person::silent(), is_stateless).await;
        let tools = served.client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        let listed: Value = serde_json::from_str(bench.run(&["list", "--json"]).exits(0)).unwrap();
        let specs = listed.as_array().unwrap().iter();
        let own: Vec<&str> = specs.map(|spec| spec["name"].as_str().unwrap()).collect();
        assert_eq!(names, own);
        let read = served.call("fs.read", json!({"path": "a.txt"})).await;
        assert_eq!(read, (false, "     1\tone".to_owned()));
        let (is_error, text) = served
            .call("fs.read", json!({"path": "../secret.txt"}))
            .await;
        assert!(is_error && !text.contains("a secret"), "{text}");
        let (is_error, text) = served.call("fs.read", json!({"paht": 1})).await;
        assert!(is_error && text.contains("path"), "{text}");
        let (code, stderr) = served.leave().await;
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
    }
}

#[tokio::test]
async fn the_person_at_the_client_approves_and_denies() {
    let bench = Bench::new();
    for is_stateless in [false, true] {
        let name = format!("{is_stateless}.txt");
        let arguments = json!({"path": name, "content": "x"});
        let no = Person::answering(|_| accept(json!({"decision": "no", "reason": "not today"})));
        let mut served = Served::start(&bench, &[], no, is_stateless).await;
        let (is_error, text) = served.call("fs.write", arguments.clone()).await;
        assert!(is_error && text.contains("not today"), "{text}");
        assert!(!bench.path(&name).exists());
        let asked = served.asked();
        assert!(message(&asked[0]).contains(&name), "{asked:?}");
        served.leave().await;
        let yes = Person::answering(|_| accept(json!({"decision": "yes"})));
        let mut served = Served::start(&bench, &[], yes, is_stateless).await;
        let (is_error, text) = served.call("fs.write", arguments).await;
        assert!(!is_error, "{text}");
        assert_eq!(bench.read(&name), "x");
        served.leave().await;
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_gets_a_denial() {
    let bench = Bench::new();
    let person = Person::silent().with(ClientCapabilities::default());
    let mut served = Served::start(&bench, &[], person, false).await;
    let arguments = json!({"path": "a.txt", "content": "x"});
    let (is_error, text) = served.call("fs.write", arguments).await;
    assert!(is_error && text.contains("capability"), "{text}");
    assert!(!bench.path("a.txt").exists());
    served.leave().await;
}

#[tokio::test]
async fn a_question_of_a_tool_is_a_form() {
    let bench = Bench::new();
    for is_stateless in [false, true] {
        let person = Person::answering(|_| accept(json!({"answer": "pear"})));
        let mut served = Served::start(&bench, &[], person, is_stateless).await;
        let arguments = json!({"question": "Which fruit?", "options": [{"label": "apple"}, {"label": "pear"}], "other": false});
        let asked = served.call("user.ask", arguments.clone()).await;
        assert_eq!(asked, (false, "pear".to_owned()), "{:?}", served.asked());
        assert!(message(&served.asked()[0]).contains("Which fruit?"));
        served.leave().await;
        let person = Person::answering(|_| decline());
        let mut served = Served::start(&bench, &[], person, is_stateless).await;
        let (is_error, text) = served.call("user.ask", arguments).await;
        assert!(is_error && text.contains("declined"), "{text}");
        served.leave().await;
    }
}

#[tokio::test]
async fn options_hold_for_clients_too() {
    let bench = Bench::new();
    let arguments = json!({"path": "a.txt", "content": "x"});
    let mut served = Served::start(&bench, &["--deny"], Person::silent(), false).await;
    let (is_error, _) = served.call("fs.write", arguments.clone()).await;
    assert!(is_error && !bench.path("a.txt").exists());
    served.leave().await;
    let journal = bench.outside().join("journal");
    let journal = journal.to_str().unwrap();
    let options = ["--yes", "--journal", journal];
    let mut served = Served::start(&bench, &options, Person::silent(), false).await;
    let (is_error, _) = served.call("fs.write", arguments).await;
    assert!(!is_error && served.asked().is_empty());
    served.leave().await;
    let shown = bench.run(&["journal", "show", journal]);
    assert!(shown.exits(0).contains("fs.write"), "{shown:?}");
    bench.run(&["journal", "verify", journal]).exits(0);
}

/// A shell line that leaves its number and goes on.
const LONG: &str = "echo $$ > pid; sleep 300";

fn pid(bench: &Bench) -> i32 {
    let path = bench.path("pid");
    wait_until(|| std::fs::read_to_string(&path).ok()?.trim().parse().ok())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_leaves_no_process() {
    let bench = Bench::new();
    let served = Served::start(&bench, &["--yes"], Person::silent(), false).await;
    let handle = served.begin("shell.run", json!({"command": LONG})).await;
    let pid = pid(&bench);
    handle.cancel(Some("enough".to_owned())).await.unwrap();
    all_go(&[pid]);
    assert_eq!(served.leave().await.0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_the_calls_and_the_server() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        for options in [&["--yes"][..], &["--yes", "--http", "127.0.0.1:0"]] {
            let bench = Bench::new();
            let served = if options.len() == 1 {
                Served::start(&bench, options, Person::silent(), false).await
            } else {
                Served::start_http(&bench, options, None).await
            };
            let _handle = served.begin("shell.run", json!({"command": LONG})).await;
            let pid = pid(&bench);
            served.signal(signal);
            let (ended, stderr) = served.ends().await;
            assert_eq!(ended, Some(code), "{stderr}");
            all_go(&[pid]);
        }
    }
}

#[test]
fn standard_output_has_nothing_but_the_protocol() {
    let bench = Bench::new();
    let client = json!({"name": "raw", "version": "1"});
    let initialize =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "shell.run", "arguments": {"command": "echo out; echo err >&2"}}}),
    ];
    let input = messages.map(|message| message.to_string()).join(
        "
",
    ) + "
";
    let ended = finish(&mut bench.command(&["--yes", "--live", "serve"]), &input);
    let answers: Vec<Value> = ended
        .exits(0)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let is_last = |answer: &Value| answer["id"] == 2;
    assert!(answers.iter().any(is_last), "{answers:?}");
    assert!(
        answers.iter().all(|answer| answer["jsonrpc"] == "2.0"),
        "{answers:?}"
    );
    let info = &answers[0]["result"]["serverInfo"];
    assert_eq!(info["name"], "workbench");
}
