//! Commands that run other commands.
//!
//! A wrapper whose options are all known is looked through: what it runs is the part, and the wrapper
//! is kept beside it for the rules that forbid it. One that is not understood is a part, and so is
//! a command of which nothing is known.

use super::files::Access;
use super::options;
use super::part::{Assignment, LineCommand};
use super::unparsable::{Parsed, refused};
use super::variables::Value;
use super::walk::Walk;
use super::word::{Unknown, Word};

/// The most wrappers that may lie in each other.
const WRAPPERS: usize = 16;

impl Walk {
    /// A simple command: itself, or what it runs.
    pub(super) fn command(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        if self.outer.len() >= WRAPPERS {
            return refused("too many commands run each other");
        }
        let Some(program) = words.first().and_then(Word::known) else {
            // It may be `cd`, `eval` or anything.
            self.lose_directory();
            self.integers.give_any();
            return self.push(words, assignments);
        };
        // A builtin is one only by its bare name, and a path may lead to any program.
        let name = program.rsplit('/').next().unwrap_or(program).to_owned();
        let bare = name == program;
        let before = self.directory.clone();
        match name.as_str() {
            "env" => self.env(words, assignments),
            "xargs" => self.xargs(words, assignments),
            "find" => self.find(&words, &assignments),
            "sudo" | "doas" => self.sudo(&name, words, assignments),
            "sh" | "bash" | "dash" | "zsh" | "ksh" => self.shell(&name, words, assignments),
            "builtin" | "command" | "exec" if bare => self.same_shell(&name, words, assignments),
            _ if bare && self.builtin(&name, &words)? => {
                self.push(words, assignments)?;
                // It runs where it is before it moves on.
                if let Some(part) = self.parts.last_mut() {
                    part.directory = before;
                }
                Ok(())
            }
            "eval" if bare => self.eval(words, assignments),
            "trap" if bare => self.trap(words, assignments),
            "." | "source" if bare => self.source(words, assignments),
            // They may run what they are told to complete with, to bind to a key or to edit.
            "compgen" | "complete" | "bind" | "fc" if bare => {
                self.not_understood(words, assignments)
            }
            "jobs" if bare && words.iter().skip(1).any(|word| word.may_start_with("-x")) => {
                self.not_understood(words, assignments)
            }
            "nice" | "ionice" | "nohup" | "setsid" | "timeout" | "time" | "stdbuf" => {
                match options::read(&name, &words) {
                    Some((end, _)) if end < words.len() => {
                        self.apart(|walk| walk.inside(words, end, assignments))
                    }
                    // `nice` alone says how nice it is.
                    Some(_) => self.push(words, assignments),
                    None => self.not_understood(words, assignments),
                }
            }
            _ => self.push(words, assignments),
        }
    }

    /// Visits what a wrapper runs: its words from here on.
    pub(super) fn inside(
        &mut self,
        words: Vec<Word>,
        from: usize,
        assignments: Vec<Assignment>,
    ) -> Parsed {
        let inner = words.get(from..).unwrap_or_default().to_vec();
        self.carried_by(words.get(..from).unwrap_or_default());
        self.through(words, |walk| walk.command(inner, assignments))
    }

    /// Notes the words of a wrapper that are its own: they may name files as any others.
    pub(super) fn carried_by(&mut self, words: &[Word]) {
        if words.len() > 1 {
            self.carriers.push(LineCommand {
                words: words.to_vec(),
                assignments: Vec::new(),
                directory: self.directory.clone(),
                text: String::new(),
                outer: Vec::new(),
            });
        }
    }

    /// Something that a command runs.
    pub(super) fn through(
        &mut self,
        words: Vec<Word>,
        run: impl FnOnce(&mut Self) -> Parsed,
    ) -> Parsed {
        self.weighs(words.iter().map(Word::weight).sum())?;
        self.may_name(&words)?;
        self.outer.push(words);
        run(self)?;
        self.outer.pop();
        Ok(())
    }

    /// A wrapper that is not understood: itself, and a command of which nothing is known.
    pub(super) fn not_understood(
        &mut self,
        words: Vec<Word>,
        assignments: Vec<Assignment>,
    ) -> Parsed {
        self.push(words.clone(), assignments)?;
        self.anything(words)
    }

    pub(super) fn anything(&mut self, words: Vec<Word>) -> Parsed {
        self.through(words, |walk| {
            walk.push(vec![Word::anything("…")], Vec::new())
        })
    }

