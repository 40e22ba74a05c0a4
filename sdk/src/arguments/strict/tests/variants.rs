//! Enums: the name alone, or an object with the content under the name.

use super::*;

#[derive(Debug, PartialEq, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Low,
    #[serde(alias = "top")]
    High,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Mixed {
    Empty,
    One(Option<u8>),
    Unit(()),
    None(),
    Two(u8, u8),
    Fields {
        a: Option<u8>,
    },
    Boxed(Box<Mixed>),
    #[serde(other)]
    Other,
}

#[test]
fn a_variant_without_content_is_its_name_alone() {
    assert!(takes_everywhere::<Unit>(&json!("low")));
    assert!(takes_everywhere::<Unit>(&json!("top")));
    for wrong in [
        json!({"low": null}),
        json!({"low": {}}),
        json!({"low": []}),
        json!({"low": true}),
        json!({"top": null}),
        json!({"low": null, "high": null}),
        json!({}),
        json!(["low"]),
        json!([]),
        json!(null),
        json!(0),
        json!("Low"),
        json!(""),
    ] {
        if wrong.is_null() {
            assert!(!takes::<Unit>(&wrong));
        } else {
            assert!(!takes_where_seen::<Unit>(&wrong), "{wrong}");
        }
    }
    assert_eq!(
        from_tree(&json!({"kind": "New", "of": "low"})),
        Some(Adjacent::New(Unit::Low))
    );
    assert!(!takes::<Adjacent<u8>>(
        &json!({"kind": {"New": null}, "of": 1})
    ));
}

#[test]
fn a_variant_with_content_is_an_object_of_one_name() {
    for good in [
        json!("Empty"),
        json!("anything"),
        json!({"One": 1}),
        json!({"One": null}),
        json!({"Unit": null}),
        json!({"None": []}),
        json!({"Two": [1, 2.0]}),
        json!({"Fields": {"a": 1}}),
        json!({"Fields": {}}),
        json!({"Boxed": {"Boxed": "Empty"}}),
    ] {
        assert!(takes_where_seen::<Mixed>(&good), "{good}");
    }
    for wrong in [
        json!("One"),
        json!("Fields"),
        json!("None"),
        json!({"Empty": null}),
        json!({"anything": null}),
        json!({"Unit": 1}),
        json!({"Two": [1]}),
        json!({"Two": [1, 2, 3]}),
        json!({"Two": {"0": 1, "1": 2}}),
        json!({"Fields": [1]}),
        json!({"Fields": []}),
        json!({"Fields": null}),
        json!({"Fields": {"a": 1, "b": 1}}),
        json!({"One": 1, "Two": [1, 2]}),
        json!({"Boxed": {"Empty": null}}),
        json!({"Boxed": {"Fields": {"b": 1}}}),
    ] {
        assert!(!takes_where_seen::<Mixed>(&wrong), "{wrong}");
    }
    for text in [
        r#"{"One": 1, "One": 2}"#,
        r#"{"Empty": null"#,
        r#"{"One": 1,}"#,
        r#"{"One"}"#,
        r#"{"One": 1} 2"#,
        r#"{"": 1}"#,
        r#""Empty" "Empty""#,
    ] {
        assert_eq!(from_text::<Mixed>(text), None, "{text}");
    }
    assert_eq!(from_text::<Mixed>(r#""Em\u0070ty""#), Some(Mixed::Empty));
    assert_eq!(
        from_text::<Mixed>(r#" { "T\u0077o" : [1, 2] } "#),
        Some(Mixed::Two(1, 2))
    );
}

#[test]
fn a_part_of_a_text_is_borrowed() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Named<'t> {
        Name(&'t str),
    }
    let text = r#"{"Name": "x"}"#;
    let flags = Flags::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Strict::<Named<'_>>::new(&flags).deserialize(&mut deserializer);
    assert_eq!(read.unwrap(), Named::Name("x"));
    assert!(!flags.unseen());
}

#[test]
fn the_place_of_an_error_is_one_in_the_value() {
    for (value, place) in [
        (json!([{"Two": [1, "x"]}]), "/0/Two/1"),
        (json!([{"Fields": {"a": "x"}}]), "/0/Fields/a"),
        (json!([{"Fields": {"b": 1}}]), "/0/Fields/b"),
        (
            json!([{"Boxed": {"Boxed": {"Empty": null}}}]),
            "/0/Boxed/Boxed",
        ),
        (json!(["One"]), "/0"),
    ] {
        let (trace, flags) = (Trace::default(), Flags::default());
        let tree = Tree::<Error>::traced(&value, &trace);
        let read = Strict::<Vec<Mixed>>::new(&flags).deserialize(tree);
        assert!(read.is_err());
        assert_eq!(trace.place(), place, "{value}");
    }
}
