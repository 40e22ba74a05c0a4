//! Patterns that a schema has, matched at a bounded cost: they are compiled when they are needed,
//! and schemas come from anywhere.

use regex_lite::{Regex, RegexBuilder};

/// The largest pattern once it is compiled, in bytes.
const SIZE: usize = 1 << 20;

/// Whether a text matches a pattern: none where the pattern cannot be read, or takes more steps
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

/// What it costs to read a pattern and to match so many bytes, in steps.
fn cost(pattern: &str, bytes: usize) -> usize {
    let states = states(pattern);
    states.saturating_add(bytes.saturating_mul(states) / 16)
}

/// About how many states a pattern has once its counted repetitions are written out.
fn states(pattern: &str) -> usize {
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
            _ => {
                if c == '\\' {
                    chars.next();
                }
                last = 1;
                1
            }
        };
        if let Some(size) = open.last_mut() {
            *size = size.saturating_add(added);
        }
    }
    open.into_iter().fold(0, usize::saturating_add)
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
        ] {
            assert_eq!(states(pattern), expected, "{pattern}");
        }
    }
}
