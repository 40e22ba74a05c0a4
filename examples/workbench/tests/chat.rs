//! A person talks to a model, which the stand-in server plays.
#![cfg(unix)]

use model_server::{Failure, ModelServer, Reply};
use serde_json::{Value, json};

use crate::screen::{CTRL_C, Screen};
use crate::{Bench, Ended, finish};

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
fn each_failure_is_told_and_ends_with_1() {
    let cases = [
        (Failure::Unauthorized, "refuses the key (401): look at"),
        (Failure::UnknownModel, "has no model `m-1`"),
        (
            Failure::RateLimited { seconds: 3600 },
            "takes no more requests for now (429)",
        ),
        (Failure::ServerError, "has a problem of its own (500)"),
        (Failure::Overloaded, "has a problem of its own (5"),
        (
            Failure::Body("<html>no</html>".to_owned()),
            "gave no answer of the API",
        ),
        (Failure::Dropped, "cannot be reached"),
        (Failure::CutOff, "broke off, and nothing of it was run"),
        (
            Failure::DroppedMidway,
            "broke off, and nothing of it was run",
        ),
        (Failure::ErrorMidway, "broke off its answer. It says:"),
    ];
    for (failure, text) in cases {
        for api in APIS {
            let bench = Bench::new();
            let server = ModelServer::start([write("a").then_fails(failure.clone())]);
            let ended = once(&bench, &server, api, &["--yes", "go"]);
            ended.exits(1);
            let told = ended.stderr.replace('\n', " ");
            assert!(told.contains(text), "{api} {failure:?}: {told}");
            assert!(!bench.path("a").exists(), "{api} {failure:?}");
        }
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let bench = Bench::new();
    let url = ModelServer::start([]).url();
    let chat = ["chat", "--model", "m", "--base-url", &url, "hello"];
    let ended = bench.run(&chat);
    ended.exits(1);
    assert!(
        ended.stderr.contains("127.0.0.1") && ended.stderr.contains("because:"),
        "{ended:?}"
    );
}

#[test]
fn a_missing_key_is_named_and_one_is_not_passed_on() {
    let bench = Bench::new();
    let cases = [
        ("gpt-5", "OPENAI_API_KEY"),
        ("claude-1", "ANTHROPIC_API_KEY"),
        ("gemini-2", "GEMINI_API_KEY or GOOGLE_API_KEY"),
    ];
    for (model, variable) in cases {
        let mut command = bench.command(&["chat", "--model", model, "hello"]);
        for name in [
            "OPENAI_API_KEY",
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
        ] {
            command.env_remove(name);
        }
        let ended = finish(&mut command, "");
        ended.exits(2);
        assert!(ended.stderr.contains(variable), "{ended:?}");
    }
    let ended = bench.run(&["chat", "--env", "OPENAI_API_KEY", "--model", "m", "hello"]);
    ended.exits(2);
    let server = ModelServer::start([
        Reply::call("shell_run", &json!({"command": "env"})),
        Reply::text("done"),
    ]);
    let ended = once(&bench, &server, "anthropic", &["--yes", "go"]);
    ended.exits(0);
    let results = server.request(2).results();
    assert!(
        results[0].contains("PATH=") && !results[0].contains(KEY),
        "{results:?}"
    );
}

#[test]
fn a_server_that_asks_to_wait_is_asked_again() {
    let bench = Bench::new();
    let busy = Reply::failure(Failure::RateLimited { seconds: 1 });
    let server = ModelServer::start([busy, Reply::text("now")]);
    let ended = once(&bench, &server, "openai", &["go"]);
    assert_eq!(ended.exits(0), "now\n");
    assert!(ended.stderr.contains("waiting 1 s, 1 of 5"), "{ended:?}");
}

#[test]
fn a_model_that_calls_without_end_is_stopped() {
    let bench = Bench::new();
    let server = ModelServer::start([Reply::call("fs_list", &json!({})).forever()]);
    let ended = once(&bench, &server, "gemini", &["--max-turns", "3", "go"]);
    ended.exits(1);
    assert!(
        ended.stderr.contains("3 requests") && ended.stderr.contains("--max-turns"),
        "{ended:?}"
    );
    assert_eq!(server.requests().len(), 3);
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
fn a_transcript_goes_on_and_runs_again() {
    for api in APIS {
        let bench = Bench::new();
        bench.file("a.txt", "one\n");
        let think = Reply::thinking("hm").and_call("fs_read", &json!({"path": "a.txt"}));
        let server = ModelServer::start([think, Reply::text("one"), Reply::text("again")]);
        let file = bench.outside().join("talk.jsonl");
        let file = file.to_str().unwrap();
        once(&bench, &server, api, &["--transcript", file, "read it"]).exits(0);
        // It has to be new, and outside of the root.
        once(&bench, &server, api, &["--transcript", file, "read it"]).exits(2);
        let inside = bench.path("talk.jsonl");
        once(
            &bench,
            &server,
            api,
            &["--transcript", inside.to_str().unwrap(), "x"],
        )
        .exits(2);
        let text = std::fs::read_to_string(file).unwrap();
        assert!(!text.contains(KEY));
        let mut command = bench.command(&["chat", "--resume", file, "what was it?"]);
        let ended = finish(command.envs(KEYS), "");
        assert_eq!(ended.exits(0), "again\n", "{api} {ended:?}");
        // The server compares ids and signatures.
        let history = server.request(3).history().to_vec();
        let kept: Vec<Value> = text
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(history[..kept.len()], kept, "{api}");
        let ended = bench.run(&["run", file]);
        ended.exits(0);
        let lines = ended.lines();
        assert_eq!(lines.len(), 1, "{api}");
        assert_eq!(lines[0]["content"][0]["text"], "     1\tone", "{api}");
    }
}

#[test]
fn a_resumed_transcript_has_to_be_one() {
    let bench = Bench::new();
    let file = bench.outside().join("talk.jsonl");
    for text in [
        "",
        "{}\n",
        "{\"workbench_chat\":1,\"api\":\"x\",\"model\":\"m\"}\n",
        "{\"workbench_chat\":1,\"api\":\"compatible\",\"model\":\"m\"}\nno\n",
    ] {
        std::fs::write(&file, text).unwrap();
        let ended = bench.run(&["chat", "--resume", file.to_str().unwrap(), "x"]);
        ended.exits(2);
        assert!(
            ended.stderr.contains("is not what `chat` writes"),
            "{ended:?}"
        );
    }
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
        for strictness in ["auto", "never"] {
            let ended = bench.run(&["list", "--for", api, "--strictness", strictness]);
            let list: Value = serde_json::from_str(ended.exits(0)).unwrap();
            assert!(list.to_string().contains("fs_read"), "{api}");
        }
    }
    let list = bench.run(&["list", "--for", "ollama"]);
    assert!(list.exits(0).contains("fs_read"));
}
