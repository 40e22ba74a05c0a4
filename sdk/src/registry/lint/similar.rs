//! Tools that a model cannot tell apart.

use super::{Findings, Lint, LintKind};
use crate::id::ToolName;

/// Looks for tools that are too much like one before them. Each is reported once, with the first of those that it is
/// like, so that ten tools of one description are nine findings.
pub(super) fn check(tools: &[(&ToolName, Option<String>)], lints: &mut Vec<Lint>) {
    let mut before: Vec<(&ToolName, Folded, Folded)> = Vec::with_capacity(tools.len());
    for (name, description) in tools {
        let folded_name = Folded::name(name.as_str());
        let folded_text = Folded::text(description.as_deref().unwrap_or_default());
        let mut findings = Findings::new(name, lints);
        let alike = before
            .iter()
            .find(|(_, name, _)| name.is_like(&folded_name));
        if let Some((other, ..)) = alike {
            let message = format!(
                "has nearly the name of the tool `{other}`, and a model mixes them up: rename one \
                 of the two"
            );
            findings.add_between(other, LintKind::SimilarNames, message);
        }
        let alike = before
            .iter()
            .find(|(_, _, text)| text.is_like(&folded_text));
        if let Some((other, ..)) = alike {
            let message = format!(
                "has the description of the tool `{other}`, so that a model cannot choose: say in \
                 which they differ"
            );
            findings.add_between(other, LintKind::SimilarDescriptions, message);
        }
        before.push((name, folded_name, folded_text));
    }
}

/// A name or text without what does not tell it from another: case, separators, plurals.
struct Folded {
    words: Vec<String>,
    joined: String,
}

impl Folded {
    fn name(name: &str) -> Self {
        Self::of(words(name, true))
    }

    fn text(text: &str) -> Self {
        let mut words = words(text, false);
        words.retain(|word| !matches!(&**word, "a" | "an" | "the"));
        Self::of(words)
    }

    fn of(words: Vec<String>) -> Self {
        let words: Vec<String> = words.into_iter().map(singular).collect();
        let mut joined = String::new();
        for word in &words {
            // `v1.1` is not `v11`.
            let digits = [joined.chars().last(), word.chars().next()];
            if digits.iter().all(|c| c.is_some_and(|c| c.is_ascii_digit())) {
                joined.push('.');
            }
            joined.push_str(word);
        }
        Self { words, joined }
    }

    fn is_like(&self, other: &Self) -> bool {
        if self.joined == other.joined {
            return !self.joined.is_empty();
        }
        if self.words.len() != other.words.len() {
            return false;
        }
        let mut differ = self.words.iter().zip(&other.words).filter(|(a, b)| a != b);
        match (differ.next(), differ.next()) {
            (Some((a, b)), None) => is_typo(a, b),
            _ => false,
        }
    }
}

/// The words in lower case; those of a name may be told apart by case alone, as in `readFile`.
fn words(text: &str, by_case: bool) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        let mut word = String::new();
        let mut before_is_lower = false;
        for c in run.chars() {
            if by_case && c.is_uppercase() && before_is_lower {
                words.push(std::mem::take(&mut word));
            }
            before_is_lower = !c.is_uppercase();
            word.extend(c.to_lowercase());
        }
        words.push(word);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// An English word without the ending of a plural, which is that of `reads` too.
fn singular(mut word: String) -> String {
    let ends = |ending: &[&str]| ending.iter().any(|ending| word.ends_with(ending));
    if word.len() < 4 || !ends(&["s"]) || ends(&["ss", "us", "is"]) {
        return word;
    }
    let cut = if ends(&["ies"]) {
        3
    } else if ends(&["sses", "shes", "ches", "xes", "zes"]) {
        2
    } else {
        1
    };
    word.truncate(word.len() - cut);
    if cut == 3 {
        word.push('y');
    }
    word
}

/// Returns true if a word is probably the other with a letter too many, too few, mistyped or swapped.
///
/// Short words (`get`, `set`), beginnings (`attach`, `detach`) and endings (`route`, `router`) make
/// another word out of one letter, and a mistyped letter does in words of some length
/// (`insert`, `invert`).
fn is_typo(a: &str, b: &str) -> bool {
    let letters = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let ends = |word: &str| (word.bytes().next(), word.bytes().last());
    let sorted = |word: &str| {
        let mut bytes = word.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    let shortest = a.len().min(b.len());
    (5..=32).contains(&shortest)
        && a.len().abs_diff(b.len()) <= 1
        && letters(a)
        && letters(b)
        && ends(a) == ends(b)
        && strsim::damerau_levenshtein(a, b) == 1
        && (shortest >= 7 || a.len() != b.len() || sorted(a) == sorted(b))
}
