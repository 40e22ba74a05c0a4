//! The reader of all parts of a policy file.

use std::ops::Range;
use std::sync::Arc;

use crate::problem::{PolicyProblem, RulePlace};
use crate::toml_reader::{TomlReader, Value, listed, shown};
use toolwright::text::nearest;

/// The table in which the mistakes to come are.
#[derive(Debug, Clone)]
pub(super) enum Place {
    File,
    /// The trees, by the name of their table.
    Trees(String),
    Rule(RulePlace),
}

pub(super) type Reader = TomlReader<Place>;

impl Reader {
    /// Returns all mistakes, from the top of the file to its end.
    pub(super) fn into_problems(self, file: Option<&Arc<str>>) -> Vec<PolicyProblem> {
        let mistakes = self.mistakes.into_iter();
        let mut problems: Vec<_> = mistakes
            .map(|(place, line, message)| {
                let problem = match place {
                    Place::File => PolicyProblem::of_policy(line, message),
                    Place::Trees(name) => {
                        PolicyProblem::of_policy(line, format!("in `[{name}]`, {message}"))
                    }
                    Place::Rule(rule) => PolicyProblem::of_rule(&rule, message).at_line(line),
                };
                problem.in_file(file)
            })
            .collect();
        problems.sort_by_key(PolicyProblem::line);
        problems
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
        self.mistake(at, format!("\"{text}\" is no {what}; {hint}"));
        None
    }

    /// Returns the texts of a list that is not empty, those that say something.
    pub(super) fn filled<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Vec<&'v Value<'v>> {
        if value
            .get_ref()
            .as_array()
            .is_some_and(|items| items.is_empty())
        {
            let message = format!(
                "`{key}` is an empty list, which speaks of nothing; fill it, or leave the key out"
            );
            self.mistake(&value.span(), message);
        }
        let mut texts = self.texts(key, value).unwrap_or_default();
        texts.retain(|text| {
            let says = text
                .get_ref()
                .as_str()
                .is_some_and(|text| !text.trim().is_empty());
            if !says {
                self.mistake(&text.span(), format!("`{key}` has an empty text in it"));
            }
            says
        });
        texts
    }

    /// The same, as they stand.
    pub(super) fn strings(&mut self, key: &str, value: &Value<'_>) -> Vec<String> {
        let texts = self.filled(key, value).into_iter();
        texts
            .filter_map(|text| text.get_ref().as_str().map(str::to_owned))
            .collect()
    }
}
