//! Simple commands: their words, the variables set before them, and what lies in their words.

use brush_parser::ast::{
    AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem, SimpleCommand, SubshellCommand,
};

use super::Unparsable;
use super::arithmetic::{self, Arithmetic};
use super::expand::{self, Expanded};
use super::files;
use super::part::{Assignment, LineCommand};
use super::unparsable::{Parsed, refused};
use super::variables::Value;
use super::walk::Walk;
use super::word::{Unknown, Word};

/// The most parts of a line.
pub(super) const PARTS: usize = 4_000;

/// The most that the words of all parts may weigh: a command that others run is kept with their words.
const WEIGHT: usize = 100_000;

impl Walk {
    pub(super) fn simple(&mut self, simple: &SimpleCommand) -> Parsed {
        let mut assignments = Vec::new();
        let mut words = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
                    assignments.push(self.assignment(assignment)?);
                }
                item => words.extend(self.item(item)?),
            }
        }
        if let Some(word) = &simple.word_or_name {
            words.push(self.word(&word.value)?);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            words.extend(self.item(item)?);
        }
        if words.is_empty() {
            for Assignment { name, value } in assignments {
                let value = value.as_deref().map_or(Value::Unknown, Value::Text);
                // `assignment` has noted already if the value is an integer.
                self.keeps(&name, value, false)?;
            }
            return Ok(());
        }
        self.command(words, assignments)
    }

    /// Visits an item of a command; gives the word that it is.
    fn item(&mut self, item: &CommandPrefixOrSuffixItem) -> Parsed<Option<Word>> {
        Ok(Some(match item {
            CommandPrefixOrSuffixItem::AssignmentWord(_, word)
            | CommandPrefixOrSuffixItem::Word(word) => self.word(&word.value)?,
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => {
                self.redirect(redirect)?;
                return Ok(None);
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, list) => self.process(list)?,
        }))
    }

    /// Adds a command.
    pub(super) fn push(&mut self, words: Vec<Word>, assignments: Vec<Assignment>) -> Parsed {
        if self.parts.len() >= PARTS {
            return refused("the shell line has too many commands");
        }
        let outer = self.outer.iter().flatten();
        self.weighs(words.iter().chain(outer).map(Word::weight).sum())?;
        self.may_name(&words)?;
        let mut text = String::new();
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                text.push(' ');
            }
            word.show_in(&mut text);
        }
        self.parts.push(LineCommand {
            words,
            assignments,
            directory: self.directory.clone(),
            text,
            outer: self.outer.clone(),
        });
        Ok(())
    }

    /// Adds the weight of words that are kept once more.
    pub(super) fn weighs(&mut self, weight: usize) -> Parsed {
        self.weight += weight;
        if self.weight > WEIGHT {
            return refused("the shell line has too many words in its commands");
        }
        Ok(())
    }

    /// Each of these words may be several files, which are all looked up.
    pub(super) fn may_name(&mut self, words: &[Word]) -> Parsed {
        self.names += words.iter().map(files::bytes_of_names).sum::<usize>();
        if self.names > files::MOST_NAMES {
            return refused("the words of the shell line may name too many files");
        }
        Ok(())
    }

    fn assignment(&mut self, assignment: &brush_parser::ast::Assignment) -> Parsed<Assignment> {
        let name = match &assignment.name {
            AssignmentName::VariableName(name) => name,
            AssignmentName::ArrayElementName(name, index) => {
                self.arithmetic(index)?;
                name
            }
        };
        let value = match &assignment.value {
            AssignmentValue::Scalar(word) => {
                let text = self.word(&word.value)?.known().map(str::to_owned);
                let value = match &text {
                    Some(text) => Value::Text(text),
                    None if expand::is_integer(&word.value) => Value::Integer,
                    None => Value::Unknown,
                };
                self.gets(name, value)?;
                text
            }
            AssignmentValue::Array(values) => {
                for (key, value) in values {
                    match key {
                        Some(key) => self.arithmetic(&key.value)?,
                        // A key that the parser does not read as one.
                        None if value.value.starts_with('[') => {
                            return Err(Unparsable::near(&value.value));
                        }
                        None => {}
                    }
                    self.word(&value.value)?;
                }
                self.gets(name, Value::Unknown)?;
                None
            }
        };
        Ok(Assignment {
            name: name.clone(),
            value: value.filter(|_| !assignment.append),
        })
    }

    pub(super) fn process(&mut self, list: &SubshellCommand) -> Parsed<Word> {
        self.processes = true;
        self.apart(|walk| walk.list(&list.list))?;
        Ok(Word::Unknown(Unknown {
            prefix: "/dev/fd/".into(),
            ..Unknown::new("<(..)")
        }))
    }

    pub(super) fn word(&mut self, raw: &str) -> Parsed<Word> {
        let (word, expanded) = expand::word(raw, self.lifted.as_ref())?;
        self.found(expanded)?;
        Ok(word)
    }

    pub(super) fn pattern(&mut self, raw: &str) -> Parsed {
        let expanded = expand::pattern(raw, self.lifted.as_ref())?;
        self.found(expanded)
    }

    pub(super) fn arithmetic(&mut self, raw: &str) -> Parsed {
        let expression = arithmetic::read(raw)?;
        self.works_out(expression)
    }

    /// Something is worked out as arithmetic.
    pub(super) fn works_out(&mut self, expression: Arithmetic) -> Parsed {
        let Arithmetic {
            reads,
            sets,
            starts,
        } = expression;
        for name in &sets {
            if starts.contains(name) {
                self.set(name, Value::Integer, false)?;
            } else {
                self.changes(name)?;
            }
        }
        for name in &reads {
            self.integers.need(name);
        }
        Ok(())
    }

    pub(super) fn found(&mut self, expanded: Expanded) -> Parsed {
        for expression in expanded.arithmetic {
            self.works_out(expression)?;
        }
        for name in expanded.sets {
            self.set(&name, Value::Unknown, false)?;
        }
        for text in expanded.substitutions {
            self.apart(|walk| walk.text(&text))?;
        }
        Ok(())
    }
}
