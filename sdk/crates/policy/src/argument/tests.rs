//! The arguments that tests pass, and the tests that cover and exclude each other.

use serde_json::json;

use super::*;

fn range(min: Value, max: Value) -> ArgumentTest {
    let number = |value: Value| value.as_number().cloned();
    ArgumentTest::Range {
        min: number(min),
        max: number(max),
    }
}

fn one_of(values: &Value) -> ArgumentTest {
    ArgumentTest::OneOf(values.as_array().unwrap().clone())
}

#[track_caller]
fn judged(arguments: &Value, pointer: &str, test: ArgumentTest) -> Match {
    matches_value(&[(pointer.to_owned(), test)], Some(arguments), &[])
}

#[test]
fn numbers_are_numbers_however_they_are_written() {
    use ArgumentTest::Equals;
    let given = json!({"a": 1, "big": u64::MAX, "f": 0.5, "t": "1", "list": [{"x/y": -3}]});
    let yes = |pointer: &str, test| assert_eq!(judged(&given, pointer, test), MATCHES);
    let no = |pointer: &str, test| assert_eq!(judged(&given, pointer, test), Match::No);
    yes("/a", Equals(json!(1.0)));
    no("/a", Equals(json!("1")));
    no("/t", Equals(json!(1)));
    no("/t", range(json!(0), json!(2)));
    yes("/big", Equals(json!(u64::MAX)));
    // As a float it would be the same as its neighbour.
    no("/big", Equals(json!(u64::MAX - 1)));
    no("/big", range(json!(null), json!(u64::MAX - 1)));
    yes("/f", range(json!(0.5), json!(1)));
    no("/f", range(json!(1), json!(null)));
    yes("/list/0/x~1y", Equals(json!(-3)));
    no("/list/1/x~1y", Equals(json!(-3)));
    no("/list/00/x~1y", Equals(json!(-3)));
    yes("/list", Equals(json!([{"x/y": -3.0}])));
    yes("/a", one_of(&json!([5, 1])));
    no("/a", one_of(&json!([5, 2])));
}

#[test]
fn null_is_there() {
    use ArgumentTest::{Equals, Present};
    let given = json!({"a": null});
    assert_eq!(judged(&given, "/a", Present(true)), MATCHES);
    assert_eq!(judged(&given, "/b", Present(true)), Match::No);
    assert_eq!(judged(&given, "/b", Present(false)), MATCHES);
    assert_eq!(judged(&given, "/a/b", Present(false)), MATCHES);
    assert_eq!(judged(&given, "/a", Equals(json!(null))), MATCHES);
    assert_eq!(judged(&given, "/b", Equals(json!(null))), Match::No);
}

#[test]
fn nobody_knows_a_secret() {
    use ArgumentTest::{Equals, Present};
    let given = json!({"key": {"$secret": true}, "to": {"user": "ada", "key": {"$secret": true}}});
    assert_eq!(judged(&given, "/key", Present(true)), MATCHES);
    assert_eq!(judged(&given, "/key", Present(false)), Match::No);
    assert_eq!(judged(&given, "/key", Equals(json!("x"))), Match::Maybe);
    assert_eq!(
        judged(&given, "/key", range(json!(1), json!(2))),
        Match::Maybe
    );
    assert_eq!(judged(&given, "/key", one_of(&json!([1]))), Match::Maybe);
    // Not even whether it has this member: the mask's own is no argument.
    assert_eq!(
        judged(&given, "/key/$secret", Equals(json!(true))),
        Match::Maybe
    );
    assert_eq!(judged(&given, "/key/$secret", Present(false)), Match::Maybe);
    let to = |user: &str| Equals(json!({"user": user, "key": "k"}));
    assert_eq!(judged(&given, "/to", to("ada")), Match::Maybe);
    assert_eq!(judged(&given, "/to", to("eve")), Match::No);
    let both = [
        ("/key".to_owned(), Equals(json!(1))),
        ("/to/user".to_owned(), Equals(json!("eve"))),
    ];
    assert_eq!(matches_value(&both, Some(&given), &[]), Match::No);
    assert_eq!(matches(&both[..1], None), Match::Maybe);
    assert_eq!(matches(&[], None), MATCHES);
}

#[test]
fn what_may_be_otherwise_than_it_is_shown_is_not_known() {
    use ArgumentTest::{Equals, Present};
    let given = json!({"to": {"user": "ada"}, "tomorrow": 1});
    let unclear = ["/to".to_owned(), "/key".to_owned()];
    let judged =
        |pointer: &str, test| matches_value(&[(pointer.to_owned(), test)], Some(&given), &unclear);
    for (pointer, test) in [
        ("/to/user", Equals(json!("eve"))),
        ("/to/other", Present(true)),
        ("/to/other", Present(false)),
        ("/to", Equals(json!({"user": "eve"}))),
        ("", Equals(given.clone())),
        ("/key", Equals(json!("k"))),
        ("/key/part", Present(false)),
    ] {
        assert_eq!(judged(pointer, test), Match::Maybe, "{pointer}");
    }
    assert_eq!(judged("/to", Present(true)), MATCHES);
    assert_eq!(judged("/key", Present(false)), MATCHES);
    assert_eq!(judged("/tomorrow", Equals(json!(1))), MATCHES);
}

#[test]
fn a_wider_test_passes_what_a_narrower_one_does() {
    use ArgumentTest::{Equals, Present};
    let tests = [
        Present(true),
        Present(false),
        Equals(json!(1)),
        Equals(json!(2.0)),
        Equals(json!("a")),
        one_of(&json!([1, 2])),
        one_of(&json!([])),
        one_of(&json!(["a", 1.0])),
        range(json!(1), json!(2)),
        range(json!(2), json!(null)),
        range(json!(null), json!(0)),
        range(json!(3), json!(2)),
        range(json!(null), json!(null)),
    ];
    let values = [
        json!(0),
        json!(1),
        json!(1.5),
        json!(2),
        json!(7),
        json!("a"),
    ];
    let passes = |test: &ArgumentTest, value: Option<&Value>| {
        let arguments = value.map_or(json!({}), |value| json!({"a": value}));
        judged(&arguments, "/a", test.clone()) == MATCHES
    };
    for a in &tests {
        for b in &tests {
            let all = || values.iter().map(Some).chain([None]);
            let one = |test: &ArgumentTest| [("/a".to_owned(), test.clone())];
            if covers(&one(a), &one(b)) {
                assert!(all().all(|v| !passes(b, v) || passes(a, v)), "{a:?} {b:?}");
            }
            if exclude(a, b) {
                assert!(all().all(|v| !passes(b, v) || !passes(a, v)), "{a:?} {b:?}");
            }
            assert_eq!(exclude(a, b), exclude(b, a));
        }
        if is_empty(a) {
            assert!(values.iter().all(|v| !passes(a, Some(v))), "{a:?}");
        }
    }
    let at = |pointer: &str| (pointer.to_owned(), Present(true));
    assert!(covers(&[at("/a")], &[at("/b"), at("/a")]));
    assert!(!covers(&[at("/a"), at("/b")], &[at("/a")]));
    assert!(covers(&[], &[at("/a")]));
    assert!(exclude(
        &range(json!(1), json!(2)),
        &range(json!(2.5), json!(null))
    ));
    assert!(!exclude(
        &range(json!(1), json!(2)),
        &range(json!(2), json!(null))
    ));
}
