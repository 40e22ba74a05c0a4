//! All spellings of a command that a rule forbids.
//!
//! The program counts by its base name. Options of the pattern count wherever they stand before a `--`:
//! `-rf` is `-fr`, `-r -f` and, where the program is known, `--recursive --force`. Other words count in their
//! order among the words that are no options. What may only be meant gives [`Surely::Maybe`], and asks.

use super::Surely;
use super::programs::{self, lists};
use toolwright_shell::Word;

/// Returns how surely a command is the one that a pattern names.
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
    if program
        .as_deref()
        .is_none_or(|program| is_program(program, known))
    {
        let mut found = options(rest, name, arguments).and(operands(rest, name, arguments));
        if found != Surely::Yes {
            found = found.or(with_values(rest, name, arguments));
            found = found.or(by_another_name(name, arguments));
        }
        if exact {
            found = found.and(as_long(rest, arguments));
        }
        // A rule forbids by these words all that another would allow by them.
        return match found {
            Surely::Yes => found,
            _ => found.or(super::literally(pattern, exact, words)),
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

/// Returns `Maybe` if `git` gets aliases on its command line, so that any sub-command may be any other.
fn by_another_name(program: &str, arguments: &[Word]) -> Surely {
    let alias = |word: &Word| word.known().is_some_and(|word| word.contains("alias."));
    let configures = |word: &Word| {
        let begins = |option| word.may_start_with(option);
        begins("-c") || begins("--config-env")
    };
    if program == "git" && arguments.iter().any(configures) && arguments.iter().any(alias) {
        Surely::Maybe
    } else {
        Surely::No
    }
}

/// Returns true if two names are those of one program: whatever the directory, since some file systems take
/// large letters for small ones, and some builtins have two names.
fn is_program(expected: &str, name: &str) -> bool {
    let [expected, name] = [expected, name].map(|name| match base(name) {
        "." => "source",
        "[" => "test",
        name if name.eq_ignore_ascii_case("readarray") => "mapfile",
        name if name.eq_ignore_ascii_case("typeset") => "declare",
        name => name,
    });
    expected.eq_ignore_ascii_case(name)
}

/// The program is not known: it may be any, but for what is known of its end.
fn unknown_program(pattern: &[Option<String>], first: &Word) -> Surely {
    if first.splits() {
        return Surely::Maybe;
    }
    let Word::Unknown(unknown) = first else {
        return Surely::No;
    };
    let suffix = base(unknown.suffix.as_str());
    let whole = unknown.suffix.as_str().contains('/');
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

/// Looks for the options of the pattern where the word after one may be its value: `-X POST`
/// is `-XPOST`, `--request POST` and `--request=POST`, wherever it stands.
fn with_values(rest: &[Option<String>], program: &str, arguments: &[Word]) -> Surely {
    if !rest
        .iter()
        .any(|word| is_option_of_pattern(word.as_deref()))
    {
        return Surely::No;
    }
    let mut found = Surely::Yes;
    let mut left = Vec::new();
    let mut words = rest.iter().peekable();
    let mut any = false;
    while let Some(word) = words.next() {
        let value = words.peek().filter(|next| {
            is_option_of_pattern(word.as_deref()) && !is_option_of_pattern(next.as_deref())
        });
        let (Some(option), Some(Some(value))) = (word, value) else {
            left.push(word.clone());
            continue;
        };
        found = found.and(has_value(option, value, program, arguments));
        words.next();
        any = true;
    }
    if !any {
        return Surely::No;
    }
    found
        .and(options(&left, program, arguments))
        .and(operands(&left, program, arguments))
}

fn has_value(option: &str, value: &str, program: &str, arguments: &[Word]) -> Surely {
    let mut spellings = vec![option.to_owned()];
    for (letter, long) in programs::letters(program) {
        let short = format!("-{letter}");
        let long = format!("--{long}");
        if short == option {
            spellings.push(long);
        } else if long == option {
            spellings.push(short);
        }
    }
    let mut found = Surely::No;
    for words in arguments.windows(2) {
        if let [name, next] = words
            && name
                .known()
                .is_some_and(|name| spellings.iter().any(|spelling| spelling == name))
            && next.may_be(value)
        {
            let known = next.known().is_some();
            found = found.or(if known { Surely::Yes } else { Surely::Maybe });
        }
    }
    let joined = arguments.iter().filter_map(Word::known).any(|word| {
        spellings.iter().any(|name| {
            let rest = word.strip_prefix(name.as_str()).unwrap_or_default();
            let rest = rest
                .strip_prefix('=')
                .or((!name.starts_with("--")).then_some(rest));
            rest == Some(value)
        })
    });
    if joined {
        Surely::Yes
    } else if arguments.iter().any(may_be_option) {
        found.or(Surely::Maybe)
    } else {
        found
    }
}

/// Returns true if a word that is not known may be an option.
fn may_be_option(word: &Word) -> bool {
    word.known().is_none() && word.may_start_with("-")
}

/// Returns how surely a command has no more words than an exact pattern.
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

/// Returns how surely a command has all options of the pattern.
fn options(rest: &[Option<String>], program: &str, arguments: &[Word]) -> Surely {
    let end = arguments
        .iter()
        .position(|word| word.known() == Some("--"))
        .unwrap_or(arguments.len());
    let among = |arguments: &[Word]| {
        rest.iter()
            .flatten()
            .filter(|word| is_option(word))
            .map(|option| one_option(option, program, arguments))
            .fold(Surely::Yes, Surely::and)
    };
    let found = among(arguments.get(..end).unwrap_or_default());
    // In `git push -o -- --force` the `--` is the value of an option, and ends nothing.
    let before = end.checked_sub(1).and_then(|at| arguments.get(at));
    let is_value = end < arguments.len()
        && before.is_some_and(|word| {
            word.known()
                .is_none_or(|text| may_take_the_next(text, program))
        });
    if found != Surely::Yes && is_value {
        return found.or(among(arguments).and(Surely::Maybe));
    }
    found
}

/// Returns true if the word after an option may be its value.
fn may_take_the_next(text: &str, program: &str) -> bool {
    if !is_option(text) || text.contains('=') || lists(programs::plain(program), text) {
        return false;
    }
    let flag = |(letter, long): (char, &str)| {
        let is_it = match text.strip_prefix("--") {
            Some(name) => name == long,
            None => text.ends_with(letter),
        };
        is_it && !lists("target-directory request output data upload-file", long)
    };
    !programs::letters(program).any(flag)
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
            if long == name {
                found = found.or(letter_in(letter, option, program, arguments));
            }
        }
    } else if !programs::has_long_words_after_one_dash(program) {
        // Each of the letters, wherever it is.
        let letters = option.chars().skip(1);
        found = letters
            .map(|letter| letter_or_long(letter, option, program, arguments))
            .fold(Surely::Yes, Surely::and);
    }
    if found == Surely::No && arguments.iter().any(may_be_option) {
        return Surely::Maybe;
    }
    found
}

/// Returns how surely an argument is a long option, with a value or abbreviated.
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
    let same = programs::letters(program).filter(|(c, _)| *c == letter);
    for (_, long) in same {
        for argument in arguments.iter().filter_map(Word::known) {
            found = found.or(long_is(argument, long));
        }
        // `rm -R` is `rm -r`.
        for (other, name) in programs::letters(program) {
            if name == long && other != letter {
                found = found.or(letter_in(other, option, program, arguments));
            }
        }
    }
    if found == Surely::No && arguments.iter().any(may_be_option) {
        return Surely::Maybe;
    }
    found
}

