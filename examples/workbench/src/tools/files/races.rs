//! The tools on real files, while what a path leads to changes all the time.
#![allow(
    clippy::unwrap_used,
    reason = "clippy allows it within test functions alone"
)]

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use toolwright::{ToolContext, ToolError, testing};

use super::edit::edit_file;
use super::glob::find_files;
use super::list::list_directory;
use super::read::read_file;
use super::remove::remove;
use super::search::search_files;
use super::tests::NoSecrets;
use super::write::write_file;
use crate::files::{Files, Found, Kind, Last, Place};
use crate::workspace::Workspace;

/// A name of a file that must not be seen.
const HIDDEN: &str = "name-of-a-forbidden-file";

/// A root with a file and a directory that may be used, and a directory that may not.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    for dir in ["dir", "secret"] {
        fs::create_dir(at(dir)).unwrap();
        fs::write(at(dir).join("file"), format!("needle of {dir}\n")).unwrap();
    }
    fs::write(at("secret").join(HIDDEN), "").unwrap();
    fs::write(at("file"), "needle of root\n").unwrap();
    symlink("secret/file", at("file-link")).unwrap();
    symlink("secret", at("dir-link")).unwrap();
    root
}

/// Puts a link to what is forbidden in the place of what is not, and back.
fn swap(root: &Path, name: &str, stop: &AtomicBool) {
    let at = |what: &str| root.join(format!("{name}{what}"));
    while !stop.load(Ordering::Relaxed) {
        // Without effect where a tool has removed what was there.
        let _ = fs::rename(at(""), at("-real"));
        let _ = fs::rename(at("-link"), at(""));
        let _ = fs::rename(at(""), at("-link"));
        let _ = fs::rename(at("-real"), at(""));
    }
}

/// Calls a tool again and again while both are swapped, and looks at what it says and what it does.
fn race(
    rounds: usize,
    mut call: impl FnMut(&Path, &ToolContext, &dyn Files, &str) -> Option<String>,
) {
    let root = root();
    let files = Workspace::open(root.path()).unwrap();
    let ctx = testing::context().permission_checker(NoSecrets).build();
    let stop = AtomicBool::new(false);
    let (mut succeeded, mut failed) = (0, 0);
    thread::scope(|scope| {
        let stops = Stop(&stop);
        for name in ["file", "dir"] {
            let (root, stop) = (root.path(), &stop);
            scope.spawn(move || swap(root, name, stop));
        }
        let mut round = 0;
        // Until both ends were seen; on a machine of one core the other thread may be late.
        while round < rounds || succeeded == 0 || failed == 0 {
            round += 1;
            for path in ["file", "dir/file", "dir"] {
                match call(root.path(), &ctx, &files, path) {
                    Some(said) => {
                        succeeded += 1;
                        assert!(!said.contains("needle of secret"), "{path}: {said}");
                        assert!(!said.contains(HIDDEN), "{path}: {said}");
                    }
                    None => failed += 1,
                }
            }
        }
        drop(stops);
    });
    assert_untouched(root.path());
}

/// Also when an assertion fails: the threads would run for ever.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Swaps links in at the worst moment: when all that will be judged has been.
struct Worst {
    files: Workspace,
    /// After a path is resolved; otherwise, after a directory is listed.
    when_resolved: bool,
}

impl Worst {
    fn swap(&self, now: bool) {
        for name in ["file", "dir"] {
            let at = |what: &str| self.files.root().join(format!("{name}{what}"));
            if now && fs::symlink_metadata(at("-link")).is_ok() {
                fs::rename(at(""), at("-real")).unwrap();
                fs::rename(at("-link"), at("")).unwrap();
            }
        }
    }
}

impl Files for Worst {
    fn root(&self) -> &Path {
        self.files.root()
    }

    fn share(&self) -> Arc<dyn Files> {
        self.files.share()
    }

    fn resolve(&self, path: &Path, last: Last) -> Result<Option<Place>, ToolError> {
        let place = self.files.resolve(path, last);
        self.swap(self.when_resolved);
        place
    }

    fn find(&self, place: &Place) -> io::Result<Found> {
        self.files.find(place)
    }

    fn open(&self, place: &Place) -> io::Result<Box<dyn Read + Send>> {
        self.files.open(place)
    }

    fn entries(&self, place: &Place) -> io::Result<Vec<(OsString, Kind)>> {
        let entries = self.files.entries(place);
        self.swap(!self.when_resolved);
        entries
    }

    fn write(&self, place: &Place, content: &[u8]) -> io::Result<()> {
        self.files.write(place, content)
    }

