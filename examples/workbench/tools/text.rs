//! Tools for texts.

use schemars::JsonSchema;
use serde::Serialize;
use toolwright::tool;

/// The size of a text in several units.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct TextCounts {
    lines: usize,
    words: usize,
    /// Unicode code points.
    characters: usize,
    /// Bytes in UTF-8.
    bytes: usize,
}

/// Count the lines, words, characters and bytes of a text.
#[tool(name = "text.count", title = "Count text", category = "text", pure)]
fn count(
    /// The text to count.
    text: String,
) -> TextCounts {
    TextCounts {
        lines: text.lines().count(),
        words: text.split_whitespace().count(),
        characters: text.chars().count(),
        bytes: text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_their_units() {
        let counts = TextCounts {
            lines: 2,
            words: 3,
            characters: 13,
            bytes: 15,
        };
        assert_eq!(
            count("süße Träume\nx".into()),
            TextCounts {
                bytes: 16,
                ..counts
            }
        );
    }
}
