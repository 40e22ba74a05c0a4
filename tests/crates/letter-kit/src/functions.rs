//! `#[tool]` on functions.

use toolwright::tool;

/// Count the letters of a text.
#[tool(name = "letters.count", pure)]
pub fn count(text: String) -> usize {
    text.chars().filter(|char| char.is_alphabetic()).count()
}
