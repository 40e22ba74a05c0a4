#![allow(unused_variables)]

use toolwright::tool;

/// Add up.
#[tool]
fn sum(a: i64, a: i64) {}

fn main() {}
