//! Names that rules speak of: of tools, and of kinds and targets of requests.

use super::matching::{Closeness, PatternError};
use toolwright::id::ToolName;

/// A text, or all that begin with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamePattern {
    text: String,
    /// True if a `*` stands at the end.
    open: bool,
}

impl NamePattern {
    /// A pattern of any texts.
    pub(super) fn new(text: &str) -> Result<Self, PatternError> {
        let literal = text.strip_suffix('*').unwrap_or(text);
        if text.is_empty() {
            return Err(PatternError::new(
                "`` names nothing: write a name, or `*` for any",
            ));
        }
        if literal.contains('*') {
            return Err(PatternError::new(format!(
                "`{text}` has a `*` where it means nothing: it stands at the end only, as in `fs.*`"
            )));
        }
        Ok(Self {
            text: text.to_owned(),
            open: literal.len() < text.len(),
        })
    }

    /// A pattern of names of tools.
    fn of_tools(text: &str) -> Result<Self, PatternError> {
        let pattern = Self::new(text)?;
        // The beginning of a name is a name once something follows it.
        let completed = format!("{}x", pattern.literal());
        let name = if pattern.open {
            ToolName::new(completed)
        } else {
            ToolName::new(pattern.text.clone())
        };
        match name {
            Ok(_) => Ok(pattern),
            Err(_) => Err(PatternError::new(format!(
                "`{text}` names no tool: names are letters, digits, `_` and `-` in segments with \
                 dots between them, as in `fs.read`, `fs.*` or `!fs.remove`"
            ))),
        }
    }

    /// The text as it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns what a match begins with.
    pub(super) fn literal(&self) -> &str {
        if self.open {
            self.text.strip_suffix('*').unwrap_or(&self.text)
        } else {
            &self.text
        }
    }

    pub(super) fn is_exact(&self) -> bool {
        !self.open
    }

    pub(super) fn matches(&self, name: &str) -> Option<Closeness> {
        let holds = if self.open {
            name.starts_with(self.literal())
        } else {
            name == self.text
        };
        holds.then(|| Closeness {
            exact: !self.open,
            literal: self.literal().len(),
        })
    }

    /// Returns true if all that the other matches, this does too.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.open {
            other.literal().starts_with(self.literal())
        } else {
            !other.open && self.text == other.text
        }
    }

    /// Returns true if there is a text that both match.
    pub(super) fn meets(&self, other: &Self) -> bool {
        match (self.open, other.open) {
            (true, true) => {
                self.literal().starts_with(other.literal())
                    || other.literal().starts_with(self.literal())
            }
            (true, false) => self.covers(other),
            (false, _) => other.covers(self),
        }
    }
}

/// The tools that a rule names. None named: any tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ToolPatterns {
    pub(super) named: Vec<NamePattern>,
    /// Those left out.
    pub(super) excluded: Vec<NamePattern>,
}

impl ToolPatterns {
    /// Reads the patterns of one rule, and says which texts are none.
    pub(super) fn new(texts: &[String]) -> (Self, Vec<PatternError>) {
        let (mut patterns, mut errors) = (Self::default(), Vec::new());
        for text in texts {
            let (list, text) = match text.strip_prefix('!') {
                Some(left_out) => (&mut patterns.excluded, left_out),
                None => (&mut patterns.named, text.as_str()),
            };
            match NamePattern::of_tools(text) {
                Ok(pattern) => list.push(pattern),
                Err(error) => errors.push(error),
            }
        }
        (patterns, errors)
    }

    /// Returns true if the rule says nothing of names.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty() && self.excluded.is_empty()
    }

    /// Returns how closely a tool is named, and by which pattern.
    pub(super) fn matches(&self, name: &str) -> Option<(Closeness, &str)> {
        let matches = |pattern: &NamePattern| pattern.matches(name).is_some();
        if self.excluded.iter().any(matches) {
            return None;
        }
        if self.named.is_empty() {
            // All tools but those that are left out.
            return Some((Closeness::LEAST, "*"));
        }
        closest(&self.named, name)
    }

    /// Returns true if every tool that the other names, this names too. `false` where that is not certain.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.is_empty() {
            return true;
        }
        let excluded_there = |mine: &NamePattern| {
            other.excluded.iter().any(|theirs| theirs.covers(mine))
                || (!other.named.is_empty() && !other.named.iter().any(|named| named.meets(mine)))
        };
        let named_here = if self.named.is_empty() {
            true
        } else if other.named.is_empty() {
            self.named.iter().any(|named| named.text == "*")
        } else {
            let covered = |theirs: &NamePattern| self.named.iter().any(|mine| mine.covers(theirs));
            other.named.iter().all(covered)
        };
        named_here && self.excluded.iter().all(excluded_there)
    }
}

