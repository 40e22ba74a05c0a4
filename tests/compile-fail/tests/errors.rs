//! The texts that a user of `#[tool]` reads when something is wrong.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[rustversion::attr(not(stable(1.95)), ignore = "the texts belong to Rust 1.95")]
#[test]
fn errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("*.rs");
    for folder in [
        "by_hand",
        "derive_tool",
        "keys",
        "several",
        "tool_enum",
        "tool_type",
        "toolset",
    ] {
        cases.compile_fail(format!("{folder}/*.rs"));
    }
}

#[rustversion::attr(not(stable(1.95)), ignore = "the texts belong to Rust 1.95")]
#[test]
fn s0_09_an_id_cannot_stand_where_another_is_meant() {
    trybuild::TestCases::new().compile_fail("ids/*.rs");
}

/// What cannot be told once is an exception, and stays one.
#[test]
fn few_mistakes_are_told_more_than_once() {
    let excepted = exceptions();
    assert!(excepted.len() <= 4, "{excepted:?}");
}

/// Mistakes that the macro sees and mistakes that only types show are told in one run.
#[test]
fn files_with_several_mistakes_have_mistakes_of_both_kinds() {
    let rows: Vec<Vec<String>> = tables().into_iter().filter(|row| row.len() == 4).collect();
    assert!(rows.len() >= 6, "{rows:?}");
    for row in rows {
        let [file, mistakes, of_macro, of_types] = &row[..] else {
            panic!("{row:?}");
        };
        let number = |cell: &String| cell.parse::<usize>().unwrap();
        assert_eq!(
            number(mistakes),
            number(of_macro) + number(of_types),
            "{file}"
        );
        let path = folder()
            .join(file.replace('`', ""))
            .with_extension("stderr");
        let text = fs::read_to_string(path).unwrap();
        let typed = text
            .lines()
            .filter(|line| line.starts_with("error[E"))
            .count();
        assert_eq!(typed, number(of_types), "{file}");
        assert_eq!(errors_in(&text), number(mistakes), "{file}");
    }
}

/// The texts of the table are followed in programs that run: they are in `compile-pass`.
#[test]
fn every_mistake_of_the_table_stands_mended() {
    let mended = mended();
    for name in &mended {
        let file = folder()
            .join("compile-fail")
            .join(name)
            .with_extension("rs");
        assert!(file.is_file(), "{name} is mended and not there");
    }
    for row in comparison() {
        for file in row.last().into_iter().flat_map(|files| code(files)) {
            let name = file.strip_prefix("compile-fail/");
            if let Some(name) = name.and_then(|name| name.strip_suffix(".rs")) {
                assert!(
                    mended.iter().any(|known| known == name),
                    "{name} is not mended"
                );
            }
        }
    }
}

