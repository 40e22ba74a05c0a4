//! The words of a command that are files.

use super::programs::Letters;
use crate::Word;
use crate::lists::lists;

/// A word that may name a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operand {
    /// The whole word is a file.
    File(Word),
    /// An option that is not known, in which a file may be named.
    Option(Word),
}

/// Long options that neither are files nor take the next word.
const LONG: &str = "all almost-all bytes color colour count extended-regexp files-with-matches fixed-strings \
                    human-readable ignore-case inodes invert-match line-number no-filename only-matching quiet recursive \
                    reverse silent summarize text with-filename word-regexp";

/// Long options whose value, after a `=`, is no file.
const LONG_VALUED: &str = "after-context before-context bytes color colour context exclude-dir exclude include lines \
                           max-count max-depth sort";

/// The words that are files, and those that may have files in them. `None` for a command that reads
/// files which its words do not name.
pub(super) fn operands(program: &str, words: &[Word], letters: Letters) -> Option<Vec<Operand>> {
    if words.iter().any(|word| names_others(program, word)) {
        return None;
    }
    let mut operands = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word {
            Word::Known(text) if text == "--" => {
                operands.extend(rest.by_ref().cloned().map(Operand::File));
            }
            Word::Known(text) if text.len() > 1 && text.starts_with('-') => {
                match after(text, letters) {
                    After::Nothing => {}
                    After::Value => {
                        // A word that may be several is a value and files.
                        if let Some(value) = rest.next().filter(|value| value.splits()) {
                            operands.push(Operand::File(value.clone()));
                        }
                    }
                    After::Unclear(value) => {
                        operands.push(Operand::Option(word.clone()));
                        if !value.is_empty() {
                            operands.push(Operand::File(Word::Known(value)));
                        }
                    }
                }
            }
            // `--include=*.rs`: whatever files are called so, it is this option.
            Word::Unknown(unknown) if unknown.each && is_long_valued(&unknown.prefix) => {}
            word => operands.push(Operand::File(word.clone())),
        }
    }
    Some(operands)
}

/// The same for a search, without its expression.
pub(super) fn search(program: &str, words: &[Word], letters: Letters) -> Option<Vec<Operand>> {
    let mut operands = operands(program, words, letters)?;
    let gives = |operand: &Operand| match operand {
        // `-e`, `-f`, or an option that is not known.
        Operand::Option(_) => true,
        Operand::File(word) => word.known().is_none() && word.may_start_with("-"),
    };
    let first = operands
        .iter()
        .position(|operand| matches!(operand, Operand::File(_)));
    // If an option may give the expression, or the first word may be several, all are files.
    if let Some(first) = first
        && !operands.iter().take(first + 1).any(gives)
        && !operands.iter().any(|one| matches!(one, Operand::Option(_)))
    {
        operands.remove(first);
    }
    Some(operands)
}

enum After {
    Nothing,
    /// The next word is its value.
    Value,
    /// It is not known, and this may be its value.
    Unclear(String),
}

/// Returns what an option takes.
fn after(text: &str, letters: Letters) -> After {
    if let Some(long) = text.strip_prefix("--") {
        return if lists(LONG, long) || is_long_valued(text) {
            After::Nothing
        } else {
            After::Unclear(String::new())
        };
    }
    let mut rest = text.chars().skip(1);
    while let Some(letter) = rest.next() {
        if letters.valued.contains(letter) {
            return if rest.next().is_none() {
                After::Value
            } else {
                After::Nothing
            };
        }
        if !letters.flags.contains(letter) {
            return After::Unclear(rest.collect());
        }
    }
    After::Nothing
}

fn is_long_valued(text: &str) -> bool {
    let option = text
        .strip_prefix("--")
        .and_then(|text| text.split_once('='));
    option.is_some_and(|(name, _)| lists(LONG_VALUED, name))
}

/// Returns true if an option makes a program read files that a file names, or that links lead to.
fn names_others(program: &str, word: &Word) -> bool {
    let Some(text) = word.known() else {
        return false;
    };
    let long = text.strip_prefix("--");
    let letter = |letter: char| {
        long.is_none() && text.starts_with('-') && text.chars().skip(1).any(|c| c == letter)
    };
    let starts = |start: &str| long.is_some_and(|long| long.starts_with(start));
    match program {
        "md5sum" | "sha1sum" | "sha256sum" | "sha512sum" | "cksum" => letter('c') || starts("c"),
        "wc" | "du" => starts("f"),
        "grep" | "egrep" | "fgrep" => letter('R') || starts("de"),
        _ => false,
    }
}

/// The words that are no options, if all options are among these.
pub(super) fn only(words: &[Word], flags: &str, valued: &str, long: &str) -> Option<Vec<Word>> {
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
            if !lists(long, name) {
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
