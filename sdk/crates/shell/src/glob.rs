//! Words that are patterns of files, such as `src/*.rs`, or that braces make such words of.
//!
//! The meaning of one depends on the entries that are there when the command runs. Here they are
//! looked up when the line is judged, so an entry that the line itself or another program makes in
//! between is not seen; nor is a link that is put in the place of a file between the two, for any path.

use std::fs;
use std::path::{Path, PathBuf};

/// The most files that the patterns of a line may name together. Each of them is judged.
pub(super) const MATCHES: usize = 1_000;

/// The most entries that are looked at for all of them.
const ENTRIES: usize = 20_000;

/// The most names between the slashes of a pattern.
const COMPONENTS: usize = 64;

/// A piece of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Glyph {
    Char(char),
    /// Any one character.
    One,
    /// Any characters, or none.
    Many,
}

/// A pattern of `*`, `?` and sets of characters, which stand for any one here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The names between the slashes.
    components: Vec<Vec<Glyph>>,
    absolute: bool,
    /// True if bash splits each name that is found into words, and looks these up as patterns once more.
    plain: bool,
    /// The number of look-ups in the line, which have equal shares of what may be looked at.
    shares: usize,
}

/// The files that a pattern names.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) files: Vec<PathBuf>,
    /// True if it may name others: there are too many, or some that are not understood.
    pub(super) more: bool,
    /// True if one of the names begins with a `-`, and may be taken for an option.
    pub(super) options: bool,
}

impl Pattern {
    /// Returns `None` for `**`, which may mean directories of any depth, and for a very deep pattern.
    pub(super) fn new(glyphs: &[Glyph]) -> Option<Self> {
        if glyphs
            .windows(2)
            .any(|two| two == [Glyph::Many, Glyph::Many])
        {
            return None;
        }
        let components: Vec<_> = glyphs
            .split(|glyph| *glyph == Glyph::Char('/'))
            .filter(|component| !component.is_empty())
            .map(<[Glyph]>::to_vec)
            .collect();
        (components.len() <= COMPONENTS).then(|| Self {
            components,
            absolute: glyphs.first() == Some(&Glyph::Char('/')),
            plain: false,
            shares: 1,
        })
    }

    /// Sets the number of look-ups in the line.
    pub(super) fn share(&mut self, shares: usize) {
        self.shares = shares.max(1);
    }

    /// The pattern as the value of a variable. Without quotes, bash splits the value into words, and each
    /// word may be a pattern once more.
    pub(super) fn for_one_word(mut self, quoted: bool) -> Self {
        self.plain |= !quoted;
        self
    }

    /// The entries that match now, seen from a directory, as bash finds them: in the case that they are
    /// written in, and without those that begin with a dot unless the pattern does.
    pub(super) fn named(&self, directory: Option<&Path>) -> Named {
        let mut named = Named::default();
        let start = match (self.absolute, directory) {
            (true, _) => PathBuf::from("/"),
            (false, Some(directory)) if directory.is_absolute() => directory.to_owned(),
            _ => {
                named.more = true;
                return named;
            }
        };
        let mut left = Left {
            entries: ENTRIES / self.shares,
            matches: MATCHES / self.shares,
        };
        let mut places = vec![start];
        for (depth, component) in self.components.iter().enumerate() {
            let mut next = Vec::new();
            named.more = left.step(component, &places, &mut next).is_none();
            if depth == 0 && !self.absolute {
                let is_option = |path: &PathBuf| {
                    let name = path.file_name();
                    name.is_some_and(|name| name.as_encoded_bytes().starts_with(b"-"))
                };
                let given = literal(component).is_some_and(|name| name.starts_with('-'));
                named.options = given || next.iter().any(is_option);
            }
            places = next;
            if named.more {
                // These are directories.
                if depth + 1 < self.components.len() {
                    places.clear();
                }
                break;
            }
        }
        named.files = places;
        if self.plain {
            let splits = |path: &PathBuf| {
                let odd = |c: char| c.is_whitespace() || "*?[\\".contains(c);
                path.to_str().is_none_or(|path| path.contains(odd))
            };
            named.more |= named.files.iter().any(splits);
        }
        named.files.sort_unstable();
        named
    }
}

/// The entries and matches that a pattern may still look at.
struct Left {
    entries: usize,
    matches: usize,
}

impl Left {
    /// Finds what a component stands for in each place. `None` where it may stand for more than that: there is
    /// too much to look at, or an entry that cannot be read.
    fn step(
        &mut self,
        component: &[Glyph],
        places: &[PathBuf],
        found: &mut Vec<PathBuf>,
    ) -> Option<()> {
        if let Some(name) = literal(component) {
            self.entries = self.entries.checked_sub(places.len())?;
            found.extend(places.iter().map(|place| place.join(&name)));
            // A name that does not exist is passed over, unless no pattern comes before it.
            found.retain(|place| place.symlink_metadata().is_ok());
            return Some(());
        }
        for place in places {
            self.entries = self.entries.checked_sub(1)?;
            // Bash before 5.2 finds these two, too.
            for dots in [".", ".."] {
                if matches(component, dots) {
                    self.find(place.join(dots), found)?;
                }
            }
            let Ok(entries) = fs::read_dir(place) else {
                // No directory, or none that bash could read. Another reason is one to ask.
                if place.is_dir() {
                    return None;
                }
                continue;
            };
            for entry in entries {
                self.entries = self.entries.checked_sub(1)?;
                let name = entry.ok()?.file_name();
                let name = name.to_str()?;
                if matches(component, name) {
                    self.find(place.join(name), found)?;
                }
            }
        }
        Some(())
    }

    fn find(&self, path: PathBuf, found: &mut Vec<PathBuf>) -> Option<()> {
        (found.len() < self.matches).then(|| found.push(path))
    }
}

/// The text, if there is nothing else in it.
fn literal(component: &[Glyph]) -> Option<String> {
    component
        .iter()
        .map(|glyph| match glyph {
            Glyph::Char(c) => Some(*c),
            Glyph::One | Glyph::Many => None,
        })
        .collect()
}

/// Returns true if a name matches a pattern without slashes.
fn matches(pattern: &[Glyph], name: &str) -> bool {
    // A set that begins a pattern matches no dot either.
    if name.starts_with('.') && pattern.first() != Some(&Glyph::Char('.')) {
        return false;
    }
    // The places in the pattern that may come next, after the characters so far.
    let mut places = vec![false; pattern.len() + 1];
    places[0] = true;
    let behind_many = |places: &mut [bool]| {
        for (at, glyph) in pattern.iter().enumerate() {
            places[at + 1] |= places[at] && *glyph == Glyph::Many;
        }
    };
    behind_many(&mut places);
    let mut next = places.clone();
    for c in name.chars() {
        next.fill(false);
        for (at, glyph) in pattern.iter().enumerate().filter(|(at, _)| places[*at]) {
            match glyph {
                Glyph::Many => next[at] = true,
                Glyph::One => next[at + 1] = true,
                Glyph::Char(own) => next[at + 1] |= *own == c,
            }
        }
        behind_many(&mut next);
        std::mem::swap(&mut places, &mut next);
    }
    places[pattern.len()]
}

#[cfg(all(test, unix))]
mod tests;
