//! Questions that cannot be asked, and answers that fit and do not.

use serde_json::{Value, json};

use super::*;
use crate::message::{ErrorKind, ToolError};
use crate::pending::{Answer, GrantMatcher, PendingRequest, ResumeMode, WaitKind};

fn colours() -> Question {
    Question::choice("Which colour?", ["red", "green", "blue"])
}

fn toppings() -> Question {
    Question::choices("Which toppings?", ["ham", "olives", "figs"])
}

fn wrong(question: &Question, answer: impl Into<Value>) -> String {
    question.check(&answer.into()).unwrap_err().to_string()
}

fn fault(question: &Question) -> String {
    let invalid = question.validate().unwrap_err();
    let error = ToolError::from(invalid.clone());
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert_eq!(error.code(), "invalid_question");
    let text = invalid.to_string();
    text.strip_prefix("a question cannot be asked: ")
        .unwrap()
        .to_owned()
}

#[test]
fn each_form_takes_its_answers() {
    let red = colours().check(&json!("red")).unwrap();
    assert_eq!(red.choice(), Some("red"));
    assert_eq!(red.picked()[0].index(), Some(0));
    assert_eq!((red.text(), red.is_yes()), (None, None));

    let two = toppings().check(&json!(["figs", "ham"])).unwrap();
    assert_eq!(two.choices().collect::<Vec<_>>(), ["figs", "ham"]);
    assert_eq!(two.picked()[0].index(), Some(2));
    assert_eq!(two.choice(), None);
    let none = toppings().check(&json!([])).unwrap();
    assert_eq!((none.choices().len(), none.to_string()), (0, String::new()));

    let text = Question::text("Why?").check(&json!("because")).unwrap();
    assert_eq!(text.text(), Some("because"));
    assert_eq!(text.into_text(), "because");

    let yes = Question::yes_no("Sure?").check(&json!(true)).unwrap();
    assert_eq!((yes.is_yes(), yes.to_string()), (Some(true), "yes".into()));
    let no = Question::yes_no("Sure?").check(&json!(false)).unwrap();
    assert_eq!((no.is_yes(), no.into_text()), (Some(false), "no".into()));
}

#[test]
fn a_choice_that_does_not_fit_is_told_with_what_would() {
    tell(&[
        (
            colours(),
            json!("gren"),
            "`gren` is none of the options (`red`, `green`, `blue`); did you mean `green`?",
        ),
        (
            colours(),
            json!("Red"),
            "`Red` is none of the options (`red`, `green`, `blue`); did you mean `red`?",
        ),
        (
            colours(),
            json!(["red"]),
            "a list is none of the options (`red`, `green`, `blue`)",
        ),
        (
            colours(),
            json!(1),
            "a number is none of the options (`red`, `green`, `blue`)",
        ),
        (
            colours(),
            Value::Null,
            "nothing is none of the options (`red`, `green`, `blue`)",
        ),
        (
            colours(),
            json!({"other": "pink"}),
            "another text is none of the options (`red`, `green`, `blue`)",
        ),
        (
            colours().other(),
            json!("pink"),
            "`pink` is none of the options (`red`, `green`, `blue`); another text is given as \
             `{\"other\": \"..\"}`",
        ),
        (
            colours().other(),
            json!({"other": " "}),
            "the other text is empty",
        ),
        (
            colours().other(),
            json!({"other": "a\nb"}),
            "the text has more than one line, and one is wanted",
        ),
        (
            toppings(),
            json!("ham"),
            "it takes a list of options, not a text",
        ),
        (
            toppings(),
            json!(["ham", "ham"]),
            "`ham` is chosen twice; once is enough",
        ),
        (
            toppings().select(2..=2),
            json!(["ham"]),
            "2 are to be chosen, and 1 is",
        ),
        (
            toppings().select(1..),
            json!([]),
            "1 to 3 are to be chosen, and 0 are",
        ),
        (
            toppings().select(..=1),
            json!(["ham", "figs"]),
            "at most 1 are to be chosen, and 2 are",
        ),
    ]);
}

#[test]
fn a_text_that_does_not_fit_is_told_with_what_would() {
    tell(&[
        (
            Question::text("Why?"),
            json!(1),
            "it takes a text, not a number",
        ),
        (
            Question::text("Why?"),
            json!(""),
            "the text is empty, and one is needed",
        ),
        (
            Question::text("Why?").length(3..),
            json!("äö"),
            "the text has fewer than 3 characters, which is the least",
        ),
        (
            Question::text("Why?").length(..3),
            json!("äöü"),
            "the text has more than 2 characters, which is the most",
        ),
        (
            Question::text("Why?"),
            json!("a\nb"),
            "the text has more than one line, and one is wanted",
        ),
        (
            Question::text("Why?").multi_line(),
            json!("a\n\u{1b}[2J"),
            "the text has a control character (\\u{1b}) as its character 3; leave it out",
        ),
        (
            Question::yes_no("Sure?"),
            json!("yes"),
            "it takes yes or no (`true` or `false`), not a text",
        ),
    ]);
}