/// Returns how surely a letter is among the joined options of an argument. It may be part of a value there.
fn letter_in(letter: char, option: &str, program: &str, arguments: &[Word]) -> Surely {
    let mut found = Surely::No;
    for argument in arguments.iter().filter_map(Word::known) {
        if !is_option(argument) || argument.starts_with("--") || !argument.contains(letter) {
            continue;
        }
        let known = |c: char| {
            c == letter
                || (!option.starts_with("--") && option.contains(c))
                || programs::letters(program).any(|(other, _)| other == c)
        };
        let before = argument.chars().skip(1).take_while(|c| *c != letter);
        let sure = before.clone().all(known);
        found = found.or(if sure { Surely::Yes } else { Surely::Maybe });
    }
    found
}

/// Returns how surely the operands of a command begin with those of a pattern.
fn operands(rest: &[Option<String>], program: &str, arguments: &[Word]) -> Surely {
    let expected: Vec<&Option<String>> = rest
        .iter()
        .filter(|word| !is_option_of_pattern(word.as_deref()))
        .collect();
    let mut left = expected.as_slice();
    let mut found = Surely::Yes;
    // True once an option came whose value the next word may be.
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
            if lists(programs::valued(program), text) {
                at += 1;
            } else if !lists(programs::plain(program), text) && !text.contains('=') {
                options = true;
            }
            continue;
        }
        // `cargo +nightly publish` names a toolchain first.
        if program == "cargo" && text.starts_with('+') {
            continue;
        }
        match next {
            Some(expected) if !is_word(expected, text) => {
                // A file may be named after others.
                return later(left, arguments.get(at..), options || is_path(expected));
            }
            _ => left = after,
        }
    }
    if left.is_empty() { found } else { Surely::No }
}

