//! `#[tool]` on functions.

use toolwright::tool;

/// Search the notes.
#[tool(name = "notes.search", read_only)]
pub fn search() -> &'static str {
    "the app's"
}

/// Say something loud. A library has an alias of that name.
#[tool(pure)]
pub fn shout(text: String) -> String {
    text + "!"
}
