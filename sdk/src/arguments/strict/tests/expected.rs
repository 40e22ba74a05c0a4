//! The words of what was expected, which must be no names of types.

use std::num::NonZeroU8;

use super::*;

fn expected<T: DeserializeOwned + std::fmt::Debug>(value: &Value) -> String {
    let flags = Flags::default();
    let read = Strict::<T>::new(&flags).deserialize(Tree::<Error>::new(value));
    let said = read.unwrap_err().to_string();
    match said.split_once("expected ") {
        Some((_, expected)) => expected.to_owned(),
        None => said,
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
struct Private {
    a: u8,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
struct PrivatePair(u8, u8);

#[derive(Debug, Deserialize)]
struct PrivateUnit;

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
enum PrivateEnum {
    A,
    B(u8),
    C { a: u8 },
}

#[test]
fn what_is_expected_is_said_in_words() {
    let nothing = json!(null);
    assert_eq!(expected::<Private>(&nothing), "an object");
    assert_eq!(expected::<Private>(&json!([1])), "an object");
    assert_eq!(expected::<BTreeMap<String, u8>>(&nothing), "an object");
    assert_eq!(expected::<Vec<u8>>(&nothing), "a list");
    assert_eq!(expected::<PrivatePair>(&nothing), "a list");
    assert_eq!(expected::<(u8, u8)>(&json!({})), "a list");
    assert_eq!(expected::<PrivateUnit>(&json!(1)), "null");
    assert_eq!(expected::<()>(&json!({})), "null");
    assert_eq!(expected::<bool>(&json!("true")), "true or false");
    assert_eq!(expected::<String>(&json!(1)), "a text");
    assert_eq!(expected::<char>(&json!(1)), "a text");
    assert_eq!(expected::<f64>(&json!("1")), "a number");
    assert_eq!(
        expected::<f32>(&json!(1e39)),
        "a number from -3.4028235e38 to 3.4028235e38"
    );
    assert_eq!(expected::<PrivateEnum>(&nothing), r#"one of "A", "B", "C""#);
    assert_eq!(
        expected::<PrivateEnum>(&json!({"A": null})),
        "the name alone, as a text"
    );
    assert_eq!(
        expected::<PrivateEnum>(&json!("B")),
        "an object with the content under the name"
    );
    assert_eq!(expected::<PrivateEnum>(&json!({"C": [1]})), "an object");
    assert_eq!(
        expected::<PrivateEnum>(&json!({"B": 1, "C": {"a": 1}})),
        "an object of one name"
    );
    assert_eq!(expected::<PrivateEnum>(&json!({})), "an object of one name");
    assert_eq!(
        expected::<Option<u8>>(&json!("1")),
        "an integer from 0 to 255"
    );
}

#[test]
fn integers_are_told_with_their_range() {
    let text = json!("1");
    assert_eq!(expected::<u8>(&json!(256)), "an integer from 0 to 255");
    assert_eq!(expected::<u8>(&json!(-1)), "an integer from 0 to 255");
    assert_eq!(expected::<u8>(&json!(0.5)), "an integer from 0 to 255");
    assert_eq!(
        expected::<NonZeroU8>(&json!(256)),
        "an integer from 0 to 255"
    );
    assert_eq!(expected::<u16>(&text), "an integer from 0 to 65535");
    assert_eq!(expected::<u32>(&text), "an integer from 0 to 4294967295");
    assert_eq!(expected::<u64>(&json!(-1)), "an integer of at least 0");
    assert_eq!(expected::<u128>(&json!(-1)), "an integer of at least 0");
    assert_eq!(expected::<i8>(&json!(128)), "an integer from -128 to 127");
    assert_eq!(expected::<i16>(&text), "an integer from -32768 to 32767");
    assert_eq!(
        expected::<i32>(&text),
        "an integer from -2147483648 to 2147483647"
    );
    assert_eq!(expected::<i64>(&json!(1e300)), "an integer");
    assert_eq!(expected::<i128>(&text), "an integer");
}

#[test]
fn of_many_names_some_are_told() {
    const NAMES: &[&str] = &["x"; 21];
    let told = OneOf(NAMES).to_string();
    assert!(told.starts_with(r#"one of "x", "x""#) && told.ends_with(", .. (21 in all)"));
    assert_eq!(OneOf(&NAMES[..1]).to_string(), r#""x""#);
    assert_eq!(OneOf(&[]).to_string(), "nothing");
}
