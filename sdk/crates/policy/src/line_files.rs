//! The files that the commands of a line use, and what the rules for files say of them.

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};

use super::below::{ENTRIES, Top};
use super::finding::{CallFacts, Subject};
use super::judge::{Combined, Judged, Why, conclude};
use super::order::{Class, RuleMatch};
use super::path::Names;
use super::process;
use super::trace::Trace;
use super::{PermissionPolicy, repository};
use toolwright::permission::FileAccess;
use toolwright::permission::{BaseDirectory, FilePlace, LocatedFile};
use toolwright_shell::{Access, Descent, FileUse, LineCommand, ShellLine};

/// A command that runs because it only reads.
pub(super) struct Listed<'p, 'c> {
    /// The rule that allows such commands.
    pub(super) hit: RuleMatch<'p>,
    /// The directory whose files it may read without a rule for the file.
    pub(super) within: &'c Path,
    /// The command among those of the line, and how it goes through directories.
    pub(super) at: usize,
    pub(super) descent: Option<Descent>,
}

/// A line, and where it starts.
pub(super) struct Line<'l> {
    pub(super) parsed: &'l ShellLine,
    pub(super) base: BaseDirectory<'l>,
    /// The directory whose files its commands may read without a rule, and whose repository `git` may use.
    pub(super) root: PathBuf,
    /// The places in the line of the commands that may change files, found out on first use.
    pub(super) changing: OnceCell<Vec<usize>>,
    /// The number of entries of directories that may still be looked at.
    pub(super) entries: Cell<usize>,
}

impl<'l> Line<'l> {
    pub(super) fn new(line: &'l ShellLine, start: &'l Path, root: PathBuf) -> Self {
        Self {
            parsed: line,
            base: BaseDirectory::new(start),
            root,
            changing: OnceCell::new(),
            entries: Cell::new(ENTRIES),
        }
    }

    pub(super) fn start(&self) -> &'l Path {
        self.base.path()
    }

    /// Returns true if another command of the line may make or move files. The order of the commands does
    /// not count, because in a loop or a pipe either of two may run first.
    pub(super) fn changes_besides(&self, at: usize) -> bool {
        let changing = self.changing.get_or_init(|| {
            let parts = self.parsed.commands().iter().enumerate();
            parts
                .filter(|(_, part)| part.changes_files() && part.read_only(self.start()).is_none())
                .map(|(at, _)| at)
                .collect()
        });
        changing.iter().any(|other| *other != at)
    }

    /// Returns true if the shell writes a file for the line that may make a directory a repository: its
    /// name is `.git` or `HEAD`, or is not known.
    pub(super) fn makes_a_repository(&self) -> bool {
        let files = self.parsed.files(self.start());
        let mut written = files.iter().filter(|file| file.access == Access::Write);
        written.any(|file| {
            let name = file.path.as_deref().and_then(Path::file_name);
            name.is_none_or(|name| {
                name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("HEAD")
            })
        })
    }
}

/// A command whose words may name files.
#[derive(Clone, Copy)]
pub(super) struct Naming {
    pub(super) only_reads: bool,
    /// The command among those of the line, and how it goes through directories.
    pub(super) at: usize,
    pub(super) descent: Option<Descent>,
    /// The class above which the judgement on a file is reported.
    pub(super) said: Class,
}

impl PermissionPolicy {
    /// A file that the shell opens.
    pub(super) fn judge_use<'p>(
        &'p self,
        called: &CallFacts<'_>,
        file: &FileUse,
        base: &BaseDirectory<'_>,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let located = locate(file, base);
        let place = located.as_ref().map(LocatedFile::place);
        let names = place.as_ref().map(Names::of);
        let thing = Subject::File {
            access: Some(file.access),
            place: names.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        self.judge_thing(called, &thing, sum, trace);
    }

    /// A file that a command reads which runs because it only reads: without a rule, files of its
    /// own directory may be read.
    pub(super) fn judge_read<'p>(
        &'p self,
        called: &CallFacts<'_>,
        listed: &Listed<'p, '_>,
        file: &FileUse,
        line: &Line<'_>,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let located = locate(file, &line.base);
        let place = located.as_ref().map(LocatedFile::place);
        let names = place.as_ref().map(Names::of);
        let thing = Subject::File {
            access: Some(Access::Read),
            place: names.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        let inside = place
            .as_ref()
            .is_some_and(|place| place.real.starts_with(listed.within));
        let mut judged = conclude(self.said_of(called, &thing, trace), || {
            if inside {
                return Judged {
                    class: Class::Allow,
                    why: Why::Rule(listed.hit),
                    of_the_call: false,
                };
            }
            let judged = self.as_the_call(called);
            if matches!(judged.why, Why::Rule(_)) || judged.class == Class::Deny {
                return judged;
            }
            Judged {
                class: Class::Ask,
                why: Why::ReadsElsewhere,
                of_the_call: false,
            }
        });
        judged.unless_sure(file);
        self.tell(called, &thing, &judged, sum, trace);
        let asked = (listed.at, listed.descent, Some(Access::Read));
        if let (Some(place), Class::Allow) = (&place, judged.class) {
            let within = Some(listed.within);
            self.judge_below(called, place, &file.shown, asked, within, line, sum, trace);
        }
    }

