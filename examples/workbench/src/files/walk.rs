//! All files below a place, but for those that are ignored, hidden or forbidden.

use std::ffi::OsString;
use std::io::{self, Read};
use std::vec;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use toolwright::ToolContext;
use toolwright::permission::Verdict;

use super::{Files, Kind, Place};

/// The files that tell what to ignore; what the later says goes before.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The most bytes that are read of such a file. A glob takes a thousand times its length, and there is a
/// file for each level.
const MAX_IGNORE_FILE: u64 = 64 * 1024;

/// The most bytes of one of its lines, and the most braces: the library goes down a level for each, and
/// a stack has an end.
const MAX_GLOB: usize = 4096;
const MAX_BRACES: usize = 100;

/// The most directories within each other: each is opened from the root anew, name by name, so that a tree takes as
/// many steps as the square of its depth.
pub(crate) const MAX_DEPTH: usize = 1024;

/// Goes through a tree in the order of its paths, one directory in memory at a time for each
/// level. Links are seen and not followed. It ends early when the call is cancelled.
pub(crate) struct Walk<'w> {
    files: &'w dyn Files,
    may_read: &'w dyn Fn(&Place) -> Verdict,
    ctx: &'w ToolContext,
    options: Options,
    /// The rules of the directories above the start.
    above: Vec<Gitignore>,
    levels: Vec<Level>,
    skipped: Skipped,
}

/// The files that a walk sees although it leaves them out by default.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// Files and directories whose names begin with a dot.
    pub(crate) hidden: bool,
    /// The files that `.gitignore` and `.ignore` name.
    pub(crate) ignored: bool,
}

struct Level {
    place: Place,
    ignore: Gitignore,
    left: vec::IntoIter<(OsString, Kind)>,
}

/// Counts of the files that were left out; they are reported without names.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// May not be read.
    pub(crate) forbidden: usize,
    /// Could not be read, has a name that no rule can judge, or lies deeper than [`MAX_DEPTH`].
    pub(crate) unreadable: usize,
}

impl<'w> Walk<'w> {
    /// A walk through the directory `start`. `may_read` judges the directories on the way; what
    /// the walk yields is the caller's to judge.
    pub(crate) fn new(
        files: &'w dyn Files,
        ctx: &'w ToolContext,
        may_read: &'w dyn Fn(&Place) -> Verdict,
        options: Options,
        start: &Place,
    ) -> io::Result<Self> {
        let mut walk = Self {
            files,
            may_read,
            ctx,
            options,
            above: Vec::new(),
            levels: Vec::new(),
            skipped: Skipped::default(),
        };
        let mut above = Place::default();
        for name in start.names() {
            let ignore = walk.ignore_files(&above, &files.entries(&above).unwrap_or_default());
            walk.above.push(ignore);
            above = above.join(name);
        }
        walk.enter(start)?;
        Ok(walk)
    }

    /// The counts so far.
    pub(crate) fn skipped(&self) -> Skipped {
        self.skipped
    }

    fn enter(&mut self, place: &Place) -> io::Result<()> {
        let entries = self.files.entries(place)?;
        self.levels.push(Level {
            ignore: self.ignore_files(place, &entries),
            place: place.clone(),
            left: entries.into_iter(),
        });
        Ok(())
    }

    /// The rules of the ignore files in a directory. They are opened like any other file; a file that cannot be read,
    /// or may not be, has no rules.
    fn ignore_files(&self, place: &Place, entries: &[(OsString, Kind)]) -> Gitignore {
        if self.options.ignored {
            return Gitignore::empty();
        }
        let mut builder = GitignoreBuilder::new(self.files.root().join(place.as_path()));
        for name in IGNORE_FILES {
            if !entries.iter().any(|(there, _)| there == name) {
                continue;
            }
            let file = place.join(name.as_ref());
            if (self.may_read)(&file) != Verdict::Allow {
                continue;
            }
            let mut content = Vec::new();
            let Ok(opened) = self.files.open(&file) else {
                continue;
            };
            if opened
                .take(MAX_IGNORE_FILE)
                .read_to_end(&mut content)
                .is_err()
            {
                continue;
            }
            if content.len() as u64 == MAX_IGNORE_FILE {
                // Half a line may ignore more than the whole.
                let lines = content.iter().rposition(|byte| *byte == b'\n');
                content.truncate(lines.unwrap_or_default());
            }
            let text = String::from_utf8_lossy(&content);
            for line in text.trim_start_matches('\u{feff}').lines() {
                if line.len() <= MAX_GLOB && line.matches('{').count() <= MAX_BRACES {
                    // A line that is no glob ignores nothing, as in git.
                    let _ = builder.add_line(None, line);
                }
            }
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }

    /// The nearest file that speaks of a place decides.
    fn is_ignored(&self, place: &Place, kind: Kind) -> bool {
        let path = self.files.root().join(place.as_path());
        let levels = self.levels.iter().rev().map(|level| &level.ignore);
        for ignore in levels.chain(self.above.iter().rev()) {
            if ignore.is_empty() {
                continue;
            }
            match ignore.matched(&path, kind == Kind::Directory) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }

    /// Goes into a directory, if it may.
    fn descend(&mut self, place: &Place) {
        match (self.may_read)(place) {
            // The files below a directory that needs a person's answer may still be allowed.
            Verdict::Allow | Verdict::Ask(_) => {
                if place.names().count() > MAX_DEPTH || self.enter(place).is_err() {
                    self.skipped.unreadable += 1;
                }
            }
            _ => self.skipped.forbidden += 1,
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = (Place, Kind);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let level = self.levels.last_mut()?;
            let Some((name, kind)) = level.left.next() else {
                self.levels.pop();
                continue;
            };
            if self.ctx.is_cancelled() {
                return None;
            }
            let place = level.place.join(&name);
            // The files that git keeps for itself are never wanted.
            if (!self.options.hidden && place.is_hidden())
                || name == ".git"
                || self.is_ignored(&place, kind)
            {
                continue;
            }
            if name.to_str().is_none() {
                self.skipped.unreadable += 1;
                continue;
            }
            if kind == Kind::Directory {
                self.descend(&place);
            }
            return Some((place, kind));
        }
    }
}
