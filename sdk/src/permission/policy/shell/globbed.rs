//! The files that a pattern in a word may stand for.
//!
//! A rule that forbids files has to speak of `cat .e*` too. Bash puts the names of the files there
//! are in place of the pattern, so these are looked at; what a pattern matches exactly is not worked
//! out, only between which ends the names lie.

use std::path::{Path, PathBuf};

use super::files::Named;
use super::word::Unknown;

/// The most names of a directory that are looked at.
const NAMES: usize = 1_000;

/// The most words that braces are expanded to.
const WORDS: usize = 64;

/// The files that a word may name that is a pattern and nothing else, seen from any of these
/// directories. One without a path where that is not known.
pub(super) fn named(unknown: &Unknown, directories: &[PathBuf]) -> Vec<Named> {
    if begins_no_name(unknown, directories) {
        return Vec::new();
    }
    let pure = unknown.splits && unknown.each;
    let plain = !unknown
        .shown
        .contains(['$', '`', '~', '\'', '"', '\\', '(']);
    let words = (pure && plain).then(|| braces(&unknown.shown)).flatten();
    let found: Option<Vec<Vec<Named>>> = words
        .unwrap_or_default()
        .iter()
        .flat_map(|word| directories.iter().map(move |directory| (word, directory)))
        .map(|(word, directory)| listed(word, directory))
        .collect();
    match found {
        Some(found) if !found.is_empty() => found.into_iter().flatten().collect(),
        _ => vec![Named::unknown()],
    }
}

/// Whether a word is one text whose beginning is known and begins the name of no file there is, as in
/// `"a message for $x"`. What follows an option's name, a `=` or the like may be a file all the same.
fn begins_no_name(unknown: &Unknown, directories: &[PathBuf]) -> bool {
    let begins = unknown.prefix.split('/').next().unwrap_or_default();
    let one = unknown.each && !unknown.splits && !directories.is_empty();
    let may_be_more = |c: char| matches!(c, '=' | ':' | '@' | ',');
    if !one || begins.is_empty() || begins.starts_with('-') || unknown.prefix.contains(may_be_more)
    {
        return false;
    }
    directories.iter().all(|directory| {
        if unknown.prefix.contains('/') {
            return directory.join(begins).symlink_metadata().is_err();
        }
        let Ok(entries) = std::fs::read_dir(directory) else {
            return false;
        };
        entries.enumerate().all(|(count, entry)| {
            let name = entry.map(|entry| entry.file_name());
            count < NAMES && name.is_ok_and(|name| !name.to_string_lossy().starts_with(begins))
        })
    })
}

/// The words that a word with braces becomes: lists that do not lie in each other.
fn braces(word: &str) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}')?;
        if before.contains('}') || inside.contains('{') || inside.contains("..") {
            return None;
        }
        if !inside.contains(',') {
            return None;
        }
        words = words
            .iter()
            .flat_map(|word| {
                inside
                    .split(',')
                    .map(move |item| format!("{word}{before}{item}"))
            })
            .collect();
        if words.len() > WORDS {
            return None;
        }
        rest = after;
    }
    if rest.contains('}') {
        return None;
    }
    for word in &mut words {
        word.push_str(rest);
    }
    Some(words)
}

/// The files that a pattern without braces may match: those of its directory between its ends, and
/// for a pattern of several levels all that is below the first. `None` if nobody can tell.
fn listed(word: &str, directory: &Path) -> Option<Vec<Named>> {
    let Some(first) = word.find(['*', '?', '[']) else {
        return Some(vec![Named::at(directory.join(word), true)]);
    };
    let (literal, pattern) = word.split_at(first);
    let (parent, begins) = literal
        .rfind('/')
        .map_or(("", literal), |at| literal.split_at(at + 1));
    let parent = directory.join(parent);
    if pattern.contains('/') {
        return Some(vec![Named {
            path: Some(parent),
            sure: false,
            below: true,
        }]);
    }
    // A class may have any character in it, and end wherever it wants.
    let last = pattern.rfind(['*', '?', ']']).map_or(0, |at| at + 1);
    let ends = pattern.get(last..).filter(|_| !pattern.contains('['));
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(&parent) else {
        // No such directory, so that it matches nothing; or one that may not be listed.
        return Some(vec![Named::at(directory.join(word), true)]);
    };
    for (count, entry) in entries.enumerate() {
        if count >= NAMES {
            return None;
        }
        let name = entry.ok()?.file_name();
        let text = name.to_str()?;
        // Without a dot at its beginning, a pattern matches no name with one.
        let hidden = text.starts_with('.') && begins.is_empty();
        if !hidden && text.starts_with(begins) && text.ends_with(ends.unwrap_or_default()) {
            found.push(Named::at(parent.join(text), false));
        }
    }
    // What matches nothing stays as it is.
    found.push(Named::at(directory.join(word), true));
    Some(found)
}

#[cfg(all(test, unix))]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::*;

    #[test]
    fn braces_become_words() {
        let words = |word: &str| braces(word).map(|words| words.join(" "));
        assert_eq!(words("a").as_deref(), Some("a"));
        assert_eq!(words("a{b,c}d").as_deref(), Some("abd acd"));
        assert_eq!(words("{a,}{b,c}").as_deref(), Some("ab ac b c"));
        for word in ["{a", "a}", "{a,{b,c}}", "{1..3}", "{a}", "{a,b}}"] {
            assert_eq!(words(word), None, "{word}");
        }
        assert_eq!(words(&"{a,b}".repeat(7)), None);
    }
}
