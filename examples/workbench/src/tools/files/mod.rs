//! Tools for the files of the workspace.

mod diff;
mod edit;
mod glob;
mod list;
mod preview;
#[cfg(all(test, unix))]
mod races;
mod read;
mod remove;
mod search;
#[cfg(test)]
mod tests;
mod write;

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use toolwright::content::ErrorKind;
use toolwright::permission::{IntoRequests, PathScope, Verdict};
use toolwright::{FileAccess, PermissionRequest, ToolContext, ToolError};

use crate::files::{Files, Kind, Last, Place, Skipped};

/// The errors of file tools. The model reads the first line, the log the whole chain.
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

impl From<FileError> for ToolError {
    fn from(error: FileError) -> Self {
        Self::from_source(error)
    }
}

/// For `map_err`: an I/O error with the path that it is about.
fn io_error<'p>(path: &'p Path, verb: &'static str) -> impl Fn(io::Error) -> FileError + 'p {
    move |error| {
        let path = path.to_owned();
        let what = match error.kind() {
            io::ErrorKind::NotFound => "does not exist",
            // The error of a path below a file; the kind depends on what was tried.
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                "has a file where a directory would have to be"
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => "is not a file",
            _ => return FileError::Io { path, verb, error },
        };
        FileError::Not { path, what }
    }
}

/// The ways to use a file.
#[derive(Debug, Clone, Copy)]
enum Access {
    Read,
    Write,
}

impl Access {
    /// The request that [`toolwright::FileAccess`] would make for a path that needs no resolving.
    fn request(self, files: &dyn Files, place: &Place) -> Option<PermissionRequest> {
        let (kind, verb) = match self {
            Self::Read => ("file.read", "Read"),
            Self::Write => ("file.write", "Write"),
        };
        let path = files.root().join(place.as_path());
        let target = path.to_str()?;
        let summary = format!("{verb} `{}`", shown(place.as_path()));
        let request = PermissionRequest::new(kind, target, summary);
        let root = files.root().to_str()?;
        Some(
            request
                .with_containment(PathScope::Inside)
                .with_detail("root", root),
        )
    }

    fn of(self, path: &Path) -> FileAccess {
        match self {
            Self::Read => FileAccess::read(path),
            Self::Write => FileAccess::write(path),
        }
    }

    /// The policy's verdict on a place, whatever it said about the path that led there.
    fn verdict(self, ctx: &ToolContext, files: &dyn Files, place: &Place) -> Verdict {
        match self.request(files, place) {
            Some(request) => ctx.verdict(&request),
            None => Verdict::deny("its name is not UTF-8, so that no rule can judge it"),
        }
    }

    /// Checks that this may be done at the target of a path. The request is the one that the call made for the path,
    /// if it leads there still: a person may have allowed just that.
    fn permit(
        self,
        ctx: &ToolContext,
        files: &dyn Files,
        path: &Path,
        place: &Place,
    ) -> Result<(), ToolError> {
        let made = self.of(path).within(files.root()).into_requests();
        self.permit_by(ctx, files, &made.unwrap_or_default(), place)
    }

    fn permit_by(
        self,
        ctx: &ToolContext,
        files: &dyn Files,
        made: &[PermissionRequest],
        place: &Place,
    ) -> Result<(), ToolError> {
        let target = files.root().join(place.as_path());
        let mut made = made.iter();
        let same = made.find(|request| Path::new(request.target()) == target);
        let verdict = match same {
            Some(request) => ctx.verdict(request),
            None => self.verdict(ctx, files, place),
        };
        let why = match verdict {
            Verdict::Allow => return Ok(()),
            Verdict::Deny(denial) => denial.reason().to_owned(),
            Verdict::Ask(ask) => format!("it needs approval because {}", ask.why()),
            _ => "the policy does not allow it".to_owned(),
        };
        let verb = match self {
            Self::Read => "Read",
            Self::Write => "Write",
        };
        Err(ToolError::denied(format!(
            "`{}` was denied ({verb} `{}`): {why}",
            ctx.tool_name(),
            shown(place.as_path()),
        )))
    }
}

/// The target of a path, checked once more: a link may have changed since the call was checked.
fn resolve(
    ctx: &ToolContext,
    files: &dyn Files,
    path: &Path,
    access: Access,
) -> Result<Place, ToolError> {
    let place = place_of(ctx, files, path, Last::Followed)?;
    access.permit(ctx, files, path, &place)?;
    Ok(place)
}

/// The target of a path, not checked yet.
fn place_of(
    ctx: &ToolContext,
    files: &dyn Files,
    path: &Path,
    last: Last,
) -> Result<Place, ToolError> {
    files.resolve(path, last)?.ok_or_else(|| {
        ToolError::denied(format!(
            "`{}` was denied: `{}` leads outside of what the tool is confined to",
            ctx.tool_name(),
            shown(path),
        ))
    })
}

/// A path as one line of a text, as it is or, where it could be taken for something else, quoted.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.is_empty() {
        return ".".to_owned();
    }
    // Rust's escapes are JSON's for what occurs; the quotes say that there are any.
    if text.chars().any(char::is_control) {
        format!("{text:?}")
    } else {
        text.into_owned()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The directory that a path leads to.
fn directory(
    ctx: &ToolContext,
    files: &dyn Files,
    path: &Path,
    verb: &'static str,
) -> Result<Place, ToolError> {
    let place = resolve(ctx, files, path, Access::Read)?;
    let found = files.find(&place).map_err(io_error(path, verb))?;
    if found.kind == Kind::Directory {
        return Ok(place);
    }
    Err(FileError::Not {
        path: path.to_owned(),
        what: "is not a directory",
    }
    .into())
}

fn cancelled() -> ToolError {
    ToolError::new(ErrorKind::Cancelled, "the call was cancelled")
}

/// Ends in an error when the call is cancelled, so that a huge file is left too.
struct WhileWanted<'c, R> {
    file: R,
    ctx: &'c ToolContext,
}

impl<'c, R> WhileWanted<'c, R> {
    fn new(file: R, ctx: &'c ToolContext) -> Self {
        Self { file, ctx }
    }
}

impl<R: Read> Read for WhileWanted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ctx.is_cancelled() {
            return Err(io::Error::other("the call was cancelled"));
        }
        self.file.read(buffer)
    }
}

/// "1 line", "2 lines".
fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// Adds what a walk left out, so that a model does not take it for missing.
fn tell_skipped(text: &mut String, skipped: Skipped) {
    let Skipped {
        forbidden,
        unreadable,
    } = skipped;
    let files = |number| count(number, "file or directory", "files or directories");
    if forbidden > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "({} left out: forbidden by policy)", files(forbidden));
    }
    if unreadable > 0 {
        let _ = writeln!(text, "({} left out: unreadable)", files(unreadable));
    }
}
