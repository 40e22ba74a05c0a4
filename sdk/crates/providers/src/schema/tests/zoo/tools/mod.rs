//! Tools with every shape of a type that an author uses.
//!
//! The inspector of MCP judges them too: this file is a module of `tests/crates/mcp-conformance`.

mod enums;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use toolwright::{Tool, tool, tool_type};

use self::enums::{Adjacently, ByStructure, Externally, Internal, Internally, Units};

/// No arguments.
#[tool(pure)]
fn nothing() {}

/// Scalars.
#[tool(pure)]
fn scalars(text: String, is_on: bool, letter: char, small: u8, size: u64, offset: i64, ratio: f64) {
    let _ = (text, is_on, letter, small, size, offset, ratio);
}

/// Bounds beyond 64 bits, and those that std's types have.
#[tool(pure)]
fn large(huge: i128, natural: u128, positive: NonZeroU32, short: i16, place: usize) {
    let _ = (huge, natural, positive, short, place);
}

/// Optional arguments.
#[tool(pure)]
fn optional(
    name: Option<String>,
    count: Option<u32>,
    is_on: Option<bool>,
    tags: Option<Vec<String>>,
) {
    let _ = (name, count, is_on, tags);
}

/// Defaults.
#[tool(pure)]
fn defaults(
    /// The unit.
    #[arg(default = "metric", one_of("metric", "imperial"))]
    unit: String,
    #[arg(default = 10, range = 1..=50)] limit: u32,
    #[arg(default)] verbose: bool,
    #[arg(default = vec!["a".to_owned()])] names: Vec<String>,
    #[arg(default = 1.5)] scale: f64,
) {
    let _ = (unit, limit, verbose, names, scale);
}

/// Constraints.
#[tool(pure)]
fn constrained(
    #[arg(length = 3..=9, pattern = "^[a-z]+$")] word: String,
    #[arg(length = 1..=4, unique_items)] list: Vec<u8>,
    #[arg(format = "email")] mail: String,
    #[arg(multiple_of = 5, range = 0..=100)] step: u32,
    #[arg(pattern = "^(a|b)+$")] look: String,
    #[arg(format = "date")] day: String,
    #[arg(range = 0.0..=1.0)] share: f64,
) {
    let _ = (word, list, mail, step, look, day, share);
}

/// Somebody who flies.
#[tool_type]
struct Passenger {
    /// As in the passport.
    #[arg(length = 1..=80)]
    name: String,
    #[arg(range = 0..=120)]
    age: u8,
    seat: Option<Seat>,
    #[arg(default = "economy", one_of("economy", "business"))]
    class: String,
}

/// A place in the aircraft.
#[tool_type]
struct Seat {
    row: u8,
    #[serde(rename = "column-letter")]
    column: char,
}

/// Types within types.
#[tool(pure)]
fn nested(
    passengers: Vec<Passenger>,
    lead: Passenger,
    spare: Option<Passenger>,
    grid: Vec<Vec<Option<i32>>>,
) {
    let _ = (passengers, lead, spare, grid);
}

/// Tuples and arrays of a fixed length.
#[tool(pure)]
fn tuples(
    pair: (String, u32),
    point: [f64; 2],
    nested: (Seat, (bool, Option<i8>)),
    list: Vec<(String, i64)>,
) {
    let _ = (pair, point, nested, list);
}

/// A map.
#[tool(pure)]
fn map(env: HashMap<String, String>) {
    let _ = env;
}

/// A map with numbers as keys, below a struct.
#[tool(pure)]
fn keyed(rows: BTreeMap<u32, Seat>) {
    let _ = rows;
}

/// A set.
#[tool(pure)]
fn set(names: BTreeSet<String>) {
    let _ = names;
}

/// Any JSON.
#[tool(pure)]
fn anything(value: Value) {
    let _ = value;
}

/// Any JSON in a list.
#[tool(pure)]
fn anythings(values: Vec<Value>) {
    let _ = values;
}

/// A tree.
#[tool_type]
struct Tree {
    /// The text of the node.
    label: Option<String>,
    /// The nodes below.
    children: Vec<Tree>,
    /// The next one.
    next: Option<Box<Tree>>,
}

/// An expression.
#[tool_type]
#[serde(tag = "op")]
enum Expression {
    Number {
        value: f64,
    },
    Sum {
        left: Box<Expression>,
        right: Box<Expression>,
        note: Option<String>,
    },
}

/// Types that contain themselves.
#[tool(pure)]
fn recursive(tree: Tree, expression: Option<Expression>) {
    let _ = (tree, expression);
}

/// The page of a list.
#[tool_type]
struct Page {
    #[arg(default = 1, range = 1..)]
    page: u32,
    per_page: Option<u8>,
}

/// A search with parts of two other types.
#[tool_type]
struct Search {
    query: String,
    #[serde(flatten)]
    page: Page,
}

/// A flattened struct.
#[tool(pure)]
fn flattened(#[arg(flatten)] search: Search) {
    let _ = search;
}

/// A drawing, which is a shape with a name.
#[tool_type]
struct Drawing {
    name: String,
    #[serde(flatten)]
    shape: Internal,
}

/// A flattened enum.
#[tool(pure)]
fn flattened_enum(#[arg(flatten)] drawing: Drawing) {
    let _ = drawing;
}

/// Texts that std reads.
#[tool(pure)]
fn texts(path: PathBuf, address: IpAddr, wait: Duration, result: Result<u8, String>) {
    let _ = (path, address, wait, result);
}

/// Days and times.
#[tool(pure)]
fn dates(
    day: chrono::NaiveDate,
    at: chrono::DateTime<chrono::Utc>,
    local: Option<chrono::NaiveDateTime>,
    time: chrono::NaiveTime,
) {
    let _ = (day, at, local, time);
}

/// A newtype.
#[tool_type]
struct Meters(f64);

/// A struct of no fields.
#[tool_type]
struct Unitless {}

/// Wrappers.
#[tool(pure)]
fn wrappers(length: Meters, boxed: Box<Meters>, unit: ()) {
    let _ = (length, boxed, unit);
}

/// A struct without fields.
#[tool(pure)]
fn empty_struct(nothing: Unitless) {
    let _ = nothing;
}

/// Names that some APIs do not take.
#[tool(pure)]
fn names(
    #[arg(name = "size-in-mm")] size: u8,
    #[arg(name = "count-2")] count: Option<u8>,
    #[arg(name = "a-b")] text: String,
) {
    let _ = (size, count, text);
}

/// The tools, each with a name for people.
pub(crate) fn all() -> Vec<(&'static str, Arc<dyn Tool>)> {
    macro_rules! named {
        ($($tool:ident)*) => { vec![$((stringify!($tool), Arc::new($tool) as Arc<dyn Tool>)),*] };
    }
    named![
        Nothing Scalars Large Optional Defaults Constrained Nested Tuples Map Keyed Set Anything Anythings
        Units Internally Externally Adjacently ByStructure Recursive Flattened FlattenedEnum Texts Dates Wrappers EmptyStruct Names
    ]
}
