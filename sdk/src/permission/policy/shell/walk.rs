//! Every command of the grammar's tree.
//!
//! Each kind of node is named in a `match` without a rest, so that a construct which the parser learns
//! does not compile until it is looked at here.

use std::collections::BTreeSet;
use std::path::PathBuf;

use brush_parser::ast::{
    AndOr, AndOrList, AssignmentName, AssignmentValue, BinaryPredicate, Command,
    CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, ExtendedTestExpr, IoFileRedirectKind,
    IoFileRedirectTarget, IoRedirect, Pipeline, SeparatorOperator, SimpleCommand, SubshellCommand,
    UnaryPredicate,
};

use super::documents::Lifted;
use super::expand::{self, Expanded};
use super::files::{Access, Redirect};
use super::part::{Assignment, Directory, Part};
use super::word::{Unknown, Word};
use super::{ShellLine, Unparsable, parse};

/// How many texts may lie in each other: `sh -c`, `eval` and substitutions.
const TEXTS: usize = 16;

/// The most parts of a line.
const PARTS: usize = 4_000;

/// Why a walk ends early.
#[derive(Debug)]
pub(super) enum Bounds {
    /// The text may need a larger stack.
    Nested,
    Other(Unparsable),
}

impl From<Unparsable> for Bounds {
    fn from(unparsable: Unparsable) -> Self {
        Self::Other(unparsable)
    }
}

pub(super) type Walked<T = ()> = Result<T, Bounds>;

/// What is known on the way through a line.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the line"
)]
pub(super) struct Walk {
    /// The most constructs that may nest.
    most: usize,
    depth: usize,
    pub(super) parts: Vec<Part>,
    pub(super) redirects: Vec<Redirect>,
    pub(super) directory: Directory,
    /// How often the directory was changed.
    pub(super) moves: usize,
    /// The variables that are set for good, and whether a program that runs later gets them.
    variables: Vec<Assignment>,
    /// Whether a variable got a value that may run a command where it is worked out as arithmetic.
    pub(super) tainted: bool,
    /// Whether `~` and `cd` may mean something else than elsewhere.
    lost: bool,
    /// Whether the value of a variable is worked out as arithmetic.
    pub(super) evaluates: bool,
    pub(super) outer: Vec<Vec<Word>>,
    lifted: Option<Lifted>,
    documents: BTreeSet<String>,
    /// Whether the present text has a `<(..)`.
    processes: bool,
}

impl Walk {
    fn new(most: usize) -> Self {
        Self {
            most,
            depth: 0,
            parts: Vec::new(),
            redirects: Vec::new(),
            directory: Directory::Known(PathBuf::new()),
            moves: 0,
            variables: Vec::new(),
            tainted: false,
            lost: false,
            evaluates: false,
            outer: Vec::new(),
            lifted: None,
            documents: BTreeSet::new(),
            processes: false,
        }
    }

    pub(super) fn of_line(line: &str, most: usize) -> Walked<ShellLine> {
        let mut walk = Self::new(most);
        walk.lifted = Lifted::new(line);
        let lifted = walk.lifted.as_ref().map(|lifted| lifted.text.clone());
        walk.text(lifted.as_deref().unwrap_or(line))?;
        walk.end()
    }

    pub(super) fn of_words(words: &[String], most: usize) -> Walked<ShellLine> {
        let mut walk = Self::new(most);
        walk.command(words.iter().cloned().map(Word::Known).collect(), Vec::new())?;
        walk.end()
    }

    fn end(mut self) -> Walked<ShellLine> {
        if self.tainted && self.evaluates {
            return Err(Unparsable::new(
                "arithmetic with variables that the line sets may run commands in their values",
            )
            .into());
        }
        if self.lost {
            return Err(Unparsable::new(
                "the line sets a variable that decides where `~` and `cd` lead",
            )
            .into());
        }
        let expected = self.lifted.as_ref().map_or(0, |lifted| lifted.bodies.len());
        if self.documents.len() != expected {
            return Err(Unparsable::document().into());
        }
        for part in &mut self.parts {
            if let Some(lifted) = &self.lifted {
                part.text = lifted.restored(&part.text);
                for word in part.words.iter_mut().chain(part.outer.iter_mut().flatten()) {
                    if let Word::Unknown(unknown) = word {
                        unknown.shown = lifted.restored(&unknown.shown);
                    }
                }
            }
            part.assignments.extend(self.variables.iter().cloned());
        }
        Ok(ShellLine {
            parts: self.parts,
            redirects: self.redirects,
        })
    }

