//! All spellings of a command that a rule forbids.
//!
//! The program counts by its base name. Options of the pattern count wherever they stand before a `--`:
//! `-rf` is `-fr`, `-r -f` and, where the program is known, `--recursive --force`. Other words count in their
//! order among the words that are no options. What may only be meant gives [`Surely::Maybe`], and asks.

use super::super::shell::Word;
use super::{Surely, programs};

/// Whether a command is what a pattern names.
pub(super) fn matches(pattern: &[Option<String>], exact: bool, words: &[Word]) -> Surely {
    let Some((program, rest)) = pattern.split_first() else {
        return Surely::Yes;
    };
    let Some((first, arguments)) = words.split_first() else {
        return Surely::No;
    };
    let Some(known) = first.known() else {
        return unknown_program(pattern, first);
    };
    let name = base(known);
    let named = program
        .as_deref()
        .is_none_or(|program| base(program) == name);
    if named {
        let found = options(rest, name, arguments).and(operands(rest, name, arguments));
        return if exact {
            found.and(as_long(rest, arguments))
        } else {
            found
        };
    }
    if mentions(pattern, name, arguments) {
        return Surely::Maybe;
    }
    Surely::No
}

fn base(program: &str) -> &str {
    // By bytes: names are too short for a search that prepares itself.
    match program.bytes().rposition(|byte| byte == b'/') {
        Some(at) => program.get(at + 1..).unwrap_or_default(),
        None => program,
    }
}

/// The program is not known: it may be any, but for what is known of its end.
fn unknown_program(pattern: &[Option<String>], first: &Word) -> Surely {
    if first.splits() {
        return Surely::Maybe;
    }
    let Word::Unknown(unknown) = first else {
        return Surely::No;
    };
    let suffix = base(&unknown.suffix);
    let whole = unknown.suffix.contains('/');
    match pattern.first() {
        Some(Some(program)) => {
            let program = base(program);
            if (whole && suffix == program) || (!whole && program.ends_with(suffix)) {
                Surely::Maybe
            } else {
                Surely::No
            }
        }
        _ => Surely::Maybe,
    }
}

/// Whether a command has no more words than an exact pattern.
fn as_long(rest: &[Option<String>], arguments: &[Word]) -> Surely {
    if arguments.len() == rest.len() && !arguments.iter().any(Word::splits) {
        return Surely::Yes;
    }
    let least = arguments.iter().filter(|word| !word.splits()).count();
    if least <= rest.len() && least < arguments.len() {
        return Surely::Maybe;
    }
    // `-rf` may be written as two words.
    let joined = |word: &&Word| word.known().is_some_and(is_option);
    let plain = arguments.iter().filter(|word| !joined(word)).count();
    let expected = rest
        .iter()
        .filter(|word| !is_option_of_pattern(word.as_deref()))
        .count();
    if plain == expected {
        Surely::Maybe
    } else {
        Surely::No
    }
}

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

fn is_option_of_pattern(word: Option<&str>) -> bool {
    word.is_some_and(is_option)
}

/// Whether a command has all options of the pattern.
fn options(rest: &[Option<String>], program: &str, arguments: &[Word]) -> Surely {
    let end = arguments
        .iter()
        .position(|word| word.known() == Some("--"))
        .unwrap_or(arguments.len());
    let arguments = arguments.get(..end).unwrap_or_default();
    rest.iter()
        .flatten()
        .filter(|word| is_option(word))
        .map(|option| one_option(option, program, arguments))
        .fold(Surely::Yes, Surely::and)
}

fn one_option(option: &str, program: &str, arguments: &[Word]) -> Surely {
    if arguments.iter().any(|word| word.known() == Some(option)) {
        return Surely::Yes;
    }
    let mut found = Surely::No;
    if let Some(name) = option.strip_prefix("--") {
        for argument in arguments.iter().filter_map(Word::known) {
            found = found.or(long_is(argument, name));
        }
        for (letter, long) in programs::letters(program) {
            if *long == name {
                found = found.or(letter_in(*letter, option, program, arguments));
            }
        }
    } else if !programs::has_long_words_after_one_dash(program) {
        // Each of the letters, wherever it is.
        let letters = option.chars().skip(1);
        found = letters
            .map(|letter| letter_or_long(letter, option, program, arguments))
            .fold(Surely::Yes, Surely::and);
    }
    let unknown = |word: &Word| word.known().is_none() && word.may_start_with("-");
    if found == Surely::No && arguments.iter().any(unknown) {
        return Surely::Maybe;
    }
    found
}

/// Whether an argument is a long option, with a value or abbreviated.
fn long_is(argument: &str, name: &str) -> Surely {
    let Some(given) = argument.strip_prefix("--") else {
        return Surely::No;
    };
    let given = given.split('=').next().unwrap_or(given);
    if given == name {
        Surely::Yes
    } else if !given.is_empty() && name.starts_with(given) {
        Surely::Maybe
    } else {
        Surely::No
    }
}

