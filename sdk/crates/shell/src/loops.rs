//! Words in a loop that are its variable: they become the values that the loop goes through.
//!
//! `for f in src/*.rs; do wc -l "$f"; done` runs `wc -l` with each of the names that the pattern finds. The
//! variable counts only where nothing else in the line can set it: each time that its name stands in the
//! line it is `$f`, `${f}` or that of such a loop, and no command of the line sets variables by name.

use std::ops::Range;

use super::lists::lists;
use super::part::Directory;
use super::walk::Walk;
use super::word::{Unknown, Word};

/// The most words that a loop goes through.
const VALUES: usize = 64;

/// The builtins that set variables by their names, or run texts that do.
const SETTERS: &str = ". declare eval export getopts let local mapfile read readarray readonly shopt source typeset \
                       unset wait";

/// The loops of a line.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// The line as it was written; empty where commands come as words.
    pub(super) source: String,
    found: Vec<Loop>,
}

/// A `for` with the values that its variable has.
#[derive(Debug)]
struct Loop {
    name: String,
    values: Vec<Word>,
    /// The commands and the redirections of its body.
    parts: Range<usize>,
    redirects: Range<usize>,
    /// The directory in which the patterns among the values are looked up.
    directory: Directory,
    /// The number of commands that it lies in.
    outer: usize,
}

/// The place where a body begins, among the commands and the redirections.
#[derive(Debug, Clone)]
pub(super) struct Start {
    parts: usize,
    redirects: usize,
    directory: Directory,
}

impl Walk {
    /// The place before the body of a loop.
    pub(super) fn before_body(&self) -> Start {
        Start {
            parts: self.parts.len(),
            redirects: self.redirects.len(),
            directory: self.directory.clone(),
        }
    }

    /// Keeps the values of a loop whose body was walked.
    pub(super) fn note_loop(&mut self, name: &str, values: Vec<Word>, start: Start) {
        self.loops.found.push(Loop {
            name: name.to_owned(),
            values,
            parts: start.parts..self.parts.len(),
            redirects: start.redirects..self.redirects.len(),
            directory: start.directory,
            outer: self.outer.len(),
        });
    }

    /// Puts what the variables of loops become in place of them.
    pub(super) fn bind_loops(&mut self) {
        let loops = std::mem::take(&mut self.loops);
        if loops.found.is_empty() {
            return;
        }
        let sets_by_name = self.parts.iter().any(|part| match part.program() {
            Some("printf") => {
                let first = part.words().get(1);
                first.is_some_and(|word| word.may_start_with("-"))
            }
            Some(program) => lists(SETTERS, program),
            None => true,
        });
        if sets_by_name || self.patterns_change {
            return;
        }
        for each in &loops.found {
            let same = loops.found.iter().filter(|other| other.name == each.name);
            let is_own = counts_as_loops(&loops.source, &each.name) == Some(same.count());
            // A loop in a loop of the same variable goes on with the inner one's last value.
            let nested = loops.found.iter().any(|other| {
                other.name == each.name
                    && other.parts != each.parts
                    && other.parts.start >= each.parts.start
                    && other.parts.end <= each.parts.end
            });
            if !is_own || nested {
                continue;
            }
            for part in self.parts.get_mut(each.parts.clone()).unwrap_or_default() {
                if part.outer.len() == each.outer {
                    let stays = part.directory == each.directory;
                    for word in part.words.iter_mut().skip(1) {
                        each.bind(word, stays);
                    }
                }
            }
            let redirects = self.redirects.get_mut(each.redirects.clone());
            for redirect in redirects.unwrap_or_default() {
                let stays = redirect.directory == each.directory;
                each.bind(&mut redirect.target, stays);
            }
        }
    }
}

impl Loop {
    /// Puts the values in place of a word, if it is the variable with known text around it.
    fn bind(&self, word: &mut Word, stays: bool) {
        let Word::Unknown(unknown) = &*word else {
            return;
        };
        let Some((before, after, quoted)) = around(&unknown.shown, &self.name) else {
            return;
        };
        let mut becomes = Vec::new();
        let values = self.values.iter().flat_map(|value| match value {
            Word::Unknown(unknown) if !unknown.braced.is_empty() => unknown.braced.as_slice(),
            value => std::slice::from_ref(value),
        });
        for value in values {
            match value {
                // Without quotes it is split, and may be a pattern once more.
                Word::Known(text) if quoted || is_plain(text) => {
                    becomes.push(Word::Known(format!("{before}{text}{after}")));
                }
                Word::Unknown(found) if before.is_empty() && after.is_empty() && stays => {
                    let Some(pattern) = &found.pattern else {
                        return;
                    };
                    becomes.push(Word::Unknown(Unknown {
                        pattern: Some(pattern.clone().for_one_word(quoted)),
                        shown: unknown.shown.clone(),
                        ..found.clone()
                    }));
                }
                _ => return,
            }
        }
        if becomes.is_empty() || becomes.len() > VALUES {
            return;
        }
        *word = Word::Unknown(Unknown {
            braced: becomes,
            ..Unknown::new(unknown.shown.clone())
        });
    }
}

