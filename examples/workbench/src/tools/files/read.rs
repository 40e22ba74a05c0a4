//! `fs.read`.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use toolwright::{FileAccess, ToolContext, ToolError, tool};

use super::{Access, FileError, WhileWanted, cancelled, count, io_error, resolve};
use crate::files::Files;

/// The lines that are read unless a call sets a limit.
const LINES: usize = 2000;

/// The most bytes of one line that are shown, and of all lines: a file may be one line, or any size.
const MAX_LINE: usize = 4 * 1024;
/// With the longest line after it, less than the model sees of a result.
const MAX_BYTES: usize = 56 * 1024;

/// Read a text file with numbered lines.
///
/// A very long line is cut, and much text is returned as far as it fits, with a note on where to go on.
///
/// # Errors
///
/// Fails if the path is no readable UTF-8 text file.
#[tool(
    name = "fs.read",
    title = "Read file",
    category = "files",
    read_only,
    blocking,
    permission = FileAccess::read(path).within(files.root())
)]
pub(super) fn read_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// First line to return, counted from 1.
    #[arg(default = 1, range = 1..)]
    from: usize,
    /// Number of lines to return; 2000 when absent.
    #[arg(range = 1..=10_000)]
    limit: Option<usize>,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    let place = resolve(ctx, files, &path, Access::Read)?;
    let file = files.open(&place).map_err(io_error(&path, "read"))?;
    let mut lines = Lines::new(&path, WhileWanted::new(file, ctx));
    let mut text = String::new();
    let (mut seen, mut shown) = (0, 0);
    while limit.is_none_or(|limit| shown < limit) {
        let line = match lines.next() {
            _ if ctx.is_cancelled() => return Err(cancelled()),
            None => break,
            Some(line) => line?,
        };
        if (shown == LINES && limit.is_none()) || text.len() >= MAX_BYTES {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "(there is more: go on with `from` = {})", seen + 1);
            break;
        }
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

/// The lines of a file without their ends, of long ones the start: a line is held in memory.
struct Lines<'p, R> {
    path: &'p Path,
    reader: BufReader<R>,
}

impl<'p, R: io::Read> Lines<'p, R> {
    fn new(path: &'p Path, reader: R) -> Self {
        Self {
            path,
            reader: BufReader::new(reader),
        }
    }
}

impl<R: io::Read> Iterator for Lines<'_, R> {
    type Item = Result<String, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        // With room for an end of two bytes, so that what is just as long as may be is whole.
        let room = MAX_LINE as u64 + 2;
        let read = (&mut self.reader)
            .take(room)
            .read_until(b'\n', &mut line)
            .and_then(|read| {
                if read as u64 == room && !line.ends_with(b"\n") {
                    self.reader.skip_until(b'\n')?;
                }
                Ok(read)
            });
        match read {
            Err(error) => return Some(Err(io_error(self.path, "read")(error))),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if line.pop_if(|end| *end == b'\n').is_some() {
            line.pop_if(|end| *end == b'\r');
        }
        let is_long = line.len() > MAX_LINE;
        line.truncate(MAX_LINE);
        Some(match String::from_utf8(line) {
            Ok(mut line) => {
                if is_long {
                    line.push_str(CUT);
                }
                Ok(line)
            }
            // Cut amid a character.
            Err(error) if is_long && error.utf8_error().error_len().is_none() => {
                let whole = error.utf8_error().valid_up_to();
                let mut line = error.into_bytes();
                line.truncate(whole);
                Ok(String::from_utf8_lossy(&line).into_owned() + CUT)
            }
            Err(_) => Err(FileError::Not {
                path: self.path.to_owned(),
                what: "is not UTF-8 text",
            }),
        })
    }
}

const CUT: &str = "…[the line goes on]";
