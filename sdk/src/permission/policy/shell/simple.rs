//! Simple commands: their words, the variables set before them, and what lies in their words.

use brush_parser::ast::{
    AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem, SimpleCommand, SubshellCommand,
};

use super::Unparsable;
use super::expand::{self, Expanded};
use super::part::{Assignment, Part};
use super::walk::{Walk, Walked};
use super::word::{Unknown, Word};

/// The most parts of a line.
const PARTS: usize = 4_000;

impl Walk {
    pub(super) fn simple(&mut self, simple: &SimpleCommand) -> Walked {
        let mut assignments = Vec::new();
        let mut words = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
                    assignments.push(self.assignment(assignment)?);
                }
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect)?,
                CommandPrefixOrSuffixItem::Word(word) => words.push(self.word(&word.value)?),
                CommandPrefixOrSuffixItem::ProcessSubstitution(_, list) => {
                    words.push(self.process(list)?);
                }
            }
        }
        if let Some(word) = &simple.word_or_name {
            words.push(self.word(&word.value)?);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(_, word)
                | CommandPrefixOrSuffixItem::Word(word) => words.push(self.word(&word.value)?),
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect)?,
                CommandPrefixOrSuffixItem::ProcessSubstitution(_, list) => {
                    words.push(self.process(list)?);
                }
            }
        }
        if words.is_empty() {
            for Assignment { name, value } in assignments {
                self.set(&name, value.as_deref(), false);
            }
            return Ok(());
        }
        self.command(words, assignments)
    }

    /// Adds a command.
    pub(super) fn push(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Walked {
        if self.parts.len() >= PARTS {
            return Err(Unparsable::new("the shell line has too many commands").into());
        }
        let text: Vec<String> = words.iter().map(Word::shown).collect();
        self.parts.push(Part {
            words,
            assignments,
            directory: self.directory.clone(),
            text: text.join(" "),
            outer: self.outer.clone(),
        });
        Ok(())
    }

    /// A variable is set for good. Names without a capital letter are the shell's own by convention
    /// (POSIX base definitions, 8.1), but for those of proxies; unless they are exported, no program
    /// gets them.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>, exported: bool) {
        self.gets(name, value);
        if matches!(name, "HOME" | "CDPATH" | "PWD" | "OLDPWD") {
            self.lost = true;
        }
        let own = !name.contains(|c: char| c.is_ascii_uppercase())
            && !name.ends_with("_proxy")
            && name != "?";
        if !own || exported {
            self.variables.push(Assignment {
                name: name.to_owned(),
                value: value.map(str::to_owned),
            });
        }
    }

    /// What a variable gets may be worked out as arithmetic later, or right away: bash has some
    /// variables that are numbers.
    fn gets(&mut self, name: &str, value: Option<&str>) {
        self.tainted |= value.is_none_or(|value| value.contains(['[', '$', '`']));
        let is_number = matches!(
            name,
            "BASHPID"
                | "EPOCHREALTIME"
                | "EPOCHSECONDS"
                | "EUID"
                | "HISTCMD"
                | "LINENO"
                | "OPTIND"
                | "PPID"
                | "RANDOM"
                | "SECONDS"
                | "SRANDOM"
                | "UID"
        );
        let plain = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !value.is_some_and(plain) {
            self.tainted = true;
            self.evaluates = true;
        }
    }

    fn assignment(&mut self, assignment: &brush_parser::ast::Assignment) -> Walked<Assignment> {
        let name = match &assignment.name {
            AssignmentName::VariableName(name) => name,
            AssignmentName::ArrayElementName(name, index) => {
                self.arithmetic(index)?;
                name
            }
        };
        let value = match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(&word.value)?.known().map(str::to_owned),
            AssignmentValue::Array(values) => {
                for (key, value) in values {
                    if let Some(key) = key {
                        self.arithmetic(&key.value)?;
                    }
                    self.word(&value.value)?;
                }
                None
            }
        };
        self.gets(name, value.as_deref());
        Ok(Assignment {
            name: name.clone(),
            value: value.filter(|_| !assignment.append),
        })
    }

    pub(super) fn process(&mut self, list: &SubshellCommand) -> Walked<Word> {
        self.processes = true;
        self.apart(|walk| walk.list(&list.list))?;
        Ok(Word::Unknown(Unknown {
            shown: "<(..)".into(),
            prefix: "/dev/fd/".into(),
            suffix: String::new(),
            splits: false,
            each: true,
            pattern: None,
            braced: Vec::new(),
        }))
    }

    pub(super) fn word(&mut self, raw: &str) -> Walked<Word> {
        let (word, expanded) = expand::word(raw, self.lifted.as_ref())?;
        self.found(expanded)?;
        Ok(word)
    }

    pub(super) fn pattern(&mut self, raw: &str) -> Walked {
        let expanded = expand::pattern(raw, self.lifted.as_ref())?;
        self.found(expanded)
    }

    pub(super) fn arithmetic(&mut self, raw: &str) -> Walked {
        let expanded = expand::arithmetic(raw)?;
        self.found(expanded)
    }

    pub(super) fn found(&mut self, expanded: Expanded) -> Walked {
        self.evaluates |= expanded.evaluates;
        for name in expanded.sets {
            self.set(&name, None, false);
        }
        for text in expanded.substitutions {
            self.apart(|walk| walk.text(&text))?;
        }
        Ok(())
    }
}
