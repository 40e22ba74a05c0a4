//! `fs.remove`.

use std::io;
use std::path::{Path, PathBuf};

use toolwright::permission::{IntoRequests, Verdict};
use toolwright::{FileAccess, PermissionRequest, ToolContext, ToolError, tool};

use super::{Access, cancelled, count, io_error, place_of, preview, shown};
use crate::files::{Files, Kind, Last, MAX_DEPTH, Place};

/// Remove a file or an empty directory; with `recursive`, a directory and all below it.
///
/// A link is removed itself, and not what it leads to. What is removed cannot be got back.
///
/// # Errors
///
/// Fails if it does not exist, or cannot be removed. If something below a directory may not be removed, nothing is.
#[tool(
    name = "fs.remove",
    title = "Remove file",
    category = "files",
    idempotent,
    destructive,
    blocking,
    permission = requests(path, *recursive, files)
)]
pub(super) fn remove(
    /// Path of the file, link or directory, relative to the workspace.
    path: PathBuf,
    /// True to remove a directory with everything in it.
    #[arg(default = false)]
    recursive: bool,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    let failed = io_error(&path, "removed");
    let place = place_of(ctx, files, &path, Last::Kept)?;
    if place.is_root() {
        return Err(ToolError::failed("the workspace itself cannot be removed"));
    }
    // If they cannot be made any more, the place alone is checked.
    let made = requests(&path, recursive, files).unwrap_or_default();
    Access::Write.permit_by(ctx, files, &made, &place)?;
    let kind = files.find(&place).map_err(&failed)?.kind;
    if kind != Kind::Directory {
        files.remove(&place, kind).map_err(&failed)?;
        return Ok(format!("removed `{}`", path.display()));
    }
    if !recursive {
        let inside = files.entries(&place).map_err(&failed)?.len();
        if inside > 0 {
            return Err(ToolError::failed(format!(
                "`{}` is not empty ({}): `recursive` removes a directory with all that is in it",
                path.display(),
                count(inside, "entry", "entries"),
            )));
        }
    }
    let tree = tree(ctx, files, &place)?;
    let may = |place| Access::Write.verdict(ctx, files, place);
    let forbidden = tree
        .iter()
        .filter(|(place, _)| may(place) != Verdict::Allow)
        .count();
    if forbidden > 0 {
        return Err(ToolError::denied(format!(
            "`{}` was denied: policy does not allow to remove {} in `{}`. Nothing was removed",
            ctx.tool_name(),
            count(forbidden, "file or directory", "files or directories"),
            path.display(),
        )));
    }
    // The entries of a directory come after it.
    for (done, (place, kind)) in tree.iter().rev().enumerate() {
        if ctx.is_cancelled() {
            return Err(cancelled());
        }
        match files.remove(place, *kind) {
            // Somebody else was quicker.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let told = format!(
                    "`{}` cannot be removed: {}. {} of {} in `{}` are gone",
                    shown(place.as_path()),
                    error.kind(),
                    done,
                    count(tree.len(), "file or directory", "files and directories"),
                    path.display(),
                );
                return Err(ToolError::failed(told).with_source(error));
            }
            Ok(()) => {}
        }
    }
    let inside = tree.len() - 1;
    Ok(match inside {
        0 => format!("removed `{}`", path.display()),
        _ => format!(
            "removed `{}` and {} in it",
            path.display(),
            count(inside, "file or directory", "files and directories"),
        ),
    })
}

/// A directory and all below it.
fn tree(
    ctx: &ToolContext,
    files: &dyn Files,
    top: &Place,
) -> Result<Vec<(Place, Kind)>, ToolError> {
    let mut tree = vec![(top.clone(), Kind::Directory)];
    let mut seen = 0;
    while let Some((place, kind)) = tree.get(seen).cloned() {
        seen += 1;
        if ctx.is_cancelled() {
            return Err(cancelled());
        }
        if kind == Kind::Directory {
            if place.names().count() > MAX_DEPTH {
                return Err(ToolError::failed(format!(
                    "what is in `{}` is more than {MAX_DEPTH} directories deep. Nothing was removed",
                    shown(top.as_path()),
                )));
            }
            let entries = files
                .entries(&place)
                .map_err(io_error(place.as_path(), "listed"))?;
            tree.extend(
                entries
                    .into_iter()
                    .map(|(name, kind)| (place.join(&name), kind)),
            );
        }
    }
    Ok(tree)
}

/// The requests of a call, with a summary of what it does.
fn requests(
    path: &Path,
    recursive: bool,
    files: &dyn Files,
) -> Result<Vec<PermissionRequest>, ToolError> {
    let summary = format!("Remove `{}`", path.display());
    let requests = written(path, recursive, files)?;
    Ok(requests
        .into_iter()
        .map(|request| request.with_summary(summary.as_str()))
        .collect())
}

/// The request to write the name itself: for a link, the link. [`FileAccess`] describes both ends.
fn written(
    path: &Path,
    recursive: bool,
    files: &dyn Files,
) -> Result<Vec<PermissionRequest>, ToolError> {
    let followed = FileAccess::write(path)
        .within(files.root())
        .with_preview_by(preview::of_remove(path, recursive, files));
    let Some(place) = files.resolve(path, Last::Kept)? else {
        return followed.into_requests();
    };
    match files.find(&place).map(|found| found.kind) {
        Ok(Kind::Link) => {}
        Ok(Kind::Directory) if recursive => {
            return FileAccess::write_tree(path)
                .within(files.root())
                .with_preview_by(preview::of_remove(path, recursive, files))
                .into_requests();
        }
        _ => return followed.into_requests(),
    }
    let Some(mut request) = Access::Write.request(files, &place) else {
        return followed.into_requests();
    };
    // A link in circles has no other end.
    let followed = followed.into_requests().unwrap_or_default();
    if let Some(named) = followed
        .iter()
        .find_map(|other| other.details().get("named"))
    {
        request = request.with_detail("named", named.clone());
    }
    Ok(vec![request.with_preview_by(preview::of_remove(
        path, recursive, files,
    ))])
}
