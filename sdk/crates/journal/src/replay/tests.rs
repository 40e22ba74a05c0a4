use serde_json::json;
use toolwright::ToolSpec;
use toolwright::arguments::Arguments;
use toolwright::id::ToolName;

use super::input::{Likeness, likeness};
use super::*;

fn spec() -> ToolSpec {
    ToolSpec::new(ToolName::new("t").unwrap(), "A tool.").with_input_schema(json!({
        "type": "object",
        "properties": {
            "a": { "type": "integer" },
            "key": { "type": "string", "writeOnly": true },
        },
    }))
}

fn input(arguments: &str, key: u8) -> RecordedInput {
    let key = JournalKey::from_bytes([key; 32]);
    RecordedInput::accepted(&Arguments::from(arguments), "t", &spec(), &key).unwrap()
}

#[test]
fn secrets_are_told_apart_with_the_key_alone() {
    let one = input(r#"{"a": 1, "key": "x"}"#, 1);
    let other = input(r#"{"a": 1, "key": "y"}"#, 1);
    let none = input(r#"{"a": 1}"#, 1);
    assert_eq!(likeness(&one, &other, true), None);
    assert_eq!(likeness(&one, &one, true), Some(Likeness::Same));
    let own = input(r#"{"key": "y", "a": 1}"#, 2);
    assert_eq!(likeness(&one, &own, false), Some(Likeness::ButForSecrets));
    assert_eq!(likeness(&one, &none, false), None);
    assert_eq!(likeness(&none, &one, false), None);
    let more = input(r#"{"key": "y", "a": 2}"#, 2);
    assert_eq!(likeness(&one, &more, false), None);
}

#[test]
fn what_cannot_be_read_is_like_anything() {
    let key = JournalKey::from_bytes([1; 32]);
    let unread = RecordedInput::unread(&Arguments::from("no json"), "t", None, &key);
    let now = input("{}", 0);
    assert_eq!(likeness(&unread, &now, false), Some(Likeness::Unknown));
    assert_eq!(likeness(&unread, &now, true), None);
    let mut changed = input(r#"{"a": 7}"#, 1);
    changed.changed = true;
    assert_eq!(likeness(&changed, &now, false), Some(Likeness::Unknown));
}

#[test]
fn members_that_look_like_masks_are_themselves_again() {
    let sent = r#"{"$secret":1,"$$secret":[{"$secret":{"b":"$$secret"}}],"x$secret":2,"a$$":3}"#;
    let recorded = input(sent, 1);
    assert!(!recorded.sealed);
    let again = arguments(&recorded);
    let sent = Arguments::from(sent);
    assert_eq!(again.to_value().unwrap(), sent.to_value().unwrap());
    let key = JournalKey::from_bytes([1; 32]);
    let twice = RecordedInput::accepted(&again, "t", &spec(), &key).unwrap();
    assert_eq!(twice.request_hash, recorded.request_hash);
}
