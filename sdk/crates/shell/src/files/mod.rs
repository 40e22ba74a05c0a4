//! The files of a line.

#[cfg(all(test, unix))]
mod tests;

use std::path::{Component, Path, PathBuf};

use super::begins_no_name::begins_no_name;
use super::part::{Directories, LineCommand};
use super::word::{Unknown, Word};

/// The longest name of a file, in bytes: no common file system has longer ones.
const LONGEST_NAME: usize = 255 * 4;

/// The longest path, in bytes, that a system takes.
const LONGEST_PATH: usize = 4096;

/// A file that a line uses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileUse {
    /// The way in which it is used.
    pub access: Access,
    /// The path, absolute if the directory given is, with its `..` and links as they are; `None` where
    /// it is not known.
    pub path: Option<PathBuf>,
    /// As it is written.
    pub shown: String,
    /// True if it is this file if it is one at all, and not one of several that a pattern may match.
    pub sure: bool,
}

impl LineCommand {
    /// The files that some of its words are, where they are no options.
    pub fn words_as_files(&self, words: &[Word], start: &Path) -> Vec<FileUse> {
        let mut files = Vec::new();
        for directory in self.directories(start) {
            let known = words.iter().filter_map(Word::known);
            for text in known.filter(|text| !text.starts_with('-')) {
                files.push(FileUse::read(&directory.join(text), text));
            }
        }
        files
    }

    /// Every file that one of its words may name, for rules that forbid paths: to be used as is given, since it is not
    /// known what the command does with it.
    pub fn named_files(&self, start: &Path, access: Access) -> Vec<FileUse> {
        let directories = self.directories(start);
        let program = self.program().filter(|program| !program.contains('/'));
        let words = self.words().iter().skip(usize::from(program.is_some()));
        let mut files = Vec::new();
        for word in words {
            let mut found = named_by(word, &directories);
            if program.is_some_and(|program| reads_a_list(program, word)) {
                found.push((None, word.shown()));
            }
            let uses = found.into_iter().map(|(path, shown)| FileUse {
                // In which of several directories it is looked for is not known.
                sure: path.is_some() && directories.len() < 2,
                ..FileUse::new(access, path, shown)
            });
            files.extend(uses);
        }
        files
    }
}

impl FileUse {
    pub(super) fn new(access: Access, path: Option<PathBuf>, shown: impl Into<String>) -> Self {
        Self {
            access,
            path,
            shown: shown.into(),
            sure: true,
        }
    }

    /// A path that is known, to be read.
    pub fn read(path: &Path, shown: impl Into<String>) -> Self {
        Self::new(Access::Read, Some(path.to_owned()), shown)
    }
}

/// A way to use a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is read.
    Read,
    /// It is made, changed or removed.
    Write,
}

/// A file that the shell opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) access: Access,
    pub(super) target: Word,
    pub(super) directory: Directories,
}

impl Redirect {
    pub(super) fn files(&self, start: &Path) -> Vec<FileUse> {
        let directory = match &*self.directory.0 {
            [path] => Some(start.join(path)),
            _ => None,
        };
        let found = |path, shown: &str| FileUse::new(self.access, path, shown);
        match &self.target {
            Word::Known(text) => vec![found(seen_from(directory.as_deref(), text), text)],
            // Each round of a loop may open another file.
            Word::Unknown(unknown) if !unknown.braced.is_empty() && !unknown.splits => {
                of_word(&self.target, directory.as_deref())
                    .into_iter()
                    .map(|(path, shown)| found(path, &shown))
                    .collect()
            }
            Word::Unknown(unknown) => vec![found(in_home(unknown), &unknown.shown)],
        }
    }
}

/// A path seen from a directory that may not be known.
fn seen_from(directory: Option<&Path>, text: &str) -> Option<PathBuf> {
    let path = Path::new(text);
    let path = match directory {
        Some(directory) => directory.join(path),
        None => path.to_owned(),
    };
    (path.is_absolute() && !is_of_a_process(&path)).then_some(path)
}

