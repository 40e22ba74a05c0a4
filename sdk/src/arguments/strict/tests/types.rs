//! Types of others, each with a way of its own to ask for what it is made of.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::{Bound, Range};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::*;

#[test]
fn types_of_the_standard_library_are_read() {
    assert!(takes_where_seen::<Result<u8, String>>(&json!({"Ok": 1})));
    assert!(takes_where_seen::<Result<u8, String>>(&json!({"Err": "x"})));
    assert!(!takes_where_seen::<Result<u8, String>>(
        &json!({"Ok": 1, "Err": "x"})
    ));
    assert!(!takes_where_seen::<Result<u8, String>>(&json!("Ok")));
    assert!(takes_where_seen::<Bound<u8>>(&json!("Unbounded")));
    assert!(takes_where_seen::<Bound<u8>>(&json!({"Included": 1})));
    assert!(!takes_where_seen::<Bound<u8>>(&json!({"Unbounded": null})));
    assert!(takes_everywhere::<Ipv4Addr>(&json!("127.0.0.1")));
    assert!(takes_everywhere::<IpAddr>(&json!("::1")));
    assert!(takes_everywhere::<SocketAddr>(&json!("[::1]:80")));
    assert!(!takes_everywhere::<Ipv4Addr>(&json!([127, 0, 0, 1])));
    assert!(takes_where_seen::<Duration>(
        &json!({"secs": 1, "nanos": 2})
    ));
    assert!(!takes_where_seen::<Duration>(&json!([1, 2])));
    assert!(!takes_where_seen::<Duration>(
        &json!({"secs": 1, "nanos": 2, "ms": 3})
    ));
    let epoch = json!({"secs_since_epoch": 1, "nanos_since_epoch": 0});
    assert!(takes_where_seen::<SystemTime>(&epoch));
    assert!(takes_where_seen::<Range<u8>>(
        &json!({"start": 1, "end": 2})
    ));
    assert!(!takes_where_seen::<Range<u8>>(&json!([1, 2])));
    assert!(takes_everywhere::<PathBuf>(&json!("/tmp")));
    assert!(takes_everywhere::<Cow<'static, str>>(&json!("x")));
    assert!(takes_everywhere::<char>(&json!("ß")));
    assert!(!takes_everywhere::<char>(&json!("ss")));
    assert!(takes_everywhere::<[u8; 2]>(&json!([1, 2])));
    assert!(!takes_everywhere::<[u8; 2]>(&json!([1])));
    assert!(takes_everywhere::<BTreeSet<u8>>(&json!([1, 2])));
    assert!(takes_everywhere::<Box<[u8]>>(&json!([1, 2])));
    assert!(takes_where_seen::<HashMap<u8, Option<u8>>>(
        &json!({"1": null, "255": null})
    ));
    assert!(!takes_where_seen::<HashMap<u8, Option<u8>>>(
        &json!({"256": null})
    ));
    assert!(!takes_where_seen::<HashMap<u8, Option<u8>>>(
        &json!({"1x": null})
    ));
    assert!(takes_where_seen::<BTreeMap<bool, Option<u8>>>(
        &json!({"true": null})
    ));
    assert!(takes_where_seen::<BTreeMap<Cow<'static, str>, Option<u8>>>(
        &json!({"1": null})
    ));
    assert!(takes::<Option<u8>>(&json!(null)));
    assert!(takes::<()>(&json!(null)));
    assert!(!takes::<()>(&json!({})));
    assert!(takes::<Box<RawValue>>(&json!({"a": [1]})));
}

/// A list of names, or one.
#[derive(Debug, PartialEq)]
struct Names(Vec<Name>);

#[derive(Debug, PartialEq, Deserialize)]
struct Name {
    first: String,
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Names;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a name or names")
            }
            fn visit_str<E>(self, text: &str) -> Result<Names, E> {
                let first = text.to_owned();
                Ok(Names(vec![Name { first }]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Names, A::Error> {
                let list = serde::de::value::SeqAccessDeserializer::new(list);
                Ok(Names(Vec::deserialize(list)?))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Names, A::Error> {
                let map = serde::de::value::MapAccessDeserializer::new(map);
                Ok(Names(vec![Name::deserialize(map)?]))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

#[test]
fn what_a_type_reads_by_hand_is_strict_too() {
    assert!(takes_where_seen::<Names>(&json!("Ada")));
    assert!(takes_where_seen::<Names>(&json!({"first": "Ada"})));
    assert!(takes_where_seen::<Names>(&json!([{"first": "Ada"}])));
    assert!(!takes_where_seen::<Names>(
        &json!({"first": "Ada", "last": 1})
    ));
    assert!(!takes_where_seen::<Names>(&json!([["Ada"]])));
    assert!(!takes_where_seen::<Names>(
        &json!([{"first": "Ada", "last": 1}])
    ));
}

#[test]
fn names_are_passed_over_only_where_that_is_asked_for() {
    let read = |flags: &Flags| {
        let tree = json!([{"v": {"first": "Ada", "last": {"a": [1]}}, "w": null}]);
        Strict::<Box<[In<Name>]>>::new(flags)
            .deserialize(&tree)
            .is_ok()
    };
    let strict = Flags::default();
    assert!(!read(&strict));
    let open = Flags::open();
    assert!(read(&open));
    assert!(!takes::<IgnoredAny>(&json!(1)));
}
