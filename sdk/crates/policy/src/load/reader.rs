//! The reader of all parts of a policy file: lines, values, and the mistakes found so far.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::DeValue;

use crate::problem::{PolicyProblem, RulePlace};
use toolwright::text::nearest;
use toolwright::text::one_line;

/// The table in which the mistakes to come are.
pub(super) enum Place {
    File,
    /// The trees, by the name of their table.
    Trees(String),
    Rule(RulePlace),
}

/// The most that is shown of what somebody wrote.
const SHOWN: usize = 60;

pub(super) type Value<'t> = Spanned<DeValue<'t>>;

pub(super) struct Reader {
    /// The place where each line but the first begins.
    breaks: Vec<usize>,
    pub(super) place: Place,
    pub(super) file: Option<Arc<str>>,
    problems: Vec<PolicyProblem>,
}

impl Reader {
    pub(super) fn new(text: &str, file: Option<Arc<str>>) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            breaks: breaks.map(|(at, _)| at + 1).collect(),
            place: Place::File,
            file,
            problems: Vec::new(),
        }
    }

    pub(super) fn line(&self, span: &Range<usize>) -> usize {
        self.breaks.partition_point(|at| *at <= span.start) + 1
    }

    pub(super) fn flaw(&mut self, at: &Range<usize>, message: impl Into<String>) {
        self.add(Some(self.line(at)), message.into());
    }

    /// Adds a mistake, in a line if it is in one.
    pub(super) fn add(&mut self, line: Option<usize>, message: String) {
        let problem = match &self.place {
            Place::File => PolicyProblem::of_policy(line, message),
            Place::Trees(name) => {
                PolicyProblem::of_policy(line, format!("in `[{name}]`, {message}"))
            }
            Place::Rule(rule) => PolicyProblem::of_rule(rule, message).at_line(line),
        };
        self.problems.push(problem.in_file(self.file.as_ref()));
    }

    /// Returns all mistakes, from the top of the file to its end.
    pub(super) fn into_problems(mut self) -> Vec<PolicyProblem> {
        self.problems.sort_by_key(PolicyProblem::line);
        self.problems
    }

    pub(super) fn unknown_key(&mut self, key: &Spanned<impl AsRef<str>>, known: &[&str]) {
        self.misplaced_key(key, known, &[]);
    }

    /// A key that there is not, or not here: where else some keys belong is told.
    pub(super) fn misplaced_key(
        &mut self,
        key: &Spanned<impl AsRef<str>>,
        known: &[&str],
        elsewhere: &[(&[&str], &str)],
    ) {
        let wrong = key.get_ref().as_ref();
        if let Some((_, place)) = elsewhere.iter().find(|(keys, _)| keys.contains(&wrong)) {
            self.flaw(&key.span(), format!("`{wrong}` belongs {place}"));
            return;
        }
        let hint = match nearest(wrong, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", listed(known, '`')),
        };
        let wrong = shown(wrong);
        self.flaw(&key.span(), format!("there is no key `{wrong}`; {hint}"));
    }

    /// Reads one of some words.
    pub(super) fn word<T: Copy>(
        &mut self,
        what: &str,
        text: &str,
        at: &Range<usize>,
        words: &[(&str, T)],
    ) -> Option<T> {
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*meant);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let hint = match nearest(text, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("it is one of {}", listed(&known, '"')),
        };
        let text = shown(text);
        self.flaw(at, format!("\"{text}\" is no {what}; {hint}"));
        None
    }

    pub(super) fn wrong_type(&mut self, key: &str, value: &Value<'_>, right: &str) {
        let found = found(value.get_ref());
        self.flaw(
            &value.span(),
            format!("`{key}` is {right}, and this is {found}"),
        );
    }

    pub(super) fn flag(&mut self, key: &str, value: &Value<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        flag
    }

    /// A text that says something.
    pub(super) fn text<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Option<&'v str> {
        match value.get_ref().as_str() {
            None => self.wrong_type(key, value, "a text in quotes"),
            Some(text) if text.trim().is_empty() => {
                self.flaw(
                    &value.span(),
                    format!("`{key}` is empty; write something, or leave the key out"),
                );
            }
            text => return text,
        }
        None
    }

    /// A list of texts, none of them empty.
    pub(super) fn texts<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Vec<&'v Value<'v>> {
        let Some(items) = value.get_ref().as_array() else {
            match value.get_ref().as_str() {
                Some(text) => {
                    let text = shown(text);
                    let message =
                        format!("`{key}` is a list of texts; write `{key} = [\"{text}\"]`");
                    self.flaw(&value.span(), message);
                }
                None => self.wrong_type(key, value, "a list of texts"),
            }
            return Vec::new();
        };
        if items.is_empty() {
            let message = format!(
                "`{key}` is an empty list, which speaks of nothing; fill it, or leave the key out"
            );
            self.flaw(&value.span(), message);
        }
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item.get_ref().as_str() {
                None => {
                    let found = found(item.get_ref());
                    let message = format!("`{key}` is a list of texts, and {found} is in it");
                    self.flaw(&item.span(), message);
                }
                Some(text) if text.trim().is_empty() => {
                    self.flaw(&item.span(), format!("`{key}` has an empty text in it"));
                }
                Some(_) => texts.push(item),
            }
        }
        texts
    }

    /// The same as [`texts`](Self::texts), as they stand.
    pub(super) fn strings(&mut self, key: &str, value: &Value<'_>) -> Vec<String> {
        let texts = self.texts(key, value).into_iter();
        texts
            .filter_map(|text| text.get_ref().as_str().map(str::to_owned))
            .collect()
    }
}

/// A text in a message: one line, and not long.
pub(super) fn shown(text: &str) -> String {
    one_line(text, SHOWN)
}

/// Returns what a value is, with its article.
pub(super) fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Writes words in quotes of a kind, as a list.
pub(super) fn listed(words: &[&str], quote: char) -> String {
    let quoted = words.iter().map(|word| format!("{quote}{word}{quote}"));
    let quoted: Vec<String> = quoted.collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
