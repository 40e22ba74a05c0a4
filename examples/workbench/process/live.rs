//! What a line prints, shown while it runs.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use super::kept::begun;
use crate::terminal::safe::is_deceptive;

/// Takes what a line prints, in pieces as they come.
pub(super) trait OutputSink: Send + Sync {
    /// A piece, which may end amid a character.
    fn output(&self, bytes: &[u8]);
}

/// Shows the output on standard error.
///
/// Control characters but tabs and line breaks are shown as escapes: what a line prints must not
/// command the terminal of the person who watches.
#[derive(Debug, Default)]
pub(super) struct Stderr {
    /// The start of a character whose rest is to come.
    begun: Mutex<Vec<u8>>,
}

impl OutputSink for Stderr {
    fn output(&self, bytes: &[u8]) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let text = shown(&mut begun, bytes);
        // A terminal that is held, or a full pipe, holds this line, as it would hold the programs of
        // the line, and not the other tasks of this thread: one of them listens to Ctrl-C.
        tokio::task::block_in_place(|| {
            // Nobody may be reading, which is no reason to stop.
            let _ = io::stderr().lock().write_all(text.as_bytes());
        });
    }
}

fn shown(rest: &mut Vec<u8>, bytes: &[u8]) -> String {
    rest.extend(bytes);
    let whole = rest.len() - begun(rest);
    let next = rest.split_off(whole);
    let mut text = String::with_capacity(rest.len());
    for character in String::from_utf8_lossy(rest).chars() {
        if is_deceptive(character) && !matches!(character, '\n' | '\t') {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    *rest = next;
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_put_together_and_controls_shown() {
        let mut rest = Vec::new();
        let pieces: [&[u8]; 5] = [
            b"gr\xc3",
            b"\xbc\xc3\x9fe\n",
            b"\x1b[2Ja\r\tb",
            b"\xc2",
            b"\x9b\xff.",
        ];
        let text: String = pieces.iter().map(|piece| shown(&mut rest, piece)).collect();
        assert_eq!(text, "grüße\n\\u{1b}[2Ja\\r\tb\\u{9b}\u{fffd}.");
        assert!(rest.is_empty());
    }
}
