//! `test` and `[`.
//!
//! `-v` works out an index in the word behind it, so which words are operators has to be known. How many words
//! there are decides that (bash manual, Bourne Shell Builtins), and it is taken here from the longest form
//! down: terms of one, two or three words, joined by `-a` and `-o`.

use super::Unparsable;
use super::arithmetic::is_name;
use super::lists::lists;
use super::unparsable::Parsed;
use super::walk::Walk;
use super::word::Word;

/// Operators between two words: these compare texts, integers as they are written, or files.
const BINARY: &str = "= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef";

/// Those of them between files.
const OF_FILES: &str = "-nt -ot -ef";

/// Operators before a file.
const FILE: &str = "abcdefghkprsuwxGLNOS";

/// Other operators before a word, `-v` and `-R` aside.
const TEXT: &str = "notz";

/// Returns the words of a test without the `]` that ends a `[`.
pub(super) fn inside<'w>(name: &str, arguments: &'w [Word]) -> &'w [Word] {
    match arguments {
        [inside @ .., last] if name == "[" && last.known() == Some("]") => inside,
        arguments => arguments,
    }
}

/// Refuses a test of which it is not known that it works nothing out.
pub(super) fn harmless(walk: &mut Walk, arguments: &[Word]) -> Parsed {
    for word in arguments {
        let Word::Unknown(unknown) = word else {
            continue;
        };
        // A word that may become several may have any operators in it; an integer becomes one.
        if unknown.splits && !walk.is_integer(&unknown.shown) {
            return Err(odd(word));
        }
    }
    let mut files = Vec::new();
    terms(arguments, &mut files)
}

/// The words of a test that name files, if it is one that is understood.
pub(super) fn files(name: &str, arguments: &[Word]) -> Option<Vec<Word>> {
    let mut files = Vec::new();
    terms(inside(name, arguments), &mut files).ok()?;
    Some(files)
}

/// Reads all terms, and collects the words in them that name files.
fn terms(arguments: &[Word], files: &mut Vec<Word>) -> Parsed {
    let mut rest = arguments;
    // Alone, it is a text.
    if let [_] = rest {
        return Ok(());
    }
    let several = rest.iter().any(joins);
    while !rest.is_empty() {
        rest = term(rest, several, files)?;
        match rest {
            [] => {}
            [word, after @ ..] if joins(word) && !after.is_empty() => rest = after,
            [word, ..] => return Err(odd(word)),
        }
    }
    Ok(())
}

fn joins(word: &Word) -> bool {
    matches!(word.known(), Some("-a" | "-o"))
}

/// Takes a term off the words; gives those behind it.
fn term<'w>(words: &'w [Word], several: bool, files: &mut Vec<Word>) -> Parsed<&'w [Word]> {
    match words {
        [left, operator, right, rest @ ..]
            if operator.known().is_some_and(|text| lists(BINARY, text)) =>
        {
            if operator.known().is_some_and(|text| lists(OF_FILES, text)) {
                files.extend([left.clone(), right.clone()]);
            }
            Ok(rest)
        }
        [not, rest @ ..] if not.known() == Some("!") && !rest.is_empty() => {
            term(rest, several, files)
        }
        [operator, operand, rest @ ..] => match operator.known() {
            Some("-v") if operand.known().is_some_and(is_name) => Ok(rest),
            Some(text) if is_one_of(text, FILE) => {
                files.push(operand.clone());
                Ok(rest)
            }
            Some(text) if is_one_of(text, TEXT) => Ok(rest),
            // A text alone, before another term.
            Some(text) if !text.starts_with(['-', '(', ')', '!']) => Ok(&words[1..]),
            _ => Err(odd(operator)),
        },
        [word] => match word.known() {
            None if several => Err(odd(word)),
            _ => Ok(&[]),
        },
        [] => Ok(&[]),
    }
}

fn is_one_of(text: &str, letters: &str) -> bool {
    let letter = text.strip_prefix('-').unwrap_or_default();
    letter.len() == 1 && letters.contains(letter)
}

fn odd(word: &Word) -> Unparsable {
    Unparsable::new(format!(
        "the test may have an operator in `{}` that works out an index",
        word.shown()
    ))
}

#[cfg(test)]
mod tests {
    use crate::ShellLine;

    #[test]
    fn the_operators_of_a_test_are_known() {
        for line in [
            "[ a ]",
            "test",
            "[ ]",
            "[ \"$x\" ]",
            "[ -n \"$x\" ]",
            "[ ! -f a ]",
            "[ \"$x\" = y ]",
            "[ ! \"$x\" = \"$y\" ]",
            "[ -f a -a -d b ]",
            "[ \"$x\" = a -o \"$x\" = b ]",
            "[ -v x ]",
            "[ $? -eq 0 ]",
            "x=1; [ $x -gt 0 ]",
            "test -z \"$(ls)\"",
            "[ 1 -lt \"$x\" ]",
            "[ ! \"$x\" ]",
            "[ a = b ] && [ c ]",
            "[ -t 1 ]",
        ] {
            let parsed = ShellLine::parse(line);
            assert!(parsed.is_ok(), "{line}: {parsed:?}");
        }
        for line in [
            "[ $x ]",
            "test $(cat g)",
            "[ \"$(cat v)\" \"$(cat w)\" ]",
            "[ \"$x\" \"$y\" ]",
            "[ $x = y ]",
            "[ ! \"$x\" \"$y\" ]",
            "[ -v 'a[0]' ]",
            "[ -v \"$x\" ]",
            "[ -R x ]",
            "[ * ]",
            "[ -f a -a \"$x\" ]",
            "[ \"$x\" -a -f a ]",
            "[ ( -v \"$x\" ) ]",
            "x=a; [ $x -gt 0 ]",
            "[ -v ]x ]",
            "[ ! ! \"$x\" y ]",
            "[ \"-$x\" y ]",
            "[ a -a -v b[0] ]",
        ] {
            let parsed = ShellLine::parse(line);
            assert!(parsed.is_err(), "{line}: {parsed:?}");
        }
    }
}
