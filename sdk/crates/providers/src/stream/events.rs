//! Server-sent events, from any split of their bytes.
//!
//! The rules are those of the HTML standard (<https://html.spec.whatwg.org/multipage/server-sent-events.html>, read
//! 2026-11-24), with one exception: an event that the end of the stream leaves without its blank line is given too, since
//! some servers end so. Its data shows if it is whole.

use std::borrow::Cow;

/// Takes the bytes of an event stream, and gives the data of its events.
#[derive(Debug, Default)]
pub(super) struct EventDecoder {
    /// The bytes of a line that has not ended.
    line: Vec<u8>,
    data: String,
    /// True if the event has a line of data, which may be empty.
    has_data: bool,
    /// True if the last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    /// True once the first line was read, which may begin with a byte order mark.
    is_begun: bool,
}

impl EventDecoder {
    /// Takes bytes. `event` gets the data of each event that they end, and ends the reading by returning false.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut event: impl FnMut(&str) -> bool) {
        if self.after_return && !bytes.is_empty() {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            self.after_return = false;
        }
        while let Some(end) = bytes.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            let is_return = rest.first() == Some(&b'\r');
            let rest = rest.get(1..).unwrap_or_default();
            let goes_on = if self.line.is_empty() {
                self.line(line, &mut event)
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.line(&whole, &mut event)
            };
            self.after_return = is_return && rest.is_empty();
            bytes = match rest.strip_prefix(b"\n") {
                Some(after) if is_return => after,
                _ => rest,
            };
            if !goes_on {
                return;
            }
        }
        self.line.extend_from_slice(bytes);
    }

    /// Gives the event that the stream ends in, if it has data.
    pub(super) fn finish(mut self, mut event: impl FnMut(&str) -> bool) {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            if !self.line(&line, &mut event) {
                return;
            }
        }
        self.line(b"", &mut event);
    }

    fn line(&mut self, line: &[u8], event: &mut impl FnMut(&str) -> bool) -> bool {
        let line = if self.is_begun {
            line
        } else {
            self.is_begun = true;
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        };
        if line.is_empty() {
            if !std::mem::take(&mut self.has_data) {
                return true;
            }
            let goes_on = event(&self.data);
            self.data.clear();
            return goes_on;
        }
        // The type of an event stands in its data too; `id`, `retry` and comments, which begin with a colon, say
        // nothing of a message.
        let value = match line.strip_prefix(b"data") {
            Some(b"") => b"",
            Some([b':', b' ', value @ ..] | [b':', value @ ..]) => value,
            _ => return true,
        };
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push('\n');
        }
        let value: Cow<'_, str> = String::from_utf8_lossy(value);
        self.data.push_str(&value);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> Vec<String> {
        let mut all = Vec::new();
        let mut decoder = EventDecoder::default();
        for part in parts {
            decoder.push(part, |data| {
                all.push(data.to_owned());
                true
            });
        }
        decoder.finish(|data| {
            all.push(data.to_owned());
            true
        });
        all
    }

    #[test]
    fn events_are_the_same_in_every_split() {
        let cases: [(&str, &[&str]); 10] = [
            ("data: a\n\ndata: b\n\n", &["a", "b"]),
            ("data: a\r\n\r\ndata:b\r\n\r\n", &["a", "b"]),
            ("data: a\r\rdata: b\r\r", &["a", "b"]),
            ("\u{feff}data: a\n\n", &["a"]),
            (": comment\nevent: x\nid: 7\nretry: 10\ndata: a\n\n", &["a"]),
            ("data: a\ndata:  b\ndata\ndata:\n\n", &["a\n b\n\n"]),
            ("event: x\n\n\n\ndata:\n\n", &[""]),
            ("data: ä€😀\n\n", &["ä€😀"]),
            ("datax: a\n data: b\ndata : c\ndata: d", &["d"]),
            ("\r\n\r\ndata: a\r\n\ndata: b\n\r\n", &["a", "b"]),
        ];
        for (text, expected) in cases {
            let bytes = text.as_bytes();
            assert_eq!(events([bytes]), expected, "{text:?}");
            assert_eq!(events(bytes.chunks(1)), expected, "{text:?}");
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let parts = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                    assert_eq!(events(parts), expected, "{text:?} {first} {second}");
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(
            events([b"data: \xff\xe2\x82\n\n".as_slice()]),
            ["\u{fffd}\u{fffd}"]
        );
    }
}
