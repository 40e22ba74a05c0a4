//! Tools for the files of the workspace.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;
use toolwright::{FileAccess, tool};

use crate::workspace::Workspace;

/// Why a file tool failed. The model reads the first line, the log the whole chain.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("`{}` {what}", path.display())]
    Not { path: PathBuf, what: &'static str },
    #[error("`{}` cannot be {verb}: {}", path.display(), error.kind())]
    Io {
        path: PathBuf,
        verb: &'static str,
        #[source]
        error: io::Error,
    },
}

/// For `map_err`: an I/O error with the path that it is about.
fn io_error<'p>(path: &'p Path, verb: &'static str) -> impl Fn(io::Error) -> FileError + 'p {
    move |error| {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => FileError::Not {
                path,
                what: "does not exist",
            },
            // Of a path below a file; which of the two it is depends on what was tried.
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => FileError::Not {
                path,
                what: "has a file where a directory would have to be",
            },
            _ => FileError::Io { path, verb, error },
        }
    }
}

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
    permission = FileAccess::read(path).within(workspace.root())
)]
fn read_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// First line to return, counted from 1.
    #[arg(default = 1, range = 1..)]
    from: usize,
    /// How many lines to return; 2000 when absent.
    #[arg(range = 1..=10_000)]
    limit: Option<usize>,
    workspace: &Workspace,
) -> Result<String, FileError> {
    let inside = workspace.relative(&path);
    let failed = io_error(&path, "read");
    // Reading a pipe or a device could wait for ever.
    if !workspace.dir().metadata(inside).map_err(&failed)?.is_file() {
        return Err(FileError::Not {
            path: path.clone(),
            what: "is not a file",
        });
    }
    let file = workspace.dir().open(inside).map_err(&failed)?;
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
            1 => "(the file has 1 line)".to_owned(),
            _ => format!("(the file has {seen} lines)"),
        };
    }
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}

/// What a directory holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing {
    entries: Vec<Entry>,
    /// How many further entries were left out.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct Entry {
    name: String,
    kind: Kind,
    /// Bytes, for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// List the entries of a directory, sorted by name.
///
/// # Errors
///
/// When the path is no directory that can be read.
#[tool(
    name = "fs.list",
    title = "List directory",
    category = "files",
    read_only,
    permission = FileAccess::read(path).within(workspace.root())
)]
fn list_directory(
    /// Path of the directory, relative to the workspace.
    #[arg(default = ".")]
    path: PathBuf,
    /// How many entries to return.
    #[arg(default = 500, range = 1..=5_000)]
    limit: usize,
    workspace: &Workspace,
) -> Result<Listing, FileError> {
    let failed = io_error(&path, "listed");
    let inside = workspace.relative(&path);
    if !workspace.dir().metadata(inside).map_err(&failed)?.is_dir() {
        return Err(FileError::Not {
            path: path.clone(),
            what: "is not a directory",
        });
    }
    let mut entries = Vec::new();
    for entry in workspace.dir().read_dir(inside).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        let metadata = entry.metadata().map_err(&failed)?;
        let kind = match metadata.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Directory,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        };
        entries.push(Entry {
            name: entry.file_name().to_string_lossy().into_owned(),
            size: (kind == Kind::File).then(|| metadata.len()),
            kind,
        });
    }
    entries.sort();
    let left_out = entries.len().saturating_sub(limit);
    entries.truncate(limit);
    Ok(Listing { entries, left_out })
}

/// Write a text file: create it, or replace what is there. Missing directories are made.
///
/// # Errors
///
/// When the file cannot be written.
#[tool(
    name = "fs.write",
    title = "Write file",
    category = "files",
    idempotent,
    destructive,
    permission = FileAccess::write(path).within(workspace.root())
)]
fn write_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// The whole new content.
    content: String,
    workspace: &Workspace,
) -> Result<String, FileError> {
    let inside = workspace.relative(&path);
    let failed = io_error(&path, "written");
    // Writing to a pipe or a device could wait for ever.
    if workspace
        .dir()
        .metadata(inside)
        .is_ok_and(|there| !there.is_file())
    {
        return Err(FileError::Not {
            path: path.clone(),
            what: "is not a file",
        });
    }
    if let Some(parent) = inside.parent()
        && !parent.as_os_str().is_empty()
    {
        workspace.dir().create_dir_all(parent).map_err(&failed)?;
    }
    workspace.dir().write(inside, &content).map_err(&failed)?;
    let size = match content.len() {
        1 => "1 byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    Ok(format!("wrote {size} to `{}`", path.display()))
}
