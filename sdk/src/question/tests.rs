//! Questions, replies, and what else is waited for.

mod answers;
mod faults;

use serde_json::{Value, json};

use super::*;
use crate::content::{ErrorKind, ToolError};
use crate::ticket::{Answer, GrantScope, PendingRequest, ResumeMode, WaitKind};

fn colours() -> Question {
    Question::choice("Which colour?", ["red", "green", "blue"])
}

fn toppings() -> Question {
    Question::choices("Which toppings?", ["ham", "olives", "figs"])
}

fn wrong(question: &Question, answer: impl Into<Value>) -> String {
    question.check(&answer.into()).unwrap_err().to_string()
}

#[test]
fn a_secret_is_not_shown() {
    let question = Question::text("Password?").secret();
    let reply = question.check(&json!("hunter2")).unwrap();
    assert_eq!(reply.text(), Some("hunter2"));
    assert_eq!(reply.to_string(), "(secret)");
    assert_eq!(format!("{reply:?}"), "Reply(\"(secret)\")");
    let pattern = question.pattern("^[0-9]+$", "a number");
    assert!(!wrong(&pattern, "hunter2").contains("hunter2"));
}

#[test]
fn a_question_is_found_in_its_request() {
    let question = colours().details("It is for the fence.\nIt lasts.").other();
    let request = question.to_request().unwrap();
    assert_eq!(request.summary(), "Which colour?");
    assert_eq!(request.why(), Some("It is for the fence.\nIt lasts."));
    assert_eq!(Question::of(&request), Some(question));

    let lines = Question::text("\nFirst line\nsecond").to_request().unwrap();
    assert_eq!(lines.summary(), "First line");
    let approval = PendingRequest::new("Deploy", json!({"kind": "deploy"}));
    assert_eq!(Question::of(&approval), None);
}

#[test]
fn an_answer_is_one_of_the_right_kind() {
    let question = colours().to_request().unwrap();
    let check =
        |answer: Answer| check_answer(WaitKind::Question, &question, ResumeMode::RunAgain, &answer);
    assert_eq!(check(Answer::value("red")), Ok(()));
    assert_eq!(check(Answer::no().because("later")), Ok(()));
    let tool = crate::ToolName::new("paint").unwrap();
    let covers = GrantScope::Tool { tool };
    for answer in [
        Answer::yes(),
        Answer::always(covers.clone()),
        Answer::never(covers),
        Answer::edited(json!({})),
    ] {
        let unfit = check(answer).unwrap_err();
        assert_eq!(unfit, "a question takes a value; no declines it");
    }
    assert!(check(Answer::value("pink")).is_err());

    let sign_in = ExternalWait::sign_in("GitHub", "https://github.com/login/device");
    let request = sign_in.to_request().unwrap();
    let check = |resume, answer| check_answer(WaitKind::SignIn, &request, resume, &answer);
    assert_eq!(check(ResumeMode::RunAgain, Answer::yes()), Ok(()));
    assert!(check(ResumeMode::AnswerIsResult, Answer::yes()).is_err());
    assert!(check(ResumeMode::RunAgain, Answer::edited(json!({}))).is_err());

    let job = ExternalWait::external("job 17").to_request().unwrap();
    let check = |resume, answer| check_answer(WaitKind::ExternalResult, &job, resume, &answer);
    assert!(check(ResumeMode::RunAgain, Answer::yes()).is_err());
    let text = || Answer::value("done");
    assert_eq!(check(ResumeMode::AnswerIsResult, text()), Ok(()));
    assert!(check(ResumeMode::AnswerIsArguments, text()).is_err());
}

#[test]
fn a_sign_in_leads_to_the_web() {
    let sign_in = ExternalWait::sign_in("GitHub", "https://github.com/login/device")
        .data(json!({"user_code": "AB12"}))
        .why("to see your issues");
    let request = sign_in.to_request().unwrap();
    assert_eq!(request.summary(), "Sign in with GitHub");
    assert_eq!(request.why(), Some("to see your issues"));
    let found = SignIn::of(&request).unwrap();
    assert_eq!(found.provider(), "GitHub");
    assert_eq!(found.url(), "https://github.com/login/device");
    assert_eq!(found.data(), Some(&json!({"user_code": "AB12"})));

    for (provider, url) in [
        ("", "https://a.example"),
        ("A", ""),
        ("A", "https://"),
        ("A", "javascript:alert(1)"),
        ("A", "file:///etc/passwd"),
        ("A", "https://a.example/\u{202e}moc"),
        ("A", "https://a.example/ b"),
        ("A", "https://a.example/\r\nHost: b"),
    ] {
        let error = ExternalWait::sign_in(provider, url)
            .to_request()
            .unwrap_err();
        assert_eq!(error.code(), "invalid_wait", "{url}");
    }
    let long = "https://a.example/".to_owned() + &"a".repeat(8_000);
    assert!(ExternalWait::sign_in("A", long).to_request().is_err());
    assert!(ExternalWait::external(" ").to_request().is_err());
}
