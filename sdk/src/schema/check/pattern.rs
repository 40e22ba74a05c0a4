//! Patterns that a schema has, matched at a bounded cost: they are compiled when they are needed,
//! and schemas come from anywhere.

use std::str::Chars;

use regex_lite::{Regex, RegexBuilder};

/// The largest pattern once it is compiled, in bytes.
const SIZE: usize = 1 << 20;
crate::util::documented::documented_default!("pattern of a schema, compiled", bytes(SIZE));

/// Returns true if a text matches a pattern; `None` if the pattern cannot be read, or takes more steps
/// than are left.
pub(crate) fn matches(pattern: &str, text: &str, effort: &mut usize) -> Option<bool> {
    let pattern = compiled(pattern, text.len(), effort)?;
    Some(pattern.is_match(text))
}

/// A pattern, to be matched with so many bytes in all: none where it cannot be read, or that takes
/// more steps than are left.
pub(crate) fn compiled(pattern: &str, bytes: usize, effort: &mut usize) -> Option<Regex> {
    let left = effort.checked_sub(cost(pattern, bytes));
    *effort = left.unwrap_or(0);
    left?;
    RegexBuilder::new(pattern).size_limit(SIZE).build().ok()
}

/// Returns what it costs to read a pattern and to match so many bytes, in steps.
fn cost(pattern: &str, bytes: usize) -> usize {
    let states = states(pattern);
    states.saturating_add(of_matching(states, bytes))
}

/// The most steps that it may take to hold one value to its schema. A step looks at one part of it by one
/// schema, or matches a text with [as much of a pattern](of_matching).
pub(crate) const WORK: usize = 4_000_000;

/// Returns the steps that it takes to match so many bytes with a pattern of so many states.
pub(crate) fn of_matching(states: usize, bytes: usize) -> usize {
    bytes.saturating_mul(states) / 16
}

/// The most times that a pattern which goes back in a text is taken to read a byte again.
#[cfg(feature = "json-schema")]
const AGAIN: usize = 1_000;

/// The same of a pattern that goes back in the text, so that it may read a byte more than once.
#[cfg(feature = "json-schema")]
pub(super) fn of_backtracking(states: usize, bytes: usize) -> usize {
    let again = bytes.saturating_mul(bytes.min(AGAIN)) / 16;
    again.saturating_add(of_matching(states, bytes))
}

/// The states of a class that is a set of nearly all characters, whose bytes are told apart.
const WIDE: usize = 8;
/// The same of a class of Unicode.
const UNICODE: usize = 256;

/// About how many states a pattern has once its counted repetitions are written out.
pub(crate) fn states(pattern: &str) -> usize {
    // Those of each group that is open, the outermost first.
    let mut open = vec![0_usize];
    let mut last = 0;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        let added = match c {
            '(' => {
                open.push(0);
                0
            }
            ')' if open.len() > 1 => {
                last = open.pop().unwrap_or(0);
                last
            }
            '{' => {
                let counts = chars.by_ref().take_while(|c| *c != '}').collect::<String>();
                let counts = counts.split(',').filter_map(|count| count.parse().ok());
                let times = counts.max().unwrap_or(1_usize);
                let more = last.saturating_mul(times.saturating_sub(1));
                last = last.saturating_add(more);
                more
            }
            '[' => {
                last = class(&mut chars);
                last
            }
            _ => {
                let escaped = if c == '\\' { chars.next() } else { None };
                last = match escaped {
                    Some('p' | 'P') => UNICODE,
                    Some('D' | 'S' | 'W' | 'w') => WIDE,
                    _ => 1,
                };
                last
            }
        };
        if let Some(size) = open.last_mut() {
            *size = size.saturating_add(added);
        }
    }
    open.into_iter().fold(0, usize::saturating_add)
}

/// The states of a class in brackets, after the first of them.
fn class(chars: &mut Chars<'_>) -> usize {
    let mut states = 1;
    let mut first = true;
    while let Some(c) = chars.next() {
        match c {
            '^' if first => states = WIDE,
            ']' if !first => break,
            '\\' => {
                let wide = match chars.next() {
                    Some('p' | 'P') => UNICODE,
                    Some('D' | 'S' | 'W' | 'w') => WIDE,
                    _ => 1,
                };
                states = states.max(wide);
            }
            _ => {}
        }
        first = false;
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_takes_no_more_than_there_is() {
        let mut effort = 1_000;
        assert_eq!(matches("^a+$", "aaa", &mut effort), Some(true));
        assert_eq!(matches("^b", "aaa", &mut effort), Some(false));
        assert_eq!(matches("(", "aaa", &mut effort), None);
        assert!(effort > 900);
        let text = "a".repeat(800_000);
        assert_eq!(matches("^(a{1,30}b?){20}$", &text, &mut effort), None);
        assert_eq!(effort, 0);
        let mut effort = usize::MAX;
        assert_eq!(
            matches("a{1000}{1000}", "", &mut effort),
            None,
            "it takes too much memory"
        );
    }

    #[test]
    fn counted_repetitions_are_written_out() {
        for (pattern, expected) in [
            ("", 0),
            ("abc", 3),
            (r"\d{4}-\d{2}-\d{2}", 10),
            ("(ab){3}", 6),
            ("((ab){10,30}c){20}", 1220),
            ("a{5}{5}", 25),
            (
                "(((a{999}){999}){999}){999}{999}{999}{999}{999}",
                usize::MAX,
            ),
            ("(a", 1),
            (")a{", 2),
            ("a{x}", 1),
            ("[a-z0-9]{4}", 4),
            (r"[^\]]+x", 10),
            (r"^(\S+\s?){1,2000}$", 22_002),
            (r"\p{L}{2}", 512),
        ] {
            assert_eq!(states(pattern), expected, "{pattern}");
        }
    }
}
