//! `#[tool]` on functions.

use toolwright::tool;

/// Turn a note into a heading.
#[tool(name = "note.heading", pure)]
pub fn heading(note: String) -> String {
    format!("# {}", kit::functions::upper(note))
}