    fn env(&mut self, words: Vec<Word>, mut assignments: Vec<Assignment>) -> Parsed {
        let Some((end, given)) = options::read("env", &words) else {
            return self.not_understood(words, assignments);
        };
        let to = given
            .iter()
            .rev()
            .find(|(name, _)| matches!(name.as_str(), "C" | "chdir"));
        let to = to.map(|(_, value)| value.clone());
        let mut at = end;
        // A dash alone is `-i`.
        if words.get(at).and_then(Word::known) == Some("-") {
            at += 1;
        }
        loop {
            match words.get(at) {
                Some(Word::Known(text)) if text.contains('=') => {
                    let (name, value) = text.split_once('=').unwrap_or((text, ""));
                    assignments.push(self.given(name, Some(value))?);
                }
                Some(Word::Unknown(Unknown {
                    prefix,
                    splits: false,
                    ..
                })) if prefix.contains('=') => {
                    let name = prefix.split('=').next().unwrap_or_default();
                    assignments.push(self.given(name, None)?);
                }
                Some(_) => break,
                // It prints the variables.
                None => return self.push(words, assignments),
            }
            at += 1;
        }
        self.apart(|walk| {
            match to {
                None => {}
                Some(Some(Word::Known(to))) if !to.contains("..") => walk.go(&to),
                // The target of `..` depends on links.
                Some(_) => walk.lose_directory(),
            }
            walk.inside(words, at, assignments)
        })
    }

    /// A variable that a wrapper sets for what it runs.
    fn given(&mut self, name: &str, value: Option<&str>) -> Parsed<Assignment> {
        self.gets(name, value.map_or(Value::Unknown, Value::Text))?;
        Ok(Assignment {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        })
    }

    fn xargs(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        let Some((end, given)) = options::read("xargs", &words) else {
            return self.not_understood(words, assignments);
        };
        let last = |names: [&str; 2]| {
            let mut given = given.iter().rev();
            given.find(|(name, _)| names.contains(&name.as_str()))
        };
        let mut inner = words.get(end..).unwrap_or_default().to_vec();
        if inner.is_empty() {
            inner.push(Word::Known("echo".into()));
        }
        let place = last(["I", "I"]).map(|(_, value)| value.clone());
        match &place {
            None => {}
            Some(Some(Word::Known(place))) if !place.is_empty() => {
                for word in &mut inner {
                    replaced(word, place);
                }
            }
            Some(_) => return self.not_understood(words, assignments),
        }
        // The last of these options counts, and not in all versions.
        if place.is_none() || last(["n", "max-args"]).or(last(["L", "L"])).is_some() {
            inner.push(Word::anything("…"));
        }
        if let Some((_, Some(file))) = last(["a", "arg-file"]) {
            self.opens(Access::Read, file.clone());
        }
        self.carried_by(words.get(..end).unwrap_or_default());
        self.apart(|walk| walk.through(words, |walk| walk.command(inner, assignments)))
    }

    /// Both: that it may run as another user, and what runs.
    fn sudo(&mut self, name: &str, words: Vec<Word>, mut assignments: Vec<Assignment>) -> Parsed {
        self.push(words.clone(), assignments.clone())?;
        let Some((mut end, _)) = options::read(name, &words) else {
            return self.anything(words);
        };
        while let Some((variable, value)) = words
            .get(end)
            .and_then(Word::known)
            .and_then(|text| text.split_once('='))
        {
            assignments.push(self.given(variable, Some(value))?);
            end += 1;
        }
        if end >= words.len() {
            return Ok(());
        }
        self.apart(|walk| walk.inside(words, end, assignments))
    }

    /// `command`, `builtin` and `exec` run what follows in this very shell.
    fn same_shell(&mut self, name: &str, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        match options::read(name, &words).map(|(end, _)| end) {
            // Only redirections, which were seen.
            Some(end) if end >= words.len() => {
                if name == "exec" {
                    Ok(())
                } else {
                    self.push(words, assignments)
                }
            }
            Some(end) => self.inside(words, end, assignments),
            None if name == "command" && prints(&words) => self.push(words, assignments),
            None => {
                self.lose_directory();
                self.integers.give_any();
                self.not_understood(words, assignments)
            }
        }
    }
}

fn prints(words: &[Word]) -> bool {
    matches!(words.get(1).and_then(Word::known), Some("-v" | "-V"))
}

/// A word in which a place is filled in.
pub(super) fn replaced(word: &mut Word, place: &str) {
    if let Word::Known(text) = word
        && let (Some(first), Some(last)) = (text.find(place), text.rfind(place))
    {
        *word = Word::Unknown(Unknown {
            prefix: text.get(..first).unwrap_or_default().to_owned(),
            suffix: text
                .get(last + place.len()..)
                .unwrap_or_default()
                .to_owned(),
            ..Unknown::new(text.clone())
        });
    }
}
