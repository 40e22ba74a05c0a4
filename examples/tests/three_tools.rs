//! The example `three-tools`: what it prints, and how little it takes.

use std::process::Command;

#[test]
fn every_limit_is_enforced() {
    let output = Command::new(env!("CARGO_BIN_EXE_three-tools"))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    for expected in [
        r#"["10 hits for tools by Date"]"#,
        "`/query`: expected text of 1 to 200 characters",
        "`/limit`: expected an integer from 1 to 50, found 99",
        r#"`/sort`: expected one of "relevance", "date""#,
        "`/content`: is required and missing",
        "`/day`: expected a date",
        "`/passengers/0/age`: expected an integer from 0 to 120, found 136",
        "2026-02-28: Ada (36) and 0 others",
    ] {
        assert!(printed.contains(expected), "{expected}\n{printed}");
    }
}

/// Without blanks and comments, types included.
#[test]
fn three_tools_take_fewer_than_60_lines() {
    let source = include_str!("../three_tools.rs");
    let (tools, _) = source.split_once("#[tokio::main]").unwrap();
    let lines = tools
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    assert!(lines.count() < 60);
}
