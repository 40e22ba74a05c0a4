//! Tools of all kinds of types whose schemas say all that their types demand.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;
use toolwright::{tool, tool_type};

use super::Pair;

pub(super) fn pairs(strict: bool) -> Vec<Pair> {
    vec![
        Pair::new(Edges, strict),
        Pair::new(Plain, strict),
        Pair::new(Bounded, strict),
        Pair::new(Optional, strict),
        Pair::new(Nested, strict),
        Pair::new(Choices, strict),
        Pair::new(Figures, strict),
        Pair::new(Lists, strict),
        Pair::new(Tree, strict),
        Pair::new(Whole, strict),
    ]
}

/// Values at the edges of their types.
#[tool(register = false, pure)]
pub(super) fn edges(
    wide: Option<u64>,
    signed: Option<i64>,
    small: Option<u8>,
    real: Option<f64>,
    text: Option<String>,
    any: Option<Value>,
) {
    let _ = (wide, signed, small, real, text, any);
}

/// Required values of plain types.
#[tool(register = false, pure)]
fn plain(count: i32, share: f64, flag: bool, text: String, letter: char) {
    let _ = (count, share, flag, text, letter);
}

/// Values with constraints.
#[tool(register = false, pure)]
fn bounded(
    #[arg(range = 1..=50, default = 10)] limit: u32,
    #[arg(range = -1.5..=1.5)] factor: Option<f64>,
    #[arg(length = 1..=8)] name: String,
    #[arg(pattern = "^[a-z]+$", default = "abc")] code: String,
    #[arg(format = "date")] day: Option<String>,
    #[arg(one_of("red", "Green", "5", "true"))] color: Option<String>,
    #[arg(one_of(2, 4, 8))] size: Option<i64>,
    #[arg(multiple_of = 5)] step: Option<i64>,
    #[arg(multiple_of = 0.25)] share: Option<f64>,
) {
    let _ = (limit, factor, name, code, day, color, size, step, share);
}

/// Values that may be left out.
#[tool(register = false, pure)]
fn optional(
    maybe_count: Option<i16>,
    maybe_flag: Option<bool>,
    maybe_list: Option<Vec<u8>>,
    #[arg(default = 1.5)] scale: f64,
    #[arg(default)] verbose: bool,
) {
    let _ = (maybe_count, maybe_flag, maybe_list, scale, verbose);
}

#[tool_type]
struct Passenger {
    #[arg(length = 1..)]
    name: String,
    #[arg(range = 0..=120)]
    age: u8,
    seat: Option<Seat>,
}

#[tool_type]
#[derive(Default)]
#[serde(rename_all = "kebab-case")]
enum Seat {
    #[default]
    Window,
    OnTheAisle,
}

#[tool_type]
struct Contact {
    #[arg(format = "email")]
    mail_address: String,
    #[arg(default = 3, range = 1..=9)]
    max_tries: u8,
}

/// Objects in objects.
#[tool(register = false, pure)]
fn nested(passengers: Vec<Passenger>, contact: Option<Contact>, by_name: BTreeMap<String, u16>) {
    let _ = (passengers, contact, by_name);
}

#[tool_type]
enum External {
    Dot,
    Circle {
        #[arg(range = 1..=9)]
        radius: u8,
    },
    Square(u8),
    Oval(u8, u8),
}

#[tool_type]
#[serde(tag = "form", rename_all = "snake_case")]
enum Internal {
    SmallDot,
    Circle {
        #[arg(range = 1..=9)]
        radius: u8,
    },
    Seated(Contact),
}

/// Choices of each kind.
#[tool(register = false, pure)]
fn choices(seat: Seat, external: Option<External>, internal: Option<Internal>) {
    let _ = (seat, external, internal);
}

#[tool_type]
#[serde(tag = "form", content = "of")]
enum Adjacent {
    Dot,
    Circle { radius: u8 },
    Square(u8),
}

#[tool_type]
#[serde(untagged)]
enum Untagged {
    Circle { radius: u8 },
    Square { side: u8, color: Option<String> },
    Sides(Vec<u8>),
}

#[tool_type]
struct Flattened {
    #[arg(length = 1..)]
    title: String,
    #[serde(flatten)]
    contact: Contact,
}

/// Figures that serde reads from a copy.
#[tool(register = false, pure)]
fn figures(
    adjacent: Option<Vec<Adjacent>>,
    untagged: Option<Vec<Untagged>>,
    flattened: Option<Flattened>,
) {
    let _ = (adjacent, untagged, flattened);
}

/// Lists, sets and maps.
#[tool(register = false, pure)]
fn lists(
    #[arg(length = 1..=3)] numbers: Vec<i64>,
    #[arg(unique_items)] names: Option<Vec<String>>,
    words: Option<HashSet<String>>,
    counts: Option<BTreeSet<u8>>,
    pair: Option<(u8, String)>,
    four: Option<[u8; 4]>,
    table: Option<HashMap<String, Vec<f64>>>,
    grid: Option<Vec<Vec<bool>>>,
) {
    let _ = (numbers, names, words, counts, pair, four, table, grid);
}

#[tool_type]
struct Node {
    label: String,
    #[serde(default)]
    below: Vec<Node>,
    next: Option<Box<Node>>,
}

/// A tree.
#[tool(register = false, pure)]
fn tree(root: Node) {
    let _ = root;
}

#[tool_type]
struct Order {
    id: u32,
    #[serde(flatten)]
    contact: Contact,
    #[serde(default)]
    express: bool,
}

/// A single argument that is the whole object.
#[tool(register = false, pure)]
fn whole(#[arg(flatten)] order: Order) {
    let _ = order;
}
