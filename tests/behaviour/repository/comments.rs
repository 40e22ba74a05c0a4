//! Comments begin with a noun or with a verb in the third person. Each comment that begins with another word
//! fails here, with its file and line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::module_arrows::without_literals;

/// The folders whose comments are read.
const FOLDERS: [&str; 4] = ["sdk", "macros", "examples", "tests"];

/// Files with comments that are data: other files hold the same text, byte by byte.
const DATA: [&str; 4] = [
    // The texts of errors show these sources.
    "tests/compile-fail/",
    // `schemas.golden` has the schemas of all versions, with the descriptions of this one.
    "tests/crates/same-bytes/src/lib.rs",
    // The expansions of the macros beside them.
    "/golden/",
    // Transcripts show the lines that tools read in them.
    "/transcripts/fixtures/",
];

/// The words that no comment begins with: they make a fragment of a sentence.
const WORDS: [&str; 13] = [
    "what", "whether", "of", "that", "who", "how", "where", "one", "none", "which", "why", "when",
    "whose",
];

/// The lines, counted from 1, at which a paragraph of a comment begins with one of the words.
fn hits(text: &str) -> Vec<usize> {
    let mut hits = Vec::new();
    let (mut before, mut begins, mut in_code) = ("", true, false);
    for (number, line) in (1..).zip(without_literals(text, true).lines()) {
        let comment = line.find("//").map_or("", |at| &line[at..]);
        let mark = ["//!", "///", "//"]
            .into_iter()
            .find(|mark| comment.starts_with(mark))
            .unwrap_or_default();
        let said = comment[mark.len()..].trim();
        if mark != before {
            (begins, in_code) = (true, false);
        }
        let is_fence = said.starts_with("```");
        in_code ^= is_fence;
        let item = said.strip_prefix("- ");
        if (begins || item.is_some()) && !in_code {
            let said = item.unwrap_or(said).trim_start_matches('*');
            let word = said.split(|c: char| !c.is_alphabetic()).next();
            let is_hit = |word: &str| WORDS.contains(&word.to_lowercase().as_str());
            hits.extend(word.is_some_and(is_hit).then_some(number));
        }
        begins = said.is_empty() || said.starts_with('#') || is_fence;
        before = mark;
    }
    hits
}

/// The Rust files below a folder, those of built targets aside.
fn sources(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path);
        }
    }
}

#[test]
fn comments_begin_with_a_noun_or_a_verb() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = BTreeSet::new();
    for folder in FOLDERS {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for file in &files {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap();
        if DATA.iter().any(|data| name.contains(data)) {
            continue;
        }
        let hits = hits(&fs::read_to_string(file).unwrap());
        found.extend(hits.iter().map(|line| format!("{name}:{line}")));
    }
    assert!(
        found.is_empty(),
        "{} comments:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// The reader of comments, on lines that it has to find and on some that it must not.
#[test]
fn each_kind_of_comment_is_read() {
    let text = "//! What.\n//!\n//! Which.\nlet a = \"// What\"; // one\nlet b = r#\"\n/// How\n\"#;\n\n\
                /// A noun\n/// which goes on.\n///\n/// # Errors\n///\n/// When.\n///\n/// ```\n/// how()\n\
                ///\n/// where\n/// ```\n// `None`, whatever.\n/// - of\nfn f() {\n\n    // Whole\n    // who\n}\n";
    assert_eq!(hits(text), [1, 3, 4, 14, 22]);
}