fn tell(table: &[(Question, Value, &str)]) {
    for (question, answer, text) in table {
        assert_eq!(&wrong(question, answer.clone()), text, "{answer}");
    }
}

#[test]
fn the_ends_of_a_range_belong_to_it() {
    let text = Question::text("Name?").length(2..=3);
    for (answer, fits) in [
        ("a", false),
        ("ab", true),
        ("äöü", true),
        ("äöüß", false),
        ("👩🏽", true),
    ] {
        assert_eq!(text.check(&json!(answer)).is_ok(), fits, "{answer}");
    }
    let some = toppings().select(1..3);
    for (count, fits) in [(0, false), (1, true), (2, true), (3, false)] {
        let answer: Value = ["ham", "olives", "figs"][..count].iter().copied().collect();
        assert_eq!(some.check(&answer).is_ok(), fits, "{count}");
    }
    let empty = Question::text("Anything else?").length(0..);
    assert_eq!(empty.check(&json!("")).unwrap().text(), Some(""));
}

/// Two ways to write one letter are two texts: nothing is normalised behind anybody's back.
#[test]
fn texts_are_compared_as_they_are() {
    let composed = "caf\u{e9}";
    let decomposed = "cafe\u{301}";
    let question = Question::choice("Where?", [composed, "bar"]);
    assert!(question.check(&json!(composed)).is_ok());
    assert!(question.check(&json!(decomposed)).is_err());
    let both = Question::choice("Where?", [composed, decomposed]);
    assert_eq!(both.validate(), Ok(()));
    assert_eq!(
        both.check(&json!(decomposed)).unwrap().picked()[0].index(),
        Some(1)
    );
}

#[test]
fn an_endless_answer_costs_little_and_is_not_repeated() {
    let megabyte = "x".repeat(1 << 20);
    assert!(wrong(&colours(), megabyte.clone()).len() < 300);
    assert!(wrong(&toppings(), json!([megabyte])).len() < 300);
    assert!(wrong(&colours().other(), json!({"other": megabyte})).len() < 300);
    assert_eq!(
        wrong(&Question::text("Why?"), megabyte.clone()),
        "the text has more than 10000 characters, which is the most"
    );
    let many = vec!["ham"; 100_000];
    assert_eq!(
        wrong(&toppings(), many),
        "at most 3 are to be chosen, and 100000 are"
    );
    let wide = Question::text("Why?").length(..=1_000_000).multi_line();
    assert_eq!(wide.validate(), Ok(()));
    assert!(wide.check(&"ä".repeat(1_000_000).into()).is_ok());
    assert!(wide.check(&"ä".repeat(1_000_001).into()).is_err());
}

#[test]
fn null_takes_the_default() {
    let question = colours().default("green");
    let reply = question.check(&Value::Null).unwrap();
    assert_eq!((reply.choice(), reply.is_default()), (Some("green"), true));
    let named = question.check(&json!("green")).unwrap();
    assert!(!named.is_default());
    let some = toppings().default(json!(["ham"]));
    assert_eq!(some.check(&Value::Null).unwrap().to_string(), "ham");
    let yes = Question::yes_no("Sure?").default(true);
    assert_eq!(yes.check(&Value::Null).unwrap().is_yes(), Some(true));
}

#[test]
fn a_pattern_says_what_it_means() {
    let day = Question::text("Which day?").pattern(r"^\d{4}-\d\d-\d\d$", "a date");
    assert!(day.check(&json!("2026-02-28")).is_ok());
    assert_eq!(wrong(&day, "28.2."), "it must be a date");
    // Time that grows with the text and no faster.
    let evil = Question::text("Go").pattern("^(a+)+$", "all a");
    assert_eq!(wrong(&evil, "a".repeat(9_999) + "!"), "it must be all a");
}

