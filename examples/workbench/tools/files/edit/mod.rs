//! `fs.edit`.

mod hint;
mod replacement;

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use similar::TextDiff;
use toolwright::{FileAccess, ToolContext, ToolError, tool};

use self::replacement::MAX_BYTES;
use super::{Access, FileError, count, io_error, resolve, shown};
use crate::files::Files;

/// The most bytes of a diff that are returned: about what a model is shown of one result.
const MAX_DIFF: usize = 48 * 1024;

/// How long the diff is looked at for a shorter one.
const DIFF_TIME: Duration = Duration::from_secs(2);

/// Edit a text file: replace one exact piece of its text by another, and return the diff.
///
/// `old` must be in the file once, unless `all` is set. Read the file before; the numbers of the
/// lines are no part of its text. Ends of lines stay as the file has them.
///
/// # Errors
///
/// When `old` is not in the file, is there more than once, or the file cannot be changed.
#[tool(
    name = "fs.edit",
    title = "Edit file",
    category = "files",
    destructive,
    blocking,
    permission = requests(path, *preview, files)
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
    /// Whether `old` is replaced wherever it is, and not only where it is the only one.
    #[arg(default = false)]
    all: bool,
    /// Whether the diff is returned and nothing is written.
    #[arg(default = false)]
    preview: bool,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    // The diff shows what is around the change: whoever edits reads.
    let place = resolve(ctx, files, &path, Access::Read)?;
    if !preview {
        Access::Write.permit(ctx, files, &place)?;
    }
    let failed = io_error(&path, "edited");
    let not = |what| FileError::Not {
        path: path.clone(),
        what,
    };
    let mut content = Vec::new();
    files
        .open(&place)
        .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut content))
        .map_err(&failed)?;
    if content.len() > MAX_BYTES {
        return Err(not("is larger than 16 MiB, the most that can be edited").into());
    }
    let Ok(before) = String::from_utf8(content) else {
        return Err(not("is not UTF-8 text").into());
    };
    let after = replacement::replace(&before, &old, &new, all).map_err(|wrong| {
        let found = wrong.tell(&shown(&path));
        ToolError::failed(match hint::hint(&wrong, &before, &old) {
            Some(hint) => format!("{found}. {hint}"),
            None => found,
        })
    })?;
    if !preview && files.find(&place).map_err(&failed)?.read_only {
        return Err(not("is read-only").into());
    }
    let diff = diff(place.as_path(), &before, &after);
    if !preview {
        let replaced = files.replace(&place, before.as_bytes(), after.as_bytes());
        if !replaced.map_err(&failed)? {
            return Err(not("was changed by another at this moment: read it again").into());
        }
    }
    Ok(diff)
}

fn requests(path: &Path, preview: bool, files: &dyn Files) -> Vec<FileAccess> {
    let mut requests = vec![FileAccess::read(path).within(files.root())];
    if !preview {
        requests.push(FileAccess::write(path).within(files.root()));
    }
    requests
}

fn diff(path: &Path, before: &str, after: &str) -> String {
    let path = shown(path);
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME)
        .diff_lines(before, after);
    let mut text = diff.unified_diff().header(&path, &path).to_string();
    text.truncate(text.trim_end_matches('\n').len());
    if text.len() > MAX_DIFF {
        let mut ends = (0..=MAX_DIFF).rev();
        let end = ends.find(|at| text.is_char_boundary(*at));
        let rest = text.split_off(end.unwrap_or_default());
        let more = count(rest.lines().count(), "further line", "further lines");
        // Writing to a string cannot fail.
        let _ = write!(text, "…\n(the diff goes on: {more} left out)");
    }
    text
}
