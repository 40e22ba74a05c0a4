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

/// Give a text back as it is: to see what arrives.
#[tool(name = "echo", title = "Echo", category = "text", pure)]
fn echo(
    /// The text to give back.
    text: String,
) -> String {
    text
}

/// Hash a text by BLAKE3: 64 hexadecimal digits, the same for the same text wherever it is hashed.
#[tool(name = "text.hash", title = "Hash text", category = "text", pure)]
fn hash(
    /// The text to hash, as UTF-8.
    text: String,
) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
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
