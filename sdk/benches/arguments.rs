//! Arguments to values, strictly, beside the same by serde: tool b, whose 12 fields are parsed by
//! `from_str`, or `deserialize` from a tree, into a struct with `deny_unknown_fields` throughout.
//!
//! `cargo bench -p toolwright --bench arguments`. Of ours there are two: the values alone, and
//! `Tool::parse`, which boxes them as an invocation.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

mod common;

use std::hint::black_box;

use common::turns::{compare, rounds};
use common::{CASES, Destination, Urgency};
use serde::Deserialize;
use serde_json::Value;
use toolwright::{Arguments, Run, Tool, ToolContext, TypedTool};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read")]
struct ByHand {
    parcel: String,
    sender: String,
    pieces: u32,
    price_each: f64,
    insured: bool,
    urgency: Urgency,
    destination: StrictDestination,
    labels: Vec<String>,
    remark: Option<String>,
    voucher: Option<String>,
    weight_grams: u64,
    attempts: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read")]
struct StrictDestination {
    street: String,
    city: String,
    postcode: String,
    country: Option<String>,
}

/// Send a parcel.
#[derive(Tool)]
#[tool(register = false, pure)]
#[allow(dead_code, reason = "only read")]
struct Values {
    parcel: String,
    sender: String,
    pieces: u32,
    price_each: f64,
    insured: bool,
    urgency: Urgency,
    destination: Destination,
    labels: Vec<String>,
    remark: Option<String>,
    voucher: Option<String>,
    weight_grams: u64,
    attempts: Option<u32>,
}

impl Run for Values {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

fn main() {
    let (_, _, text) = CASES[1];
    let tree: Value = serde_json::from_str(text).unwrap();
    let rounds = rounds();
    println!("          by hand ns   ours ns   ratio (quartiles)        allocations by hand, ours");
    let from_text = || {
        let _ = black_box(serde_json::from_str::<ByHand>(black_box(text)).unwrap());
    };
    let from_tree = || {
        let _ = black_box(ByHand::deserialize(black_box(&tree)).unwrap());
    };
    compare(rounds, "values, text", from_text, || values(text));
    compare(rounds, "values, tree", from_tree, || values(&tree));
    compare(rounds, "parse, text", from_text, || parse(text));
    compare(rounds, "parse, tree", from_tree, || parse(&tree));
}

fn values<'a>(arguments: impl Into<Arguments<'a>>) {
    let arguments = black_box(arguments.into());
    let _ = black_box(Values::from_arguments(&arguments).unwrap());
}

fn parse<'a>(arguments: impl Into<Arguments<'a>>) {
    let arguments = black_box(arguments.into());
    let _ = black_box(common::Send.parse(&arguments).unwrap());
}