/// The text before and after the one variable of a word, and whether they stand in quotes.
fn around<'w>(shown: &'w str, name: &str) -> Option<(&'w str, &'w str, bool)> {
    let inside = shown
        .strip_prefix('"')
        .and_then(|shown| shown.strip_suffix('"'));
    let text = inside.unwrap_or(shown);
    let (before, rest) = text.split_once('$')?;
    let after = match rest.strip_prefix('{') {
        Some(rest) => rest.strip_prefix(name)?.strip_prefix('}')?,
        None => rest.strip_prefix(name)?,
    };
    let goes_on = after.starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
    let braced = rest.starts_with('{');
    let literal = |text: &str| {
        if inside.is_some() {
            !text.contains(['"', '$', '`', '\\'])
        } else {
            text.is_empty() || is_plain(text)
        }
    };
    let whole = literal(before) && literal(after) && (braced || !goes_on);
    whole.then_some((before, after, inside.is_some()))
}

/// Returns true if bash takes a text for one word that stands for itself.
fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./+@%:,=".contains(c);
    !text.is_empty() && text.chars().all(plain)
}

/// Returns the number of loops of a variable in a line; `None` if its name stands for anything else there.
fn counts_as_loops(source: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut loops = 0;
    for (at, _) in source.match_indices(name) {
        let before = source.get(..at).unwrap_or_default();
        let after = source.get(at + name.len()..).unwrap_or_default();
        if before.ends_with(is_part) || after.starts_with(is_part) {
            continue;
        }
        if before.ends_with('$') || (before.ends_with("${") && after.starts_with('}')) {
            continue;
        }
        let word = before.trim_end_matches([' ', '\t']);
        if word.len() == before.len() || !word.ends_with("for") || !after.starts_with([' ', '\t']) {
            return None;
        }
        loops += 1;
    }
    Some(loops)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::super::ShellLine;
    use super::Word;

    /// Returns what the words of the last command become.
    fn becomes(line: &str) -> Vec<String> {
        // The words of a line that is not understood are not known.
        let Ok(line) = ShellLine::parse(line) else {
            return vec!["?".to_owned()];
        };
        let words = line.commands().last().unwrap().words().iter().skip(1);
        words
            .flat_map(|word| match word {
                Word::Unknown(unknown) if !unknown.braced.is_empty() => unknown.braced.clone(),
                word => vec![word.clone()],
            })
            .map(|word| match word {
                Word::Known(text) => text,
                Word::Unknown(unknown) if unknown.pattern.is_some() => "a pattern".to_owned(),
                Word::Unknown(_) => "?".to_owned(),
            })
            .collect()
    }

    #[test]
    fn the_variable_of_a_loop_becomes_its_values() {
        for (line, expected) in [
            ("for f in a b; do cat $f; done", &["a", "b"][..]),
            ("for f in a b; do cat \"$f\"; done", &["a", "b"]),
            (
                "for f in a b; do cat \"x/${f}.rs\"; done",
                &["x/a.rs", "x/b.rs"],
            ),
            ("for f in {a,b}.rs; do cat $f; done", &["a.rs", "b.rs"]),
            ("for f in 'a b'; do cat \"$f\"; done", &["a b"]),
            ("for f in *.rs; do cat \"$f\"; done", &["a pattern"]),
            (
                "for f in a; do cat $f; done; for f in b; do cat $f; done",
                &["b"],
            ),
        ] {
            assert_eq!(becomes(line), expected, "{line}");
        }
    }

    #[test]
    fn a_variable_that_may_be_set_elsewhere_stays_unknown() {
        for line in [
            "for f in a b; do f=x; cat $f; done",
            "for f in a b; do read f; cat $f; done",
            "for f in a b; do read fo\"\"o; cat $f; done",
            "for foo in a; do read -af\"\"oo; cat $foo; done",
            "for f in a b; do printf -vf x; cat $f; done",
            "for f in a; do : ${f:=x}; cat $f; done",
            "for f in 'a b'; do cat $f; done",
            "for f in '*'; do cat $f; done",
            "for f in $(ls); do cat $f; done",
            "for f in a; do cat $ff; done",
            "for f in a; do cat \"${f%.rs}\"; done",
            "for f in a; do for f in b; do :; done; cat $f; done",
            "for f in *.rs; do cat \"src/$f\"; done",
            "for f in a; do :; done; cat $f",
        ] {
            assert!(becomes(line).contains(&"?".to_owned()), "{line}");
        }
    }
}
