//! `fs.edit`.

mod hint;
mod replacement;

use std::path::{Path, PathBuf};

use toolwright::permission::RequestPreview;
use toolwright::{FileAccess, ToolContext, ToolError, tool};

use super::diff::{self, Content};
use super::{Access, FileError, io_error, preview, resolve, shown};
use crate::files::Files;

/// Edit a text file: replace one exact piece of its text by another, and return the diff.
///
/// `old` must be in the file once, unless `all` is set. Read the file before; the numbers of the
/// lines are no part of its text. Ends of lines stay as the file has them.
///
/// # Errors
///
/// Fails if `old` is not in the file or is there more than once, or if the file cannot be changed.
#[tool(
    name = "fs.edit",
    title = "Edit file",
    category = "files",
    destructive,
    blocking,
    permission = requests(path, *preview, files, || preview::of_edit(path, old, new, *all, files))
)]
pub(super) fn edit_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// The text to replace, exactly as it is in the file, with all white space. It may go over
    /// several lines; enough of it must be given that it is in the file only once.
    #[arg(length = 1..)]
    old: String,
    /// The text that takes its place.
    new: String,
    /// True to replace `old` wherever it is, also if it is there more than once.
    #[arg(default = false)]
    all: bool,
    /// True to return the diff and write nothing.
    #[arg(default = false)]
    preview: bool,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    // The diff shows what is around the change: whoever edits reads.
    let place = resolve(ctx, files, &path, Access::Read)?;
    if !preview {
        Access::Write.permit(ctx, files, &path, &place)?;
    }
    let failed = io_error(&path, "edited");
    let not = |what| FileError::Not {
        path: path.clone(),
        what,
    };
    let before = match diff::read(files, &place).map_err(&failed)? {
        Content::Text(text) => text,
        Content::TooLarge => {
            return Err(not("is larger than 16 MiB, the most that can be edited").into());
        }
        Content::NoText => return Err(not("is not UTF-8 text").into()),
    };
    let after = replaced(&path, &before, &old, &new, all).map_err(ToolError::failed)?;
    if !preview && files.find(&place).map_err(&failed)?.read_only {
        return Err(not("is read-only").into());
    }
    let diff = diff::cut(diff::unified(place.as_path(), &before, &after));
    if !preview {
        let replaced = files.replace(&place, before.as_bytes(), after.as_bytes());
        if !replaced.map_err(&failed)? {
            return Err(not("was changed by another at this moment: read it again").into());
        }
    }
    Ok(diff)
}

/// The text after the edit, or what is wrong with it, for a model.
pub(super) fn replaced(
    path: &Path,
    before: &str,
    old: &str,
    new: &str,
    all: bool,
) -> Result<String, String> {
    replacement::replace(before, old, new, all).map_err(|wrong| {
        let found = wrong.tell(&shown(path));
        match hint::hint(&wrong, before, old) {
            Some(hint) => format!("{found}. {hint}"),
            None => found,
        }
    })
}

fn requests<P>(
    path: &Path,
    preview: bool,
    files: &dyn Files,
    shows: impl FnOnce() -> P,
) -> Vec<FileAccess>
where
    P: Fn() -> RequestPreview + Send + Sync + 'static,
{
    let mut requests = vec![FileAccess::read(path).within(files.root())];
    if !preview {
        let write = FileAccess::write(path).within(files.root());
        requests.push(write.with_preview_by(shows()));
    }
    requests
}
