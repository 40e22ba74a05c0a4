//! Commands that only read.
//!
//! The list is small, and each entry has its reason. A program is not here if an option of it writes,
//! runs something or opens a connection, unless the options that do not are listed: then only these
//! are taken, spelled out, and with any other the command does not count. So `find` (`-exec`,
//! `-delete`), `sed` (`-i`, `w`, `e`), `awk` (`system`, `>`), `git` (aliases, pagers, hooks), `less` (`!`),
//! `tee`, `xargs` and all interpreters are not here.

mod programs;
#[cfg(all(test, unix))]
mod tests;

use std::path::Path;

use super::files::{self, Access, FileUse};
use super::part::Part;
use super::word::Word;
use crate::permission::policy::command;
use programs::{Takes, takes};

/// The files that a command reads, if it is known to do nothing but read. The line starts in this directory.
pub(crate) fn read_only(part: &Part, start: &Path) -> Option<Vec<FileUse>> {
    let program = part.program()?;
    if !command::is_harmless(part) {
        return None;
    }
    let words = part.words().get(1..)?;
    if program == "cd" {
        // Where to has to be known: what follows runs there.
        let [Word::Known(path)] = words else {
            return None;
        };
        return (!path.starts_with('-')).then(Vec::new);
    }
    let operands = match takes(program)? {
        Takes::Words => return Some(Vec::new()),
        Takes::Files | Takes::Places => words,
        Takes::Search => after_expression(words),
        Takes::Only(flags, valued, long, most) => {
            let operands = only(words, flags, valued, long)?;
            if program == "printf" {
                return Some(Vec::new());
            }
            let splits = most != usize::MAX && operands.iter().any(Word::splits);
            if splits || operands.len() > most {
                return None;
            }
            return Some(reads(&operands, true, part, start));
        }
    };
    let mut files = reads(operands, false, part, start);
    let place = matches!(takes(program)?, Takes::Places | Takes::Search);
    if place
        && !operands
            .iter()
            .any(|word| word.known().is_none_or(|text| !text.starts_with('-')))
    {
        let directories = part.directories(start);
        if directories.is_empty() {
            files.push(FileUse::new(Access::Read, None, "."));
        }
        let present = |path| FileUse::new(Access::Read, Some(path), ".");
        files.extend(directories.into_iter().map(present));
    }
    Some(files)
}

/// The words after the expression of a search, unless an option gave it.
fn after_expression(words: &[Word]) -> &[Word] {
    let gives = |word: &Word| match word.known() {
        Some(text) => text.starts_with("-e") || text.starts_with("-f") || text.starts_with("--"),
        None => word.splits(),
    };
    let first = words
        .iter()
        .position(|word| word.known().is_none_or(|text| !text.starts_with('-')));
    match first {
        // Any letters before an `e` may be joined with it; then the first word is taken as a file too.
        Some(first) if !words.iter().take(first + 1).any(gives) => {
            words.get(first + 1..).unwrap_or_default()
        }
        _ => words,
    }
}

/// The words that are no options, if all options are among these.
fn only(words: &[Word], flags: &str, valued: &str, long: &[&str]) -> Option<Vec<Word>> {
    let mut operands = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.known() else {
            if word.may_start_with("-") {
                return None;
            }
            operands.push(word.clone());
            continue;
        };
        if text == "--" {
            operands.extend(rest.cloned());
            break;
        }
        if let Some(name) = text.strip_prefix("--") {
            if !long.contains(&name) {
                return None;
            }
        } else if let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            let plain = letters.trim_start_matches(|c| flags.contains(c));
            match plain.chars().next() {
                None => {}
                Some(c) if valued.contains(c) => {
                    let joined = plain.len() > c.len_utf8();
                    if !joined && rest.next()?.splits() {
                        return None;
                    }
                }
                Some(_) => return None,
            }
        } else {
            operands.push(word.clone());
        }
    }
    Some(operands)
}

/// The files that words name, to be read; the words may be options if they begin so.
fn reads(words: &[Word], all_operands: bool, part: &Part, start: &Path) -> Vec<FileUse> {
    let directories = part.directories(start);
    let mut places: Vec<Option<&Path>> = directories
        .iter()
        .map(|path| Some(path.as_path()))
        .collect();
    if places.is_empty() {
        places.push(None);
    }
    let mut files = Vec::new();
    for (word, directory) in words
        .iter()
        .flat_map(|word| places.iter().map(move |place| (word, *place)))
    {
        // An operand is one file; an option may have one in it.
        let whole = word
            .known()
            .is_some_and(|text| all_operands || !text.starts_with('-'));
        let mut found = files::of_word(word, directory);
        if whole {
            found.retain(|(_, shown)| Some(shown.as_str()) == word.known());
        } else if let Some(option) = word.known() {
            // Of the options of these programs that take a file, only these may have it joined.
            let joined = matches!(part.program(), Some("grep" | "egrep" | "fgrep" | "du"));
            let value = option.split_once('=').map(|(_, value)| value);
            found.retain(|(_, shown)| {
                !shown.starts_with('-') && (joined || value == Some(shown.as_str()))
            });
        }
        let read = |(path, shown)| FileUse::new(Access::Read, path, shown);
        files.extend(found.into_iter().map(read));
    }
    files
}