    /// Judges the entries below a directory that a command goes through.
    #[allow(clippy::too_many_arguments, reason = "each is needed once")]
    pub(super) fn judge_below<'p>(
        &'p self,
        called: &CallFacts<'_>,
        place: &FilePlace<'_>,
        shown: &str,
        (at, descent, access): (usize, Option<Descent>, Option<Access>),
        within: Option<&Path>,
        line: &Line<'_>,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let Some(descent) = descent.filter(|_| !place.real.is_file()) else {
            return;
        };
        let top = Top {
            place,
            shown,
            descent,
            access,
            within,
            changes: &|| line.changes_besides(at),
            left: &line.entries,
        };
        let Some((found, judged)) = self.below(called, &top) else {
            return;
        };
        let thing = Subject::File {
            access,
            place: None,
            shown: &found,
            is_written: true,
        };
        trace.forget();
        self.tell(called, &thing, &judged, sum, trace);
    }

    /// A file that a word of a command may name: only what rules of files forbid counts.
    pub(super) fn judge_named<'p>(
        &'p self,
        called: &CallFacts<'_>,
        file: &FileUse,
        line: &Line<'_>,
        naming: Naming,
        sum: &mut Combined,
        trace: &mut Trace<'p>,
    ) {
        let located = locate(file, &line.base);
        let place = located.as_ref().map(LocatedFile::place);
        let names = place.as_ref().map(Names::of);
        let thing = Subject::File {
            access: naming.only_reads.then_some(Access::Read),
            place: names.as_ref(),
            shown: &file.shown,
            is_written: true,
        };
        let mut judged = conclude(self.said_of(called, &thing, trace), || Judged {
            class: Class::Allow,
            why: Why::Default,
            of_the_call: false,
        });
        judged.unless_sure(file);
        if judged.class > naming.said {
            return self.tell(called, &thing, &judged, sum, trace);
        }
        if let (Some(place), Class::Allow) = (&place, naming.said) {
            let reads = naming.only_reads || naming.descent.is_some_and(|descent| descent.reads);
            let access = reads.then_some(Access::Read);
            let asked = (naming.at, naming.descent, access);
            self.judge_below(called, place, &file.shown, asked, None, line, sum, trace);
        }
    }
}

/// Returns why a command of `git` asks, whatever the rules allow; `None` if it need not ask.
pub(super) fn asks_of_git<'p>(part: &LineCommand, at: usize, line: &Line<'_>) -> Option<Why<'p>> {
    let changes = || line.changes_besides(at) || line.makes_a_repository();
    if !repository::is_of_the_root(part, line.start(), &line.root, &changes) {
        return Some(Why::OtherRepository);
    }
    let Some(("diff", words)) = part.git_command() else {
        return None;
    };
    // `git diff` compares files without the option, too, if one of them lies outside of the repository.
    let outside = |file: FileUse| {
        let located = locate(&file, &line.base);
        located.is_none_or(|located| !located.place().real.starts_with(&line.root))
    };
    let files = part.words_as_files(words, line.start());
    (part.descent().is_some() || files.into_iter().any(outside)).then_some(Why::ComparesFiles)
}

/// Locates a file. `None` if its place is not known, or differs for each process.
fn locate(file: &FileUse, base: &BaseDirectory<'_>) -> Option<LocatedFile> {
    let located = access_to(file)?.locate(base)?;
    let leads_elsewhere = located.place().named.is_some();
    let path = file.path.as_deref()?;
    (!leads_elsewhere || !process::leads_through(path)).then_some(located)
}

impl Judged<'_> {
    /// Turns a denial by a rule into an ask if the file is one of several, because it may not be the one
    /// that is used.
    fn unless_sure(&mut self, file: &FileUse) {
        if let Why::Rule(hit) = self.why
            && self.class == Class::Deny
            && !file.sure
        {
            self.class = Class::Ask;
            self.why = Why::MayDeny(hit);
        }
    }
}

/// The access that a tool would request to use the file; `None` if its absolute path is not known.
fn access_to(file: &FileUse) -> Option<FileAccess> {
    let path = file.path.as_deref().filter(|path| path.is_absolute())?;
    Some(match file.access {
        Access::Read => FileAccess::read(path),
        Access::Write => FileAccess::write(path),
    })
}