/// Returns true if a word is that of the pattern: a path may be spelled in more than one way.
fn is_word(expected: &str, word: &str) -> bool {
    expected == word || (is_path(expected) && plain_path(expected) == plain_path(word))
}

fn is_path(text: &str) -> bool {
    (text.contains('/') && !text.contains("://")) || text.starts_with('.')
}

/// A path without what changes nothing: `./a//b/` is `a/b`.
fn plain_path(text: &str) -> (bool, Vec<&str>) {
    let parts = text.split('/').filter(|part| !matches!(*part, "" | "."));
    (text.starts_with('/'), parts.collect())
}

fn word_may_supply(word: &Word) -> bool {
    matches!(word, Word::Unknown(unknown) if !unknown.each)
}

/// Returns `Maybe` if the words that are missing come later, after an option that is not known: the word before
/// them may be its value.
fn later(left: &[&Option<String>], arguments: Option<&[Word]>, options: bool) -> Surely {
    let mut rest = arguments.unwrap_or_default().iter();
    let all = left.iter().all(|expected| {
        rest.any(|word| {
            expected.as_deref().is_none_or(|text| {
                word.may_be(text) || word.known().is_some_and(|word| is_word(text, word))
            })
        })
    });
    if options && all {
        Surely::Maybe
    } else {
        Surely::No
    }
}

/// Returns true if a program that nothing is known of has all words of the pattern among its own, one after
/// the other: it may run them.
fn mentions(pattern: &[Option<String>], program: &str, arguments: &[Word]) -> bool {
    let may_run = || {
        !lists(programs::RUN_NO_WORDS, program) || programs::runs_words_after(program, arguments)
    };
    if begins_in(pattern, arguments, Word::known) {
        return may_run();
    }
    let is_sign = |c| matches!(c, '!' | '"' | '$' | '&'..=')' | ',' | ';'..='>' | '`' | '{'..='}');
    let ends_word = |c: char| c.is_whitespace() || is_sign(c);
    let texts = arguments.iter().filter_map(Word::known);
    let mut texts = texts.filter(|text| text.contains(ends_word)).peekable();
    if texts.peek().is_none() || !may_run() {
        return false;
    }
    // `ssh host 'ls; rm -rf x'`, `awk 'BEGIN { system("rm -rf x") }'`.
    texts.any(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let pieces = text.split(ends_word).filter(|piece| !piece.is_empty());
        let pieces: Vec<&str> = pieces.collect();
        let is_in = |words: &[&str]| begins_in(pattern, words, |word| Some(word));
        pieces.len() > 1 && (is_in(&words) || is_in(&pieces))
    })
}

/// Returns true if a command as the pattern has it begins at one of these words.
fn begins_in<W>(
    pattern: &[Option<String>],
    words: &[W],
    known: impl Fn(&W) -> Option<&str>,
) -> bool {
    words.windows(pattern.len()).any(|words| {
        let mut pairs = words.iter().map(&known).zip(pattern).enumerate();
        pairs.all(|(at, pair)| match pair {
            (Some(word), Some(expected)) if at == 0 => is_program(expected, word),
            (Some(word), Some(expected)) => word == expected,
            (_, None) => true,
            (None, Some(_)) => false,
        })
    })
}
