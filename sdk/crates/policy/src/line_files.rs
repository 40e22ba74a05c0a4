//! The files that the commands of a line use, and what the rules for files say of them.

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};

use super::below::{ENTRIES, Top};
use super::finding::Subject;
use super::judge::Judging;
use super::judged::{Judged, Why, conclude};
use super::order::RuleMatch;
use super::path::Names;
use super::process;
use super::repository::RootRepository;
use super::rule::RuleVerdict;
use toolwright::permission::{BaseDirectory, FileAccess, FilePlace, LocatedFile, real_path};
use toolwright_shell::{Access, Descent, FileUse, LineCommand, ShellLine};

/// A line, and where it starts.
pub(super) struct Line<'l> {
    pub(super) parsed: &'l ShellLine,
    pub(super) base: BaseDirectory<'l>,
    /// The directory whose files its commands may read without a rule, and whose repository `git` may use.
    pub(super) root: PathBuf,
    /// The repository of the root, looked up when the first command of `git` is judged.
    pub(super) repository: OnceCell<Option<RootRepository>>,
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
            repository: OnceCell::new(),
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
    pub(super) said: RuleVerdict,
}

impl<'p> Judging<'p, '_> {
    /// Judges a file that the shell opens.
    pub(super) fn used(&mut self, file: &FileUse, line: &Line<'_>) {
        with_place(file, line, Some(file.access), |thing, _| self.thing(thing));
    }

    /// Judges a file that a command reads which runs by a rule for commands that only read: without a rule for the
    /// file, those below the root may be read.
    pub(super) fn read(
        &mut self,
        by: RuleMatch<'p>,
        file: &FileUse,
        (at, descent): (usize, Option<Descent>),
        line: &Line<'_>,
    ) {
        let access = Some(Access::Read);
        with_place(file, line, access, |thing, place| {
            let inside = place.is_some_and(|place| place.real.starts_with(&line.root));
            let mut judged = conclude(self.said_of(thing), || {
                if inside {
                    return Judged::new(RuleVerdict::Allow, Why::Rule(by));
                }
                let judged = self.as_the_call();
                if matches!(judged.why, Why::Rule(_)) || judged.class == RuleVerdict::Deny {
                    return judged;
                }
                Judged::new(RuleVerdict::Ask, Why::ReadsElsewhere)
            });
            judged.unless_sure(file);
            self.tell(thing, &judged);
            if let (Some(place), RuleVerdict::Allow) = (place, judged.class) {
                let within = Some(&*line.root);
                self.below(place, &file.shown, (at, descent, access), within, line);
            }
        });
    }

    /// Judges the entries below a directory that a command goes through.
    fn below(
        &mut self,
        place: &FilePlace<'_>,
        shown: &str,
        (at, descent, access): (usize, Option<Descent>, Option<Access>),
        within: Option<&Path>,
        line: &Line<'_>,
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
        let Some((found, judged)) = self.policy.below(self.called, &top) else {
            return;
        };
        let thing = Subject::File {
            access,
            place: None,
            shown: &found,
            is_written: true,
        };
        self.trace.forget();
        self.tell(&thing, &judged);
    }

    /// Judges a file that a word of a command may name: only what rules of files forbid counts.
    pub(super) fn named(&mut self, file: &FileUse, line: &Line<'_>, naming: Naming) {
        let access = naming.only_reads.then_some(Access::Read);
        with_place(file, line, access, |thing, place| {
            let said = self.said_of(thing);
            let mut judged = conclude(said, || Judged::new(RuleVerdict::Allow, Why::Default));
            judged.unless_sure(file);
            if judged.class > naming.said {
                return self.tell(thing, &judged);
            }
            if let (Some(place), RuleVerdict::Allow) = (place, naming.said) {
                let reads =
                    naming.only_reads || naming.descent.is_some_and(|descent| descent.reads);
                let asked = (naming.at, naming.descent, reads.then_some(Access::Read));
                self.below(place, &file.shown, asked, None, line);
            }
        });
    }
}

/// Hands out a file of a line as a subject, and its place if that is known.
fn with_place(
    file: &FileUse,
    line: &Line<'_>,
    access: Option<Access>,
    judge: impl FnOnce(&Subject<'_>, Option<&FilePlace<'_>>),
) {
    let located = locate(file, &line.base);
    let place = located.as_ref().map(LocatedFile::place);
    let names = place.as_ref().map(Names::of);
    let thing = Subject::File {
        access,
        place: names.as_ref(),
        shown: &file.shown,
        is_written: true,
    };
    judge(&thing, place.as_ref());
}

/// Returns why a command of `git` asks, whatever the rules allow; `None` if it need not ask.
pub(super) fn asks_of_git<'p>(part: &LineCommand, at: usize, line: &Line<'_>) -> Option<Why<'p>> {
    let changes = || line.changes_besides(at) || line.makes_a_repository();
    let own = line.repository.get_or_init(|| {
        // Most lines start in their root.
        if line.root == line.start() {
            return RootRepository::new(&line.root, line.base.real()?);
        }
        RootRepository::new(&line.root, &real_path(&line.root).ok()?)
    });
    let is_own = |own: &RootRepository| own.has(part, line.start(), &changes);
    if !own.as_ref().is_some_and(is_own) {
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
            && self.class == RuleVerdict::Deny
            && !file.sure
        {
            self.class = RuleVerdict::Ask;
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
