//! `find`: the commands that it runs, the files that it removes and writes.

use super::files::Access;
use super::part::{Assignment, Directories};
use super::unparsable::Parsed;
use super::walk::Walk;
use super::word::Word;
use super::wrapper::replaced;

impl Walk {
    pub(super) fn find(&mut self, words: &[Word], assignments: &[Assignment]) -> Parsed {
        self.push(words.to_vec(), assignments.to_vec())?;
        let mut at = 1;
        while let Some(word) = words.get(at) {
            at += 1;
            let Some(text) = word.known() else {
                let runs = ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint"];
                if runs.iter().any(|option| word.may_be(option)) {
                    self.anything(words.to_vec())?;
                }
                continue;
            };
            match text {
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = words.get(at..).unwrap_or_default();
                    let length = exec_end(rest);
                    let mut inner = rest.get(..length).unwrap_or_default().to_vec();
                    // A word that may be the `;` ends it sooner, and what follows is no longer its own.
                    let unclear = inner
                        .iter()
                        .any(|word| word.known().is_none() && word.may_be(";"));
                    let several = rest.get(length).and_then(Word::known) == Some("+");
                    if several {
                        inner.pop();
                        inner.push(Word::anything("{}"));
                    } else {
                        for word in &mut inner {
                            replaced(word, "{}");
                        }
                    }
                    at += length;
                    if inner.is_empty() || unclear {
                        self.anything(words.to_vec())?;
                    }
                    if inner.is_empty() {
                        continue;
                    }
                    let assignments = assignments.to_vec();
                    let away = text.ends_with("dir");
                    self.apart(|walk| {
                        if away {
                            walk.directory = Directories::unknown();
                        }
                        walk.through(words.to_vec(), |walk| walk.command(inner, assignments))
                    })?;
                }
                // It does what `rm` does.
                "-delete" => {
                    let inner = vec![Word::Known("rm".into()), Word::anything("…")];
                    self.through(words.to_vec(), |walk| walk.push(inner, Vec::new()))?;
                }
                "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
                    if let Some(file) = words.get(at) {
                        self.opens(Access::Write, file.clone());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns how many words come before the `;`, or the `+` after `{}`, that ends a command of `find`.
fn exec_end(words: &[Word]) -> usize {
    let end = words.iter().enumerate().position(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        match word.known() {
            Some(";") => true,
            Some("+") => before.and_then(Word::known) == Some("{}"),
            _ => false,
        }
    });
    end.unwrap_or(words.len())
}
