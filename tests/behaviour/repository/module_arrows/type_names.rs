//! A type name is defined once in a crate: whoever meets a name finds one type.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{code, is_word, other_crates};

/// The names in `sdk/src` that are still defined more than once. A name that is new here fails, and so does one that is
/// defined once by now.
const LEFT: &[&str] = &[];

const KEYWORDS: [&str; 5] = ["struct", "enum", "union", "trait", "type"];

/// The sources below a folder, tests and the expansions that tests compare aside. Of two files that are one module,
/// depending on a feature, one counts.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            match path.is_dir() {
                _ if ["tests", "golden"].contains(&name) => {}
                true => folders.push(path),
                false => all.push(path),
            }
        }
    }
    let mut alternatives = BTreeSet::new();
    for path in &all {
        for line in fs::read_to_string(path).unwrap().lines() {
            if let Some((_, rest)) = line.split_once("#[cfg_attr(")
                && let Some((_, rest)) = rest.split_once("path = \"")
            {
                alternatives.insert(path.with_file_name(rest.split('"').next().unwrap()));
            }
        }
    }
    all.retain(|path| !alternatives.contains(path));
    all
}

/// The type names that a code defines. Associated types are none of them, nor are the types of its tests.
fn defined(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    // The words before a block or an item; and for each block around it, true if it is of an `impl` or a trait, and if of
    // tests.
    let mut head: Vec<String> = Vec::new();
    let mut around: Vec<(bool, bool)> = Vec::new();
    let mut word = String::new();
    for c in code.chars() {
        if is_word(c) || c == '$' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            let after = head.last().map(String::as_str);
            let is_associated = after == Some("type") && around.last().is_some_and(|block| block.0);
            let is_of_tests = around.iter().any(|block| block.1);
            if after.is_some_and(|after| KEYWORDS.contains(&after))
                && word.starts_with(char::is_uppercase)
                && !is_associated
                && !is_of_tests
            {
                names.push(word.clone());
            }
            head.push(std::mem::take(&mut word));
        }
        match c {
            '{' => {
                let has = |word: &str| head.iter().any(|found| found == word);
                let is_impl = (has("impl") || has("trait")) && !has("fn");
                around.push((is_impl, has("cfg") && has("test") && has("mod")));
                head.clear();
            }
            '}' => {
                around.pop();
                head.clear();
            }
            ';' => head.clear(),
            _ => {}
        }
    }
    names
}

/// The names that are defined more than once below a folder, each with the files.
fn twice(root: &Path) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources(root) {
        let text = fs::read_to_string(&path).unwrap();
        let file = path.strip_prefix(root).unwrap().display().to_string();
        for name in defined(&code(&text)) {
            all.entry(name).or_default().push(file.clone());
        }
    }
    assert!(all.len() > 5, "{} names in {}", all.len(), root.display());
    all.retain(|_, files| files.len() > 1);
    all
}

#[test]
fn a_type_name_is_defined_once_in_the_runtime() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src");
    let found = twice(&root);
    let left: BTreeSet<&str> = LEFT.iter().copied().collect();
    let new: Vec<_> = found
        .iter()
        .filter(|(name, _)| !left.contains(name.as_str()))
        .collect();
    assert!(new.is_empty(), "defined more than once: {new:#?}");
    let gone: Vec<_> = left
        .iter()
        .filter(|name| !found.contains_key(**name))
        .collect();
    assert!(
        gone.is_empty(),
        "defined once by now, so take them out: {gone:?}"
    );
}

#[test]
fn a_type_name_is_defined_once_in_each_other_crate() {
    for root in other_crates() {
        let found = twice(&root);
        assert!(found.is_empty(), "{}: {found:#?}", root.display());
    }
}

/// The forms that a name is looked for in.
#[test]
fn names_are_found_in_all_their_forms() {
    let text = "pub(crate) struct A<T>(T);\nimpl<T> B for A<T> { type C = T; fn f() { struct D; } }\n\
                trait E { type F: Sized; }\ntype G = u8; // struct No\nmacro_rules! m { () => { struct $name; } }\n\
                mod h { enum I { J } }\n#[cfg(test)]\nmod flag { struct No; }\n";
    assert_eq!(defined(&code(text)), ["A", "D", "E", "G", "I"]);
}
