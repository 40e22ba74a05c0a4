//! The part of a pattern that follows its directory.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::super::matching::{Closeness, Match};
use super::fold::fold;

/// A glob, relative to a directory. What it matches it means with everything below it.
#[derive(Debug, Clone)]
pub(super) struct Glob {
    text: String,
    exact: Matcher,
    /// For folded paths. The same glob with every class and `?` as a `*`, where it has any.
    folded: Matcher,
    loose: Option<Matcher>,
    /// The depth below the directory of all that it matches; `None` for any depth.
    depth: Option<usize>,
}

impl Glob {
    /// A glob of parts that were joined by slashes.
    pub(super) fn new(parts: &[String]) -> Result<Self, globset::Error> {
        let text = parts.join("/");
        let exact = Matcher::new(&text)?;
        let loosened = loosened(&text);
        let loose = if loosened == text {
            None
        } else {
            Some(Matcher::new(&fold(&loosened))?)
        };
        // A range such as `[Z-a]` is none when it is folded.
        let folded = Matcher::new(&fold(&text)).or_else(|_| Matcher::new(&fold(&loosened)))?;
        let is_flat = |part: &String| part != "**" && !part.contains('/');
        Ok(Self {
            exact,
            folded,
            loose,
            depth: parts.iter().all(is_flat).then_some(parts.len()),
            text,
        })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if it has a class or a `?`.
    pub(super) fn has_classes(&self) -> bool {
        self.loose.is_some()
    }

    /// Returns what it says of a path in the directory to a rule that allows.
    pub(super) fn allows(&self, rest: &str) -> Match {
        if self.exact.is_match(rest) {
            YES
        } else {
            Match::No
        }
    }

    /// Returns what it says of a folded path in the directory to a rule that restricts.
    pub(super) fn restricts(&self, rest: &str, tree: bool) -> Match {
        let is_deeper = |depth| rest.split('/').count() < depth;
        if self.folded.is_match(rest) {
            YES
        } else if tree && self.depth.is_none_or(is_deeper) {
            Match::Maybe
        } else if rest.is_ascii() {
            Match::No
        } else {
            // To the crate, `?` and a class are one byte.
            let may = self
                .loose
                .as_ref()
                .is_some_and(|loose| loose.is_match(rest));
            if may { Match::Maybe } else { Match::No }
        }
    }
}

/// A match, whose closeness is set by the caller, who knows the directory.
const YES: Match = Match::Yes(Closeness::LEAST);

/// The matcher of paths that match a glob, or lie in a directory that does.
#[derive(Debug, Clone)]
struct Matcher {
    /// A text that every match has in it. Most paths do not, so that the set need not be asked.
    needed: Option<String>,
    set: GlobSet,
}

impl Matcher {
    fn new(text: &str) -> Result<Self, globset::Error> {
        let glob = |text: &str| {
            GlobBuilder::new(text)
                .literal_separator(true)
                .backslash_escape(true)
                .build()
        };
        let set = GlobSetBuilder::new()
            .add(glob(text)?)
            .add(glob(&format!("{text}/**"))?)
            .build()?;
        Ok(Self {
            needed: needed(text),
            set,
        })
    }

    fn is_match(&self, path: &str) -> bool {
        let needed = self.needed.as_deref();
        needed.is_none_or(|needed| path.contains(needed)) && self.set.is_match(path)
    }
}

/// The longest piece of a glob that stands for itself. `None` for one with escapes, classes or alternatives.
fn needed(glob: &str) -> Option<String> {
    if glob.contains(['\\', '[', ']', '{', '}']) {
        return None;
    }
    let pieces = glob.split(['*', '?', '/']);
    let longest = pieces.max_by_key(|piece| piece.len())?;
    (!longest.is_empty()).then(|| longest.to_owned())
}

/// A glob that matches more: a `*` for each class and each `?`.
fn loosened(text: &str) -> String {
    let mut loose = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                loose.push(c);
                loose.extend(chars.next());
            }
            '?' => loose.push('*'),
            '[' => {
                super::text::skip_class(&mut chars);
                loose.push('*');
            }
            c => loose.push(c),
        }
    }
    loose
}
