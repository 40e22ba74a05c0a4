//! Words that are patterns of files, such as `src/*.rs`, or that braces make such words of.
//!
//! What bash makes of one depends on the entries that are there when the command runs. Here they are
//! looked up when the line is judged, so an entry that the line itself or another program makes in
//! between is not seen; nor is a link that is put in the place of a file between the two, for any path.

use std::fs;
use std::path::{Path, PathBuf};

/// The most files that a pattern may name.
const MATCHES: usize = 1_000;

/// The most entries that are looked at for one.
const ENTRIES: usize = 20_000;

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
}

/// The files that a pattern names.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) files: Vec<PathBuf>,
    /// Whether it may name others: there are too many, or some that are not understood.
    pub(super) more: bool,
    /// Whether one of the names begins with a `-`, and may be taken for an option.
    pub(super) options: bool,
}

impl Pattern {
    /// None for `**`, which may mean directories of any depth.
    pub(super) fn new(glyphs: &[Glyph]) -> Option<Self> {
        if glyphs
            .windows(2)
            .any(|two| two == [Glyph::Many, Glyph::Many])
        {
            return None;
        }
        let components = glyphs
            .split(|glyph| *glyph == Glyph::Char('/'))
            .filter(|component| !component.is_empty())
            .map(<[Glyph]>::to_vec)
            .collect();
        Some(Self {
            components,
            absolute: glyphs.first() == Some(&Glyph::Char('/')),
            plain: false,
        })
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
        let mut looked = 0;
        let mut places = vec![start];
        for (depth, component) in self.components.iter().enumerate() {
            let may_be_option = depth == 0 && !self.absolute;
            let last = depth + 1 == self.components.len();
            let mut next = Vec::new();
            if let Some(name) = literal(component) {
                named.options |= may_be_option && name.starts_with('-');
                // What does not exist is passed over, but for what follows no pattern.
                next = places.iter().map(|place| place.join(&name)).collect();
                next.retain(|place: &PathBuf| place.symlink_metadata().is_ok());
            } else {
                for place in &places {
                    // Bash before 5.2 finds these two, too.
                    for dots in [".", ".."] {
                        if matches(component, dots) {
                            next.push(place.join(dots));
                        }
                    }
                    let Ok(entries) = fs::read_dir(place) else {
                        // No directory, or none that bash could read. Another reason is one to ask.
                        named.more |= place.is_dir();
                        continue;
                    };
                    for entry in entries {
                        looked += 1;
                        let name = entry.ok().map(|entry| entry.file_name());
                        let Some(name) = name.as_ref().and_then(|name| name.to_str()) else {
                            named.more = true;
                            continue;
                        };
                        if looked > ENTRIES || next.len() > MATCHES {
                            named.more = true;
                            break;
                        }
                        if matches(component, name) {
                            named.options |= may_be_option && name.starts_with('-');
                            next.push(place.join(name));
                        }
                    }
                }
            }
            if last {
                named.files = next;
                break;
            }
            places = next;
        }
        if self.plain {
            let splits = |path: &PathBuf| {
                let odd = |c: char| c.is_whitespace() || "*?[\\".contains(c);
                path.to_str().is_none_or(|path| path.contains(odd))
            };
            named.more |= named.files.iter().any(splits);
        }
        named.files.sort_unstable();
        if named.files.len() > MATCHES {
            named.files.truncate(MATCHES);
            named.more = true;
        }
        named
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

/// Whether a name matches a pattern without slashes.
fn matches(pattern: &[Glyph], name: &str) -> bool {
    // A set that begins a pattern matches no dot either.
    if name.starts_with('.') && pattern.first() != Some(&Glyph::Char('.')) {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut read) = (0, 0);
    // Where to go on if the rest does not match: after the last `*`, one character further.
    let mut retry: Option<(usize, usize)> = None;
    while read < name.len() {
        match pattern.get(at) {
            Some(Glyph::Many) => {
                at += 1;
                retry = Some((at, read));
                continue;
            }
            Some(Glyph::One) => {
                at += 1;
                read += 1;
                continue;
            }
            Some(Glyph::Char(c)) if name.get(read) == Some(c) => {
                at += 1;
                read += 1;
                continue;
            }
            _ => {}
        }
        let Some((after, from)) = retry else {
            return false;
        };
        at = after;
        read = from + 1;
        retry = Some((after, read));
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|glyph| *glyph == Glyph::Many)
}

#[cfg(all(test, unix))]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::super::{ShellLine, Word};
    use super::*;

    fn pattern(word: &str) -> Option<Pattern> {
        let line = ShellLine::parse(&format!("cat {word}")).unwrap();
        match &line.parts()[0].words()[1] {
            Word::Unknown(unknown) => unknown.pattern.clone(),
            Word::Known(_) => None,
        }
    }

    #[test]
    fn entries_are_found_as_bash_finds_them() {
        let root = tempfile::tempdir().unwrap();
        for name in [
            "a.md",
            "B.MD",
            ".h.md",
            "a*.md",
            "d/x.rs",
            "d/y.rs",
            "e/x.rs",
            "e/.z/x.rs",
        ] {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for word in [
            "*.md",
            "?.md",
            "[ab].md",
            "[!x].md",
            ".*.md",
            "a\\*.m*",
            "*",
            "d/*.rs",
            "*/x.rs",
            "*/*",
            "./*.md",
            "d/../*.md",
            "*/",
            "n*",
            "d/n*",
            "'a*'.*",
            "*/.z/*",
            "*.*.*",
            "\"d\"/?.rs",
        ] {
            let script = format!("printf '%s\\n' {word}");
            let output = std::process::Command::new("bash")
                .args(["--norc", "-c", &script])
                .current_dir(root.path())
                .output()
                .unwrap();
            let expected: Vec<PathBuf> = String::from_utf8(output.stdout)
                .unwrap()
                .lines()
                .map(|line| root.path().join(line))
                .filter(|path| path.symlink_metadata().is_ok())
                .collect();
            let named = pattern(word).unwrap().named(Some(root.path()));
            assert!(!named.more && !named.options, "{word}");
            for path in &expected {
                assert!(
                    named.files.contains(path),
                    "{word}: {path:?} is not in {named:?}"
                );
            }
            // Only a set is read as more than it is.
            let wider = word.contains('[') || word.ends_with('/');
            assert!(
                wider || named.files.len() == expected.len(),
                "{word}: {named:?}"
            );
        }
    }

    #[test]
    fn what_is_no_plain_pattern_is_none() {
        for word in [
            "**",
            "*$X",
            "\"$X\"*",
            "{a,b}*",
            "~/*",
            "[a/b]*",
            "[[:alpha:]]*",
            "[]a]*",
            "a'*'",
        ] {
            assert_eq!(pattern(word), None, "{word}");
        }
        let line = ShellLine::parse("shopt -s nullglob; cat *").unwrap();
        let Word::Unknown(word) = &line.parts()[1].words()[1] else {
            panic!("{line:?}");
        };
        assert_eq!(word.pattern, None);
    }

    #[test]
    fn too_many_entries_and_options_are_said() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("-rf"), "").unwrap();
        let star = pattern("*").unwrap();
        assert!(star.named(Some(root.path())).options);
        assert!(!pattern("./*").unwrap().named(Some(root.path())).options);
        assert!(star.named(None).more);
        for number in 0..=MATCHES {
            fs::write(root.path().join(number.to_string()), "").unwrap();
        }
        assert!(star.named(Some(root.path())).more);
    }
}
