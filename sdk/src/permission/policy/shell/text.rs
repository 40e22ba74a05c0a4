//! Commands that run a text: a shell with `-c`, `eval` and `trap`.

use super::Unparsable;
use super::part::{Assignment, Directory};
use super::walk::{Walk, Walked};
use super::word::Word;

impl Walk {
    pub(super) fn shell(
        &mut self,
        name: &str,
        words: Vec<Word>,
        assignments: Vec<Assignment>,
    ) -> Walked {
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
            // A script, or its input.
            return self.push(words, assignments);
        }
        let Some(Word::Known(text)) = words.get(at).cloned() else {
            return self.not_understood(words, assignments);
        };
        if name != "bash" && !portable(&text) {
            return Err(Unparsable::new(format!(
                "the line that `{name}` runs may mean something else to it than to bash"
            ))
            .into());
        }
        let before = self.parts.len();
        self.apart(|walk| walk.through(words, |walk| walk.text(&text)))?;
        for part in self.parts.iter_mut().skip(before) {
            part.assignments.extend(assignments.iter().cloned());
        }
        Ok(())
    }

    pub(super) fn eval(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        let texts: Option<Vec<&str>> = words.iter().skip(1).map(Word::known).collect();
        let Some(texts) = texts else {
            self.lose_directory();
            self.tainted = true;
            return self.not_understood(words, assignments);
        };
        let text = texts.join(" ");
        let before = self.parts.len();
        self.through(words, |walk| walk.text(&text))?;
        for part in self.parts.iter_mut().skip(before) {
            part.assignments.extend(assignments.iter().cloned());
        }
        Ok(())
    }

    /// What it is told runs at some later time, so nobody knows where.
    pub(super) fn trap(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        match words.get(1) {
            None => self.push(words, assignments),
            Some(Word::Known(text)) if text.starts_with('-') => self.push(words, assignments),
            Some(Word::Known(text)) => {
                let text = text.clone();
                self.apart(|walk| {
                    walk.directory = Directory::Unknown;
                    walk.through(words, |walk| walk.text(&text))
                })
            }
            Some(Word::Unknown(_)) => {
                self.tainted = true;
                self.not_understood(words, assignments)
            }
        }
    }
}

/// Whether all shells read a text as bash does, as far as is known.
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
