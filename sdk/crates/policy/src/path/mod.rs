//! Patterns of paths.

mod fold;
mod glob;
pub(crate) mod text;

use std::borrow::Cow;
use std::path::{Component, Path};

use self::fold::fold;
use self::glob::Glob;
pub(crate) use self::text::escaped;
use super::matching::{Closeness, Match, PatternError, Side};
use toolwright::permission::FilePlace;

/// The files and directories that a rule is about: a path, or a glob.
///
/// | pattern | speaks of |
/// |---|---|
/// | `src` | `src` below the root, and everything in it |
/// | `src/**` | the same |
/// | `.` | the root, and everything in it |
/// | `/etc/ssl` | that directory, and everything in it |
/// | `~/.ssh` | that of the home directory |
/// | `*.pem` | such files right in the root, and what is in directories of such names |
/// | `src/*/gen` | `src/a/gen`, not `src/a/b/gen`, and everything in it |
/// | `**/.env` | `.env` anywhere below the root, the root itself too |
/// | `/**/.env` | `.env` anywhere at all |
/// | `{a,b}/*.r[so]` | one of these parts, one of these characters |
/// | `app/\[id\]` | the directory `[id]`: after `\` a character stands for itself |
///
/// A rule that allows goes by where a file really is, to the letter, and by where the pattern's
/// directory really was when the policy was made. One that asks or denies goes by every name that
/// is known of both, and takes what some file system holds for one name as one: capital and small
/// letters, the ways to write an accent, characters that cannot be seen. On a file system that tells
/// these apart it so restricts a little more: with `deny Makefile`, `makefile` too. It also takes
/// `[id]` for a name as well as for a glob.
///
/// In `?` and `[..]` a character is one of ASCII. Beyond these a rule that restricts asks where it
/// cannot tell, and one that allows does not apply.
///
/// Not seen: a link made of the pattern's own path after the policy was made, where a file is named
/// by the path that the link leads to; other hard links to a file; and on Windows the short names
/// (`PROGRA~1`) of what does not exist yet.
#[derive(Debug, Clone)]
pub(super) struct PathPattern {
    text: String,
    /// The place where its directory really is.
    real: Spelling<'static>,
    /// The other names that it goes by, for rules that restrict.
    others: Vec<Spelling<'static>>,
    /// The part after the directory.
    glob: Option<Glob>,
    /// The text taken as a name, where it is a glob that may be one.
    literal: Vec<Spelling<'static>>,
}

/// A name of a directory or file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spelling<'p> {
    /// With `/` before each part. So that of the top is empty.
    path: Cow<'p, str>,
    /// `None`: the same.
    folded: Option<String>,
}

/// The names of a place as patterns compare them: spelled once, and not once for each pattern.
#[derive(Debug)]
pub(super) struct Names<'p> {
    /// `None`: it cannot be compared.
    real: Option<Spelling<'p>>,
    /// The other names that it goes by.
    others: [Option<Spelling<'p>>; 2],
    /// True if it goes by a name that cannot be compared.
    unclear: bool,
    place: FilePlace<'p>,
}

impl<'p> Names<'p> {
    pub(super) fn of(place: &FilePlace<'p>) -> Self {
        let paths = [place.named, place.entry];
        let others = paths.map(|path| Spelling::new(path?));
        let mut known = paths.iter().zip(&others);
        Self {
            real: Spelling::new(place.real),
            unclear: known.any(|(path, name)| path.is_some() && name.is_none()),
            others,
            place: *place,
        }
    }

    /// Returns true if rules can be compared with the place.
    pub(super) fn is_settled(&self) -> bool {
        self.real.is_some()
    }

    pub(super) fn place(&self) -> &FilePlace<'p> {
        &self.place
    }
}

/// The position of a path relative to a directory.
enum Lies<'p> {
    /// The directory itself.
    Same,
    /// Inside of it, at this relative path.
    Below(&'p str),
    /// A directory that it lies in.
    Above,
    Apart,
}

impl PathPattern {
    /// A pattern of a rule. Relative ones start at `root`, which is absolute.
    pub(super) fn new(text: &str, root: &Path) -> Result<Self, PatternError> {
        text::parse(text, root)
    }

    /// Compares it with a place.
    pub(super) fn matches(&self, side: Side, place: &Names<'_>) -> Match {
        let Names {
            real,
            others,
            unclear,
            place: FilePlace { tree, .. },
        } = place;
        match side {
            Side::Allow => real
                .as_ref()
                .map_or(Match::No, |real| self.allows(&real.path, *tree)),
            Side::Restrict => {
                let Some(real) = real else {
                    return Match::Maybe;
                };
                let found = self.restricts(real, *tree);
                if matches!(found, Match::Yes(_)) {
                    return found;
                }
                let found = if *unclear {
                    found.max(Match::Maybe)
                } else {
                    found
                };
                let others = others.iter().flatten();
                let others = others.map(|name| self.restricts(name, *tree));
                let most = others.fold(found, Match::max);
                match most {
                    // Another name than that which rules that allow go by: how closely each of them
                    // names the place is not to be compared.
                    Match::Yes(_) => Match::Yes(Closeness {
                        exact: true,
                        literal: usize::MAX,
                    }),
                    unsure => unsure,
                }
            }
        }
    }

    fn allows(&self, path: &str, tree: bool) -> Match {
        let found = self.real.judge(&self.real.path, path, tree, |rest| {
            self.glob.as_ref().map(|glob| glob.allows(rest))
        });
        match found {
            Match::Yes(_) => found,
            _ => Match::No,
        }
    }