    /// A text that bash reads.
    pub(super) fn text(&mut self, text: &str) -> Walked {
        if self.depth >= TEXTS {
            return Err(Unparsable::new("too many commands lie in each other").into());
        }
        if parse::openers(text) > self.most {
            return Err(Bounds::Nested);
        }
        let program = parse::program(text)?;
        self.depth += 1;
        let processes = std::mem::take(&mut self.processes);
        for list in &program.complete_commands {
            self.list(list)?;
        }
        if self.processes && glued(text) {
            return Err(Unparsable::new("`<(..)` has to be a word of its own").into());
        }
        self.processes = processes;
        self.depth -= 1;
        Ok(())
    }

    /// Something that a shell of its own runs: what it changes ends with it.
    pub(super) fn apart(&mut self, run: impl FnOnce(&mut Self) -> Walked) -> Walked {
        let directory = self.directory.clone();
        let moves = self.moves;
        run(self)?;
        self.directory = directory;
        self.moves = moves;
        Ok(())
    }

    fn list(&mut self, list: &CompoundList) -> Walked {
        for item in &list.0 {
            match item.1 {
                SeparatorOperator::Async => self.apart(|walk| walk.and_or(&item.0))?,
                SeparatorOperator::Sequence => self.and_or(&item.0)?,
            }
        }
        Ok(())
    }

    /// A chain. What follows `cd x &&` runs in `x`; what follows it otherwise runs there, or where it ran
    /// before.
    fn and_or(&mut self, chain: &AndOrList) -> Walked {
        let before = self.moves;
        self.pipeline(&chain.first)?;
        for next in &chain.additional {
            match next {
                AndOr::And(pipeline) => self.pipeline(pipeline)?,
                AndOr::Or(pipeline) => {
                    self.lose_directory_since(before);
                    self.pipeline(pipeline)?;
                }
            }
        }
        self.lose_directory_since(before);
        Ok(())
    }

    fn lose_directory_since(&mut self, moves: usize) {
        if self.moves != moves {
            self.directory = Directory::Unknown;
        }
    }

    pub(super) fn lose_directory(&mut self) {
        self.moves += 1;
        self.directory = Directory::Unknown;
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Walked {
        // `time` and `!` run nothing of their own.
        let Pipeline {
            timed: _,
            bang,
            seq,
        } = pipeline;
        let before = self.moves;
        if let [command] = seq.as_slice() {
            self.node(command)?;
        } else {
            for command in seq {
                self.apart(|walk| walk.node(command))?;
            }
        }
        if *bang {
            self.lose_directory_since(before);
        }
        Ok(())
    }

    fn node(&mut self, command: &Command) -> Walked {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                for redirect in redirects.iter().flat_map(|list| &list.0) {
                    self.redirect(redirect)?;
                }
                self.compound(compound)
            }
            Command::ExtendedTest(test, redirects) => {
                for redirect in redirects.iter().flat_map(|list| &list.0) {
                    self.redirect(redirect)?;
                }
                self.test(&test.expr)
            }
            Command::Function(function) => Err(Unparsable::new(format!(
                "the line defines the function `{}`: any name may be run in place of a program",
                function.fname.value
            ))
            .into()),
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Walked {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => self.arithmetic(&arithmetic.expr.value),
            CompoundCommand::ArithmeticForClause(clause) => {
                let parts = [&clause.initializer, &clause.condition, &clause.updater];
                for expression in parts.into_iter().flatten() {
                    self.arithmetic(&expression.value)?;
                }
                self.repeated(|walk| walk.list(&clause.body.list))
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.apart(|walk| walk.list(&subshell.list)),
            CompoundCommand::ForClause(clause) => {
                for value in clause.values.iter().flatten() {
                    self.word(&value.value)?;
                }
                self.set(&clause.variable_name, None, false);
                self.repeated(|walk| walk.list(&clause.body.list))
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value.value)?;
                for case in &clause.cases {
                    for pattern in &case.patterns {
                        self.pattern(&pattern.value)?;
                    }
                    if let Some(list) = &case.cmd {
                        self.either(|walk| walk.list(list))?;
                    }
                }
                Ok(())
            }
            CompoundCommand::IfClause(clause) => self.either(|walk| {
                walk.list(&clause.condition)?;
                walk.list(&clause.then)?;
                for branch in clause.elses.iter().flatten() {
                    if let Some(condition) = &branch.condition {
                        walk.list(condition)?;
                    }
                    walk.list(&branch.body)?;
                }
                Ok(())
            }),
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => self
                .repeated(|walk| {
                    walk.list(&clause.0)?;
                    walk.list(&clause.1.list)
                }),
            CompoundCommand::Coprocess(coprocess) => {
                self.tainted |= coprocess.name.is_some();
                self.apart(|walk| walk.node(&coprocess.body))
            }
        }
    }

