//! `#[tool]` on functions.

use toolwright::tool;

/// Turn a text into upper case.
#[tool(name = "kit.upper", pure, aliases("shout"))]
pub fn upper(text: String) -> String {
    text.to_uppercase()
}

/// Search the notes. The app that uses this library has a tool of that name too.
#[tool(name = "notes.search", read_only)]
pub fn search() -> &'static str {
    "the kit's"
}

/// Say what only those are told who add this tool by hand.
#[tool(name = "kit.hidden", pure, register = false)]
pub fn hidden() -> &'static str {
    "hidden"
}
