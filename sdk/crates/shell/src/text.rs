//! Commands that run a text: a shell with `-c`, `eval` and `trap`.

use super::part::{Assignment, Directories};
use super::unparsable::{Parsed, refused};
use super::variables::{is_locale, is_plain_locale};
use super::walk::Walk;
use super::word::Word;

impl Walk {
    pub(super) fn shell(
        &mut self,
        name: &str,
        words: Vec<Word>,
        assignments: Vec<Assignment>,
    ) -> Parsed {
        let mut runs = false;
        let mut at = 1;
        while let Some(word) = words.get(at) {
            let Some(text) = word.known() else {
                if runs && !word.splits() {
                    break;
                }
                return self.not_understood(words, assignments);
            };
            match text {
                "--" => {
                    at += 1;
                    break;
                }
                "--login" | "--norc" | "--noprofile" | "--posix" => {}
                "-o" | "+o" => at += 1,
                _ if text.starts_with("--") => return self.not_understood(words, assignments),
                _ if text.len() > 1 && text.starts_with(['-', '+']) => {
                    if !text.chars().skip(1).all(|c| "ceuxlfn".contains(c)) {
                        return self.not_understood(words, assignments);
                    }
                    runs |= text.starts_with('-') && text.contains('c');
                }
                _ => break,
            }
            at += 1;
        }
        if !runs {
            return match words.get(at).and_then(Word::known) {
                Some(script) if !is_handed_over(script) => self.push(words, assignments),
                _ => self.not_understood(words, assignments),
            };
        }
        let Some(Word::Known(text)) = words.get(at).cloned() else {
            return self.not_understood(words, assignments);
        };
        if name != "bash" && !portable(&text) {
            return refused(format!(
                "the line that `{name}` runs may mean something else to it than to bash"
            ));
        }
        if assignments.iter().any(changes_characters) {
            return refused(
                "the shell runs in a locale whose characters are not known to be those of the line",
            );
        }
        let before = self.parts.len();
        let mut others = words.clone();
        others.remove(at);
        self.carried_by(&others);
        self.apart(|walk| walk.through(words.clone(), |walk| walk.text(&text)))?;
        if self.parts.len() == before {
            // The shell itself runs, and what its variables and its profile say.
            return self.push(words, assignments);
        }
        self.assign(before, &assignments);
        Ok(())
    }

    pub(super) fn eval(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        let texts: Option<Vec<&str>> = words.iter().skip(1).map(Word::known).collect();
        let Some(texts) = texts else {
            self.lose_directory();
            self.integers.give_any();
            return self.not_understood(words, assignments);
        };
        let text = texts.join(" ");
        let before = self.parts.len();
        self.through(words, |walk| walk.text(&text))?;
        self.assign(before, &assignments);
        Ok(())
    }

    /// Adds the variables that are set for the commands from one on.
    fn assign(&mut self, from: usize, assignments: &[Assignment]) {
        for part in self.parts.iter_mut().skip(from) {
            part.assignments.extend_from_slice(assignments);
        }
    }

    /// Visits what it is told runs at some later time, so nobody knows where.
    pub(super) fn trap(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        let at = after_dashes(&words);
        match words.get(at) {
            None => self.push(words, assignments),
            Some(Word::Known(text)) if text.starts_with('-') && at == 1 => {
                self.push(words, assignments)
            }
            Some(Word::Known(text)) => {
                let text = text.clone();
                let mut moves = false;
                self.apart(|walk| {
                    let before = walk.moves;
                    walk.directory = Directories::unknown();
                    walk.through(words, |walk| walk.text(&text))?;
                    moves = walk.moves != before;
                    Ok(())
                })?;
                if moves {
                    self.lose_directory();
                }
                Ok(())
            }
            Some(Word::Unknown(_)) => {
                self.integers.give_any();
                self.lose_directory();
                self.not_understood(words, assignments)
            }
        }
    }

    /// A script that this very shell reads.
    pub(super) fn source(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        let at = after_dashes(&words);
        match words.get(at).and_then(Word::known) {
            Some(script) if !is_handed_over(script) => self.push(words, assignments)?,
            _ => self.not_understood(words, assignments)?,
        }
        self.lose_directory();
        self.integers.give_any();
        Ok(())
    }
}

/// Returns the place of the first argument, which may stand behind a `--`.
fn after_dashes(words: &[Word]) -> usize {
    1 + usize::from(words.get(1).and_then(Word::known) == Some("--"))
}

/// Returns true if a variable may make other characters of the bytes of a text.
fn changes_characters(assignment: &Assignment) -> bool {
    let value = assignment.value.as_deref();
    is_locale(&assignment.name) && !value.is_some_and(is_plain_locale)
}

/// Returns true if a script is what the line hands over, and no file: nothing is known of what it runs.
fn is_handed_over(script: &str) -> bool {
    script == "-" || script.starts_with("/dev/") || script.starts_with("/proc/")
}

/// Returns true if all shells read a text as bash does, as far as is known.
fn portable(text: &str) -> bool {
    let odd = [
        "$'", "$\"", "&>", "|&", "<<<", "[[", "((", "<(", ">(", ">&", "$[", "^", "~", "{", " =",
    ];
    let text = text
        .replace("2>&1", "")
        .replace(">&2", "")
        .replace("1>&2", "");
    !odd.iter().any(|odd| text.contains(odd))
}