    /// What may run or not: a change of directory in it is lost for all of it, since one branch may
    /// follow another.
    fn either(&mut self, run: impl FnOnce(&mut Self) -> Walked) -> Walked {
        self.repeated(run)
    }

    /// What may run again: a change of directory in it counts for all of it.
    fn repeated(&mut self, run: impl FnOnce(&mut Self) -> Walked) -> Walked {
        let (moves, parts, redirects) = (self.moves, self.parts.len(), self.redirects.len());
        run(self)?;
        if self.moves != moves {
            self.directory = Directory::Unknown;
            for part in self.parts.iter_mut().skip(parts) {
                part.directory = Directory::Unknown;
            }
            for redirect in self.redirects.iter_mut().skip(redirects) {
                redirect.directory = Directory::Unknown;
            }
        }
        Ok(())
    }

    fn simple(&mut self, simple: &SimpleCommand) -> Walked {
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
        self.tainted |= value.is_none_or(|value| value.contains(['[', '$', '`']));
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
        self.tainted |= value
            .as_deref()
            .is_none_or(|value| value.contains(['[', '$', '`']));
        Ok(Assignment {
            name: name.clone(),
            value: value.filter(|_| !assignment.append),
        })
    }

    fn process(&mut self, list: &SubshellCommand) -> Walked<Word> {
        self.processes = true;
        self.apart(|walk| walk.list(&list.list))?;
        Ok(Word::Unknown(Unknown {
            shown: "<(..)".into(),
            prefix: "/dev/fd/".into(),
            suffix: String::new(),
            splits: false,
            each: true,
        }))
    }

    pub(super) fn word(&mut self, raw: &str) -> Walked<Word> {
        let (word, expanded) = expand::word(raw, self.lifted.is_some())?;
        self.found(expanded)?;
        Ok(word)
    }

    fn pattern(&mut self, raw: &str) -> Walked {
        let expanded = expand::pattern(raw, self.lifted.is_some())?;
        self.found(expanded)
    }

    pub(super) fn arithmetic(&mut self, raw: &str) -> Walked {
        let expanded = expand::arithmetic(raw)?;
        self.found(expanded)
    }

    fn found(&mut self, expanded: Expanded) -> Walked {
        self.evaluates |= expanded.evaluates;
        for name in expanded.sets {
            self.set(&name, None, false);
        }
        for text in expanded.substitutions {
            self.apart(|walk| walk.text(&text))?;
        }
        Ok(())
    }

