//! `fs.glob`.

use std::path::PathBuf;

use globset::{GlobBuilder, GlobSet};
use schemars::JsonSchema;
use serde::Serialize;
use toolwright::permission::Verdict;
use toolwright::{FileAccess, ToolContext, ToolError, tool};

use super::{Access, cancelled, directory, io_error, is_zero};
use crate::files::{Files, Kind, Options, Walk};

/// The matches of a glob.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Matches {
    /// Relative to the workspace; directories end in `/`.
    pub(super) paths: Vec<String>,
    /// Number of further paths that were left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) left_out: usize,
    /// Number of matching files, and directories on the way, that policy forbids to read.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) forbidden: usize,
    /// Number of files and directories that cannot be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unreadable: usize,
    /// Advice, if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    // Left out, and never null.
    #[schemars(with = "String")]
    pub(super) hint: Option<String>,
}

/// Find files by a glob such as `src/**/*.rs`: paths relative to the workspace, sorted.
///
/// `*` and `?` stay within one name, `**` goes through directories, `{a,b}` is either of them. A
/// glob that ends in `/` finds directories. Links are not followed.
///
/// # Errors
///
/// Fails if the glob cannot be understood, or the path is no directory that can be read.
#[tool(
    name = "fs.glob",
    title = "Find files",
    category = "files",
    read_only,
    blocking,
    permission = FileAccess::read(path).within(files.root())
)]
pub(super) fn find_files(
    /// The glob, matched against paths relative to `path`.
    // The library that reads it goes down a level for each brace: so it must be short.
    #[arg(length = 1..=1000)]
    pattern: String,
    /// Path of the directory to look in, relative to the workspace.
    #[arg(default = ".")]
    path: PathBuf,
    /// True to find files and directories whose names begin with a dot, too.
    #[arg(default = false)]
    hidden: bool,
    /// True to find files that `.gitignore` leaves out, too.
    #[arg(default = false)]
    ignored: bool,
    /// Number of paths to return.
    #[arg(default = 500, range = 1..=5_000)]
    limit: usize,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<Matches, ToolError> {
    let start = directory(ctx, files, &path, "looked through")?;
    let wanted = match pattern.strip_suffix('/') {
        Some(pattern) => (matcher(pattern)?, true),
        None => (matcher(&pattern)?, false),
    };
    let may_read = |place: &_| Access::Read.verdict(ctx, files, place);
    let options = Options { hidden, ignored };
    let mut walk = Walk::new(files, ctx, &may_read, options, &start)
        .map_err(io_error(&path, "looked through"))?;
    let mut found = Matches {
        paths: Vec::new(),
        left_out: 0,
        forbidden: 0,
        unreadable: 0,
        hint: None,
    };
    let (glob, directories) = wanted;
    for (place, kind) in walk.by_ref() {
        let below = place.as_path().strip_prefix(start.as_path());
        let matches = below.is_ok_and(|below| glob.is_match(below));
        if !matches || directories != (kind == Kind::Directory) {
            continue;
        }
        if may_read(&place) != Verdict::Allow {
            // A directory that is denied was counted by the walk.
            found.forbidden += usize::from(kind != Kind::Directory);
        } else if found.paths.len() == limit {
            found.left_out += 1;
        } else {
            let mut path = place.as_path().to_string_lossy().into_owned();
            if directories {
                path.push('/');
            }
            found.paths.push(path);
        }
    }
    if ctx.is_cancelled() {
        return Err(cancelled());
    }
    found.forbidden += walk.skipped().forbidden;
    found.unreadable += walk.skipped().unreadable;
    if found.paths.is_empty() && !pattern.contains("**") {
        found.hint = Some(format!(
            "`**/{pattern}` looks in all directories below, too"
        ));
    }
    Ok(found)
}

/// A glob, or what is wrong with it.
pub(super) fn matcher(glob: &str) -> Result<GlobSet, ToolError> {
    // Paths never begin with `./`, though models like to write it.
    let relative = glob.strip_prefix("./").unwrap_or(glob);
    if relative.starts_with('/') || relative.split('/').any(|name| name == "..") {
        return Err(ToolError::failed(format!(
            "the glob `{glob}` can match nothing: it is matched against paths relative to `path`, \
             which have no `..` and no `/` in front"
        )));
    }
    GlobBuilder::new(relative)
        .literal_separator(true)
        .backslash_escape(true)
        .build()
        // A set of one: a matcher of its own panics where the glob is too large.
        .and_then(|glob| GlobSet::new([glob]))
        .map_err(|error| {
            ToolError::failed(format!("`{glob}` is no glob: {}", error.kind())).with_source(error)
        })
}
