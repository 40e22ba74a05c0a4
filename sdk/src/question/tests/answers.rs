//! Answers that fit their question, and those that do not.

use super::*;

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
