//! Plain types of Rust and of its standard library.

use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZeroI8, NonZeroI64, NonZeroU8, NonZeroU32, NonZeroU64, NonZeroU128};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::{required, takes};

#[test]
fn integers_have_the_bounds_of_their_type() {
    let integer =
        |low: Value, high: Value| json!({"type": "integer", "minimum": low, "maximum": high});
    assert_eq!(required::<u8>(), integer(json!(0), json!(255)));
    assert_eq!(required::<u16>(), integer(json!(0), json!(65535)));
    assert_eq!(required::<u32>(), integer(json!(0), json!(u32::MAX)));
    assert_eq!(required::<u64>(), integer(json!(0), json!(u64::MAX)));
    assert_eq!(required::<usize>(), integer(json!(0), json!(u64::MAX)));
    assert_eq!(required::<i8>(), integer(json!(-128), json!(127)));
    assert_eq!(required::<i16>(), integer(json!(i16::MIN), json!(i16::MAX)));
    assert_eq!(required::<i32>(), integer(json!(i32::MIN), json!(i32::MAX)));
    assert_eq!(required::<i64>(), integer(json!(i64::MIN), json!(i64::MAX)));
    assert_eq!(
        required::<isize>(),
        integer(json!(i64::MIN), json!(i64::MAX))
    );
    assert_eq!(required::<u128>(), json!({"type": "integer", "minimum": 0}));
    assert_eq!(required::<i128>(), json!({"type": "integer"}));
}

#[test]
fn non_zero_integers_start_at_one_or_say_so() {
    assert_eq!(
        required::<NonZeroU8>(),
        json!({"type": "integer", "minimum": 1, "maximum": 255})
    );
    assert_eq!(
        required::<NonZeroU32>(),
        json!({"type": "integer", "minimum": 1, "maximum": u32::MAX})
    );
    assert_eq!(
        required::<NonZeroU64>(),
        json!({"type": "integer", "minimum": 1, "maximum": u64::MAX})
    );
    assert_eq!(
        required::<NonZeroU128>(),
        json!({"type": "integer", "minimum": 1})
    );
    assert_eq!(
        required::<NonZeroI8>(),
        json!({"type": "integer", "minimum": -128, "maximum": 127, "description": "Not 0."})
    );
    takes::<NonZeroI64>(&[json!(-1), json!(i64::MIN)], &[json!("1"), json!(1.5)]);
}

#[test]
fn floats_texts_and_truth_values() {
    assert_eq!(required::<f32>(), json!({"type": "number"}));
    assert_eq!(required::<f64>(), json!({"type": "number"}));
    assert_eq!(required::<bool>(), json!({"type": "boolean"}));
    assert_eq!(required::<String>(), json!({"type": "string"}));
    assert_eq!(required::<Box<str>>(), json!({"type": "string"}));
    assert_eq!(required::<PathBuf>(), json!({"type": "string"}));
    assert_eq!(
        required::<char>(),
        json!({"type": "string", "minLength": 1, "maxLength": 1})
    );
    assert_eq!(required::<()>(), json!({"type": "null"}));
}

#[test]
fn formats_that_are_not_of_numbers_stay() {
    assert_eq!(
        required::<IpAddr>(),
        json!({"type": "string", "format": "ip"})
    );
    assert_eq!(
        required::<Ipv4Addr>(),
        json!({"type": "string", "format": "ipv4"})
    );
}

#[test]
fn anything_is_an_empty_schema() {
    assert_eq!(required::<Value>(), json!({}));
    assert_eq!(required::<serde_json::Number>(), json!({"type": "number"}));
    assert_eq!(
        required::<serde_json::Map<String, Value>>(),
        json!({"type": "object", "additionalProperties": {}})
    );
}

#[test]
fn a_duration_is_a_closed_object() {
    let schema = required::<Duration>();
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["required"], json!(["secs", "nanos"]));
    assert_eq!(schema["properties"]["nanos"]["maximum"], json!(u32::MAX));
}
