//! The part of a pattern that follows its directory.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::super::matching::{Closeness, Match};
use super::fold::fold;

/// A glob, relative to a directory. What it matches it means with everything below it.
#[derive(Debug, Clone)]
pub(super) struct Glob {
    text: String,
    exact: GlobSet,
    /// For folded paths. The same glob with every class and `?` as a `*`, where it has any.
    folded: GlobSet,
    loose: Option<GlobSet>,
    /// The depth below the directory of all that it matches; `None` for any depth.
    depth: Option<usize>,
}

impl Glob {
    /// A glob of parts that were joined by slashes.
    pub(super) fn new(parts: &[String]) -> Result<Self, globset::Error> {
        let text = parts.join("/");
        let exact = compile(&text)?;
        let loosened = loosened(&text);
        let loose = if loosened == text {
            None
        } else {
            Some(compile(&fold(&loosened))?)
        };
        // A range such as `[Z-a]` is none when it is folded.
        let folded = compile(&fold(&text)).or_else(|_| compile(&fold(&loosened)))?;
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

fn compile(text: &str) -> Result<GlobSet, globset::Error> {
    let glob = |text: &str| {
        GlobBuilder::new(text)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
    };
    GlobSetBuilder::new()
        .add(glob(text)?)
        .add(glob(&format!("{text}/**"))?)
        .build()
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
