//! Commands that run other commands.
//!
//! A wrapper whose options are all known is looked through: what it runs is the part, and the wrapper
//! is kept beside it for the rules that forbid it. One that is not understood is a part, and so is
//! a command of which nothing is known.

use std::path::PathBuf;

use super::files::Access;
use super::part::{Assignment, Directory};
use super::walk::{Walk, Walked};
use super::word::{Unknown, Word};
use super::{Unparsable, options};
use options::Options;

/// How many wrappers may lie in each other.
const WRAPPERS: usize = 16;

impl Walk {
    /// A simple command: itself, or what it runs.
    pub(super) fn command(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        if self.outer.len() >= WRAPPERS {
            return Err(Unparsable::new("too many commands run each other").into());
        }
        let Some(program) = words.first().and_then(Word::known) else {
            // It may be `cd`, `eval` or anything.
            self.lose_directory();
            self.tainted = true;
            return self.push(words, assignments);
        };
        // A builtin is one only by its bare name, and a path may lead to any program.
        let name = program.rsplit('/').next().unwrap_or(program).to_owned();
        let bare = name == program;
        match name.as_str() {
            "env" => self.env(words, assignments),
            "xargs" => self.xargs(words, assignments),
            "find" => self.find(&words, &assignments),
            "sudo" | "doas" => self.sudo(&name, words, assignments),
            "sh" | "bash" | "dash" | "zsh" | "ksh" => self.shell(&name, words, assignments),
            "builtin" | "command" | "exec" if bare => self.same_shell(&name, words, assignments),
            _ if bare && self.builtin(&name, &words)? => self.push(words, assignments),
            "eval" if bare => self.eval(words, assignments),
            "trap" if bare => self.trap(words, assignments),
            _ => match options::of_wrapper(&name) {
                Some(options) => match options.end(&words) {
                    Some(end) if end < words.len() => {
                        self.apart(|walk| walk.inside(words, end, assignments))
                    }
                    // `nice` alone says how nice it is.
                    Some(_) => self.push(words, assignments),
                    None => self.not_understood(words, assignments),
                },
                None => self.push(words, assignments),
            },
        }
    }

    /// What a wrapper runs: its words from here on.
    fn inside(&mut self, words: Vec<Word>, from: usize, assignments: Vec<Assignment>) -> Walked {
        let inner = words.get(from..).unwrap_or_default().to_vec();
        self.through(words, |walk| walk.command(inner, assignments))
    }

    /// Something that a command runs.
    fn through(&mut self, words: Vec<Word>, run: impl FnOnce(&mut Self) -> Walked) -> Walked {
        self.outer.push(words);
        run(self)?;
        self.outer.pop();
        Ok(())
    }

    /// A wrapper that is not understood: itself, and a command of which nothing is known.
    fn not_understood(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        self.push(words.clone(), assignments)?;
        self.anything(words)
    }

    fn anything(&mut self, words: Vec<Word>) -> Walked {
        self.through(words, |walk| {
            walk.push(vec![Word::anything("..")], Vec::new())
        })
    }

    fn env(&mut self, words: Vec<Word>, mut assignments: Vec<Assignment>) -> Walked {
        let directory = self.directory.clone();
        let Some(end) = options::ENV.end(&words) else {
            return self.not_understood(words, assignments);
        };
        // `-C dir` is among the options that were passed over.
        let changes = words
            .iter()
            .take(end)
            .any(|word| word.may_start_with("-C") || word.may_start_with("--chdir"));
        let mut at = end;
        loop {
            match words.get(at) {
                Some(Word::Known(text)) if text.contains('=') => {
                    let (name, value) = text.split_once('=').unwrap_or((text, ""));
                    assignments.push(Assignment {
                        name: name.to_owned(),
                        value: Some(value.to_owned()),
                    });
                }
                Some(Word::Unknown(Unknown {
                    prefix,
                    splits: false,
                    ..
                })) if prefix.contains('=') => {
                    let name = prefix.split('=').next().unwrap_or_default();
                    assignments.push(Assignment {
                        name: name.to_owned(),
                        value: None,
                    });
                }
                Some(_) => break,
                // It prints the variables.
                None => return self.push(words, assignments),
            }
            at += 1;
        }
        self.apart(|walk| {
            if changes {
                walk.directory = Directory::Unknown;
            }
            walk.inside(words, at, assignments)
        })?;
        self.directory = directory;
        Ok(())
    }