/// So that a text which was blessed without being read is noticed.
#[test]
fn one_error_for_one_mistake() {
    let mut excepted = exceptions();
    let several = tables().into_iter().filter(|row| row.len() == 4);
    excepted.extend(several.map(|row| (row[0].replace('`', ""), row[1].parse().unwrap())));
    let mut wrong = Vec::new();
    for path in texts() {
        let name = name_of(&path.with_extension("rs"));
        let expected = excepted.remove(&name).unwrap_or(1);
        let found = errors_in(&fs::read_to_string(&path).unwrap());
        if found != expected {
            wrong.push(format!("{name}: {found}, not {expected}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "files with another number of errors:\n{}",
        wrong.join("\n")
    );
    assert!(excepted.is_empty(), "no such files: {excepted:?}");
}

/// The texts are the same on every machine.
#[test]
fn no_path_of_a_machine() {
    for path in texts() {
        let text = fs::read_to_string(&path).unwrap();
        for place in text.lines().filter_map(|line| line.split_once("--> ")) {
            let absolute = Path::new(place.1).is_absolute() || place.1.starts_with("$RUST");
            assert!(!absolute, "{}: {}", path.display(), place.1);
        }
    }
}

/// What the table says of us is what the files show, and it says it of every mistake.
#[test]
fn every_mistake_of_the_table_has_a_text_of_ours_and_a_file() {
    let rows = comparison();
    assert_eq!(rows.len(), 38);
    for row in rows {
        let [case, peers @ .., ours, lines, files] = &row[..] else {
            panic!("{row:?} has too few columns");
        };
        assert_eq!(peers.len(), 6, "{case}");
        assert!(peers.iter().all(|peer| !peer.is_empty()), "{case}");
        let files: Vec<PathBuf> = code(files).map(|file| folder().join(file)).collect();
        assert!(!files.is_empty(), "{case} has no file");
        for file in &files {
            assert!(file.is_file(), "{case}: {} is missing", file.display());
        }
        let first = &files[0];
        if name_of(first).starts_with("compile-pass/") {
            assert!(ours.starts_with("compiles"), "{case}: {ours}");
            assert_eq!(lines, "", "{case}");
            continue;
        }
        let text = fs::read_to_string(first.with_extension("stderr")).unwrap();
        let said = text.lines().next().and_then(|line| line.split_once(": "));
        assert_eq!(said.map(|(_, said)| said), Some(ours.as_str()), "{case}");
        let size = match errors_in(&text) {
            1 => text.lines().count().to_string(),
            errors => format!("{}, of {errors} errors", text.lines().count()),
        };
        assert_eq!(*lines, size, "{case}");
    }
}

/// Each rule has a cell for each way to break it, each mistake here is one of a rule, and what a cell names is there.
#[test]
fn every_mistake_breaks_a_rule_that_says_what_is_told_of_it() {
    let rows: Vec<_> = tables_of("compile-fail/rules.md")
        .into_iter()
        .filter(|row| row.len() == 9)
        .collect();
    assert!(rows.len() > 40, "{}", rows.len());
    let mut named = BTreeSet::new();
    for row in &rows {
        for cell in row {
            assert!(!cell.is_empty() && cell != "nothing", "{row:?}");
            named.extend(
                code(cell)
                    .filter(|code| Path::new(code).extension().is_some_and(|end| end == "rs")),
            );
        }
    }
    let mistakes: Vec<String> = texts()
        .iter()
        .map(|path| name_of(&path.with_extension("rs")))
        .collect();
    let mistakes: BTreeSet<&str> = mistakes
        .iter()
        .filter_map(|name| name.strip_prefix("compile-fail/"))
        .collect();
    let unknown: Vec<_> = named.difference(&mistakes).collect();
    assert!(unknown.is_empty(), "no such files: {unknown:?}");
    let without: Vec<_> = mistakes.difference(&named).collect();
    assert!(without.is_empty(), "files of no rule: {without:?}");
}

fn errors_in(text: &str) -> usize {
    text.lines()
        .filter(|line| line.starts_with("error") && !line.starts_with("error: aborting"))
        .count()
}

/// The mistakes that other crates' compilers were asked about too.
fn comparison() -> Vec<Vec<String>> {
    tables().into_iter().filter(|row| row.len() == 10).collect()
}

/// The files with more errors than one, and how many they have.
fn exceptions() -> BTreeMap<String, usize> {
    let rows = tables().into_iter().filter(|row| row.len() == 3);
    rows.map(|row| (row[0].replace('`', ""), row[1].parse().unwrap()))
        .collect()
}

/// The rows of the tables in the README, without their heads.
fn tables() -> Vec<Vec<String>> {
    tables_of("compile-fail/README.md")
}

fn tables_of(page: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder().join(page)).unwrap();
    let mut rows = Vec::new();
    for line in text.lines() {
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            continue;
        };
        // The line under a head.
        if row.starts_with("---") {
            rows.pop();
        } else {
            rows.push(row.split('|').map(|cell| cell.trim().to_owned()).collect());
        }
    }
    rows
}

/// The names of the mistakes in `compile-pass/mended_*.rs`: those of the modules, with the folder before them.
fn mended() -> Vec<String> {
    let mut names = Vec::new();
    for part in ["functions", "arguments", "keys", "types"] {
        let file = folder().join(format!("compile-pass/mended_{part}.rs"));
        let mut outer = if part == "keys" { "keys/" } else { "" }.to_owned();
        for line in fs::read_to_string(file).unwrap().lines() {
            let module = |line: &str| {
                let name = line.strip_prefix("mod ")?.strip_suffix(" {")?;
                Some(name.to_owned())
            };
            if let Some(name) = module(line) {
                if folder().join("compile-fail").join(&name).is_dir() {
                    outer = format!("{name}/");
                } else {
                    names.push(outer.clone() + &name);
                }
            } else if let Some(name) = line.strip_prefix("    pub ").and_then(module) {
                names.push(outer.clone() + &name);
            } else if line == "}" && part != "keys" {
                outer.clear();
            }
        }
    }
    names
}

/// What stands between backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The texts of all folders.
fn texts() -> Vec<PathBuf> {
    let mut texts = Vec::new();
    let mut folders = vec![folder().join("compile-fail")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "stderr") {
                texts.push(path);
            }
        }
    }
    texts
}

/// The folder of both suites.
fn folder() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// A path as the README writes it.
fn name_of(path: &Path) -> String {
    let parts = path.strip_prefix(folder()).unwrap().iter();
    let parts: Vec<&str> = parts.map(|part| part.to_str().unwrap()).collect();
    parts.join("/")
}
