//! Whole expansions.

use super::expand;
use crate::testing::golden;

#[test]
fn asynchronous() {
    golden("tool/golden/read_file", expand);
}

/// Everything that the other one leaves out.
#[test]
fn synchronous() {
    golden("tool/golden/slugify", expand);
}