    fn xargs(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        let Some(end) = options::XARGS.end(&words) else {
            return self.not_understood(words, assignments);
        };
        let place = options::XARGS.value(&words, 'I');
        let mut inner = words.get(end..).unwrap_or_default().to_vec();
        if inner.is_empty() {
            inner.push(Word::Known("echo".into()));
        }
        match place {
            Some(Word::Known(place)) if !place.is_empty() => {
                for word in &mut inner {
                    replaced(word, &place);
                }
            }
            Some(_) => return self.not_understood(words, assignments),
            None => inner.push(Word::anything("..")),
        }
        self.apart(|walk| walk.through(words, |walk| walk.command(inner, assignments)))
    }

    fn find(&mut self, words: &[Word], assignments: &[Assignment]) -> Walked {
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
                            walk.directory = Directory::Unknown;
                        }
                        walk.through(words.to_vec(), |walk| walk.command(inner, assignments))
                    })?;
                }
                // It does what `rm` does.
                "-delete" => {
                    let inner = vec![Word::Known("rm".into()), Word::anything("..")];
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

    /// Both: that it may run as another user, and what runs.
    fn sudo(&mut self, name: &str, words: Vec<Word>, mut assignments: Vec<Assignment>) -> Walked {
        self.push(words.clone(), assignments.clone())?;
        let options = if name == "sudo" {
            &options::SUDO
        } else {
            &options::DOAS
        };
        let Some(mut end) = options.end(&words) else {
            return self.anything(words);
        };
        while let Some((variable, value)) = words
            .get(end)
            .and_then(Word::known)
            .and_then(|text| text.split_once('='))
        {
            assignments.push(Assignment {
                name: variable.to_owned(),
                value: Some(value.to_owned()),
            });
            end += 1;
        }
        if end >= words.len() {
            return Ok(());
        }
        self.apart(|walk| walk.inside(words, end, assignments))
    }

    /// `command`, `builtin` and `exec` run what follows in this very shell.
    fn same_shell(&mut self, name: &str, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        let options = match name {
            "exec" => &options::EXEC,
            "command" => &options::COMMAND,
            _ => &options::BUILTIN,
        };
        match options.end(&words) {
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
                self.tainted = true;
                self.not_understood(words, assignments)
            }
        }
    }

    fn shell(&mut self, name: &str, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
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

    fn eval(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
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
    fn trap(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
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

    /// What a builtin does to the shell. False for what is none of these.
    fn builtin(&mut self, name: &str, words: &[Word]) -> Walked<bool> {
        let arguments = words.get(1..).unwrap_or_default();
        match name {
            "cd" => self.cd(arguments),
            "pushd" | "popd" => self.lose_directory(),
            "." | "source" => {
                self.lose_directory();
                self.tainted = true;
            }
            "alias" | "enable" => {
                return Err(Unparsable::new(format!(
                    "`{name}` changes what the names of commands mean"
                ))
                .into());
            }
            "hash" | "set" | "shopt" => options::harmless(name, arguments)?,
            "export" | "readonly" | "declare" | "typeset" | "local" => {
                self.declare(name, arguments)?;
            }
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "let" | "wait" => {
                self.names(name, arguments)?;
            }
            "printf" => match arguments.first() {
                Some(first) if first.may_start_with("-v") => self.names(name, arguments)?,
                _ => {}
            },
            "test" | "[" => {
                for (at, word) in arguments.iter().enumerate() {
                    if word.known() == Some("-v") {
                        let name = arguments.get(at + 1);
                        if !name.and_then(Word::known).is_some_and(is_name) {
                            return Err(Unparsable::new("`-v` works out an index").into());
                        }
                    }
                    self.evaluates |= matches!(
                        word, Word::Unknown(unknown) if unknown.splits && !unknown.each
                    );
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn cd(&mut self, arguments: &[Word]) {
        let path = match arguments {
            [Word::Known(path)] => path,
            [Word::Known(dashes), Word::Known(path)] if dashes == "--" => path,
            _ => return self.lose_directory(),
        };
        if path.is_empty() || path.starts_with('-') {
            return self.lose_directory();
        }
        self.moves += 1;
        if let Directory::Known(directory) = &self.directory {
            let parents = PathBuf::from(path);
            // Bash takes a `..` away with the name before it, whatever that is a link to; where the
            // name is not known here, it is left to who knows the directory.
            self.directory = Directory::Known(super::files::cleaned(&directory.join(parents)));
        } else if path.starts_with('/') {
            self.directory = Directory::Known(super::files::cleaned(&PathBuf::from(path)));
        }
    }

    fn declare(&mut self, name: &str, arguments: &[Word]) -> Walked {
        let exported = name != "local";
        for word in arguments {
            match word {
                Word::Known(text) if text.starts_with(['-', '+']) => {
                    if text.contains(['i', 'n']) {
                        return Err(Unparsable::new(format!(
                            "`{name} {text}` makes later assignments mean something else"
                        ))
                        .into());
                    }
                }
                Word::Known(text) => {
                    let (variable, value) = text.split_once('=').unwrap_or((text, ""));
                    let variable = variable.trim_end_matches('+');
                    if !is_name(variable) {
                        return Err(
                            Unparsable::new(format!("`{name} {text}` sets an index")).into()
                        );
                    }
                    self.set(variable, Some(value), exported);
                }
                Word::Unknown(unknown) => {
                    let variable = unknown.prefix.split('=').next().unwrap_or_default();
                    let whole = unknown.prefix.contains('=') && is_name(variable);
                    // Bash does not split the value of a declaration.
                    self.set(if whole { variable } else { "?" }, None, exported);
                }
            }
        }
        Ok(())
    }

    /// Builtins that set the variables that they are given the names of; an index is worked out.
    fn names(&mut self, name: &str, arguments: &[Word]) -> Walked {
        for word in arguments {
            match word.known() {
                Some(text) if is_name(text) => self.set(text, None, false),
                Some(text) if name == "mapfile" && text.starts_with("-C") => {
                    return Err(Unparsable::new("`mapfile -C` runs a command").into());
                }
                Some(text) if !text.contains(['[', '$', '`']) => {}
                _ => {
                    return Err(Unparsable::new(format!(
                        "`{name}` may work out an index in the name of a variable"
                    ))
                    .into());
                }
            }
        }
        if name == "let" {
            self.evaluates = true;
        }
        if name == "mapfile" || name == "readarray" {
            self.tainted = true;
        }
        Ok(())
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

fn prints(words: &[Word]) -> bool {
    matches!(words.get(1).and_then(Word::known), Some("-v" | "-V"))
}

/// How many words come before the `;`, or the `+` after `{}`, that ends a command of `find`.
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

/// A word in which a place is filled in.
fn replaced(word: &mut Word, place: &str) {
    if let Word::Known(text) = word
        && let (Some(first), Some(last)) = (text.find(place), text.rfind(place))
    {
        *word = Word::Unknown(Unknown {
            shown: text.clone(),
            prefix: text.get(..first).unwrap_or_default().to_owned(),
            suffix: text
                .get(last + place.len()..)
                .unwrap_or_default()
                .to_owned(),
            splits: false,
            each: true,
        });
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

impl Options {
    /// The value of the option of one letter, the last one given.
    pub(super) fn value(&self, words: &[Word], letter: char) -> Option<Word> {
        let end = self.end(words)?;
        let mut value = None;
        for (at, word) in words.iter().enumerate().take(end).skip(1) {
            let Some(rest) = word
                .known()
                .and_then(|text| text.strip_prefix('-'))
                .and_then(|text| text.strip_prefix(letter))
            else {
                continue;
            };
            value = if rest.is_empty() {
                words.get(at + 1).cloned()
            } else {
                Some(Word::Known(rest.to_owned()))
            };
        }
        value
    }
}
