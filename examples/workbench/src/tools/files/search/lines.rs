//! The lines of a file that match, as a text.

use std::fmt::Write as _;
use std::io;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};

/// The most bytes of one line that are shown, and how many of them come before what matched.
const MAX_LINE: usize = 400;
const BEFORE: usize = 100;

/// The lines of one file.
pub(super) struct Lines<'r> {
    regex: &'r RegexMatcher,
    pub(super) text: String,
    /// The bytes of text that there is room for.
    bytes: usize,
    pub(super) matched: usize,
    /// The matching lines that there is room for.
    room: usize,
    pub(super) is_binary: bool,
    /// True if there was a line without room.
    pub(super) is_full: bool,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.matched == self.room || self.text.len() >= self.bytes {
            self.is_full = true;
            return Ok(false);
        }
        self.matched += 1;
        let line = found.bytes();
        let at = self.regex.find(line).ok().flatten();
        let at = at.map_or(0, |at| at.start());
        self.push(found.line_number(), ':', line, at);
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        if *found.kind() != SinkContextKind::Other {
            self.push(found.line_number(), '-', found.bytes(), 0);
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.text.push_str("   ...\n");
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.is_binary = true;
        Ok(false)
    }
}

impl<'r> Lines<'r> {
    pub(super) fn new(regex: &'r RegexMatcher, room: usize, bytes: usize) -> Self {
        Self {
            regex,
            text: String::new(),
            bytes,
            matched: 0,
            room,
            is_binary: false,
            is_full: false,
        }
    }

    fn push(&mut self, number: Option<u64>, mark: char, line: &[u8], at: usize) {
        let number = number.unwrap_or_default();
        let _ = writeln!(self.text, "{number:>6}{mark}\t{}", cut(line, at));
    }
}

/// A line without its end; of a long one, what is around the byte `at`.
fn cut(line: &[u8], at: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() <= MAX_LINE {
        return String::from_utf8_lossy(line).into_owned();
    }
    let boundary = |from: usize| {
        // The first bytes of characters are those that are no later ones.
        let rest = line.iter().skip(from);
        from + rest.take_while(|byte| **byte & 0xc0 == 0x80).count()
    };
    let start = boundary(if at < MAX_LINE - BEFORE {
        0
    } else {
        at.min(line.len()) - BEFORE
    });
    let end = boundary((start + MAX_LINE).min(line.len()));
    let middle = line.get(start..end).unwrap_or_default();
    let mut text = String::new();
    if start > 0 {
        let _ = write!(text, "[{start} bytes]…");
    }
    text.push_str(&String::from_utf8_lossy(middle));
    if end < line.len() {
        let _ = write!(text, "…[{} bytes]", line.len() - end);
    }
    text
}
