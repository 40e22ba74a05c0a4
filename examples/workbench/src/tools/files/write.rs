//! `fs.write`.

use std::path::PathBuf;

use toolwright::{FileAccess, ToolContext, ToolError, tool};

use super::{Access, count, io_error, preview, resolve};
use crate::files::Files;

/// Write a text file: create it, or replace what is there. Missing directories are made.
///
/// # Errors
///
/// Fails if the file cannot be written.
#[tool(
    name = "fs.write",
    title = "Write file",
    category = "files",
    idempotent,
    destructive,
    permission = FileAccess::write(path)
        .within(files.root())
        .with_preview_by(preview::of_write(path, content, files))
)]
pub(super) fn write_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// The whole new content.
    content: String,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    let place = resolve(ctx, files, &path, Access::Write)?;
    files
        .write(&place, content.as_bytes())
        .map_err(io_error(&path, "written"))?;
    let size = count(content.len(), "byte", "bytes");
    Ok(format!("wrote {size} to `{}`", path.display()))
}
