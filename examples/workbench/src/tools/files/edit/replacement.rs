//! The replacement of a piece of a text.

use std::borrow::Cow;

use super::super::diff::MAX_BYTES;

/// The most occurrences that are counted, and the most whose lines are listed.
const COUNTED: usize = 1000;
const TOLD: usize = 10;

/// The reasons why a text is not edited.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// `old` and `new` are the same.
    NoChange,
    /// `old` is nowhere.
    Missing,
    /// `old` is there more than once, on these lines.
    Several { lines: Vec<usize> },
    /// The result would be larger than [`MAX_BYTES`].
    TooLarge,
}

impl Wrong {
    /// A sentence without its stop.
    pub(super) fn tell(&self, path: &str) -> String {
        match self {
            Self::NoChange => "`old` and `new` are the same: there is nothing to change".to_owned(),
            Self::Missing => format!("`old` is not in `{path}`"),
            Self::TooLarge => {
                format!("`{path}` would be larger than 16 MiB, the most that can be edited")
            }
            Self::Several { lines } => {
                let at_least = if lines.len() == COUNTED {
                    "at least "
                } else {
                    ""
                };
                let told: Vec<String> = lines.iter().take(TOLD).map(usize::to_string).collect();
                let more = if lines.len() > TOLD { ", …" } else { "" };
                format!(
                    "`old` is in `{path}` {at_least}{} times, on lines {}{more}: give more of the \
                     text around the one that is meant, or set `all` to replace every one",
                    lines.len(),
                    told.join(", "),
                )
            }
        }
    }
}

/// The text with `new` in the place of `old`.
///
/// Whoever reads a file by lines does not see how they end. So in a text that has `\r\n` at the
/// end of each of its lines, so have `old` and `new`.
pub(super) fn replace(text: &str, old: &str, new: &str, all: bool) -> Result<String, Wrong> {
    let (old, new) = if is_crlf(text) {
        (to_crlf(old), to_crlf(new))
    } else {
        (Cow::Borrowed(old), Cow::Borrowed(new))
    };
    if old == new {
        return Err(Wrong::NoChange);
    }
    let times = if all {
        text.matches(&*old).count()
    } else {
        let lines = lines_of(text, &old);
        if lines.len() > 1 {
            return Err(Wrong::Several { lines });
        }
        lines.len()
    };
    if times == 0 {
        return Err(Wrong::Missing);
    }
    // A small text may have a large one put into it many times.
    let after = new.len().saturating_mul(times);
    if (text.len() - old.len() * times).saturating_add(after) > MAX_BYTES {
        return Err(Wrong::TooLarge);
    }
    Ok(text.replace(&*old, &new))
}

/// Returns true if each line ends in `\r
/// `, and there is one.
pub(super) fn is_crlf(text: &str) -> bool {
    let mut ends = text.split('\n').rev();
    // After the last end there is no other.
    ends.next();
    let mut ends = ends.peekable();
    ends.peek().is_some() && ends.all(|line| line.ends_with('\r'))
}

pub(super) fn to_crlf(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        text.replace("\r\n", "\n").replace('\n', "\r\n").into()
    } else {
        text.into()
    }
}

/// On which lines a piece begins, also where it overlaps with itself: `aa` is in `aaa` twice, and
/// which of the two is meant cannot be told.
fn lines_of(text: &str, piece: &str) -> Vec<usize> {
    let step = piece.chars().next().map_or(1, char::len_utf8);
    let mut lines = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(at) = rest.find(piece) {
        line += newlines(rest.get(..at));
        lines.push(line);
        if lines.len() == COUNTED {
            break;
        }
        line += newlines(rest.get(at..at + step));
        rest = rest.get(at + step..).unwrap_or_default();
    }
    lines
}

fn newlines(text: Option<&str>) -> usize {
    text.unwrap_or_default().matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_once_is_replaced() {
        for (text, old, new, after) in [
            ("a b c", "b", "x", "a x c"),
            ("a\nb\nc", "a\nb", "x\ny\nz", "x\ny\nz\nc"),
            ("one\n", "one\n", "", ""),
            ("süß", "ü", "u", "suß"),
            // In a file of one kind of line ends, the others are not seen.
            ("a\r\nb\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\n"),
            ("a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n"),
            ("a\r\nb\r\n", "a\r\nb", "c", "c\r\n"),
            // And in one of both kinds, they are text.
            ("a\r\nb\nc", "b\nc", "x\ny", "a\r\nx\ny"),
        ] {
            let replaced = replace(text, old, new, false);
            assert_eq!(replaced.as_deref(), Ok(after), "{text:?} {old:?}");
        }
    }

    #[test]
    fn what_could_be_meant_twice_is_not_guessed() {
        for (text, old, lines) in [
            ("aaa", "aa", vec![1, 1]),
            ("abab\nab", "ab", vec![1, 1, 2]),
            ("\n\n\n", "\n\n", vec![1, 2]),
            ("ü\nüü", "ü", vec![1, 2, 2]),
        ] {
            let wrong = replace(text, old, "x", false);
            assert_eq!(wrong, Err(Wrong::Several { lines }), "{text:?}");
        }
        assert_eq!(replace("aaa", "aa", "x", true).as_deref(), Ok("xa"));
        assert_eq!(replace("", "a", "x", true), Err(Wrong::Missing));
        assert_eq!(replace("", "a", "x", false), Err(Wrong::Missing));
        assert_eq!(replace("a", "a", "a", true), Err(Wrong::NoChange));
        assert_eq!(
            replace("a\r\nb\r\n", "a\r\nb", "a\nb", true),
            Err(Wrong::NoChange)
        );
    }

    #[test]
    fn what_would_come_out_too_large_is_not_made() {
        let text = "a".repeat(1 << 20);
        let most = "x".repeat(16);
        assert_eq!(
            replace(&text, "a", &most, true).map(|text| text.len()),
            Ok(MAX_BYTES)
        );
        for (new, all) in [("x".repeat(17), true), ("x".repeat(MAX_BYTES), true)] {
            assert_eq!(replace(&text, "a", &new, all), Err(Wrong::TooLarge));
        }
        let long = "x".repeat(MAX_BYTES);
        assert_eq!(replace("ab", "a", &long, false), Err(Wrong::TooLarge));
    }

    #[test]
    fn a_great_many_are_counted_so_far_only() {
        let wrong = replace(&"a".repeat(1_000_000), &"a".repeat(1000), "", false).unwrap_err();
        let told = wrong.tell("f");
        assert!(
            told.contains("at least 1000 times, on lines 1, 1,"),
            "{told}"
        );
        assert!(told.len() < 300, "{told}");
    }
}
