//! The hint for a text to replace that is not there.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Write as _;

use similar::get_close_matches;

use super::replacement::Wrong;

/// The most lines of a file that are looked at, and the longest ones, in bytes.
const LINES: usize = 10_000;
const LINE: usize = 300;

/// The most lines that are compared letter by letter, which is slow: those with the most words of
/// what is looked for.
const COMPARED: usize = 100;

/// The most lines of a piece that are looked for with other white space.
const PIECE: usize = 500;

/// The least likeness of a line that is shown, from 0 to 1.
const ALIKE: f32 = 0.7;

/// The most lines that are shown.
const SHOWN: usize = 20;

pub(super) fn hint(wrong: &Wrong, text: &str, old: &str) -> Option<String> {
    if *wrong != Wrong::Missing {
        return None;
    }
    let unix = |text: &str| text.replace("\r\n", "\n");
    if unix(text).contains(&unix(old)) {
        return Some(
            "It differs in its ends of lines only: `\\r\\n` is not `\\n`, and the file has both or \
             the other"
                .to_owned(),
        );
    }
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    if let Some((first, many)) = with_other_space(&lines, old) {
        let mut hint = format!("With other white space it is on line {}:", first + 1);
        for (number, line) in lines.iter().enumerate().skip(first).take(many.min(SHOWN)) {
            // Writing to a string cannot fail.
            let _ = write!(hint, "\n{:>6}\t{line}", number + 1);
        }
        return Some(hint);
    }
    let (number, line) = nearest(&lines, old)?;
    Some(format!(
        "The nearest is on line {}:\n{:>6}\t{line}",
        number + 1,
        number + 1
    ))
}

/// Finds the piece if white space does not count: its first line, and its number of lines.
fn with_other_space(lines: &[&str], piece: &str) -> Option<(usize, usize)> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let piece: Vec<String> = piece.trim().lines().map(words).collect();
    let lines: Vec<String> = lines.iter().map(|line| words(line)).collect();
    let is_at = |window: &[String]| match (window, &*piece) {
        ([line], [piece]) => line.contains(piece),
        ([first, inner @ .., last], [piece_first, piece_inner @ .., piece_last]) => {
            first.ends_with(piece_first) && last.starts_with(piece_last) && inner == piece_inner
        }
        _ => false,
    };
    if piece.len() > PIECE || piece.iter().all(String::is_empty) {
        return None;
    }
    let at = lines.windows(piece.len()).position(is_at)?;
    Some((at, piece.len()))
}

/// The line that is most like the longest of the piece.
fn nearest<'l>(lines: &[&'l str], piece: &str) -> Option<(usize, &'l str)> {
    let fits = |line: &&str| line.len() <= LINE && !line.trim().is_empty();
    let wanted = piece
        .lines()
        .map(str::trim)
        .filter(|line| fits(line))
        .max_by_key(|line| line.len())?;
    let words = |line: &'_ str| {
        let words = line.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let wanted_words: HashSet<String> = words(wanted);
    let mut candidates: Vec<(usize, &str)> = lines
        .iter()
        .filter(|line| fits(line))
        .map(|line| (words(line).intersection(&wanted_words).count(), line.trim()))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    // The sort is stable: of lines alike, the first.
    candidates.sort_by_key(|(shared, _)| Reverse(*shared));
    let candidates: Vec<&str> = candidates
        .iter()
        .take(COMPARED)
        .map(|(_, line)| *line)
        .collect();
    let near = *get_close_matches(wanted, &candidates, 1, ALIKE).first()?;
    let mut lines = lines.iter().copied().enumerate();
    lines.find(|(_, line)| line.trim() == near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_hint(text: &str, old: &str, expected: Option<&str>) {
        assert_eq!(hint(&Wrong::Missing, text, old).as_deref(), expected);
    }

    #[test]
    fn what_is_near_is_told() {
        let text = "fn main() {\n\tlet  a = 1;\n\tprint(a);\n}\n";
        assert_hint(
            text,
            "let a = 1;\n    print(a);",
            Some(
                "With other white space it is on line 2:\n     2\t\tlet  a = 1;\n     3\t\tprint(a);",
            ),
        );
        assert_hint(
            text,
            "fn  main",
            Some("With other white space it is on line 1:\n     1\tfn main() {"),
        );
        assert_hint(
            text,
            "  printf(a);",
            Some("The nearest is on line 3:\n     3\t\tprint(a);"),
        );
        assert_hint(text, "nothing like it at all", None);
        assert_hint(text, "  \n", None);
        assert_hint("", "x", None);
        let mixed = hint(&Wrong::Missing, "a\r\nb\nc", "a\nb").unwrap();
        assert!(mixed.contains("ends of lines"), "{mixed}");
    }
}
