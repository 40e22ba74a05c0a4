//! The options of the commands that run others, and of builtins that may change what a line means.

use super::lists::lists;
use super::unparsable::{Parsed, refused};
use super::word::Word;

/// Returns the options of a command that runs others, as far as they are known: letters and long names without a value,
/// letters and long names with one.
fn options(name: &str) -> Option<[&'static str; 4]> {
    Some(match name {
        // Not `-S`, which splits a text by rules of its own, nor `-v` with it.
        "env" => ["i0", "ignore-environment null", "uC", "unset chdir"],
        "xargs" => [
            "0rtxo",
            "null no-run-if-empty verbose exit open-tty",
            "nLPsdEaI",
            "max-args max-procs max-chars delimiter arg-file",
        ],
        "sudo" => [
            "nEHPSAkb",
            "non-interactive preserve-env set-home stdin askpass",
            "ugpCTR",
            "user group prompt",
        ],
        "doas" => ["n", "", "uC", ""],
        "exec" => ["cl", "", "a", ""],
        "command" => ["p", "", "", ""],
        "builtin" | "nohup" => ["", "", "", ""],
        "nice" => ["0123456789", "", "n", "adjustment"],
        "ionice" => ["t", "ignore", "cn", "class classdata"],
        "setsid" => ["cfw", "ctty fork wait", "", ""],
        "timeout" => [
            "v",
            "foreground preserve-status verbose",
            "sk",
            "signal kill-after",
        ],
        // Not `-o`, which writes a file.
        "time" => ["pv", "portability verbose", "f", "format"],
        "stdbuf" => ["", "", "ioe", "input output error"],
        _ => return None,
    })
}

/// The options that stand before a command, each with its value.
type Given = Vec<(String, Option<Word>)>;

/// Returns the index of the first word of the command that a command runs, and the options before it, in their order.
/// `None` if an option is not known, or a word may be one.
pub(super) fn read(name: &str, words: &[Word]) -> Option<(usize, Given)> {
    let [flags, long, valued, long_valued] = options(name)?;
    let (mut at, mut given) = (1, Given::new());
    while let Some(word) = words.get(at) {
        let Some(text) = word.known() else {
            if word.splits() || word.may_start_with("-") {
                return None;
            }
            break;
        };
        let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            break;
        };
        at += 1;
        if option == "-" {
            break;
        }
        let mut next = || {
            at += 1;
            words.get(at - 1).cloned()
        };
        if let Some(text) = option.strip_prefix('-') {
            let (name, joined) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (text, None),
            };
            let value = match joined {
                Some(value) if lists(long_valued, name) => Some(Word::Known(value.to_owned())),
                None if lists(long_valued, name) => next(),
                None if lists(long, name) => None,
                _ => return None,
            };
            given.push((name.to_owned(), value));
            continue;
        }
        for (index, letter) in option.char_indices() {
            if valued.contains(letter) {
                let value = match option.get(index + letter.len_utf8()..) {
                    None | Some("") => next(),
                    Some(rest) => Some(Word::Known(rest.to_owned())),
                };
                given.push((letter.to_string(), value));
                break;
            }
            if !flags.contains(letter) {
                return None;
            }
            given.push((letter.to_string(), None));
        }
    }
    if name == "timeout" {
        // The time that the command may take.
        at += 1;
    }
    // A value may be any one word, but not several.
    let before = words.get(1..at.min(words.len()))?;
    (!before.iter().any(Word::splits)).then_some((at, given))
}

/// Refuses what changes how the rest of a line is read.
pub(super) fn harmless(name: &str, arguments: &[Word]) -> Parsed {
    let mut operands = false;
    for word in arguments {
        let fine = match (name, word.known()) {
            ("set", _) if operands => true,
            ("set", Some("--")) => {
                operands = true;
                true
            }
            ("set", Some(text)) => {
                lists("pipefail errexit nounset xtrace", text)
                    || (text.starts_with(['-', '+'])
                        && text.chars().skip(1).all(|c| "euxo".contains(c)))
            }
            ("shopt", Some(text)) => lists("-s -u -q nullglob globstar failglob", text),
            ("hash", Some(text)) => text == "-r",
            _ => false,
        };
        if !fine {
            return refused(format!(
                "`{name} {}` may change how the rest of the line is read",
                word.shown()
            ));
        }
    }
    Ok(())
}
