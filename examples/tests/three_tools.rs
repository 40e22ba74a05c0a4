//! The example `three-tools`: what it prints and leaves behind, and how little it takes.
#![allow(
    clippy::unwrap_used,
    reason = "clippy allows it within test functions, and not in what these share"
)]

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

fn run(folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_three-tools"))
        .arg(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the results of the calls of a tool, in their order.
fn results<'p>(printed: &'p str, tool: &str) -> Vec<&'p str> {
    let calls = printed.split("> ").filter(|call| call.starts_with(tool));
    calls
        .map(|call| call.split_once('\n').unwrap().1.trim())
        .collect()
}

#[test]
fn the_search_finds_what_is_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).unwrap();
    // The most hits, and the oldest.
    fs::write(documents.join("shed.md"), "tools, tools, tools\n").unwrap();
    File::options()
        .write(true)
        .open(documents.join("shed.md"))
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(3600))
        .unwrap();
    let printed = run(folder.path());
    let found = results(&printed, "docs.search");
    assert_eq!(found[0], r#"["shed.md: 3","plan.md: 2","list.md: 1"]"#);
    assert!(!found[1].contains("shed.md"), "not the newest: {found:?}");
    assert_eq!(found[3], r#"["shed.md: 3","list.md: 1"]"#);
}

#[test]
fn a_file_is_written_where_it_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path());
    let written = results(&printed, "fs.write");
    assert_eq!(written[..3], ["35", "11", "6"]);
    assert!(written[4].contains("denied"), "{}", written[4]);
    let read = |name: &str| fs::read_to_string(folder.path().join("documents").join(name));
    assert_eq!(read("plan.md").unwrap(), "Rest.\n", "over what was there");
    assert_eq!(read("list.md").unwrap(), "Buy tools.\n");
}

#[test]
fn a_booking_takes_seats_that_are_there_once_and_for_all_runs() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path());
    let full = "seats left on 2026-02-27: 1";
    let others = [
        "Ada is booked on 2026-02-27 already",
        full,
        "a child flies with somebody of 16 or older",
        "there is no flight on 2026-02-28",
    ];
    let booked = results(&printed, "flight.book");
    assert_eq!(booked[1], format!("booked, {full}"));
    assert_eq!(booked[2..], others);
    let kept = || fs::read_to_string(folder.path().join("bookings.json")).unwrap();
    assert_eq!(kept(), r#"{"2026-02-27":["Ada","Ben"]}"#);

    let again = run(folder.path());
    let booked = results(&again, "flight.book");
    assert_eq!(booked[1], "Ada is booked on 2026-02-27 already");
    assert_eq!(booked[2..], others);
    assert_eq!(kept(), r#"{"2026-02-27":["Ada","Ben"]}"#);
}

#[test]
fn every_limit_is_enforced() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path());
    for expected in [
        "`/query`: expected text of 1 to 200 characters",
        "`/limit`: expected an integer from 1 to 50, found 99",
        r#"`/sort`: expected one of "relevance", "date""#,
        "`/content`: is required and missing",
        "`/day`: expected a date",
        "`/passengers/0/age`: expected an integer from 0 to 120, found 136",
    ] {
        assert!(printed.contains(expected), "{expected}\n{printed}");
    }
}

#[test]
fn without_a_folder_it_runs_too() {
    let output = Command::new(env!("CARGO_BIN_EXE_three-tools"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        results(&printed, "docs.search")[0],
        r#"["plan.md: 2","list.md: 1"]"#
    );
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
