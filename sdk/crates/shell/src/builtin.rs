//! Effects of builtins on the shell: the directory, variables, and how the rest is read.

use std::path::{Path, PathBuf};

use super::arithmetic::{self, is_name};
use super::files::cleaned;
use super::part::Directories;
use super::unparsable::{Parsed, refused};
use super::variables::Value;
use super::walk::Walk;
use super::word::Word;
use super::{Unparsable, expand, options, test as tests};

impl Walk {
    /// Returns what a builtin does to the shell. False for what is none of these.
    pub(super) fn builtin(&mut self, name: &str, words: &[Word]) -> Parsed<bool> {
        let arguments = words.get(1..).unwrap_or_default();
        match name {
            "cd" => self.cd(arguments),
            "pushd" | "popd" => self.lose_directory(),
            "alias" | "enable" => {
                return refused(format!("`{name}` changes what the names of commands mean"));
            }
            "hash" | "set" | "shopt" => {
                options::harmless(name, arguments)?;
                self.patterns_change |= name == "shopt";
            }
            "export" | "readonly" | "declare" | "typeset" | "local" => {
                self.declare(name, arguments)?;
            }
            "read" | "mapfile" | "readarray" | "getopts" | "unset" => {
                self.names(name, arguments)?;
            }
            "let" => {
                for word in arguments {
                    let Some(text) = word.known() else {
                        return refused(format!(
                            "`let {}` works out a text that is not known",
                            word.shown()
                        ));
                    };
                    self.arithmetic(text)?;
                }
            }
            "wait" => self.wait(arguments)?,
            "printf" => self.printf(arguments)?,
            "test" | "[" => tests::harmless(self, tests::inside(name, arguments))?,
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
        self.go(path);
    }

    /// Into a directory, seen from the present one.
    pub(super) fn go(&mut self, path: &str) {
        self.moves += 1;
        // Bash takes a `..` away with the name before it, whatever that is a link to; where the name
        // is not known here, it is left to who knows the directory.
        let below = |directory: &PathBuf| cleaned(&directory.join(path));
        self.directory = Directories(if path.starts_with('/') {
            [cleaned(Path::new(path))].into()
        } else {
            self.directory.0.iter().map(below).collect()
        });
    }

    fn declare(&mut self, name: &str, arguments: &[Word]) -> Parsed {
        let exported = name != "local";
        let odd = |word: &Word| {
            Unparsable::new(format!(
                "`{name} {}` may set a variable that is not named, work out an index, or make later assignments \
                 mean something else",
                word.shown()
            ))
        };
        for word in arguments {
            match word {
                Word::Known(text) if text.starts_with(['-', '+']) => {
                    if !text.chars().skip(1).all(|c| "aAfFgprx".contains(c)) {
                        return Err(odd(word));
                    }
                }
                Word::Known(text) => {
                    let (variable, value) = match text.split_once('=') {
                        Some((variable, value)) => (variable, Some(value)),
                        None => (text.as_str(), None),
                    };
                    let variable = variable.strip_suffix('+').unwrap_or(variable);
                    if !is_name(variable) {
                        return Err(odd(word));
                    }
                    match value {
                        Some(value) => self.set(variable, Value::Text(value), exported)?,
                        None => self.keeps(variable, Value::Text(""), exported)?,
                    }
                }
                Word::Unknown(unknown) => {
                    let (variable, rest) =
                        unknown.prefix.split_once('=').ok_or_else(|| odd(word))?;
                    // Bash does not split the value of a declaration.
                    if !is_name(variable) {
                        return Err(odd(word));
                    }
                    let written = unknown.shown.strip_prefix(variable);
                    let written = written.and_then(|written| written.strip_prefix('='));
                    let integer = rest.is_empty() && written.is_some_and(expand::is_integer);
                    let value = if integer {
                        Value::Integer
                    } else {
                        Value::Unknown
                    };
                    self.set(variable, value, exported)?;
                }
            }
        }
        Ok(())
    }

    /// Builtins that set the variables that they are given the names of.
    fn names(&mut self, name: &str, arguments: &[Word]) -> Parsed {
        let odd = |word: &Word| {
            Unparsable::new(format!(
                "`{name} {}` may work out an index, run a command or set a variable that is not named",
                word.shown()
            ))
        };
        // The letters without a value, and those with one.
        let (flags, valued) = match name {
            "read" => ("ers", "dinNptu"),
            "mapfile" | "readarray" => ("t", "dnsuO"),
            "unset" => ("v", ""),
            _ => ("", ""),
        };
        let mut words = arguments;
        while let [word, rest @ ..] = words {
            let Some(letters) = word.known().and_then(|text| text.strip_prefix('-')) else {
                break;
            };
            words = rest;
            if letters == "-" {
                break;
            }
            let plain = letters.trim_start_matches(|c| flags.contains(c));
            let mut letters_left = plain.chars();
            match letters_left.next() {
                None if !letters.is_empty() => {}
                // The next word is the name of an array.
                Some('a') if name == "read" && plain == "a" => break,
                Some(letter) if valued.contains(letter) => {
                    if !letters_left.as_str().is_empty() {
                        continue;
                    }
                    // The next word is the value of the option, whatever it says.
                    match rest {
                        [value, after @ ..] if !value.splits() => words = after,
                        _ => return Err(odd(word)),
                    }
                }
                _ => return Err(odd(word)),
            }
        }
        if name == "getopts" {
            // The options come first, then the name, then the words that are looked at.
            let [options, rest @ ..] = words else {
                return Ok(());
            };
            if options.known().is_none() {
                return Err(odd(options));
            }
            self.gets("OPTARG", Value::Unknown)?;
            words = rest.get(..1).unwrap_or_default();
        }
        let mut named = false;
        for word in words {
            match word.known() {
                Some(text) if is_name(text) => self.set(text, Value::Unknown, false)?,
                _ => return Err(odd(word)),
            }
            named = true;
        }
        // Without a name they set one of their own.
        match name {
            "read" if !named => self.gets("REPLY", Value::Unknown)?,
            "mapfile" | "readarray" if !named => self.gets("MAPFILE", Value::Unknown)?,
            _ => {}
        }
        Ok(())
    }

    /// `wait`, for numbers of processes: `-p` sets a variable.
    fn wait(&mut self, arguments: &[Word]) -> Parsed {
        for word in arguments {
            let fine = match word {
                Word::Known(text) => {
                    matches!(text.as_str(), "-n" | "-f" | "--") || !text.starts_with('-')
                }
                Word::Unknown(unknown) => self.is_integer(&unknown.shown),
            };
            if !fine {
                return refused(format!("`wait {}` may set a variable", word.shown()));
            }
        }
        Ok(())
    }

    /// Returns true if a word is an integer, or one variable and nothing else. The line is refused at its
    /// end if that variable may be something else than an integer.
    pub(super) fn is_integer(&mut self, raw: &str) -> bool {
        if expand::is_integer(raw) {
            return true;
        }
        let name = arithmetic::only_variable(raw);
        if let Some(name) = name {
            self.integers.need(name);
        }
        name.is_some()
    }

    /// `printf`, which sets variables by `-v` and `%n`.
    fn printf(&mut self, arguments: &[Word]) -> Parsed {
        let odd = || Unparsable::new("`printf` may set a variable that is not named");
        let mut words = arguments;
        if let [option, name, rest @ ..] = words
            && option.known() == Some("-v")
        {
            let name = name.known().filter(|name| is_name(name)).ok_or_else(odd)?;
            self.set(name, Value::Unknown, false)?;
            words = rest;
        }
        if let [dashes, rest @ ..] = words
            && dashes.known() == Some("--")
        {
            words = rest;
        } else if words
            .first()
            .and_then(Word::known)
            .is_some_and(|word| word.starts_with('-'))
        {
            return Err(odd());
        }
        match words {
            [] => Ok(()),
            [Word::Known(format), ..] if !stores(format) => Ok(()),
            // A `%n` sets the variable that a later word names, and no word follows.
            [Word::Unknown(unknown)] if !unknown.splits => Ok(()),
            _ => Err(odd()),
        }
    }
}

/// Returns true if a format may have a `%n`, which sets a variable to the number of characters so far.
fn stores(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let letter =
            after.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #'.*hlLjzt".contains(c));
        // A backslash may stand for any character.
        if letter.starts_with(['n', '\\']) {
            return true;
        }
        rest = letter.strip_prefix('%').unwrap_or(letter);
    }
    false
}