    fn replace(&self, place: &Place, old: &[u8], new: &[u8]) -> io::Result<bool> {
        self.files.replace(place, old, new)
    }

    fn remove(&self, place: &Place, kind: Kind) -> io::Result<()> {
        self.files.remove(place, kind)
    }
}

type Call = fn(&str, &ToolContext, &dyn Files) -> Result<String, ToolError>;

/// Each tool on a path.
const CALLS: [Call; 8] = [
    |path, ctx, files| read_file(path.into(), 1, None, ctx, files),
    |path, ctx, files| {
        let listed = list_directory(path.into(), 10, ctx, files);
        listed.map(|listed| format!("{listed:?}"))
    },
    |path, ctx, files| {
        let found = find_files("**".into(), path.into(), true, true, 10, ctx, files);
        found.map(|found| format!("{found:?}"))
    },
    |path, ctx, files| {
        let (needle, path) = ("needle".into(), path.into());
        search_files(needle, path, None, false, 0, true, true, 10, ctx, files)
    },
    |path, ctx, files| write_file(path.into(), "other".into(), ctx, files),
    |path, ctx, files| {
        let (needle, new) = ("needle".into(), "other".into());
        edit_file(path.into(), needle, new, false, true, ctx, files)
    },
    |path, ctx, files| {
        let (needle, new) = ("needle".into(), "other".into());
        edit_file(path.into(), needle, new, false, false, ctx, files)
    },
    |path, ctx, files| remove(path.into(), true, ctx, files),
];

#[test]
fn a_link_between_the_check_and_the_use_leads_nowhere() {
    for when_resolved in [true, false] {
        for call in CALLS {
            for path in ["file", "dir/file", "dir", "."] {
                let root = root();
                let files = Worst {
                    files: Workspace::open(root.path()).unwrap(),
                    when_resolved,
                };
                let ctx = testing::context().permission_checker(NoSecrets).build();
                let said = match call(path, &ctx, &files) {
                    Ok(said) => said,
                    Err(error) => error.to_string(),
                };
                assert!(!said.contains("needle of secret"), "{path}: {said}");
                assert!(!said.contains(HIDDEN), "{path}: {said}");
                assert_untouched(root.path());
            }
        }
    }
}

#[track_caller]
fn assert_untouched(root: &Path) {
    let secret = root.join("secret");
    let content = fs::read_to_string(secret.join("file")).unwrap();
    assert_eq!(content, "needle of secret\n");
    assert_eq!(fs::read_dir(secret).unwrap().count(), 2);
}

#[test]
fn nothing_forbidden_is_read() {
    race(2000, |_, ctx, files, path| {
        read_file(path.into(), 1, None, ctx, files).ok()
    });
}

#[test]
fn nothing_forbidden_is_listed_or_found() {
    race(400, |_, ctx, files, path| {
        let listed = list_directory(path.into(), 10, ctx, files).ok();
        let path = if path == "dir" { "." } else { path };
        let found = find_files("**".into(), path.into(), true, true, 100, ctx, files).ok();
        // A link is found by its name, and not by what is behind it.
        (listed.is_some() || found.is_some()).then(|| format!("{listed:?} {found:?}"))
    });
}

#[test]
fn nothing_forbidden_is_searched() {
    race(400, |_, ctx, files, path| {
        let path = if path == "dir" { "." } else { path };
        let pattern = "needle".into();
        search_files(
            pattern,
            path.into(),
            None,
            false,
            0,
            true,
            true,
            100,
            ctx,
            files,
        )
        .ok()
    });
}

#[test]
fn nothing_forbidden_is_written_or_edited() {
    race(80, |_, ctx, files, path| {
        let edited = edit_file(
            path.into(),
            "needle".into(),
            "thread".into(),
            false,
            false,
            ctx,
            files,
        );
        let content = "needle of nobody\n".to_owned();
        let written = write_file(path.into(), content, ctx, files);
        match (edited, written) {
            (Err(_), Err(_)) => None,
            (edited, written) => Some(format!("{edited:?} {written:?}")),
        }
    });
}

#[test]
fn nothing_forbidden_is_removed() {
    race(80, |root, ctx, files, path| {
        let removed = remove(path.into(), true, ctx, files).ok();
        // The files that a tool removed are made again, for the next round.
        let real = root.join("dir-real");
        for (name, to) in [("file-link", "secret/file"), ("dir-link", "secret")] {
            let _ = symlink(to, root.join(name));
        }
        let _ = fs::create_dir(&real);
        let _ = fs::write(real.join("file"), "needle of dir\n");
        let _ = fs::write(root.join("file-real"), "needle of root\n");
        removed
    });
}
