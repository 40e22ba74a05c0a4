//! The output of a line within a bound: its start and its end.

use std::collections::VecDeque;

/// The bytes of the start that are kept, and as many of the end.
const PART: usize = 24 * 1024;

/// The start and the end of what was pushed; memory does not grow with what is between.
#[derive(Debug, Default)]
pub(super) struct Kept {
    start: Vec<u8>,
    end: VecDeque<u8>,
    left_out: u64,
}

impl Kept {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = PART - self.start.len();
        let (start, rest) = bytes.split_at(room.min(bytes.len()));
        self.start.extend(start);
        let (passing, rest) = rest.split_at(rest.len().saturating_sub(PART));
        let excess = (self.end.len() + rest.len()).saturating_sub(PART);
        self.end.drain(..excess);
        self.end.extend(rest);
        self.left_out += (passing.len() + excess) as u64;
    }

    /// As text, without a last line break, with a note where something was left out, and one if
    /// it was not UTF-8. Control characters stay as they are: the line may be about them.
    pub(super) fn into_text(mut self) -> String {
        let mut bytes = self.start;
        let mut end: &[u8] = self.end.make_contiguous();
        let mut text;
        let mut foreign;
        if self.left_out == 0 {
            bytes.extend(end);
            (text, foreign) = decode(&bytes);
        } else {
            // Not cut amid a character.
            let whole = bytes.len() - begun(&bytes);
            let rest = end.iter().take(3).take_while(|byte| is_continuing(**byte));
            let rest = rest.count();
            self.left_out += (bytes.len() - whole + rest) as u64;
            bytes.truncate(whole);
            end = end.get(rest..).unwrap_or_default();
            (text, foreign) = decode(&bytes);
            let (end, foreign_end) = decode(end);
            foreign |= foreign_end;
            text = format!("{text}\n[{} bytes left out]\n{end}", self.left_out);
        }
        if text.ends_with('\n') {
            text.pop();
        }
        if foreign {
            text.push_str("\n[what was not UTF-8 is shown as \u{fffd}]");
        }
        text
    }
}

/// A text, and whether something in it was none.
fn decode(bytes: &[u8]) -> (String, bool) {
    let foreign = std::str::from_utf8(bytes).is_err();
    (String::from_utf8_lossy(bytes).into_owned(), foreign)
}

fn is_continuing(byte: u8) -> bool {
    matches!(byte, 0x80..=0xbf)
}

/// Returns the number of bytes at the end that begin a character without completing it.
pub(super) fn begun(bytes: &[u8]) -> usize {
    let mut seen = 0;
    for &byte in bytes.iter().rev().take(3) {
        seen += 1;
        let length = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            byte if is_continuing(byte) => continue,
            _ => 0,
        };
        return if length > seen { seen } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(pieces: &[&[u8]]) -> String {
        let mut kept = Kept::default();
        for piece in pieces {
            kept.push(piece);
            assert!(kept.start.len() <= PART && kept.end.len() <= PART);
        }
        kept.into_text()
    }

    #[test]
    fn what_fits_is_whole_however_it_comes() {
        assert_eq!(kept(&[]), "");
        assert_eq!(kept(&["grüße\n".as_bytes()]), "grüße");
        assert_eq!(kept(&[b"gr\xc3", b"\xbc\n\n"]), "grü\n");
        let most = "x".repeat(2 * PART);
        assert_eq!(kept(&[most.as_bytes()]), most);
        let pieces: Vec<&[u8]> = most.as_bytes().chunks(1000).collect();
        assert_eq!(kept(&pieces), most);
    }

    #[test]
    fn of_more_the_start_and_the_end_are_kept() {
        let mut all: Vec<u8> = b"first\n".to_vec();
        all.resize(10 * PART, b'.');
        all.extend(b"\nlast\n");
        let whole = kept(&[&all]);
        let pieces: Vec<&[u8]> = all.chunks(999).collect();
        assert_eq!(kept(&pieces), whole);
        assert!(whole.starts_with("first\n.") && whole.ends_with(".\nlast"));
        let left_out = all.len() - 2 * PART;
        assert!(whole.contains(&format!(".\n[{left_out} bytes left out]\n.")));
    }

    #[test]
    fn no_character_is_cut() {
        for shift in 0..4 {
            let mut all = "x".repeat(shift);
            all.push_str(&"𝄞".repeat(3 * PART / 4));
            let text = kept(&[all.as_bytes()]);
            assert!(!text.contains('\u{fffd}'), "{shift}");
            let shown = text.matches('𝄞').count() * 4;
            let left_out = all.len() - shift - shown;
            assert!(text.contains(&format!("[{left_out} bytes left out]")));
        }
    }

    #[test]
    fn what_is_no_text_is_noted() {
        let note = "\n[what was not UTF-8 is shown as \u{fffd}]";
        assert_eq!(kept(&[b"a\xff\n"]), format!("a\u{fffd}{note}"));
        // A character that never goes on is not one that was cut.
        assert_eq!(kept(&[b"a\xc3"]), format!("a\u{fffd}{note}"));
        let all = [&[0xff][..], &vec![b'.'; 3 * PART]].concat();
        assert!(kept(&[&all]).ends_with(note));
    }
}
