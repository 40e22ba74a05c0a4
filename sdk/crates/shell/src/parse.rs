//! From a text to the grammar's tree, within bounds.

use std::io::{self, BufRead, Read};

use brush_parser::ast::Program;
use brush_parser::{ParseError, Parser, ParserOptions};

use super::screen;
use super::unparsable::{Parsed, Unparsable, guarded};

/// The most constructs that may nest in a text, whether they do or not, for it to be parsed on the
/// caller's stack: the parser calls itself for each, and the smallest stacks of threads are small.
pub(super) const FEW: usize = 20;

/// The most for any text. One with more than [`FEW`] is parsed on a stack of its own.
pub(super) const MOST: usize = 500;

/// The stack for that, in bytes. It is taken from the system page by page, as it is used.
const STACK: usize = 64 * 1024 * 1024;

/// The words that begin a construct which may nest.
const NESTING: [&str; 10] = [
    "if", "elif", "while", "until", "for", "case", "select", "coproc", "time", "function",
];

/// Returns how many constructs of a text may nest: an upper bound that needs no understanding of quotes.
pub(super) fn openers(text: &str) -> usize {
    let brackets = text
        .bytes()
        .filter(|byte| matches!(byte, b'(' | b'{' | b'[' | b'`' | b'!'))
        .count();
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| NESTING.contains(word))
        .count();
    // Within `[[ .. ]]`, each of these is a level of the tree.
    let tests = if text.contains("[[") {
        text.matches("&&").count() + text.matches("||").count()
    } else {
        0
    };
    brackets + words + tests
}

/// The reads that the parser may do beyond one for each byte.
const SPARE: usize = 16;

/// A text that is handed out byte by byte, and no more than so often.
///
/// A tokenizer that goes on behind the end of its text is stopped by an error.
struct Counted<'t> {
    text: &'t [u8],
    left: usize,
}

impl<'t> Counted<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text: text.as_bytes(),
            // For each byte it looks, and then takes.
            left: 2 * text.len() + SPARE,
        }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.len().min(into.len());
        into.iter_mut()
            .zip(self.text)
            .for_each(|(to, from)| *to = *from);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| io::Error::other("it is read too often"))?;
        Ok(self.text)
    }

    fn consume(&mut self, count: usize) {
        self.text = self.text.get(count..).unwrap_or_default();
    }
}

/// The tree of a text.
pub(super) fn program(text: &str) -> Parsed<Program> {
    screen::screen(text)?;
    let options = ParserOptions {
        // As bash is for `bash -c`.
        enable_extended_globbing: false,
        ..ParserOptions::default()
    };
    Parser::new(Counted::new(text), &options)
        .parse_program()
        .map_err(|error| unparsable(text, &error))
}

fn unparsable(text: &str, error: &ParseError) -> Unparsable {
    match error {
        ParseError::ParsingNear(position) => {
            let rest: String = text.chars().skip(position.index).take(20).collect();
            let rest = rest.split(['\n', '\r']).next().unwrap_or_default().trim();
            Unparsable {
                what: format!("the shell line is not understood near `{rest}`"),
                at: Some(position.index + 1),
            }
        }
        ParseError::ParsingAtEndOfInput => {
            Unparsable::new("the shell line ends before a command in it is whole")
        }
        ParseError::Tokenizing { inner, .. } => {
            Unparsable::new(format!("the shell line is not understood: {inner}"))
        }
    }
}

/// Does something on a large stack of its own.
pub(super) fn on_a_large_stack<T: Send>(task: impl FnOnce() -> Parsed<T> + Send) -> Parsed<T> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || guarded(task))
            .map_err(|_| Unparsable::new("there is no room to read a shell line this nested"))?
            .join()
            .unwrap_or_else(|_| Err(Unparsable::internal()))
    })
}
