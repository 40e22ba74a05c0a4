//! `fs.list`.

use std::io;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use toolwright::{FileAccess, ToolContext, ToolError, tool};

use super::{directory, io_error};
use crate::files::{Files, Kind};

/// The entries of a directory.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing {
    pub(super) entries: Vec<Entry>,
    /// Number of further entries that were left out.
    #[serde(skip_serializing_if = "super::is_zero")]
    pub(super) left_out: usize,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct Entry {
    name: String,
    kind: Kind,
    /// Bytes, for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    // Left out, and never null.
    #[schemars(with = "u64")]
    size: Option<u64>,
}

/// List the entries of a directory, sorted by name.
///
/// # Errors
///
/// Fails if the path is no directory that can be read.
#[tool(
    name = "fs.list",
    title = "List directory",
    category = "files",
    read_only,
    permission = FileAccess::read(path).within(files.root())
)]
pub(super) fn list_directory(
    /// Path of the directory, relative to the workspace.
    #[arg(default = ".")]
    path: PathBuf,
    /// Number of entries to return.
    #[arg(default = 500, range = 1..=5_000)]
    limit: usize,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<Listing, ToolError> {
    let failed = io_error(&path, "listed");
    let directory = directory(ctx, files, &path, "listed")?;
    let found = files.entries(&directory).map_err(&failed)?;
    let left_out = found.len().saturating_sub(limit);
    let mut entries = Vec::new();
    for (name, _) in found.into_iter().take(limit) {
        let found = match files.find(&directory.join(&name)) {
            // Gone since.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            found => found.map_err(&failed)?,
        };
        entries.push(Entry {
            name: name.to_string_lossy().into_owned(),
            kind: found.kind,
            size: (found.kind == Kind::File).then_some(found.size),
        });
    }
    Ok(Listing { entries, left_out })
}
