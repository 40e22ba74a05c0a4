//! The shell line in parts.
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
//! What a program does with its words, but for the wrappers that are known; what `source` reads; aliases
//! and functions from outside of the line; what a variable of the environment makes the shell do. A
//! line can change variables for what comes later in it: these count for all of its commands.
//!
#![doc = include_str!("evaluation.md")]

mod ansi;
mod arithmetic;
mod begins_no_name;
mod braces;
mod builtin;
mod compound;
mod descent;
#[cfg(all(test, target_os = "linux"))]
mod differential;
mod documents;
mod expand;
mod files;
mod find;
mod glob;
mod loops;
mod options;
mod outputs;
mod parse;
mod part;
mod read_only;
mod redirect;
mod screen;
mod simple;
mod test;
#[cfg(test)]
mod tests;
mod text;
mod variables;
mod walk;
mod word;
mod wrapper;

pub(crate) use descent::Descent;
pub(crate) use files::{Access, FileUse};
pub(crate) use outputs::outputs;
pub(crate) use part::{Assignment, Part};
pub(crate) use read_only::read_only;
use test::files as tested_files;
pub(crate) use variables::{is_locale, is_plain_locale};
pub(crate) use word::Word;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use files::Redirect;
use walk::{Bounds, Walk};

/// A line of bash, as the commands that would run.
#[derive(Debug, Clone)]
pub(crate) struct ShellLine {
    parts: Vec<Part>,
    redirects: Vec<Redirect>,
    carriers: Vec<Part>,
}

/// Why a line is not understood. Nothing is known of what it would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unparsable {
    /// What was not understood, for the person who is asked. May have any characters.
    pub(crate) what: String,
    /// Which character of the line, counted from 1, where it is known.
    pub(crate) at: Option<usize>,
}

impl Unparsable {
    fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            at: None,
        }
    }

    fn near(text: &str) -> Self {
        Self::new(format!("the shell line is not understood near `{text}`"))
    }

    fn document() -> Self {
        Self::new("a here-document inside of a substitution is not understood here")
    }

    fn internal() -> Self {
        Self::new("the shell line is not understood: the parser failed")
    }
}

impl ShellLine {
    /// A line of bash in parts.
    pub(crate) fn parse(line: &str) -> Result<Self, Unparsable> {
        if line.len() > screen::LONGEST {
            return Err(screen::too_long());
        }
        if let Some(at) = line.chars().position(|c| c == '\0' || c == '\r') {
            return Err(Unparsable {
                what: "the shell line has a character that shells treat in different ways".into(),
                at: Some(at + 1),
            });
        }
        bounded(|most| Walk::of_line(line, most))
    }

    /// The one command that words are without a shell, and those that it runs.
    pub(crate) fn from_words(words: &[String]) -> Result<Self, Unparsable> {
        bounded(|most| Walk::of_words(words, most))
    }

    /// All commands that the line may run, in the order in which they are written. A line that only
    /// sets variables or opens files has none.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The wrappers, such as `env -C x` and `timeout 5`, each without what it runs.
    pub(crate) fn carriers(&self) -> &[Part] {
        &self.carriers
    }

    /// The files that the shell itself opens for the line, which starts in this directory.
    pub(crate) fn files(&self, directory: &Path) -> Vec<FileUse> {
        self.redirects
            .iter()
            .flat_map(|redirect| redirect.files(directory))
            .collect()
    }
}

/// A word, if what it becomes is known.
pub(crate) fn literal(raw: &str) -> Option<String> {
    let (word, _) = expand::word(raw, None).ok()?;
    word.known().map(str::to_owned)
}

/// The tree of a short text that the person who wrote a policy wrote.
pub(crate) fn tree(text: &str) -> Result<brush_parser::ast::Program, Unparsable> {
    if parse::openers(text) > parse::FEW {
        return Err(Unparsable::new("it nests too deep"));
    }
    catch_unwind(|| parse::program(text)).unwrap_or_else(|payload| {
        crate::panic::discard(payload);
        Err(Unparsable::internal())
    })
}

/// Parses on this stack, or on a larger one if it may need it.
fn bounded(
    walk: impl Fn(usize) -> Result<ShellLine, Bounds> + Sync,
) -> Result<ShellLine, Unparsable> {
    // A parser that panics has not understood the line, and nothing of it is kept.
    match catch_unwind(AssertUnwindSafe(|| walk(parse::FEW))) {
        Ok(Ok(line)) => Ok(line),
        Ok(Err(Bounds::Other(unparsable))) => Err(unparsable),
        Ok(Err(Bounds::Nested)) => parse::on_a_large_stack(|| {
            walk(parse::MOST).map_err(|bounds| match bounds {
                Bounds::Nested => screen::too_deep(),
                Bounds::Other(unparsable) => unparsable,
            })
        }),
        Err(payload) => {
            crate::panic::discard(payload);
            Err(Unparsable::internal())
        }
    }
}

/// The words of a line that is one command of known words, in which the shell does nothing else: it
/// opens no file, sets no variable, and the command runs no other.
#[cfg(test)]
pub(crate) fn plain_words(line: &str) -> Option<Vec<String>> {
    let line = ShellLine::parse(line).ok()?;
    let [part] = line.parts() else {
        return None;
    };
    let is_plain = line.redirects.is_empty()
        && line.carriers.is_empty()
        && part.outer().is_empty()
        && part.assignments().is_empty();
    if !is_plain {
        return None;
    }
    let known = |word: &Word| word.known().map(str::to_owned);
    part.words().iter().map(known).collect()
}
