//! The small programs of the examples, run as they are: a test for each reads what it prints.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows it within test functions, and not in what these share"
)]

mod authoring;
mod named;
mod plugged_in;
mod sessions;
mod tickets;

use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_program");

/// Runs a program to its end, and returns what it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs one of the programs and finds in what it prints each of these texts, one behind the other.
#[track_caller]
fn prints(name: &str, expected: &[&str]) {
    in_order(&run(Command::new(PROGRAM).arg(name)), expected);
}

#[track_caller]
fn in_order(printed: &str, expected: &[&str]) {
    let mut rest = printed;
    for text in expected {
        let Some((_, behind)) = rest.split_once(text) else {
            panic!("{text:?} is not in {rest:?}, the rest of\n{printed}");
        };
        rest = behind;
    }
}
