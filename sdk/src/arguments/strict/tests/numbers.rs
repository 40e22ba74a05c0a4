//! Numbers: taken when they are exact, refused when they would have to be rounded.

use std::num::{NonZeroU8, NonZeroU128};
use std::time::Duration;

use super::*;

#[test]
fn a_number_without_a_fraction_is_an_integer() {
    for five in ["5", "5.0", "5e0", "50e-1", "0.5e1"] {
        assert_eq!(from_text::<u8>(five), Some(5), "{five}");
        assert_eq!(from_text::<i64>(five), Some(5), "{five}");
        assert_eq!(from_text::<i128>(five), Some(5), "{five}");
        assert_eq!(from_text::<u128>(five), Some(5), "{five}");
        assert_eq!(from_text::<NonZeroU8>(five), NonZeroU8::new(5), "{five}");
        assert_eq!(
            from_text::<NonZeroU128>(five),
            NonZeroU128::new(5),
            "{five}"
        );
    }
    for minus in ["-5.0", "-50e-1"] {
        assert_eq!(from_text::<i8>(minus), Some(-5));
        assert_eq!(from_text::<i128>(minus), Some(-5));
    }
    for zero in ["0", "-0", "-0.0", "0e9", "0.0"] {
        assert_eq!(from_text::<u64>(zero), Some(0), "{zero}");
        assert_eq!(from_text::<i32>(zero), Some(0), "{zero}");
        assert_eq!(from_text::<u128>(zero), Some(0), "{zero}");
        assert_eq!(from_text::<i128>(zero), Some(0), "{zero}");
    }
    assert!(takes_everywhere::<u8>(&json!(5.0)));
    assert!(takes_everywhere::<i16>(&json!(-5.0)));
    assert!(takes_everywhere::<u64>(&json!(9_007_199_254_740_991.0)));
    assert!(takes_where_seen::<u128>(&json!(5.0)));
    assert_eq!(
        from_text::<Duration>(r#"{"secs": 5.0, "nanos": 1e3}"#),
        Some(Duration::new(5, 1000))
    );
}

#[test]
fn what_would_be_rounded_is_refused() {
    for number in [
        0.5,
        -0.5,
        1e-300,
        5.000_000_1,
        9_007_199_254_740_992.0,
        -1e16,
        1e300,
    ] {
        let number = json!(number);
        assert!(!takes_everywhere::<i64>(&number));
        assert!(!takes_everywhere::<u8>(&number));
        assert!(!takes_where_seen::<i128>(&number));
        assert!(takes_everywhere::<f64>(&number));
    }
    // Each is read as 2^53.
    for text in ["9007199254740992.0", "9007199254740993.0"] {
        assert_eq!(from_text::<u64>(text), None);
        assert_eq!(from_text::<u128>(text), None);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    assert!(!takes_everywhere::<u8>(&json!(256)));
    assert!(!takes_everywhere::<u8>(&json!(256.0)));
    assert!(!takes_everywhere::<u8>(&json!(-1)));
    assert!(!takes_everywhere::<u8>(&json!(-1.0)));
    assert!(!takes_everywhere::<i8>(&json!(-129)));
    assert!(!takes_everywhere::<i64>(&json!(u64::MAX)));
    assert!(!takes_everywhere::<u64>(&json!(i64::MIN)));
    assert!(!takes_where_seen::<u128>(&json!(-1)));
    assert!(!takes_everywhere::<NonZeroU8>(&json!(0)));
    assert!(!takes_everywhere::<NonZeroU8>(&json!(-0.0)));
}

#[test]
fn integers_of_64_bits_are_exact_and_of_128_in_text() {
    for number in [0, 1, u64::MAX - 1, u64::MAX] {
        assert_eq!(from_text::<u64>(&number.to_string()), Some(number));
        assert_eq!(from_tree::<u64>(&json!(number)), Some(number));
        assert_eq!(from_tree::<u128>(&json!(number)), Some(number.into()));
        assert!(takes_everywhere::<u64>(&json!(number)));
    }
    for number in [i64::MIN, i64::MIN + 1, -1, i64::MAX] {
        assert_eq!(from_text::<i64>(&number.to_string()), Some(number));
        assert_eq!(from_tree::<i64>(&json!(number)), Some(number));
        assert_eq!(from_tree::<i128>(&json!(number)), Some(number.into()));
        assert!(takes_everywhere::<i64>(&json!(number)));
    }
    assert_eq!(from_text(&u128::MAX.to_string()), Some(u128::MAX));
    assert_eq!(from_text(&i128::MIN.to_string()), Some(i128::MIN));
    assert_eq!(from_text(&i128::MAX.to_string()), Some(i128::MAX));
    assert_eq!(from_text::<i128>(&u128::MAX.to_string()), None);
    assert_eq!(from_text::<u128>(&format!("{}0", u128::MAX)), None);
    assert_eq!(from_text::<u64>(&u128::MAX.to_string()), None);
    for other in ["\"5\"", "true", "null", "[5]", "{}", "5x"] {
        assert_eq!(from_text::<u128>(other), None, "{other}");
        assert_eq!(from_text::<u64>(other), None, "{other}");
    }
}

#[test]
fn a_number_that_becomes_infinite_is_refused() {
    for number in [1e39, -1e39, 3.5e38, f64::MAX] {
        assert!(!takes_where_seen::<f32>(&json!(number)));
        assert!(takes_everywhere::<f64>(&json!(number)));
    }
    for number in [0.1, f64::from(f32::MAX), f64::from(f32::MIN), 1e-40] {
        assert!(takes_everywhere::<f32>(&json!(number)));
    }
    // It would become 0.
    assert!(!takes_where_seen::<f32>(&json!(1e-300)));
    assert!(takes_everywhere::<f64>(&json!(1e-300)));
    for number in [json!(5), json!(-5), json!(u64::MAX), json!(i64::MIN)] {
        assert!(takes_everywhere::<f32>(&number));
        assert!(takes_everywhere::<f64>(&number));
    }
    for text in ["1e400", "-1e400", "[1e400]"] {
        assert_eq!(from_text::<f64>(text), None);
        assert_eq!(from_text::<Value>(text), None);
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Either {
    Real(f64),
    Text(String),
}

#[test]
fn what_takes_anything_gets_what_was_sent() {
    assert_eq!(from_text("[5.0, -0.0]"), Some(json!([5.0, -0.0])));
    assert_eq!(from_tree(&json!({"v": 5.0})), Some(In { v: json!(5.0) }));
    let text = r#"[5.0, "x", 5]"#;
    let expected = [
        Either::Real(5.0),
        Either::Text("x".into()),
        Either::Real(5.0),
    ];
    assert_eq!(from_text::<[Either; 3]>(text), Some(expected));
}
