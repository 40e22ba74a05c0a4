//! Commands that go through the directories that they are given, or move them.
//!
//! A rule that keeps something from being read or written speaks of `cp -r`, `tar -c` or `mv` of a
//! directory above it too. A program that is not known is taken to go through each directory that it is
//! given.

use super::LineCommand;
use super::lists::lists;
use super::word::Word;

/// The way in which a command goes through a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the command"
)]
pub struct Descent {
    /// True if it goes through the directories below, too; otherwise it uses only the entries right in it.
    pub deep: bool,
    /// True if it follows links that it finds there.
    pub follows: bool,
    /// True if it is known to read only.
    pub reads: bool,
    /// True if it goes through the directory that it runs in when it is given none.
    pub implied: bool,
}

/// The way of a program that is not known: it may do anything.
const ANY: Descent = Descent {
    deep: true,
    follows: true,
    reads: false,
    implied: false,
};

const READS: Descent = Descent { reads: true, ..ANY };

impl LineCommand {
    /// Returns how the command goes through directories that its words name; `None` if it does not.
    pub fn descent(&self) -> Option<Descent> {
        let Some(program) = self.base_name() else {
            return Some(ANY);
        };
        let words = self.words().get(1..).unwrap_or_default();
        let given = |letters: &str, long: &[&str]| gives(words, letters, long);
        match program {
            "grep" | "egrep" | "fgrep" => {
                given("rRd", &["recursive", "directories", "dereference"]).then_some(Descent {
                    follows: given("R", &["dereference"]),
                    implied: true,
                    ..READS
                })
            }
            // It compares what lies in two directories under the same names.
            "diff" => Some(Descent {
                deep: given("r", &["recursive"]),
                ..READS
            }),
            "rg" => Some(Descent {
                implied: searches_here(words),
                ..READS
            }),
            "ag" | "ack" | "ugrep" => Some(Descent {
                implied: true,
                ..READS
            }),
            "zip" => Some(READS),
            "tar" => Some(if only_packs(words) { READS } else { ANY }),
            "cp" => given("rRa", &["recursive", "archive"]).then_some(ANY),
            "rm" | "chmod" | "chown" | "chgrp" => given("rR", &["recursive"]).then_some(ANY),
            "git" => git(self),
            program if lists(STAYS, program) => None,
            _ => Some(ANY),
        }
    }

    /// The program without the directory that it lies in.
    pub fn base_name(&self) -> Option<&str> {
        let program = self.program()?;
        Some(program.rsplit('/').next().unwrap_or(program))
    }

    /// Returns the command of `git`, with the words after it; `None` if it is missing or not known.
    pub fn git_command(&self) -> Option<(&str, &[Word])> {
        let mut at = 1;
        while let Some(word) = self.words().get(at) {
            let text = word.known()?;
            if !text.starts_with('-') {
                return Some((text, self.words().get(at + 1..).unwrap_or_default()));
            }
            at += if lists(VALUED, text) { 2 } else { 1 };
        }
        None
    }

    /// Returns true unless the command is known to put no files anywhere by what its words say. `cargo`
    /// counts as such a command: it runs the project's code, which no rule for files binds anyway.
    pub fn changes_files(&self) -> bool {
        match self.base_name() {
            Some("cargo" | "mkdir" | "rm" | "rmdir" | "chmod" | "chown" | "kill") => false,
            Some("git") => !self.git_command().is_some_and(|(name, _)| {
                lists(READING, name) || lists("add commit fetch push", name)
            }),
            _ => true,
        }
    }
}

/// Programs that show names at most, or take a directory for where they run.
const STAYS: &str = "basename cargo cat cd cut date df dirname du echo file find head jq ls make mkdir npm pnpm printf \
                     pushd pwd readlink realpath rmdir sed sort stat tail tee test [ touch tr tree type uniq wc which yarn";
/// The commands of `git` that change nothing in the working directory.
const READING: &str = "blame branch cat-file config describe diff grep log ls-files ls-tree reflog remote rev-list \
                       rev-parse shortlog show status tag";
/// The options of `git` itself whose value is the next word.
const VALUED: &str =
    "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix";

fn git(part: &LineCommand) -> Option<Descent> {
    let Some((name, words)) = part.git_command() else {
        return Some(ANY);
    };
    match name {
        "diff" | "grep" => gives(words, "", &["no-index", "untracked"]).then_some(READS),
        // These commands go through committed files, whatever their words say.
        "commit" | "fetch" | "init" | "merge" | "pull" | "push" | "rebase" => None,
        name if lists(READING, name) => None,
        _ => Some(ANY),
    }
}

/// Returns true if one of these letters or long names may be given, abbreviated or not.
pub(super) fn gives(words: &[Word], letters: &str, long: &[&str]) -> bool {
    words.iter().any(|word| {
        let Some(text) = word.known() else {
            return word.may_start_with("-") && !word.is_pattern();
        };
        match text.strip_prefix("--") {
            Some("") => false,
            Some(name) => {
                let name = name.split('=').next().unwrap_or(name);
                long.iter()
                    .any(|long| long.starts_with(name) || name.starts_with(long))
            }
            None => text
                .strip_prefix('-')
                .is_some_and(|given| given.contains(|c| letters.contains(c))),
        }
    })
}

/// Returns true if `tar` only packs files: it unpacks and changes no archive, and removes no file.
fn only_packs(words: &[Word]) -> bool {
    let first = words.first().and_then(Word::known).unwrap_or_default();
    let letters = first.strip_prefix('-').unwrap_or(first);
    let packs = first == "--create" || (!letters.starts_with('-') && letters.starts_with('c'));
    packs && !gives(words, "xruA", &["extract", "get", "remove-files"])
}

/// The options of `rg` without a value: letters, and the long names that are common.
const FLAGS: (&str, &str) = (
    "acFHiIlLnNoPpqsSuUvwxz.0",
    "case-sensitive column count files-with-matches fixed-strings follow heading hidden ignore-case invert-match \
     line-number multiline no-filename no-heading no-ignore only-matching pcre2 smart-case stats text vimgrep \
     word-regexp",
);

/// Returns true if `rg` may search the directory that it runs in, because its words may name no path. The
/// word after an option that is not known is taken for its value.
fn searches_here(words: &[Word]) -> bool {
    let (letters, long) = FLAGS;
    let (mut operands, mut needed) = (0, 2);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.known() else {
            if word.splits() || word.may_start_with("-") {
                return true;
            }
            operands += 1;
            continue;
        };
        if text == "--" {
            operands += rest.by_ref().filter(|word| !word.splits()).count();
        } else if let Some(name) = text.strip_prefix("--") {
            let (name, joined) = match name.split_once('=') {
                Some((name, _)) => (name, true),
                None => (name, false),
            };
            if matches!(name, "regexp" | "file" | "files" | "type-list") {
                needed = 1;
            }
            if !joined && !lists(long, name) && !matches!(name, "files" | "type-list") {
                rest.next();
            }
        } else if let Some(given) = text.strip_prefix('-').filter(|given| !given.is_empty()) {
            let Some(value) = given.find(|c| !letters.contains(c)) else {
                continue;
            };
            if given
                .get(value..)
                .is_some_and(|rest| rest.starts_with(['e', 'f']))
            {
                needed = 1;
            }
            // Its value is joined, or the next word.
            if value + 1 >= given.len() {
                rest.next();
            }
        } else {
            operands += 1;
        }
    }
    operands < needed
}