#[test]
fn a_question_that_people_could_not_read_says_why() {
    let none: [&str; 0] = [];
    let long = "x".repeat(201);
    let table = [
        (Question::text(" \n"), "the question: there is no text"),
        (
            Question::text("a\u{1b}[2J"),
            "the question: a control character (\\u{1b})",
        ),
        (
            Question::text("a\u{202e}b"),
            "the question: a control character (\\u{202e})",
        ),
        (
            Question::text("x".repeat(4_001)),
            "the question: more than 4000 characters",
        ),
        (colours().details(" "), "the details: there is no text"),
        (Question::choice("Which?", none), "it has no options"),
        (
            Question::choice("Which?", ["a", "b", "a"]),
            "two options are called `a`",
        ),
        (
            Question::choice("Which?", ["a", ""]),
            "the label of an option: there is no text",
        ),
        (
            Question::choice("Which?", ["a", "a "]),
            "the label `a ` begins or ends with a space",
        ),
        (
            Question::choice("Which?", ["a\nb"]),
            "the label `a\\u{a}b` is not one line of text",
        ),
        (
            Question::choice("Which?", [long]),
            "the label of an option: more than 200 characters",
        ),
        (
            Question::choice("Which?", [("a", "\u{7}")]),
            "the description of `a`: a control character (\\u{7})",
        ),
        (
            Question::choice("Which?", (0..1_001).map(|n| n.to_string())),
            "it has 1001 options; at most 1000 can be shown",
        ),
    ];
    for (question, text) in table {
        assert_eq!(fault(&question), text);
    }
}

#[test]
fn a_question_that_nothing_fits_says_why() {
    let (least, most) = (3, 2);
    for (question, text) in [
        (
            toppings().select(least..=most),
            "at least 3 options are to be chosen and at most 2",
        ),
        (
            toppings().select(4..),
            "at least 4 options are to be chosen, and there are only 3",
        ),
        (toppings().select(..=0), "at most 0 options may be chosen"),
        (
            toppings().select(0..0),
            "at least 1 options are to be chosen and at most 0",
        ),
        (
            Question::text("Why?").length(least..=most),
            "at least 3 characters are wanted and at most 2",
        ),
        (
            Question::text("Why?").length(..=1_000_001),
            "an answer may have 1000001 characters; at most 1000000 can be allowed",
        ),
        (
            colours().default("pink"),
            "its default does not fit: `pink` is none of the options (`red`, `green`, `blue`)",
        ),
        (
            colours().default(Value::Null),
            "its default is `null`, which is no answer",
        ),
        (
            Question::text("Why?").length(..3).default("long"),
            "its default does not fit: the text has more than 2 characters, which is the most",
        ),
        (
            Question::text("Password?").secret().default("1234"),
            "it asks for a secret and has a default, which everybody sees",
        ),
        (
            colours().length(1..2).secret(),
            "`length` is a setting of a free text, and this is none",
        ),
        (
            Question::yes_no("Sure?").other(),
            "`other` is a setting of a choice, and this is none",
        ),
        (
            colours().select(1..),
            "`select` is a setting of several choices, and this is none",
        ),
    ] {
        assert_eq!(fault(&question), text);
    }
    let broken = fault(&Question::text("Why?").pattern("(", "a text"));
    assert!(
        broken.starts_with("the pattern `(` is no regular expression: "),
        "{broken}"
    );
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
    let covers = GrantMatcher::Tool { tool };
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

    let sign_in = WaitFor::sign_in("GitHub", "https://github.com/login/device");
    let request = sign_in.to_request().unwrap();
    let check = |resume, answer| check_answer(WaitKind::SignIn, &request, resume, &answer);
    assert_eq!(check(ResumeMode::RunAgain, Answer::yes()), Ok(()));
    assert!(check(ResumeMode::AnswerIsResult, Answer::yes()).is_err());
    assert!(check(ResumeMode::RunAgain, Answer::edited(json!({}))).is_err());

    let job = WaitFor::external("job 17").to_request().unwrap();
    let check = |resume, answer| check_answer(WaitKind::ExternalResult, &job, resume, &answer);
    assert!(check(ResumeMode::RunAgain, Answer::yes()).is_err());
    let text = || Answer::value("done");
    assert_eq!(check(ResumeMode::AnswerIsResult, text()), Ok(()));
    assert!(check(ResumeMode::AnswerIsArguments, text()).is_err());
}

#[test]
fn a_sign_in_leads_to_the_web() {
    let sign_in = WaitFor::sign_in("GitHub", "https://github.com/login/device")
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
        let error = WaitFor::sign_in(provider, url).to_request().unwrap_err();
        assert_eq!(error.code(), "invalid_wait", "{url}");
    }
    let long = "https://a.example/".to_owned() + &"a".repeat(8_000);
    assert!(WaitFor::sign_in("A", long).to_request().is_err());
    assert!(WaitFor::external(" ").to_request().is_err());
}