    fn test(&mut self, test: &ExtendedTestExpr) -> Walked {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left)?;
                self.test(right)
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => {
                self.test(inner)
            }
            ExtendedTestExpr::UnaryTest(predicate, word) => match predicate {
                // The name may have an index, which is worked out.
                UnaryPredicate::ShellVariableIsSetAndAssigned
                | UnaryPredicate::ShellVariableIsSetAndNameRef => self.arithmetic(&word.value),
                UnaryPredicate::FileExists
                | UnaryPredicate::FileExistsAndIsBlockSpecialFile
                | UnaryPredicate::FileExistsAndIsCharSpecialFile
                | UnaryPredicate::FileExistsAndIsDir
                | UnaryPredicate::FileExistsAndIsRegularFile
                | UnaryPredicate::FileExistsAndIsSetgid
                | UnaryPredicate::FileExistsAndIsSymlink
                | UnaryPredicate::FileExistsAndHasStickyBit
                | UnaryPredicate::FileExistsAndIsFifo
                | UnaryPredicate::FileExistsAndIsReadable
                | UnaryPredicate::FileExistsAndIsNotZeroLength
                | UnaryPredicate::FdIsOpenTerminal
                | UnaryPredicate::FileExistsAndIsSetuid
                | UnaryPredicate::FileExistsAndIsWritable
                | UnaryPredicate::FileExistsAndIsExecutable
                | UnaryPredicate::FileExistsAndOwnedByEffectiveGroupId
                | UnaryPredicate::FileExistsAndModifiedSinceLastRead
                | UnaryPredicate::FileExistsAndOwnedByEffectiveUserId
                | UnaryPredicate::FileExistsAndIsSocket
                | UnaryPredicate::ShellOptionEnabled
                | UnaryPredicate::StringHasZeroLength
                | UnaryPredicate::StringHasNonZeroLength => self.test_word(&word.value),
            },
            ExtendedTestExpr::BinaryTest(predicate, left, right) => match predicate {
                BinaryPredicate::ArithmeticEqualTo
                | BinaryPredicate::ArithmeticNotEqualTo
                | BinaryPredicate::ArithmeticLessThan
                | BinaryPredicate::ArithmeticLessThanOrEqualTo
                | BinaryPredicate::ArithmeticGreaterThan
                | BinaryPredicate::ArithmeticGreaterThanOrEqualTo => {
                    self.arithmetic(&left.value)?;
                    self.arithmetic(&right.value)
                }
                BinaryPredicate::FilesReferToSameDeviceAndInodeNumbers
                | BinaryPredicate::LeftFileIsNewerOrExistsWhenRightDoesNot
                | BinaryPredicate::LeftFileIsOlderOrDoesNotExistWhenRightDoes
                | BinaryPredicate::StringExactlyMatchesPattern
                | BinaryPredicate::StringDoesNotExactlyMatchPattern
                | BinaryPredicate::StringMatchesRegex
                | BinaryPredicate::StringExactlyMatchesString
                | BinaryPredicate::StringDoesNotExactlyMatchString
                | BinaryPredicate::StringContainsSubstring
                | BinaryPredicate::LeftSortsBeforeRight
                | BinaryPredicate::LeftSortsAfterRight => {
                    self.test_word(&left.value)?;
                    self.test_word(&right.value)
                }
            },
        }
    }

    /// A word of `[[ .. ]]`, where parentheses and bars may be a pattern's.
    fn test_word(&mut self, raw: &str) -> Walked {
        if raw.contains(['(', '|']) && !raw.contains("$(") {
            return self.pattern(raw);
        }
        self.word(raw).map(|_| ())
    }

    fn redirect(&mut self, redirect: &IoRedirect) -> Walked {
        match redirect {
            IoRedirect::File(_, kind, target) => match target {
                IoFileRedirectTarget::Filename(word) => {
                    let target = self.word(&word.value)?;
                    match kind {
                        IoFileRedirectKind::Read => self.opens(Access::Read, target),
                        IoFileRedirectKind::Write
                        | IoFileRedirectKind::Append
                        | IoFileRedirectKind::Clobber => self.opens(Access::Write, target),
                        IoFileRedirectKind::ReadAndWrite => {
                            self.opens(Access::Read, target.clone());
                            self.opens(Access::Write, target);
                        }
                        IoFileRedirectKind::DuplicateInput
                        | IoFileRedirectKind::DuplicateOutput => self.duplicates(kind, target),
                    }
                    Ok(())
                }
                IoFileRedirectTarget::Duplicate(word) => {
                    let target = self.word(&word.value)?;
                    self.duplicates(kind, target);
                    Ok(())
                }
                IoFileRedirectTarget::Fd(_) => Ok(()),
                IoFileRedirectTarget::ProcessSubstitution(_, list) => {
                    self.process(list).map(|_| ())
                }
            },
            IoRedirect::HereDocument(_, document) => {
                let text = &document.doc.value;
                let lifted = self.lifted.as_ref().and_then(|lifted| lifted.body(text));
                if let Some(body) = lifted.map(str::to_owned) {
                    self.documents.insert(text.clone());
                    if document.requires_expansion {
                        let expanded = expand::document(&body, false)?;
                        self.found(expanded)?;
                    }
                    return Ok(());
                }
                if !document.requires_expansion {
                    return Ok(());
                }
                if text.contains("\\\n") {
                    return Err(Unparsable::new(
                        "a here-document joins lines, and may end elsewhere than it seems",
                    )
                    .into());
                }
                let expanded = expand::document(text, self.lifted.is_some())?;
                self.found(expanded)
            }
            IoRedirect::HereString(_, word) => self.word(&word.value).map(|_| ()),
            IoRedirect::OutputAndError(word, _) => {
                let target = self.word(&word.value)?;
                self.opens(Access::Write, target);
                Ok(())
            }
        }
    }

    /// `>&word`: a number or `-` names a descriptor, anything else a file.
    fn duplicates(&mut self, kind: &IoFileRedirectKind, target: Word) {
        let descriptor = target.known().is_some_and(|text| {
            let digits = text.strip_suffix('-').unwrap_or(text);
            digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !descriptor {
            let access = match kind {
                IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::Read => Access::Read,
                IoFileRedirectKind::Write
                | IoFileRedirectKind::Append
                | IoFileRedirectKind::ReadAndWrite
                | IoFileRedirectKind::Clobber
                | IoFileRedirectKind::DuplicateOutput => Access::Write,
            };
            self.opens(access, target);
        }
    }

    pub(super) fn opens(&mut self, access: Access, target: Word) {
        if target.known() != Some("/dev/null") {
            self.redirects.push(Redirect {
                access,
                target,
                directory: self.directory.clone(),
            });
        }
    }
}

/// Whether a `<(..)` of a text may be part of a longer word.
fn glued(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(3).any(|three| {
        let [before, first, second] = three else {
            return false;
        };
        (matches!(first, '<' | '>') && *second == '(' && !" \t\n<>;|&(".contains(*before))
            || (*first == ')' && !" \t\n<>;|&)\"'".contains(*second))
    })
}
