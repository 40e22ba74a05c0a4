//! What builtins do to the shell: the directory, variables, and how the rest is read.

use std::path::PathBuf;

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
