//! Text that was made to break a reader.

use super::*;

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
struct Nest {
    inner: Option<Box<Nest>>,
    list: Option<Vec<Nest>>,
    choice: Option<Box<Branch>>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
enum Branch {
    Leaf,
    Nest(Nest),
}

#[test]
fn depth_is_bounded_in_text() {
    for opening in ["[", "{\"inner\":", "{\"choice\":{\"Nest\":", "{\"list\":["] {
        for times in [200, 100_000] {
            let text = opening.repeat(times);
            assert!(from_text::<Nest>(&text).is_none());
            assert!(from_text::<Value>(&text).is_none());
            assert!(from_text::<Branch>(&text).is_none());
        }
    }
    let deep =
        |levels: usize| format!("{}{{}}{}", "{\"inner\":".repeat(levels), "}".repeat(levels));
    assert!(from_text::<Nest>(&deep(126)).is_some());
    assert!(from_text::<Nest>(&deep(128)).is_none());
}

#[test]
fn a_tree_of_some_depth_is_read() {
    let mut tree = json!({});
    for _ in 0..120 {
        tree = json!({"inner": tree});
    }
    assert!(from_tree::<Nest>(&tree).is_some());
    let mut tree = json!({"inner": {"other": 1}});
    for _ in 0..60 {
        tree = json!({"choice": {"Nest": tree}});
    }
    assert!(from_tree::<Nest>(&tree).is_none());
}

#[test]
fn characters_of_all_kinds_are_read_or_refused() {
    let name = |text: &str| from_text::<In<String>>(text).map(|read| read.v);
    assert_eq!(name(r#"{"v": "\u0000"}"#).as_deref(), Some("\0"));
    assert_eq!(name(r#"{"v": "\ud83d\ude00"}"#).as_deref(), Some("😀"));
    for broken in [
        "{\"v\": \"\0\"}",
        "{\"v\": \"\n\"}",
        "{\"v\0\": \"\"}",
        r#"{"v": "\ud800"}"#,
        r#"{"v": "\udc00"}"#,
        r#"{"v": "\ud800\ud800"}"#,
        r#"{"\ud800": "x"}"#,
        r#"{"v": "\x00"}"#,
        r#"{"v": "\u00"}"#,
        "\u{feff}{\"v\": \"\"}",
        "",
    ] {
        assert_eq!(name(broken), None, "{broken:?}");
        assert!(from_text::<Value>(broken).is_none(), "{broken:?}");
        assert!(
            from_text::<External<String>>(broken).is_none(),
            "{broken:?}"
        );
    }
    assert_eq!(name(r#"{"v\u0000": "x"}"#), None);
    assert_eq!(name(r#"{"\u0076": "x"}"#).as_deref(), Some("x"));
}

#[test]
fn huge_names_are_names() {
    let key = "k".repeat(1 << 20);
    let text = format!("{{\"{key}\": 1}}");
    assert!(from_text::<In<u8>>(&text).is_none());
    assert!(from_text::<External<u8>>(&text).is_none());
    assert!(from_text::<BTreeMap<String, u8>>(&text).is_some());
    assert!(from_text::<BTreeMap<u8, u8>>(&text).is_none());
    assert!(takes::<BTreeMap<String, In<u8>>>(&json!({key: {"v": 1}})));
}
