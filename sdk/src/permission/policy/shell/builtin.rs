//! What builtins do to the shell: the directory, variables, and how the rest is read.

use std::path::PathBuf;

use super::files::cleaned;
use super::part::Directory;
use super::walk::{Walk, Walked};
use super::word::Word;
use super::{Unparsable, options};

impl Walk {
    /// What a builtin does to the shell. False for what is none of these.
    pub(super) fn builtin(&mut self, name: &str, words: &[Word]) -> Walked<bool> {
        let arguments = words.get(1..).unwrap_or_default();
        match name {
            "cd" => self.cd(arguments),
            "pushd" | "popd" => self.lose_directory(),
            "alias" | "enable" => {
                return Err(Unparsable::new(format!(
                    "`{name}` changes what the names of commands mean"
                ))
                .into());
            }
            "hash" | "set" | "shopt" => {
                options::harmless(name, arguments)?;
                self.patterns_change |= name == "shopt";
            }
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
                    ) || may_test_a_variable(arguments, at);
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
        self.go(path);
    }

    /// Into a directory, seen from the present one.
    pub(super) fn go(&mut self, path: &str) {
        self.moves += 1;
        // Bash takes a `..` away with the name before it, whatever that is a link to; where the name
        // is not known here, it is left to who knows the directory.
        let below = |directory: &PathBuf| cleaned(&directory.join(path));
        self.directory = match &self.directory {
            _ if path.starts_with('/') => Directory::Known(cleaned(&PathBuf::from(path))),
            Directory::Known(directory) => Directory::Known(below(directory)),
            Directory::OneOf(directories) => {
                Directory::OneOf(directories.iter().map(below).collect())
            }
            Directory::Unknown => Directory::Unknown,
        };
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
                Some(text)
                    if matches!(name, "mapfile" | "readarray")
                        && text.starts_with('-')
                        && text.contains('C') =>
                {
                    return Err(Unparsable::new(format!("`{name} -C` runs a command")).into());
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
        // Without a name they set one of their own.
        if matches!(name, "read" | "mapfile" | "readarray") {
            self.tainted = true;
        }
        Ok(())
    }
}

/// Whether a word of a test may become `-v`, whose operand is worked out: it is not known, and stands
/// where an operator with one operand may.
fn may_test_a_variable(arguments: &[Word], at: usize) -> bool {
    let is_binary = |word: &Word| {
        matches!(
            word.known(),
            Some(
                "=" | "=="
                    | "!="
                    | "<"
                    | ">"
                    | "-eq"
                    | "-ne"
                    | "-lt"
                    | "-le"
                    | "-gt"
                    | "-ge"
                    | "-nt"
                    | "-ot"
                    | "-ef"
            )
        )
    };
    let is_unary = |word: &Word| {
        let text = word.known().unwrap_or_default();
        text.len() == 2 && text.starts_with('-') && !matches!(text, "-a" | "-o")
    };
    let Some(word) = arguments.get(at).filter(|word| word.known().is_none()) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|at| arguments.get(at));
    let is_operand = before.is_some_and(|word| is_binary(word) || is_unary(word));
    let next = arguments
        .get(at + 1)
        .filter(|word| word.known() != Some("]"));
    word.may_be("-v") && !is_operand && next.is_some_and(|next| !is_binary(next))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