/// Returns the closest of the patterns that match a text, and its closeness.
pub(super) fn closest<'p>(patterns: &'p [NamePattern], text: &str) -> Option<(Closeness, &'p str)> {
    let mut closest = None;
    for pattern in patterns {
        if let Some(closeness) = pattern.matches(text)
            && closest.is_none_or(|(before, _)| before < closeness)
        {
            closest = Some((closeness, pattern.as_str()));
        }
    }
    closest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> ToolPatterns {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        ToolPatterns::new(&texts).0
    }

    #[test]
    fn names_match_whole_or_by_their_beginning() {
        let names = |texts: &[&str], name: &str| patterns(texts).matches(name).is_some();
        assert!(names(&["fs.read"], "fs.read"));
        assert!(!names(&["fs.read"], "fs.read_all"));
        assert!(!names(&["fs.read"], "FS.read"));
        assert!(names(&["fs.*"], "fs.read.all"));
        assert!(!names(&["fs.*"], "fs"));
        assert!(!names(&["fs.*"], "fsx.read"));
        assert!(names(&["rea*"], "read"));
        assert!(names(&["*"], "anything"));
        assert!(names(&["fs.*", "!fs.remove"], "fs.read"));
        assert!(!names(&["fs.*", "!fs.remove"], "fs.remove"));
        // An excluded tool stays out, wherever the pattern stands and however the tool is named.
        assert!(!names(&["!fs.*", "fs.remove"], "fs.remove"));
        assert!(names(&["!fs.remove"], "mail.send"));
        assert!(!names(&["!fs.remove"], "fs.remove"));
    }

    #[test]
    fn the_closest_pattern_counts() {
        let close = |texts: &[&str]| patterns(texts).matches("fs.read").unwrap().0;
        assert!(close(&["fs.read"]) > close(&["fs.read*"]));
        assert!(close(&["fs.read*"]) > close(&["fs.*"]));
        assert!(close(&["fs.*"]) > close(&["*"]));
        assert_eq!(close(&["*", "fs.*"]), close(&["fs.*", "*"]));
        assert_eq!(close(&["!x"]), close(&["*"]));
    }

    #[test]
    fn what_names_no_tool_is_an_error() {
        for text in [
            "",
            "!",
            "fs.*.read",
            "*.read",
            "fs..read",
            "fs read",
            "@server",
            "!!a",
            "**",
        ] {
            assert_eq!(ToolPatterns::new(&[text.to_owned()]).1.len(), 1, "{text}");
        }
        let all = ToolPatterns::new(&["a b".into(), "ok".into(), "c/d".into()]);
        assert_eq!(all.1.len(), 2);
    }

    #[test]
    fn covering_is_what_it_says() {
        let lists: [&[&str]; 11] = [
            &[],
            &["*"],
            &["fs.*"],
            &["fs.read"],
            &["fs.read", "mail.send"],
            &["fs.*", "!fs.remove"],
            &["fs.*", "!fs.r*"],
            &["!fs.*"],
            &["!fs.remove"],
            &["fs.re*"],
            &["mail.*", "fs.*"],
        ];
        let names = ["fs.read", "fs.remove", "fs.write", "mail.send", "x", "fs.r"];
        let all = |p: &ToolPatterns, n: &str| p.is_empty() || p.matches(n).is_some();
        let mut covered = 0;
        for a in lists {
            for b in lists {
                let (a, b) = (patterns(a), patterns(b));
                if a.covers(&b) {
                    covered += 1;
                    assert!(
                        names.iter().all(|n| !all(&b, n) || all(&a, n)),
                        "{a:?} {b:?}"
                    );
                }
            }
            assert!(patterns(a).covers(&patterns(a)));
        }
        assert!(covered > 30, "{covered}");
    }
}
