//! The constraints of schemas that types keep, and those that they do not keep.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroI64, NonZeroU8, NonZeroU64, NonZeroU128, Wrapping};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Unkept, argument, judged_input_schema};
use crate::schema::check::promise::Promise;
use crate::schema::make::unkept::ENFORCED;

fn unkept<T: JsonSchema>() -> Unkept {
    judged_input_schema(&[argument::<T>("it", true)]).1
}

#[derive(Debug, PartialEq)]
enum Keeps {
    All,
    Light,
    Less(Vec<String>),
}

fn keeps<T: JsonSchema>() -> Keeps {
    let found = unkept::<T>();
    assert_eq!(
        found.drawn.is_some(),
        found.light || !found.unenforced.is_empty()
    );
    match (found.light, &found.unenforced[..]) {
        (false, []) => Keeps::All,
        (true, []) => Keeps::Light,
        (_, some) => Keeps::Less(some.iter().map(ToString::to_string).collect()),
    }
}

macro_rules! keep {
    ($expected:expr; $($type:ty),* $(,)?) => {
        $(assert_eq!(keeps::<$type>(), $expected, stringify!($type));)*
    };
}

#[derive(JsonSchema, Deserialize)]
#[allow(dead_code)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
    parent: Option<Box<Tree>>,
    by_name: BTreeMap<String, Tree>,
}

#[derive(JsonSchema, Deserialize)]
#[allow(dead_code)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { at: f32 },
}

#[derive(JsonSchema, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields)]
#[allow(dead_code)]
enum Internal {
    Unit,
    Newtype(Tree),
    Struct { at: f32 },
}

#[derive(JsonSchema, Deserialize)]
#[serde(tag = "kind", content = "of")]
#[allow(dead_code)]
enum Adjacent {
    Unit,
    Newtype(u8),
    Struct { at: f32 },
}

#[derive(JsonSchema, Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(i64),
    Tree(Tree),
    Names(Vec<String>),
}

#[derive(JsonSchema, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
enum Plain {
    /// With a doc.
    One,
    Two,
}

#[derive(JsonSchema, Deserialize)]
#[allow(dead_code)]
struct Flat {
    #[serde(flatten)]
    tree: Tree,
    #[serde(flatten)]
    kind: Internal,
    #[serde(flatten)]
    more: HashMap<String, Value>,
}

#[test]
fn what_serde_mirrors_is_kept() {
    keep! { Keeps::All;
        bool, u8, i16, u32, i64, usize, isize, u128, i128, f32, f64, String, (), Value, Map<String, Value>,
        Vec<u8>, Vec<Vec<String>>, VecDeque<u8>, LinkedList<u8>, Option<u32>, Option<Option<u8>>,
        Box<str>, Cow<'static, str>, Arc<str>, Rc<Tree>, Wrapping<u8>, PathBuf, Duration, SystemTime,
        IpAddr, Ipv4Addr, SocketAddr, (u8, String), (u8,), Range<u8>, RangeInclusive<i64>, Bound<u8>,
        BTreeMap<String, u8>, BTreeMap<u32, String>, HashMap<i8, Vec<u8>>, HashMap<Plain, u8>, HashMap<char, u8>,
        Result<u8, String>, OsString, Tree, External, Internal, Adjacent, Untagged, Plain, Flat,
    }
}

#[test]
fn what_a_type_may_or_may_not_keep_is_judged_at_little_cost() {
    keep! { Keeps::Light;
        HashSet<u8>, BTreeSet<String>, Vec<BTreeSet<String>>, NonZeroU8, NonZeroU64, NonZeroU128,
        NonZeroI8, NonZeroI64, [u8; 4], [u8; 0], [[f32; 2]; 2], char, CString, BTreeMap<String, char>,
    }
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Constrained {
    #[schemars(range(min = 2, max = 50))]
    limit: u32,
    #[schemars(range(min = 0))]
    from: u32,
    #[schemars(length(min = 1))]
    names: Vec<String>,
    #[schemars(regex(pattern = "^a"))]
    name: Option<String>,
    #[schemars(inner(length(max = 3)))]
    parts: Vec<String>,
    #[validate(range(max = 1.5))]
    weight: f64,
    #[schemars(extend("multipleOf" = 5))]
    step: Nested,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Nested {
    #[schemars(contains(pattern = "a"))]
    text: String,
}

#[test]
fn what_schemars_adds_by_a_word_is_not_kept() {
    let told = [
        "`minimum` at `/it/limit`",
        "`maximum` at `/it/limit`",
        "`minItems` at `/it/names`",
        "`pattern` at `/it/name`",
        "`maxLength` at `/it/parts/*`",
        "`maximum` at `/it/weight`",
        "`multipleOf` at `/it/step`",
        "`pattern` at `/it/step/text`",
    ];
    let Keeps::Less(mut found) = keeps::<Constrained>() else {
        panic!("something is not kept");
    };
    let mut told = told.map(str::to_owned).to_vec();
    found.sort();
    told.sort();
    assert_eq!(found, told);
}

struct ByHand;

impl JsonSchema for ByHand {
    fn schema_name() -> Cow<'static, str> {
        "ByHand".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"maxLength": 3},
            "patternProperties": {"^x": {"type": "integer"}},
            "if": {"required": ["a"]},
            "then": {"required": ["b"]},
            "not": {"required": ["c"]},
            "dependentRequired": {"d": ["e"]},
        })
    }
}

