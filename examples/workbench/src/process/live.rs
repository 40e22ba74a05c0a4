//! The output of a line, handed on while it runs.

use std::sync::{Mutex, PoisonError};

use toolwright::{Content, ToolContext};

use super::kept::begun;

/// Takes what a line prints, in pieces as they come.
pub(crate) trait OutputSink: Send + Sync {
    /// A piece, which may end amid a character.
    fn output(&self, bytes: &[u8]);
}

/// Hands the output on to whoever watches the call.
pub(crate) struct Streamed {
    context: ToolContext,
    /// The start of a character whose rest is to come.
    begun: Mutex<Vec<u8>>,
}

impl Streamed {
    /// Returns the sink of a call, if somebody watches the call.
    pub(crate) fn of(context: &ToolContext) -> Option<Box<dyn OutputSink>> {
        context.is_watched().then(|| -> Box<dyn OutputSink> {
            Box::new(Self {
                context: context.clone(),
                begun: Mutex::default(),
            })
        })
    }
}

impl OutputSink for Streamed {
    fn output(&self, bytes: &[u8]) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let text = whole(&mut begun, bytes);
        if !text.is_empty() {
            self.context.stream_part(Content::text(text));
        }
    }
}

/// All whole characters; what is left is kept.
fn whole(rest: &mut Vec<u8>, bytes: &[u8]) -> String {
    rest.extend(bytes);
    let whole = rest.len() - begun(rest);
    let next = rest.split_off(whole);
    let text = String::from_utf8_lossy(rest).into_owned();
    *rest = next;
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_put_together() {
        let mut rest = Vec::new();
        let pieces: [&[u8]; 4] = [b"gr\xc3", b"\xbc\xc3\x9fe\n", b"\xc2", b"\x9b\xff."];
        let text: String = pieces.iter().map(|piece| whole(&mut rest, piece)).collect();
        assert_eq!(text, "grüße\n\u{9b}\u{fffd}.");
        assert!(rest.is_empty());
    }
}
