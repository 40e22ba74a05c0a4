//! Enums of unit variants, and unions that are less than they seem.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{optional, output, required, takes};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Plain {
    FirstOne,
    #[serde(rename = "2nd", alias = "second")]
    Second,
    #[serde(skip)]
    #[expect(dead_code, reason = "skipped")]
    Hidden,
}

/// The order.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Documented {
    /// Newest
    /// first.
    Date,
    /// Best match first.
    Relevance,
    #[deprecated]
    Size,
    Name,
}

#[test]
fn unit_variants_are_one_enum() {
    assert_eq!(
        required::<Plain>(),
        json!({"type": "string", "enum": ["first-one", "2nd"]})
    );
    takes::<Plain>(
        &[json!("first-one"), json!("2nd")],
        &[json!("Hidden"), json!({"2nd": null})],
    );
}

#[test]
fn docs_of_variants_are_lines_of_the_description() {
    let documented = json!({
        "type": "string",
        "enum": ["name", "date", "relevance", "size"],
        "description":
            "The order.\n`date`: Newest first.\n`relevance`: Best match first.\n`size`: (deprecated)",
    });
    assert_eq!(required::<Documented>(), documented);
    assert_eq!(optional::<Option<Documented>>(), documented);
}

#[test]
fn docs_of_variants_stay_below_the_docs_of_a_field() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Query {
        /// Docs of the field.
        sort: Documented,
        /// Docs of the field.
        then: Option<Documented>,
    }
    let lines = "Docs of the field.\n`date`: Newest first.\n`relevance`: Best match first.\n`size`: (deprecated)";
    let schema = required::<Query>();
    assert_eq!(schema["properties"]["sort"]["description"], lines);
    assert_eq!(schema["properties"]["then"]["description"], lines);
    assert_eq!(schema["properties"]["then"]["type"], "string");
    takes::<Vec<Option<Documented>>>(&[json!([null, "date"])], &[json!(["Date"])]);
}

#[test]
fn equal_or_single_branches_collapse() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Same {
        One(String),
        Other(String),
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    enum Single {
        Only {
            a: u8,
        },
        #[serde(skip)]
        #[expect(dead_code, reason = "skipped")]
        Hidden,
    }
    assert_eq!(required::<Same>(), json!({"type": "string"}));
    assert_eq!(required::<Single>()["type"], "object");
    takes::<Single>(
        &[json!({"Only": {"a": 1}})],
        &[json!("Hidden"), json!({"Only": {}})],
    );
    assert!(output::<Single>().is_some());
}

#[test]
fn unions_of_enums_of_texts_are_one_enum() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Either {
        /// By position.
        Plain(Plain),
        Documented(Documented),
        Side(Side),
        Count(u8),
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    enum Side {
        Left,
        Right,
    }
    let schema = required::<Either>();
    assert_eq!(
        schema["anyOf"][0],
        json!({
            "type": "string",
            "enum": ["first-one", "2nd", "Left", "Right"],
            "description": "`first-one`, `2nd`: By position.",
        })
    );
    assert_eq!(
        schema["anyOf"][1]["enum"],
        json!(["name", "date", "relevance", "size"]),
        "its docs are of the type, not of a value"
    );
    takes::<Either>(
        &[json!("2nd"), json!("date"), json!(7)],
        &[json!("x"), json!(true)],
    );
}

#[test]
fn an_enum_without_values_is_never() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    enum Never {}
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only parsed")]
    struct Has {
        a: u8,
        never: Option<Never>,
        #[serde(skip)]
        hidden: u8,
    }
    takes::<Has>(
        &[json!({"a": 1})],
        &[json!({"a": 1, "never": 1}), json!({"a": 1, "hidden": 1})],
    );
}
