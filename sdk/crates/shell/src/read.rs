//! The line in parts: how a line is read, and what is not seen.
//!
//! A line is judged by the commands that bash would run for it, so it is parsed as bash does, and what is
//! not understood is [`Unparsable`]: a person is asked. [`parse`] gets a tree from the parser's crate
//! within bounds, [`walk`] visits each of its nodes ([`compound`], [`simple`], [`redirect`]), [`expand`] reads
//! the words, and [`wrapper`] looks through commands that run others ([`find`], [`text`]); [`builtin`] knows
//! what changes the shell itself.
//!
//! # The parser
//!
//! `brush-parser` is the parser of a shell that is tested against bash, and gives a typed tree that can
//! be matched without a rest. A few things that it reads wrongly without saying so are known, and refused
//! before: `( (a) )` as arithmetic, `$(a)` behind `<<E` in its line as words, `[[ ((a) ) ]]` so that a later
//! `<<E` is no here-document, and the words behind `>&-` as part of it.
//! `tree-sitter-bash`, which other agents use, read `r\`, new line, `m x` as two words, `coproc NAME { a; }` as
//! the words of a command, and `a;; b` as two commands, all without an error node; it is made for lines
//! that are being written, and guesses. `brush-parser` does not know `select`, a `case` inside of
//! `$(..)` and some here-documents there, and says so.
//!
//! The code around the parser makes up for its limits. [`screen`] goes over each text first, since a few
//! characters keep its tokenizer running until memory runs out, some constructs take a time that doubles with
//! each, and some are read as something else. The parser calls itself for each level, so a text that may nest
//! deeply is read on a stack of its own. Its grammar of words is not used, for the reasons in [`expand`]. It
//! forgets whether a `<(..)` stands in the middle of a word, so such a line is refused. It counts extended
//! patterns, `@(..)`, which bash has off by default, so these are refused.
//!
//! # What is not seen
//!
//! The effect of a program's words, except for known wrappers; what `source` reads; aliases
//! and functions from outside of the line; what a variable of the environment makes the shell do. A
//! line can change variables for what comes later in it: these count for all of its commands.
//!
#![doc = include_str!("evaluation.md")]

use super::unparsable::{Parsed, Unparsable, guarded, refused};
use super::walk::Walk;
use super::{ShellLine, expand, parse, screen};

impl ShellLine {
    /// Takes a line of bash apart, as bash without a profile would run it.
    ///
    /// # Errors
    ///
    /// Fails if the line is not understood, or is longer than 8 KiB, nests deeper than 64 levels or has more than
    /// 4,000 commands: nothing is known about the commands that it would run.
    pub fn parse(line: &str) -> Result<Self, Unparsable> {
        if line.len() > screen::LONGEST {
            return Err(screen::too_long());
        }
        if let Some(at) = line.chars().position(|c| c == '\0' || c == '\r') {
            return Err(Unparsable {
                what: "the shell line has a character that shells treat in different ways".into(),
                at: Some(at + 1),
            });
        }
        bounded(parse::openers(line), |most| Walk::of_line(line, most))
    }

    /// Takes apart a command that runs by its words, without a shell: the command, and those that it runs, such as
    /// `rm x` of `["sudo", "rm", "x"]`.
    ///
    /// # Errors
    ///
    /// Fails if a word that is a line of bash, as after `sh -c`, is not understood.
    pub fn from_words(words: &[String]) -> Result<Self, Unparsable> {
        let openers = words.iter().map(|word| parse::openers(word)).sum();
        bounded(openers, |most| Walk::of_words(words, most))
    }
}

/// A word, if what it becomes is known.
pub(super) fn literal(raw: &str) -> Option<String> {
    let (word, _) = expand::word(raw, None).ok()?;
    word.known().map(str::to_owned)
}

/// The tree of a short text that the person who wrote a policy wrote.
pub(super) fn tree(text: &str) -> Parsed<brush_parser::ast::Program> {
    if parse::openers(text) > parse::FEW {
        return refused("it nests too deep");
    }
    guarded(|| parse::program(text))
}

/// Reads what has so many [openers](parse::openers) on this stack, or on a larger one if it may need it. What lies in
/// the text, such as the line behind `sh -c`, has no more than the whole; where escapes make more of it, it is refused.
fn bounded(
    openers: usize,
    read: impl FnOnce(usize) -> Parsed<ShellLine> + Send,
) -> Parsed<ShellLine> {
    if openers > parse::FEW {
        parse::on_a_large_stack(|| read(parse::MOST))
    } else {
        guarded(|| read(parse::FEW))
    }
}
