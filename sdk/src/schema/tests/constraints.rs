//! The additions of schemars' attributes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{required, takes};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Percent(u8);

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Constrained {
    #[schemars(range(min = 1, max = 50))]
    limit: u32,
    #[schemars(range(min = -5, max = 500))]
    loose: u8,
    #[schemars(range(max = 5.0))]
    float_bound: i64,
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 10.0))]
    exclusive: i32,
    #[schemars(extend("exclusiveMinimum" = 0.5, "maximum" = 7.5))]
    fraction: u16,
    #[schemars(extend("multipleOf" = 5.0))]
    step: u16,
    #[schemars(extend("minimum" = 1e300))]
    absurd: u16,
    #[schemars(range(min = 0, max = 1))]
    ratio: f64,
    #[schemars(extend("exclusiveMinimum" = 0))]
    above: f32,
    #[schemars(length(min = 1, max = 3))]
    name: String,
    #[schemars(length(equal = 2), inner(length(min = 1)))]
    names: Vec<String>,
    #[schemars(regex(pattern = r"^\d+$"))]
    digits: String,
    #[schemars(email)]
    email: String,
    #[schemars(range(min = 1))]
    maybe: Option<u32>,
    #[schemars(range(max = 100))]
    percent: Percent,
    #[schemars(range(max = 100))]
    boxed: Box<Option<Percent>>,
    #[schemars(extend("x-order" = 1))]
    extended: bool,
    #[schemars(title = "Gone", description = "Stays.", example = 5)]
    words: u8,
    #[schemars(with = "String")]
    other: u8,
}

#[test]
fn bounds_are_the_tighter_ones_inclusive_and_integers() {
    let schema = required::<Constrained>();
    let bounds = |name: &str| {
        let property = &schema["properties"][name];
        (
            property["minimum"].to_string(),
            property["maximum"].to_string(),
        )
    };
    let pair = |low: &str, high: &str| (low.to_owned(), high.to_owned());
    assert_eq!(bounds("limit"), pair("1", "50"));
    assert_eq!(bounds("loose"), pair("0", "255"));
    assert_eq!(
        bounds("float_bound"),
        (i64::MIN.to_string(), "5".to_owned())
    );
    assert_eq!(bounds("exclusive"), pair("1", "9"));
    assert_eq!(bounds("fraction"), pair("1", "7"));
    assert_eq!(bounds("absurd"), pair("0", "65535"));
    assert_eq!(bounds("maybe"), pair("1", "4294967295"));
    assert_eq!(bounds("percent"), pair("0", "100"));
    assert_eq!(bounds("boxed"), pair("0", "100"));
    assert_eq!(schema["properties"]["step"]["multipleOf"].to_string(), "5");
    assert_eq!(
        schema["properties"]["ratio"],
        json!({"type": "number", "minimum": 0, "maximum": 1})
    );
    assert_eq!(
        schema["properties"]["above"],
        json!({"type": "number", "exclusiveMinimum": 0})
    );
}

#[test]
fn other_constraints_stay() {
    let schema = required::<Constrained>();
    let property = |name: &str| schema["properties"][name].clone();
    assert_eq!(
        property("name"),
        json!({"type": "string", "minLength": 1, "maxLength": 3})
    );
    assert_eq!(
        property("names"),
        json!({
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 2,
            "maxItems": 2,
        })
    );
    assert_eq!(
        property("digits"),
        json!({"type": "string", "pattern": r"^\d+$"})
    );
    assert_eq!(
        property("email"),
        json!({"type": "string", "format": "email"})
    );
    assert_eq!(
        property("extended"),
        json!({"type": "boolean", "x-order": 1})
    );
    assert_eq!(property("other"), json!({"type": "string"}));
    assert_eq!(
        property("words"),
        json!({
            "type": "integer", "minimum": 0, "maximum": 255,
            "description": "Stays.", "examples": [5],
        })
    );
}

#[test]
fn a_struct_that_says_it_is_open_is_open() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[schemars(extend("additionalProperties" = true))]
    struct Open {
        a: u8,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Closed {
        a: u8,
    }
    assert_eq!(required::<Open>()["additionalProperties"], json!({}));
    takes::<Open>(&[json!({"a": 1, "x": 1})], &[json!({"x": 1})]);
    takes::<Closed>(&[json!({"a": 1})], &[json!({"a": 1, "x": 1})]);
}