    fn restricts(&self, name: &Spelling<'_>, tree: bool) -> Match {
        let (path, folded) = (&*name.path, name.folded());
        let spellings = std::iter::once(&self.real).chain(&self.others);
        let by_glob = spellings.map(|spelling| {
            let inexact = spelling.judge(spelling.folded(), folded, tree, |rest| {
                self.glob.as_ref().map(|glob| glob.restricts(rest, tree))
            });
            // Folding takes apart what a class keeps together: `_` is in `[A-z]`, not in `[a-z]`.
            match (&self.glob, inexact) {
                (Some(glob), Match::No | Match::Maybe) if glob.has_classes() => {
                    let exact =
                        spelling.judge(&spelling.path, path, tree, |rest| Some(glob.allows(rest)));
                    inexact.max(exact)
                }
                _ => inexact,
            }
        });
        let by_name = self
            .literal
            .iter()
            .map(|name| name.judge(name.folded(), folded, tree, |_| None));
        by_glob.chain(by_name).fold(Match::No, Match::max)
    }

    /// Returns true if it surely speaks of all that the other speaks of.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let mine = || std::iter::once(&self.real).chain(&self.others);
        let theirs = || std::iter::once(&other.real).chain(&other.others);
        let is_same = self.glob.as_ref().map(Glob::as_str) == other.glob.as_ref().map(Glob::as_str)
            && self.real == other.real
            && other.others.iter().all(|name| self.others.contains(name));
        is_same
            || theirs().chain(&other.literal).all(|name| {
                mine().any(|spelling| match lies(&spelling.path, &name.path) {
                    Lies::Same => self.glob.is_none(),
                    Lies::Below(rest) => {
                        let matched = self.glob.as_ref().map(|glob| glob.allows(rest));
                        matched.is_none_or(|matched| matches!(matched, Match::Yes(_)))
                    }
                    Lies::Above | Lies::Apart => false,
                })
            })
    }

    /// As it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

impl<'p> Spelling<'p> {
    /// `None` for a path that cannot be compared.
    fn new(path: &'p Path) -> Option<Self> {
        let path = spelled(path)?;
        let folded = match fold(&path) {
            Cow::Owned(folded) => Some(folded),
            Cow::Borrowed(_) => None,
        };
        Some(Self { path, folded })
    }

    fn into_owned(self) -> Spelling<'static> {
        Spelling {
            path: Cow::Owned(self.path.into_owned()),
            folded: self.folded,
        }
    }

    fn folded(&self) -> &str {
        self.folded.as_deref().unwrap_or(&self.path)
    }

    /// Returns what a pattern of this directory says of a path; `directory` is one of the two spellings, and
    /// `glob` says of what is below it, or nothing where the pattern is the directory itself.
    fn judge(
        &self,
        directory: &str,
        path: &str,
        tree: bool,
        glob: impl FnOnce(&str) -> Option<Match>,
    ) -> Match {
        let yes = |exact| {
            Match::Yes(Closeness {
                exact,
                literal: self.path.bytes().filter(|byte| *byte == b'/').count(),
            })
        };
        match lies(directory, path) {
            Lies::Same => match glob("") {
                None => yes(true),
                Some(_) if tree => Match::Maybe,
                Some(_) => Match::No,
            },
            Lies::Below(rest) => match glob(rest) {
                None | Some(Match::Yes(_)) => yes(false),
                Some(unsure) => unsure,
            },
            Lies::Above if tree => Match::Maybe,
            Lies::Above | Lies::Apart => Match::No,
        }
    }
}

fn lies<'p>(directory: &str, path: &'p str) -> Lies<'p> {
    if let Some(rest) = path.strip_prefix(directory) {
        if rest.is_empty() {
            return Lies::Same;
        }
        if let Some(rest) = rest.strip_prefix('/') {
            return Lies::Below(rest);
        }
    }
    match directory.strip_prefix(path) {
        Some(rest) if rest.starts_with('/') => Lies::Above,
        _ => Lies::Apart,
    }
}

/// A path as patterns compare it. `None` for what is not UTF-8, and what is not absolute or has a
/// `..` in it: a request made by hand may say anything.
fn spelled(path: &Path) -> Option<Cow<'_, str>> {
    let text = path.to_str()?;
    if cfg!(unix) && is_spelled(text) {
        return Some(Cow::Borrowed(text));
    }
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    if cfg!(windows) {
        // `\\?\C:\a` is `C:\a`.
        let text = text.strip_prefix(r"\\?\").unwrap_or(text);
        return Some(Cow::Owned(
            text.replace('\\', "/").trim_end_matches('/').to_owned(),
        ));
    }
    // A dot or doubled slash within a text is rare, so that it is looked for before it is mended.
    if text.contains("//") || text.contains("/./") || text.ends_with("/.") {
        let parts = path.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        return Some(Cow::Owned(parts.flat_map(|part| ["/", part]).collect()));
    }
    Some(Cow::Borrowed(text.trim_end_matches('/')))
}

/// Returns true for an absolute path that has nothing to mend, as paths of requests have: each slash is followed by a
/// name that does not begin with a dot and a slash, or with two dots. One look at its bytes tells.
fn is_spelled(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first() == Some(&b'/')
        && bytes.iter().enumerate().all(|(at, byte)| {
            let rest = bytes.get(at + 1..).unwrap_or_default();
            *byte != b'/' || !matches!(rest, [] | [b'/', ..] | [b'.'] | [b'.', b'/' | b'.', ..])
        })
}

#[cfg(all(test, unix))]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy does not see that these are tests"
)]
mod tests;
