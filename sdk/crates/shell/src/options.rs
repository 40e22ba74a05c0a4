//! The options of the commands that run others, and of builtins that may change what a line means.

use super::Unparsable;
use super::walk::Walked;
use super::word::Word;

/// The options of a command, as far as they are known.
#[derive(Debug)]
pub(super) struct Options {
    /// Letters without a value.
    flags: &'static str,
    /// Letters with one.
    valued: &'static str,
    /// Long names without a value.
    long: &'static [&'static str],
    /// Long names with one.
    long_valued: &'static [&'static str],
    /// How many words come before the command.
    operands: usize,
}

pub(super) const ENV: Options = Options {
    // Not `-S`, which splits a text by rules of its own, nor `-v` with it.
    flags: "i0",
    valued: "uC",
    long: &["ignore-environment", "null"],
    long_valued: &["unset", "chdir"],
    operands: 0,
};

pub(super) const XARGS: Options = Options {
    flags: "0rtxo",
    valued: "nLPsdEaI",
    long: &["null", "no-run-if-empty", "verbose", "exit", "open-tty"],
    long_valued: &[
        "max-args",
        "max-procs",
        "max-chars",
        "delimiter",
        "arg-file",
    ],
    operands: 0,
};

pub(super) const SUDO: Options = Options {
    flags: "nEHPSAkb",
    valued: "ugpCTR",
    long: &[
        "non-interactive",
        "preserve-env",
        "set-home",
        "stdin",
        "askpass",
    ],
    long_valued: &["user", "group", "prompt"],
    operands: 0,
};

pub(super) const DOAS: Options = Options {
    flags: "n",
    valued: "uC",
    long: &[],
    long_valued: &[],
    operands: 0,
};

pub(super) const EXEC: Options = Options {
    flags: "cl",
    valued: "a",
    long: &[],
    long_valued: &[],
    operands: 0,
};

pub(super) const COMMAND: Options = Options {
    flags: "p",
    valued: "",
    long: &[],
    long_valued: &[],
    operands: 0,
};

pub(super) const BUILTIN: Options = Options {
    flags: "",
    valued: "",
    long: &[],
    long_valued: &[],
    operands: 0,
};

/// The options of a wrapper that only changes how a command runs.
pub(super) fn of_wrapper(name: &str) -> Option<Options> {
    let options = match name {
        "nice" => Options {
            flags: "0123456789",
            valued: "n",
            long: &[],
            long_valued: &["adjustment"],
            operands: 0,
        },
        "ionice" => Options {
            flags: "t",
            valued: "cn",
            long: &["ignore"],
            long_valued: &["class", "classdata"],
            operands: 0,
        },
        "nohup" => BUILTIN,
        "setsid" => Options {
            flags: "cfw",
            valued: "",
            long: &["ctty", "fork", "wait"],
            long_valued: &[],
            operands: 0,
        },
        "timeout" => Options {
            flags: "v",
            valued: "sk",
            long: &["foreground", "preserve-status", "verbose"],
            long_valued: &["signal", "kill-after"],
            operands: 1,
        },
        "time" => Options {
            // Not `-o`, which writes a file.
            flags: "pv",
            valued: "f",
            long: &["portability", "verbose"],
            long_valued: &["format"],
            operands: 0,
        },
        "stdbuf" => Options {
            flags: "",
            valued: "ioe",
            long: &[],
            long_valued: &["input", "output", "error"],
            operands: 0,
        },
        _ => return None,
    };
    Some(options)
}

impl Options {
    /// Returns where the command begins that a command runs: the index of its first word. `None` if an
    /// option is not known, or a word may be one.
    pub(super) fn end(&self, words: &[Word]) -> Option<usize> {
        let mut at = 1;
        while let Some(word) = words.get(at) {
            let Some(text) = word.known() else {
                // A word of which nothing is known may be an option.
                if word.splits() || word.may_start_with("-") {
                    return None;
                }
                break;
            };
            if text == "--" {
                at += 1;
                break;
            }
            if let Some(long) = text.strip_prefix("--") {
                at += self.long(long)?;
            } else if let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                at += self.letters(letters)?;
            } else {
                break;
            }
        }
        for _ in 0..self.operands {
            if words.get(at).is_some_and(Word::splits) {
                return None;
            }
            at += 1;
        }
        // A value may be any one word, but not several.
        let values = words.get(1..at.min(words.len()))?;
        (!values.iter().any(Word::splits)).then_some(at)
    }

    /// Returns how many words a long option takes.
    fn long(&self, text: &str) -> Option<usize> {
        let (name, value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text, false),
        };
        if self.long_valued.contains(&name) {
            return Some(if value { 1 } else { 2 });
        }
        (self.long.contains(&name) && !value).then_some(1)
    }

    fn letters(&self, letters: &str) -> Option<usize> {
        for (at, letter) in letters.char_indices() {
            if self.valued.contains(letter) {
                let last = at + letter.len_utf8() == letters.len();
                return Some(if last { 2 } else { 1 });
            }
            if !self.flags.contains(letter) {
                return None;
            }
        }
        Some(1)
    }

    /// The options before the command with their values, in their order. `end` is where they end, so
    /// that all of them are known.
    pub(super) fn given(&self, words: &[Word], end: usize) -> Vec<(String, Option<Word>)> {
        let mut given = Vec::new();
        let mut at = 1;
        while let Some(text) = words.get(at).filter(|_| at < end).and_then(Word::known) {
            at += 1;
            if let Some(long) = text.strip_prefix("--").filter(|long| !long.is_empty()) {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(Word::Known(value.to_owned()))),
                    None if self.long_valued.contains(&long) => {
                        at += 1;
                        (long, words.get(at - 1).cloned())
                    }
                    None => (long, None),
                };
                given.push((name.to_owned(), value));
                continue;
            }
            let Some(letters) = text.strip_prefix('-').filter(|_| text != "--") else {
                break;
            };
            for (index, letter) in letters.char_indices() {
                let rest = letters.get(index + letter.len_utf8()..).unwrap_or_default();
                if !self.valued.contains(letter) {
                    given.push((letter.to_string(), None));
                    continue;
                }
                let value = if rest.is_empty() {
                    at += 1;
                    words.get(at - 1).cloned()
                } else {
                    Some(Word::Known(rest.to_owned()))
                };
                given.push((letter.to_string(), value));
                break;
            }
        }
        given
    }
}

/// Refuses what changes how the rest of a line is read.
pub(super) fn harmless(name: &str, arguments: &[Word]) -> Walked {
    let mut operands = false;
    for word in arguments {
        let fine = match (name, word.known()) {
            ("set", _) if operands => true,
            ("set", Some("--")) => {
                operands = true;
                true
            }
            ("set", Some(text)) => {
                let names = ["pipefail", "errexit", "nounset", "xtrace"];
                names.contains(&text)
                    || (text.starts_with(['-', '+'])
                        && text.chars().skip(1).all(|c| "euxo".contains(c)))
            }
            ("shopt", Some(text)) => {
                let names = ["-s", "-u", "-q", "nullglob", "globstar", "failglob"];
                names.contains(&text)
            }
            ("hash", Some(text)) => text == "-r",
            _ => false,
        };
        if !fine {
            return Err(Unparsable::new(format!(
                "`{name} {}` may change how the rest of the line is read",
                word.shown()
            ))
            .into());
        }
    }
    Ok(())
}
