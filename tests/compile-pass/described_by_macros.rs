//! A description that is put together or stands in a file of its own.

#![deny(warnings)]

use toolwright::{Tool, tool};

#[doc = include_str!("described_by_macros.md")]
#[tool(read_only)]
fn from_a_file(path: String) -> String {
    path
}

#[doc = concat!("Read a text file of version ", 2, ".")]
#[tool(read_only)]
fn put_together(path: String) -> String {
    path
}

#[test]
fn program_runs() {
    assert_eq!(
        FromAFile.spec().description(),
        "Read a text file that is\nin the workspace."
    );
    assert_eq!(
        PutTogether.spec().description(),
        "Read a text file of version 2."
    );
}
