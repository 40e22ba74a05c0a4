#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::super::{LineCommand, ShellLine, Word};
use super::*;

fn pattern(word: &str) -> Option<Pattern> {
    let line = ShellLine::parse(&format!("cat {word}")).unwrap();
    match &line.commands()[0].words()[1] {
        Word::Unknown(unknown) => unknown.pattern.clone(),
        Word::Known(_) => None,
    }
}

#[test]
fn entries_are_found_as_bash_finds_them() {
    let root = tempfile::tempdir().unwrap();
    for name in [
        "a.md",
        "B.MD",
        ".h.md",
        "a*.md",
        "d/x.rs",
        "d/y.rs",
        "e/x.rs",
        "e/.z/x.rs",
    ] {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    for word in [
        "*.md",
        "?.md",
        "[ab].md",
        "[!x].md",
        ".*.md",
        "a\\*.m*",
        "*",
        "d/*.rs",
        "*/x.rs",
        "*/*",
        "./*.md",
        "d/../*.md",
        "*/",
        "n*",
        "d/n*",
        "'a*'.*",
        "*/.z/*",
        "*.*.*",
        "\"d\"/?.rs",
    ] {
        let script = format!("printf '%s\\n' {word}");
        let output = std::process::Command::new("bash")
            .args(["--norc", "-c", &script])
            .current_dir(root.path())
            .output()
            .unwrap();
        let expected: Vec<PathBuf> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| root.path().join(line))
            .filter(|path| path.symlink_metadata().is_ok())
            .collect();
        let named = pattern(word).unwrap().named(Some(root.path()));
        assert!(!named.more && !named.options, "{word}");
        for path in &expected {
            assert!(
                named.files.contains(path),
                "{word}: {path:?} is not in {named:?}"
            );
        }
        // Only a set is read as more than it is.
        let wider = word.contains('[') || word.ends_with('/');
        assert!(
            wider || named.files.len() == expected.len(),
            "{word}: {named:?}"
        );
    }
}

#[test]
fn what_is_no_plain_pattern_is_none() {
    for word in [
        "**",
        "*$X",
        "\"$X\"*",
        "{a,b}*",
        "~/*",
        "[a/b]*",
        "[[:alpha:]]*",
        "[]a]*",
        "a'*'",
    ] {
        assert_eq!(pattern(word), None, "{word}");
    }
    let line = ShellLine::parse("shopt -s nullglob; cat *").unwrap();
    let Word::Unknown(word) = &line.commands()[1].words()[1] else {
        panic!("{line:?}");
    };
    assert_eq!(word.pattern, None);
}

#[test]
fn too_many_entries_and_options_are_said() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("-rf"), "").unwrap();
    let star = pattern("*").unwrap();
    assert!(star.named(Some(root.path())).options);
    assert!(!pattern("./*").unwrap().named(Some(root.path())).options);
    assert!(star.named(None).more);
    for number in 0..MATCHES {
        fs::write(root.path().join(number.to_string()), "").unwrap();
    }
    let named = star.named(Some(root.path()));
    assert!(named.more);
    assert_eq!(named.files.len(), MATCHES);
}

#[test]
fn the_patterns_of_a_line_share_what_may_be_looked_at() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..10 {
        let directory = root.path().join(number.to_string());
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("a"), "").unwrap();
    }
    let line = |count: usize| format!("cat {}", "*/a ".repeat(count));
    let named = |line: &str| -> Vec<(usize, bool)> {
        let line = ShellLine::parse(line).unwrap();
        let words = line.commands().iter().flat_map(LineCommand::words);
        words
            .filter_map(|word| match word {
                Word::Unknown(unknown) => unknown.pattern.as_ref(),
                Word::Known(_) => None,
            })
            .map(|pattern| pattern.named(Some(root.path())))
            .map(|named| (named.files.len(), named.more))
            .collect()
    };
    assert_eq!(named(&line(100)), [(10, false); 100]);
    // Each may still find 9, and there are 10.
    assert_eq!(named(&line(101)), [(0, true); 101]);
    // Each is looked up in two directories.
    let twice = format!("true && cd b || true; {}", line(51));
    assert_eq!(named(&twice), [(0, true); 51]);
    assert_eq!(named(&line(1_001)), [(0, true); 1_001]);
}

#[test]
fn a_pattern_of_very_many_names_is_not_looked_up() {
    assert!(pattern(&format!("*{}", "/.".repeat(COMPONENTS - 1))).is_some());
    assert_eq!(pattern(&format!("*{}", "/.".repeat(COMPONENTS))), None);
}
