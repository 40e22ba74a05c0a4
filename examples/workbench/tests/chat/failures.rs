//! A chat that has no answer says why.

use model_server::{Failure, ModelServer, Reply};
use serde_json::json;

use super::{APIS, CTRL_D, KEYS, dialogue, once, write};
use crate::Bench;
use crate::screen::Screen;

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

/// Each failure at a terminal, in one conversation that goes on.
#[test]
fn each_failure_is_told_at_the_prompt() {
    let bench = Bench::new();
    let failures = [
        (Failure::Unauthorized, "refuses the key (401): look at"),
        (Failure::UnknownModel, "has no model `claude-1`"),
        (
            Failure::RateLimited { seconds: 3600 },
            "takes no more requests for now (429)",
        ),
        (Failure::ServerError, "has a problem of its own (500)"),
        (Failure::Dropped, "cannot be reached"),
        (Failure::CutOff, "broke off, and nothing of it was run"),
        (Failure::ErrorMidway, "broke off its answer"),
    ];
    let script = failures.iter().map(|(failure, _)| {
        let reply = write("a");
        reply.then_fails(failure.clone())
    });
    let server = ModelServer::start(script);
    let mut screen = dialogue(&bench, &server, &["--yes", "--max-turns", "2"]);
    for (number, (failure, text)) in failures.iter().enumerate() {
        screen.press("go\n");
        // A line is broken where the terminal ends.
        let is_told = |shown: &str| {
            let words: Vec<&str> = shown.split_whitespace().collect();
            words.join(" ").contains(text) && shown.matches("> ").count() == number + 2
        };
        screen.until(&format!("{failure:?}"), is_told);
    }
    server.then(Reply::failure(Failure::RateLimited { seconds: 1 }));
    server.then(Reply::text("now"));
    screen.press("go\n");
    screen.sees("waiting 1 s, 1 of 5");
    server.request(failures.len() + 2);
    server.then(Reply::call("fs_list", &json!({})).forever());
    screen.press("go\n");
    screen.sees("has made 2 requests for one message");
    screen.press(CTRL_D);
    let (code, said) = screen.ends();
    assert_eq!((code, said.as_str()), (Some(0), "now\n"));
    assert!(!bench.path("a").exists());
}

#[test]
fn a_chat_that_cannot_begin_says_why_at_a_terminal() {
    let bench = Bench::new();
    let none = [("ANTHROPIC_API_KEY", "")];
    let mut screen = Screen::start_with(&bench, &none, &["chat", "--model", "claude-1"]);
    screen.sees("there is no key for the API `anthropic`: set ANTHROPIC_API_KEY");
    assert_eq!(screen.ends().0, Some(2));
    let gone = ModelServer::start([]).url();
    let chat = ["chat", "--model", "m", "--base-url", &gone];
    let mut screen = Screen::start_with(&bench, &KEYS, &chat);
    screen.sees("> ");
    screen.press("go\n");
    screen.sees("cannot be reached: look at the network");
    screen.press(CTRL_D);
    assert_eq!(screen.ends().0, Some(0));
}

#[test]
fn a_denied_call_ends_with_3_and_a_failed_one_does_not_count() {
    let bench = Bench::new();
    for api in APIS {
        let server = ModelServer::start([write("a"), Reply::text("not written")]);
        let ended = once(&bench, &server, api, &["--deny", "go"]);
        assert_eq!(ended.exits(3), "not written\n", "{api}");
        let failed = Reply::failure(Failure::ServerError);
        let server = ModelServer::start([write("a"), failed]);
        once(&bench, &server, api, &["--deny", "go"]).exits(3);
        let server = ModelServer::start([super::read("none"), Reply::text("it is not there")]);
        once(&bench, &server, api, &["go"]).exits(0);
    }
    assert!(!bench.path("a").exists());
}