/// Returns true if a path leads to what a process has, such as its directory in `/proc/self/cwd`: another one
/// for the process that judges than for the one that runs.
fn is_of_a_process(path: &Path) -> bool {
    let mut parts = path.components();
    if parts.next() != Some(Component::RootDir) {
        return false;
    }
    let mut names = parts.map(|part| part.as_os_str().to_str());
    let own = |name: &str| {
        matches!(name, "self" | "thread-self" | "..")
            || name.bytes().all(|byte| byte.is_ascii_digit())
    };
    match names.next() {
        Some(Some("proc")) => names.any(|name| name.is_none_or(own)),
        // `/dev/fd` is a link to such a place.
        Some(Some("dev")) => {
            names.next() == Some(Some("fd")) && names.any(|name| name == Some(".."))
        }
        _ => false,
    }
}

/// The path that `~/..` stands for. A line that changes where that is, is not parsed.
fn in_home(unknown: &Unknown) -> Option<PathBuf> {
    let below = unknown.shown.strip_prefix("~/")?;
    let only = unknown.prefix.is_empty() && unknown.suffix.strip_prefix('/') == Some(below);
    if !only || unknown.splits {
        return None;
    }
    Some(std::env::home_dir()?.join(below))
}

/// Returns what a word may name as a file: itself, and what follows an option's name, a `=`, a `:` or an `@`
/// in it.
pub(super) fn names(text: &str) -> Vec<&str> {
    let mut names = vec![text];
    if is_one_name(text) {
        names.retain(|name| may_be_path(name));
        return names;
    }
    if let Some(option) = text
        .strip_prefix('-')
        .filter(|option| !option.starts_with('-'))
    {
        // `-ofile`, and `-rofile` after other letters.
        let letters = option.chars().take_while(char::is_ascii_alphanumeric);
        let first = option.chars().next().map_or(0, char::len_utf8);
        let ends = (1..=letters.count()).chain([first]);
        names.extend(ends.filter_map(|at| option.get(at..)));
    }
    let ends = text.char_indices().filter(|(_, c)| is_sign(*c));
    for (at, c) in ends {
        names.push(text.get(at + c.len_utf8()..).unwrap_or_default());
        names.push(text.get(..at).unwrap_or_default());
    }
    names.retain(|name| may_be_path(name));
    for at in 0..names.len() {
        // `a=b:c` and `file=@x`.
        if let Some((first, _)) = names[at].split_once([':', ','])
            && !first.is_empty()
        {
            names.push(first);
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns true if a text names nothing else than itself: it is no option and has no sign in it.
fn is_one_name(text: &str) -> bool {
    !text.starts_with('-') && !text.contains(is_sign)
}

/// The most signs in a word behind which, and before which, names of files are looked for.
const SIGNS: usize = 256;

/// Returns the bytes of all names together that a word may have as a file. Each name is looked up, and
/// compared with each pattern of a policy.
pub(super) fn bytes_of_names(word: &Word) -> usize {
    let of = |text: &str| {
        if is_one_name(text) {
            return if may_be_path(text) { text.len() } else { 0 };
        }
        if text.chars().filter(|c| is_sign(*c)).count() > SIGNS {
            return MOST_NAMES + 1;
        }
        names(text).iter().map(|name| name.len()).sum()
    };
    match word {
        Word::Known(text) => of(text),
        Word::Unknown(unknown) if unknown.pattern.is_some() => of(&unknown.shown),
        Word::Unknown(unknown) => unknown.braced.iter().map(bytes_of_names).sum(),
    }
}

/// The most [bytes of names](bytes_of_names) in a line.
pub(super) const MOST_NAMES: usize = 128 * 1024;

fn is_sign(c: char) -> bool {
    matches!(c, '=' | ':' | '@' | ',')
}

/// Returns true if a text is short enough for a path: a long one is not looked up at each of its signs.
fn may_be_path(text: &str) -> bool {
    let parts = |text: &str| text.split('/').all(|part| part.len() <= LONGEST_NAME);
    !text.is_empty() && text.len() <= LONGEST_PATH && parts(text)
}

/// The files that a word may name, `None` for one that nobody knows.
pub(super) fn of_word(word: &Word, directory: Option<&Path>) -> Vec<(Option<PathBuf>, String)> {
    match word {
        Word::Known(text) => names(text)
            .into_iter()
            .map(|name| (seen_from(directory, name), name.to_owned()))
            .collect(),
        Word::Unknown(Unknown {
            shown,
            pattern: Some(pattern),
            ..
        }) => {
            let named = pattern.named(directory);
            // If nothing matches, the command gets the pattern itself.
            let itself = names(shown)
                .into_iter()
                .map(|name| seen_from(directory, name))
                .chain((named.more || named.options).then_some(None));
            let found = named.files.into_iter();
            let found = found.map(|path| (!is_of_a_process(&path)).then_some(path));
            found
                .chain(itself)
                .map(|path| (path, shown.clone()))
                .collect()
        }
        word @ Word::Unknown(_) if word.is_pipe() => Vec::new(),
        Word::Unknown(unknown) if !unknown.braced.is_empty() => {
            let each = unknown.braced.iter();
            each.flat_map(|word| of_word(word, directory))
                .map(|(path, _)| (path, unknown.shown.clone()))
                .collect()
        }
        Word::Unknown(unknown) => vec![(in_home(unknown), unknown.shown.clone())],
    }
}

/// Returns true if a word makes a program use files that another file or its input names.
fn reads_a_list(program: &str, word: &Word) -> bool {
    let Some(text) = word.known() else {
        return false;
    };
    let letters = |letter: char| {
        text.strip_prefix('-')
            .is_some_and(|given| !given.starts_with('-') && given.contains(letter))
    };
    ["--files-from", "--files0-from", "--pathspec-from-file"]
        .iter()
        .any(|option| text.starts_with(option))
        || match program {
            // Its first word may do without the dash.
            "tar" => {
                letters('T')
                    || (text.contains('T') && text.bytes().all(|byte| byte.is_ascii_alphabetic()))
            }
            "zip" => letters('@'),
            _ => false,
        }
}

/// The files that a word may name in a command that runs in one of these directories, `None` for one that
/// nobody knows; without a directory it is not known where it runs.
fn named_by(word: &Word, directories: &[PathBuf]) -> Vec<(Option<PathBuf>, String)> {
    let in_each = || {
        let each = directories.iter();
        each.flat_map(|directory| of_word(word, Some(directory)))
            .collect()
    };
    let unknown = match word {
        Word::Known(_) if directories.is_empty() => return of_word(word, None),
        Word::Known(_) => return in_each(),
        Word::Unknown(unknown) => unknown,
    };
    if word.is_pipe() {
        return Vec::new();
    }
    let shown = || unknown.shown.clone();
    // A number.
    if ["$?", "$!", "$#", "$$"].contains(&unknown.shown.trim_matches('"')) {
        return Vec::new();
    }
    if let Some(path) = in_home(unknown) {
        return vec![(Some(path), shown())];
    }
    if unknown.pattern.is_some() && !directories.is_empty() {
        return in_each();
    }
    if !unknown.braced.is_empty() && !directories.is_empty() {
        let each = unknown.braced.iter();
        return each
            .flat_map(|word| named_by(word, directories))
            .map(|(path, _)| (path, shown()))
            .collect();
    }
    if begins_no_name(unknown, directories) {
        return Vec::new();
    }
    vec![(None, shown())]
}

/// A path with each `..` taken away together with the name before it, as bash's `cd` does.
pub(super) fn cleaned(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir
                if matches!(clean.components().next_back(), Some(Component::Normal(_))) =>
            {
                clean.pop();
            }
            Component::ParentDir if clean.is_absolute() => {}
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}
