//! `fs.read`.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use toolwright::{FileAccess, ToolContext, ToolError, tool};

use super::{Access, FileError, count, io_error, resolve};
use crate::files::Files;

/// How many lines are read when a call does not say.
const LINES: usize = 2000;

/// Read a text file with numbered lines.
///
/// # Errors
///
/// When the path is no readable UTF-8 text file.
#[tool(
    name = "fs.read",
    title = "Read file",
    category = "files",
    read_only,
    permission = FileAccess::read(path).within(files.root())
)]
pub(super) fn read_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// First line to return, counted from 1.
    #[arg(default = 1, range = 1..)]
    from: usize,
    /// How many lines to return; 2000 when absent.
    #[arg(range = 1..=10_000)]
    limit: Option<usize>,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    let place = resolve(ctx, files, &path, Access::Read)?;
    let failed = io_error(&path, "read");
    let file = files.open(&place).map_err(&failed)?;
    let mut text = String::new();
    let (mut seen, mut shown) = (0, 0);
    for line in BufReader::new(file).lines() {
        if limit.is_some_and(|limit| shown == limit) {
            break;
        }
        if shown == LINES && limit.is_none() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "(there is more: go on with `from` = {})", seen + 1);
            break;
        }
        let line = line.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => FileError::Not {
                path: path.clone(),
                what: "is not UTF-8 text",
            },
            _ => failed(error),
        })?;
        seen += 1;
        if seen >= from {
            shown += 1;
            let _ = writeln!(text, "{seen:>6}\t{line}");
        }
    }
    if shown == 0 {
        text = match seen {
            0 => "(the file is empty)".to_owned(),
            seen => format!("(the file has {})", count(seen, "line", "lines")),
        };
    }
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}
