//! A person talks to a model, which the stand-in server plays.
#![cfg(unix)]

use model_server::{Failure, ModelServer, Reply};
use serde_json::{Value, json};

use crate::screen::{CTRL_C, Screen};
use crate::{Bench, Ended, finish};

mod failures;
mod secrets;
mod transcripts;

const KEY: &str = "sk-test-0123456789";

const APIS: [&str; 5] = ["openai", "responses", "anthropic", "gemini", "compatible"];

const CTRL_D: &str = "\x04";

/// The address as an API's own clients take it.
fn base(server: &ModelServer, api: &str) -> String {
    match api {
        "anthropic" | "gemini" => server.url(),
        _ => server.url() + "/v1",
    }
}

const KEYS: [(&str, &str); 3] = [
    ("OPENAI_API_KEY", KEY),
    ("ANTHROPIC_API_KEY", KEY),
    ("GEMINI_API_KEY", KEY),
];

/// A message without a terminal. Nothing that is written has the key.
fn once(bench: &Bench, server: &ModelServer, api: &str, options: &[&str]) -> Ended {
    let base = base(server, api);
    let chat = ["chat", "--api", api, "--model", "m-1", "--base-url", &base];
    let mut command = bench.command(&[&chat, options].concat());
    command
        .envs(KEYS)
        .env_remove("HTTP_PROXY")
        .env_remove("http_proxy");
    let ended = finish(&mut command, "");
    assert!(
        !ended.stdout.contains(KEY) && !ended.stderr.contains(KEY),
        "{ended:?}"
    );
    ended
}

/// A dialogue at a terminal.
fn dialogue(bench: &Bench, server: &ModelServer, options: &[&str]) -> Screen {
    let base = server.url();
    let chat = ["chat", "--model", "claude-1", "--base-url", &base];
    let screen = Screen::start_with(bench, &KEYS, &[&chat, options].concat());
    screen.sees("> ");
    screen
}

fn read(path: &str) -> Reply {
    Reply::call("fs_read", &json!({"path": path}))
}

fn write(path: &str) -> Reply {
    Reply::call("fs_write", &json!({"path": path, "content": "x"}))
}

#[test]
fn each_api_gets_the_results_of_its_calls() {
    for api in APIS {
        let bench = Bench::new();
        bench.file("a.txt", "one\n");
        let server = ModelServer::start([
            Reply::thinking("hm")
                .and_text("I look.")
                .and_call("fs_read", &json!({"path": "a.txt"})),
            Reply::text("It says one.\u{1b}[2J").in_frames_of(3),
        ]);
        let ended = once(
            &bench,
            &server,
            api,
            &["--system", "Be short.", "What does a.txt say?"],
        );
        let said = ended.exits(0);
        assert_eq!(said, "I look.\nIt says one.\\u{1b}[2J\n", "{api}");
        assert!(
            ended.stderr.contains("[calls fs_read]\n[fs.read: done]"),
            "{ended:?}"
        );
        let request = server.request(2);
        assert!(
            request.is_streamed && request.text.contains("Be short."),
            "{api}"
        );
        assert_eq!(request.results().len(), 1, "{api}");
        assert!(
            request.results()[0].contains("one"),
            "{api} {:?}",
            request.results()
        );
        assert!(request.tools().contains(&"fs_read"), "{api}");
        assert_eq!(request.model(), "m-1");
        assert_eq!(request.key(), (api != "compatible").then_some(KEY), "{api}");
    }
}

#[test]
fn a_person_approves_and_denies() {
    let bench = Bench::new();
    let server = ModelServer::start([
        write("a"),
        Reply::text("written"),
        write("b"),
        Reply::text("not written"),
    ]);
    let mut screen = dialogue(&bench, &server, &[]);
    screen.press("write a\n");
    screen.sees("May fs.write run?");
    screen.press("y");
    screen.sees("[fs.write: done]");
    server.request(2);
    screen.loses("May fs.write run?");
    screen.press("write b\n");
    screen.sees("May fs.write run?");
    screen.press("n");
    screen.sees("Why not?");
    screen.press("never\r");
    assert!(server.request(4).results()[1].contains("never"));
    screen.sees("[fs.write: denied");
    screen.press(CTRL_D);
    let (code, said) = screen.ends();
    assert_eq!((code, said.as_str()), (Some(0), "written\nnot written\n"));
    assert!(bench.path("a").exists() && !bench.path("b").exists());
}

#[test]
fn ctrl_c_ends_the_turn_and_not_the_session() {
    let bench = Bench::new();
    let server = ModelServer::start([
        Reply::text("This takes long and longer.").held_after(5),
        Reply::call("shell_run", &json!({"command": "touch begun; sleep 300"})),
        Reply::failure(Failure::RateLimited { seconds: 50 }),
        Reply::text("here"),
    ]);
    let mut screen = dialogue(&bench, &server, &["--yes"]);
    // While the answer comes.
    screen.press("the unanswered\n");
    server.request(1);
    screen.press(CTRL_C);
    server.is_abandoned(1);
    let interrupted = |count| move |shown: &str| shown.matches("[interrupted]").count() == count;
    screen.until("the first interruption", interrupted(1));
    // While a call runs.
    screen.press("two\n");
    crate::gone::wait_until(|| bench.path("begun").exists().then_some(()));
    screen.press(CTRL_C);
    screen.until("the second interruption", interrupted(2));
    // While the server is waited for.
    screen.press("three\n");
    screen.sees("Ctrl-C ends the wait");
    screen.press(CTRL_C);
    screen.until("the third interruption", interrupted(3));
    screen.press("four\n");
    let last = server.request(4);
    assert!(
        !last.text.contains("the unanswered") && last.text.contains("cancelled"),
        "{}",
        last.text
    );
    screen.until("the prompt", |shown| shown.matches("> ").count() == 5);
    screen.press(CTRL_C);
    let (code, said) = screen.ends();
    assert_eq!(code, Some(130));
    assert!(said.ends_with("here\n"), "{said}");
}

#[test]
fn calls_of_a_chat_are_in_its_journal() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let server = ModelServer::start([read("a.txt"), Reply::text("one")]);
    let journal = bench.outside().join("journal");
    let journal = journal.to_str().unwrap();
    once(
        &bench,
        &server,
        "responses",
        &["--journal", journal, "read it"],
    )
    .exits(0);
    let shown = bench.run(&["journal", "show", journal]);
    assert!(shown.exits(0).contains("fs.read"), "{shown:?}");
}

#[test]
fn tools_are_listed_as_each_api_takes_them() {
    let bench = Bench::new();
    for api in APIS {
        for strict in ["auto", "never"] {
            let ended = bench.run(&["list", "--for", api, "--strict", strict]);
            let list: Value = serde_json::from_str(ended.exits(0)).unwrap();
            assert!(list.to_string().contains("fs_read"), "{api}");
        }
    }
    let list = bench.run(&["list", "--for", "ollama"]);
    assert!(list.exits(0).contains("fs_read"));
}
