//! Lists of tools for the APIs, beside the catalog's own list, in turns, as medians of ratios within a round.
//!
//! `cargo bench -p toolwright-providers --bench lists`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

#[path = "../../../benches/common/mod.rs"]
mod common;

use std::hint::black_box;

use common::turns::{self, compare};
use toolwright_providers::{Api, ToolList};

fn main() {
    let rounds = turns::rounds();
    println!(
        "lists of 100 tools         base ns   ours ns   ratio (quartiles)        allocations of both"
    );
    for api in Api::ALL {
        let names: Vec<String> = (0..50).map(|number| format!("t{}", number * 2)).collect();
        let kept = common::hundred_tools().freeze().unwrap();
        let list = ToolList::new(api, &kept);
        let plain = kept.to_json().unwrap();
        assert!(list.as_str().len() > plain.len() / 2);
        compare(
            rounds,
            &format!("{api}, again"),
            || drop(black_box(kept.to_json().unwrap())),
            || drop(black_box(ToolList::new(api, black_box(&kept)))),
        );
        compare(
            rounds,
            &format!("{api}, 50 of them"),
            || drop(black_box(black_box(&plain).to_string())),
            || {
                drop(black_box(
                    list.select(names.iter().map(String::as_str)).unwrap(),
                ));
            },
        );
        compare(
            rounds,
            &format!("{api}, first"),
            || {
                let fresh = common::hundred_tools().freeze().unwrap();
                drop(black_box(fresh.to_json().unwrap()));
            },
            || {
                let fresh = common::hundred_tools().freeze().unwrap();
                drop(black_box(ToolList::new(api, &fresh)));
            },
        );
    }
}