fn letter_or_long(letter: char, option: &str, program: &str, arguments: &[Word]) -> Surely {
    let mut found = letter_in(letter, option, program, arguments);
    let same = programs::letters(program)
        .iter()
        .filter(|(c, _)| *c == letter);
    for (_, long) in same {
        for argument in arguments.iter().filter_map(Word::known) {
            found = found.or(long_is(argument, long));
        }
        // `rm -R` is `rm -r`.
        for (other, name) in programs::letters(program) {
            if name == long && *other != letter {
                found = found.or(letter_in(*other, option, program, arguments));
            }
        }
    }
    let unknown = |word: &Word| word.known().is_none() && word.may_start_with("-");
    if found == Surely::No && arguments.iter().any(unknown) {
        return Surely::Maybe;
    }
    found
}

/// Whether a letter is among the joined options of an argument. It may be part of a value there.
fn letter_in(letter: char, option: &str, program: &str, arguments: &[Word]) -> Surely {
    let mut found = Surely::No;
    for argument in arguments.iter().filter_map(Word::known) {
        if !is_option(argument) || argument.starts_with("--") || !argument.contains(letter) {
            continue;
        }
        let known = |c: char| {
            c == letter
                || (!option.starts_with("--") && option.contains(c))
                || programs::letters(program)
                    .iter()
                    .any(|(other, _)| *other == c)
        };
        let before = argument.chars().skip(1).take_while(|c| *c != letter);
        let sure = before.clone().all(known);
        found = found.or(if sure { Surely::Yes } else { Surely::Maybe });
    }
    found
}

/// Whether the words of a pattern that are no options are the first of a command that are none.
fn operands(rest: &[Option<String>], program: &str, arguments: &[Word]) -> Surely {
    let expected: Vec<&Option<String>> = rest
        .iter()
        .filter(|word| !is_option_of_pattern(word.as_deref()))
        .collect();
    let mut left = expected.as_slice();
    let mut found = Surely::Yes;
    // Whether an option came whose value the next word may be.
    let mut options = false;
    let mut only_operands = false;
    let mut at = 0;
    while let (Some(word), Some((next, after))) = (arguments.get(at), left.split_first()) {
        at += 1;
        let Some(text) = word.known() else {
            if word.splits() {
                // It may be what is missing, or nothing.
                let missing = left.iter().filter_map(|word| word.as_deref());
                if word_may_supply(word) || missing.clone().any(|text| word.may_be(text)) {
                    return Surely::Maybe;
                }
            }
            if word.may_start_with("-") && next.is_some() {
                found = Surely::Maybe;
                options = true;
            }
            if next.as_deref().is_none_or(|text| word.may_be(text)) {
                found = found.and(Surely::Maybe);
                left = after;
                continue;
            }
            return later(left, arguments.get(at..), options);
        };
        if text == "--" && !only_operands {
            only_operands = true;
            continue;
        }
        if is_option(text) && !only_operands {
            if programs::valued(program).contains(&text) {
                at += 1;
            } else if !programs::plain(program).contains(&text) && !text.contains('=') {
                options = true;
            }
            continue;
        }
        // `cargo +nightly publish` names a toolchain first.
        if program == "cargo" && text.starts_with('+') {
            continue;
        }
        match next {
            Some(expected) if expected != text => {
                return later(left, arguments.get(at..), options);
            }
            _ => left = after,
        }
    }
    if left.is_empty() { found } else { Surely::No }
}

fn word_may_supply(word: &Word) -> bool {
    matches!(word, Word::Unknown(unknown) if !unknown.each)
}

/// Whether the words that are missing come later, after an option that is not known: the word before
/// them may be its value.
fn later(left: &[&Option<String>], arguments: Option<&[Word]>, options: bool) -> Surely {
    let mut rest = arguments.unwrap_or_default().iter();
    let all = left
        .iter()
        .all(|expected| rest.any(|word| expected.as_deref().is_none_or(|text| word.may_be(text))));
    if options && all {
        Surely::Maybe
    } else {
        Surely::No
    }
}

/// Whether a program that nothing is known of has all words of the pattern among its own, one after
/// the other: it may run them.
fn mentions(pattern: &[Option<String>], program: &str, arguments: &[Word]) -> bool {
    if programs::runs_no_words(program) {
        return false;
    }
    let length = pattern.len();
    if arguments.windows(length).any(|words| {
        words
            .iter()
            .zip(pattern)
            .enumerate()
            .all(|(at, (word, expected))| match (word.known(), expected) {
                (Some(text), Some(expected)) if at == 0 => base(text) == base(expected),
                (Some(text), Some(expected)) => text == expected,
                (_, None) => true,
                (None, Some(_)) => false,
            })
    }) {
        return true;
    }
    // `ssh host 'rm -rf x'`.
    let lines = arguments.iter().filter_map(Word::known);
    let mut lines = lines.filter(|text| text.split_whitespace().nth(1).is_some());
    lines.any(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.windows(length).any(|words| {
            words.iter().zip(pattern).all(|(word, expected)| {
                expected
                    .as_deref()
                    .is_none_or(|expected| base(word) == base(expected))
            })
        })
    })
}