#[test]
fn what_is_written_by_hand_is_not_kept() {
    let Keeps::Less(mut found) = keeps::<ByHand>() else {
        panic!("something is not kept");
    };
    found.sort();
    let told = [
        "dependentRequired",
        "if",
        "minProperties",
        "not",
        "patternProperties",
        "propertyNames",
    ];
    assert_eq!(found, told.map(|keyword| format!("`{keyword}` at `/it`")));
}

struct Marked;

impl JsonSchema for Marked {
    fn schema_name() -> Cow<'static, str> {
        "Marked".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "n": {"type": "integer", "minimum": 3, ENFORCED: ["minimum"]},
                "of": {
                    "anyOf": [{"type": "null"}, {"allOf": [{"type": "string", ENFORCED: []}]}],
                    ENFORCED: [],
                },
            },
        })
    }
}

#[test]
fn what_enforces_itself_says_so_to_us_alone() {
    assert_eq!(keeps::<Marked>(), Keeps::All);
    let (shown, _) = judged_input_schema(&[argument::<Marked>("it", true)]);
    assert!(!shown.to_string().contains(ENFORCED), "{shown}");
    let shown = crate::schema::make::output_schema(SchemaGenerator::subschema_for::<Marked>);
    assert!(!shown.unwrap().to_string().contains(ENFORCED));
    // It says nothing of the keywords beside it.
    let (name, schema) = (
        "it",
        json!({"minimum": 3, "maximum": 9, ENFORCED: ["minimum"]}),
    );
    let definitions = super::super::refs::Definitions::new(BTreeMap::new(), &[]);
    let found = crate::schema::make::unkept::unkept(&[(Some(name), &schema)], &definitions);
    assert_eq!(found.unenforced.len(), 1);
    assert_eq!(found.unenforced[0].to_string(), "`maximum` at `/it`");
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum SetOrList {
    Set { of: HashSet<u8> },
    List { list: Vec<u8> },
    Any { of: Vec<i64>, more: bool },
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Chain {
    set: BTreeSet<Vec<u8>>,
    next: Option<Box<Chain>>,
}

#[expect(clippy::needless_pass_by_value, reason = "values are written in place")]
fn broken<T: JsonSchema>(value: Value) -> Option<String> {
    let promise = Promise::of_types(&unkept::<T>());
    assert!(
        matches!(promise, Promise::Light(_)),
        "it is judged at little cost"
    );
    let found = promise.violations(&json!({"it": value}));
    found.into_iter().next().map(|violation| violation.pointer)
}

#[test]
fn light_promises_are_judged_where_they_stand() {
    let at = |pointer: &str| Some(format!("/it{pointer}"));
    assert_eq!(broken::<HashSet<u8>>(json!([1, 2, 3])), None);
    assert_eq!(broken::<HashSet<u8>>(json!([1, 2, 1])), at(""));
    assert_eq!(broken::<HashSet<u8>>(json!([1, 1.0])), at(""));
    assert_eq!(broken::<Vec<char>>(json!(["a", "é", "ab"])), at("/2"));
    assert_eq!(broken::<[u8; 2]>(json!([1])), at(""));
    assert_eq!(broken::<NonZeroI8>(json!(0)), at(""));
    assert_eq!(broken::<Vec<NonZeroU8>>(json!([1, 0])), at("/1"));
    let map = json!({"a": "b", "c": ""});
    assert_eq!(broken::<BTreeMap<String, char>>(map), at("/c"));

    // Only alternatives for such values count.
    assert_eq!(broken::<SetOrList>(json!({"of": [1, 2]})), None);
    assert_eq!(broken::<SetOrList>(json!({"of": [1, 1]})), at("/of"));
    assert_eq!(
        broken::<SetOrList>(json!({"of": [1, 1], "more": true})),
        None
    );
    assert_eq!(broken::<SetOrList>(json!({"list": [1, 1]})), None);

    let chain = |inner: Value| json!({"set": [[1]], "next": {"set": [], "next": inner}});
    assert_eq!(broken::<Chain>(chain(json!(null))), None);
    assert_eq!(
        broken::<Chain>(chain(json!({"set": [[1, 2], [1, 2]]}))),
        at("/next/next/set")
    );
}

#[test]
fn large_and_deep_values_are_judged_to_the_end_or_refused() {
    let many: Vec<u32> = (0..100_000).collect();
    let mut items = json!(many);
    assert_eq!(broken::<HashSet<u32>>(items.clone()), None);
    items.as_array_mut().unwrap().push(json!(77));
    assert_eq!(broken::<HashSet<u32>>(items), Some("/it".to_owned()));
    let many = json!(vec![[1, 2]; 50_000]);
    assert_eq!(broken::<Vec<[u8; 2]>>(many), None);

    let mut deep = json!({"set": []});
    for _ in 0..100 {
        deep = json!({"set": [], "next": deep});
    }
    assert_eq!(broken::<Chain>(deep.clone()), None);
    for _ in 0..1000 {
        deep = json!({"set": [], "next": deep});
    }
    assert!(broken::<Chain>(deep).is_some());
}
