//! `#[tool]` on functions.

use std::future::ready;
use std::path::PathBuf;
use std::sync::Mutex;

use facade::toolwright::{FileAccess, ToolContext, ToolError, ToolRegistry, tool};

/// The notes of the app.
#[derive(Debug, Default)]
pub struct Notes(pub Mutex<Vec<String>>);

/// Add a note.
///
/// # Errors
///
/// Fails if a thread panicked while it held the notes.
#[tool(crate = facade::toolwright, name = "notes.add", timeout = "10s")]
pub async fn add_note(
    /// The text of the note.
    #[arg(length = 1..=80, pattern = "^[^<>]*$")]
    text: String,
    /// The place in the list.
    at: Option<usize>,
    notes: &Notes,
) -> Result<usize, ToolError> {
    let at = ready(at).await;
    let mut notes = notes
        .0
        .lock()
        .map_err(|_| ToolError::failed("the notes are lost"))?;
    let at = at.unwrap_or(notes.len()).min(notes.len());
    notes.insert(at, text);
    Ok(notes.len())
}

/// List notes.
#[facade::toolwright::tool(crate = ::facade::toolwright, name = "notes.list", read_only)]
pub fn list_notes(
    #[arg(default = 10, range = 1..=50)] limit: usize,
    #[arg(default = "oldest", one_of("oldest", "newest"))] first: String,
    notes: Option<&Notes>,
    ctx: &ToolContext,
) -> Vec<String> {
    let Some(Ok(notes)) = notes.map(|notes| notes.0.lock()) else {
        return Vec::new();
    };
    let mut notes = notes.clone();
    if first == "newest" {
        notes.reverse();
    }
    notes.truncate(if ctx.is_cancelled() { 0 } else { limit });
    notes
}

/// Say what a path ends in.
#[tool(crate = facade::toolwright, name = "path.name", permission = FileAccess::read(path))]
pub fn path_name(path: PathBuf) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}

/// Is told by no registry that looks for tools.
#[tool(crate = facade::toolwright, pure, register = false)]
pub fn unannounced() {}

/// The announced tools, one by one.
pub fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(AddNote)
        .with(ListNotes)
        .with(PathName)
}
