//! What a user of `#[tool]` reads when something is wrong, and what has to compile.

use std::fs;
use std::path::Path;

const FAIL: &str = "compile-fail";

#[rustversion::attr(
    not(stable(1.95)),
    ignore = "error texts belong to one compiler, Rust 1.95"
)]
#[test]
fn errors() {
    trybuild::TestCases::new().compile_fail(format!("{FAIL}/*.rs"));
}

#[test]
fn passes() {
    trybuild::TestCases::new().pass("compile-pass/*.rs");
}

/// One mistake is one error, so a text that was blessed without being read is noticed here.
#[test]
fn one_error_for_one_mistake() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FAIL);
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "stderr")
        {
            continue;
        }
        let expected = if path.ends_with("five_mistakes.stderr") {
            5
        } else {
            1
        };
        let text = fs::read_to_string(&path).unwrap();
        let errors = text
            .lines()
            .filter(|line| line.starts_with("error") && !line.starts_with("error: aborting"))
            .count();
        if errors != expected {
            wrong.push(format!("{}: {errors}, not {expected}", path.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "files with another number of errors:\n{}",
        wrong.join("\n")
    );
}
