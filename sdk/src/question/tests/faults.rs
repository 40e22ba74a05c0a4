//! Questions that cannot be asked.

use super::*;

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
