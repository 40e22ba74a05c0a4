//! `tests/features.md` names the tests of each row of the list of features. The tests are read off the sources:
//! `TOOLWRIGHT_BLESS=1 cargo test -p toolwright-tests --test behaviour features` writes them anew, and leaves the words
//! of the rows as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().to_owned()
}

/// The ids at the start of a test's name: `s2_11_s2_14_a_name_is_taken_once` has S2-11 and S2-14.
fn ids(test: &str) -> Vec<String> {
    let is_number =
        |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut ids = Vec::new();
    let mut parts = test.split('_');
    while let (Some(part), Some(row)) = (parts.next(), parts.next()) {
        match part.strip_prefix('s') {
            Some(system) if is_number(system, 1) && is_number(row, 2) => {
                ids.push(format!("S{system}-{row}"));
            }
            _ => break,
        }
    }
    ids
}

/// The functions of a source that follow an attribute `test`.
fn tests(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_test = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some((_, name)) = line.split_once("fn ").filter(|_| is_test) {
            found.extend(name.split('(').next());
            is_test = false;
        }
    }
    found
}

/// The tests of each row, as the page names them: with a link from its folder.
fn tests_of_rows() -> BTreeMap<String, BTreeSet<String>> {
    let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut folders: Vec<PathBuf> = ["examples", "macros", "sdk", "tests"]
        .map(|folder| repository().join(folder))
        .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    folders.push(path);
                }
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let from_root = path.strip_prefix(repository()).unwrap();
            let link = match from_root.strip_prefix("tests") {
                Ok(below) => below.to_str().unwrap().to_owned(),
                Err(_) => format!("../{}", from_root.to_str().unwrap()),
            };
            let link = link.replace('\\', "/");
            for test in tests(&fs::read_to_string(&path).unwrap()) {
                for id in ids(test) {
                    let named = format!("  - [`{test}`]({link})");
                    rows.entry(id).or_default().insert(named);
                }
            }
        }
    }
    rows
}

#[test]
fn the_page_of_features_names_the_tests_of_each_row() {
    let file = repository().join("tests/features.md");
    let written = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    let mut rows = tests_of_rows();
    assert!(rows.len() > 200, "{} rows", rows.len());
    let mut page = String::new();
    let mut lines = written.lines().peekable();
    while let Some(line) = lines.next() {
        page.extend([line, "\n"]);
        let Some(id) = line
            .strip_prefix("- **")
            .and_then(|rest| rest.split("**").next())
        else {
            continue;
        };
        while lines.next_if(|line| line.starts_with("  - [`")).is_some() {}
        let tests = rows.remove(id).unwrap_or_default();
        let has_reason = lines
            .peek()
            .is_some_and(|line| line.starts_with("  - No test: "));
        assert!(
            has_reason == tests.is_empty(),
            "{id}: a row has tests, or else a line `  - No test: ..` with the reason"
        );
        for test in tests {
            page.extend([test.as_str(), "\n"]);
        }
    }
    let unknown: Vec<&String> = rows.keys().collect();
    assert!(
        unknown.is_empty(),
        "tests name these rows, and tests/features.md has no such row: {unknown:?}"
    );
    if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
        fs::write(&file, page).unwrap();
    } else {
        assert!(
            page == written,
            "tests/features.md names other tests than the sources have; with TOOLWRIGHT_BLESS=1 this test writes it anew"
        );
    }
}

#[test]
fn ids_are_read_off_the_names_of_tests() {
    assert_eq!(ids("s2_11_s2_14_a_name_is_taken_once"), ["S2-11", "S2-14"]);
    assert_eq!(ids("s0_18_specs_are_sorted"), ["S0-18"]);
    for none in [
        "",
        "s",
        "s3",
        "so_is_one",
        "d2_04_a",
        "s3_100_lines",
        "sé_11_x",
    ] {
        assert_eq!(ids(none), [""; 0], "{none}");
    }
    let source = "#[test]\nfn one() {}\nfn no() {}\n#[tokio::test(start_paused = true)]\n#[ignore]\nasync fn two() {\n";
    assert_eq!(tests(source), ["one", "two"]);
}
