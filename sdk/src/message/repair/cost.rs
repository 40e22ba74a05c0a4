//! What a look at something costs, about, in the steps that a repair is given.

use serde_json::Value;

/// About how many values there are, long texts counting as several: what a copy costs.
pub(super) fn weight(value: &Value) -> usize {
    let mut weight = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        weight += 1;
        match value {
            Value::String(text) => weight += text.len() / 64,
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            _ => {}
        }
    }
    weight
}

/// What it costs to read a pattern and to match so many bytes.
pub(super) fn pattern(pattern: &str, bytes: usize) -> usize {
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
