//! The size of arguments: bytes of JSON, and levels of objects and lists in each other.

use std::io;

use serde_json::Value;

use super::raw::{Arguments, View};
use super::strict::text_of;
use crate::util::nesting::{self, DEPTH};

/// The excess of arguments that are larger than they may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// So many bytes.
    Bytes(usize),
    /// So many levels; more than the limit at least.
    Levels(usize),
}

impl Arguments<'_> {
    /// Returns by what the arguments are larger than so many bytes or levels. A text has the bytes that were
    /// sent, a tree those of its shortest text. `levels` is at most [`DEPTH`].
    #[inline]
    pub(crate) fn excess(&self, bytes: usize, levels: usize) -> Option<Excess> {
        match self.view() {
            View::Empty => None,
            View::Text(text) if text.len() > bytes => Some(Excess::Bytes(text.len())),
            // Each level takes two bytes at least.
            View::Text(text) if text.len() / 2 <= levels || openings(text) <= levels => None,
            View::Text(text) => {
                let depth = nesting::of_text(text);
                (depth > levels).then_some(Excess::Levels(depth))
            }
            View::Tree(tree) => excess_of_tree(tree, bytes, levels),
        }
    }
}

#[inline(never)]
fn excess_of_tree(tree: &Value, bytes: usize, levels: usize) -> Option<Excess> {
    let Some(most) = most(tree, levels) else {
        return Some(Excess::Levels(nesting::of_tree(tree, DEPTH)));
    };
    if usize::try_from(most).is_ok_and(|most| most <= bytes) {
        return None;
    }
    let found = written(tree);
    (found > bytes).then_some(Excess::Bytes(found))
}

/// Returns how many brackets a text opens, those in strings included.
#[inline(never)]
fn openings(text: &str) -> usize {
    // Counted in bytes, a vector of them at a time, and in as many as such a count can hold. The two
    // brackets differ in one bit.
    let opens = |byte: &u8| u8::from(byte | 0x20 == b'{');
    let chunks = text.as_bytes().chunks(224);
    let counts = chunks.map(|chunk| usize::from(chunk.iter().map(opens).sum::<u8>()));
    counts.sum()
}

/// The most bytes that a tree may take; none where it is too deep.
fn most(tree: &Value, levels: usize) -> Option<u64> {
    let scalar = |value: &Value| match value {
        Value::Null | Value::Bool(_) => Some(6),
        Value::Number(number) => Some(text_of(number).map_or(25, |text| text.len() as u64 + 1)),
        Value::String(text) => Some(of_text(text)),
        Value::Array(_) | Value::Object(_) => None,
    };
    let mut sum = 3;
    match tree {
        Value::Array(items) => {
            let levels = levels.checked_sub(1)?;
            for item in items {
                sum += scalar(item).or_else(|| most(item, levels))?;
            }
        }
        Value::Object(members) => {
            let levels = levels.checked_sub(1)?;
            for (key, value) in members {
                sum += of_text(key) + scalar(value).or_else(|| most(value, levels))?;
            }
        }
        value => sum = scalar(value)?,
    }
    Some(sum)
}

/// A character takes up to six bytes, as `\u0000` does.
#[inline]
fn of_text(text: &str) -> u64 {
    text.len() as u64 * 6 + 3
}

/// The bytes of a tree as JSON, which is no deeper than a reader follows.
fn written(tree: &Value) -> usize {
    struct ByteCount(usize);

    impl io::Write for ByteCount {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.saturating_add(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = ByteCount(0);
    match serde_json::to_writer(&mut count, tree) {
        Ok(()) => count.0,
        // Nothing in a tree keeps it from being written.
        Err(_) => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_has_the_bytes_that_were_sent_and_a_tree_those_of_its_text() {
        for tree in [
            json!({"a": "x"}),
            json!({"\u{1}\"": ["\u{e9}\\", -1.5, u64::MAX, i64::MIN, true, null, {}]}),
            json!([1e300, "\u{1f980}", [], {"a": {"b": []}}]),
        ] {
            let text = tree.to_string();
            for arguments in [Arguments::from(&tree), Arguments::from(&text)] {
                let excess = |bytes| arguments.excess(bytes, 64);
                assert_eq!(excess(text.len()), None, "{text}");
                assert_eq!(
                    excess(text.len() - 1),
                    Some(Excess::Bytes(text.len())),
                    "{text}"
                );
            }
        }
        assert_eq!(Arguments::from("    ").excess(1, 0), None);
    }

    #[test]
    fn each_bracket_that_opens_is_counted() {
        for length in [
            0,
            1,
            31,
            32,
            33,
            64,
            255 * 32,
            255 * 32 + 1,
            256 * 32,
            600 * 32 + 7,
        ] {
            assert_eq!(openings(&"[".repeat(length)), length);
            assert_eq!(openings(&"a{".repeat(length)), length);
            assert_eq!(openings(&";\u{5b5b}]}z".repeat(length)), 0);
        }
    }

    #[test]
    fn levels_are_those_of_objects_and_lists_and_not_of_texts() {
        for levels in 1..=64 {
            let text = format!(
                "{{\"a\":{}{}}}",
                "[".repeat(levels - 1),
                "]".repeat(levels - 1)
            );
            let text = text.replace(":}", ":\"[[{{\\\"[\"}");
            let tree: Value = serde_json::from_str(&text).unwrap();
            for arguments in [Arguments::from(&tree), Arguments::from(&text)] {
                assert_eq!(arguments.excess(1000, levels), None, "{text}");
                let excess = arguments.excess(1000, levels - 1);
                assert_eq!(excess, Some(Excess::Levels(levels)), "{text}");
            }
        }
        let brackets = format!("{{\"a\":\"{}\\\"{}\"}}", "[{".repeat(500), "{[".repeat(500));
        assert_eq!(Arguments::from(&brackets).excess(usize::MAX, 1), None);
    }

    #[test]
    fn a_tree_deeper_than_the_stack_is_looked_at_no_further_than_the_limit() {
        let mut tree = Value::Null;
        for _ in 0..5_000 {
            tree = Value::Array(vec![tree]);
        }
        let excess = Arguments::from(&tree).excess(10, 64);
        assert_eq!(excess, Some(Excess::Levels(DEPTH + 1)));
    }
}
