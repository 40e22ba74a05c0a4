//! Compound commands, and the tests of `[[ .. ]]`.
//!
//! Each kind of node is named in a `match` without a rest, as in [`super::walk`].

use brush_parser::ast::{BinaryPredicate, CompoundCommand, ExtendedTestExpr, UnaryPredicate};

use super::part::Directories;
use super::quote::in_quotes;
use super::unparsable::{Parsed, refused};
use super::variables::Value;
use super::walk::Walk;
use super::{Unparsable, arithmetic, expand};

impl Walk {
    pub(super) fn compound(&mut self, compound: &CompoundCommand) -> Parsed {
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
                let mut values = Vec::new();
                for value in clause.values.iter().flatten() {
                    values.push(self.word(&value.value)?);
                }
                if !arithmetic::is_name(&clause.variable_name) {
                    return Err(Unparsable::near(&clause.variable_name));
                }
                let raw = || clause.values.iter().flatten();
                let integers =
                    clause.values.is_some() && raw().all(|value| expand::is_integers(&value.value));
                let value = if integers {
                    Value::Integer
                } else {
                    Value::Unknown
                };
                self.set(&clause.variable_name, value, false)?;
                let start = self.before_body();
                self.repeated(|walk| walk.list(&clause.body.list))?;
                self.note_loop(&clause.variable_name, values, start);
                Ok(())
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
                if coprocess.name.is_some() {
                    return refused("a coprocess with a name sets variables");
                }
                self.apart(|walk| walk.node(&coprocess.body))
            }
        }
    }

    /// Visits what may run or not: a change of directory in it is lost for all of it, since one branch may
    /// follow another.
    fn either(&mut self, run: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.repeated(run)
    }

    /// Visits what may run again: a change of directory in it counts for all of it.
    fn repeated(&mut self, run: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        let (moves, parts, redirects) = (self.moves, self.parts.len(), self.redirects.len());
        run(self)?;
        if self.moves != moves {
            self.directory = Directories::unknown();
            for part in self.parts.iter_mut().skip(parts) {
                part.directory = Directories::unknown();
            }
            for redirect in self.redirects.iter_mut().skip(redirects) {
                redirect.directory = Directories::unknown();
            }
        }
        Ok(())
    }

    pub(super) fn test(&mut self, test: &ExtendedTestExpr) -> Parsed {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left)?;
                self.test(right)
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => {
                self.test(inner)
            }
            ExtendedTestExpr::UnaryTest(predicate, word) => match predicate {
                // An index of the name is worked out.
                UnaryPredicate::ShellVariableIsSetAndAssigned
                | UnaryPredicate::ShellVariableIsSetAndNameRef => {
                    if arithmetic::is_name(&word.value) {
                        return Ok(());
                    }
                    refused("`-v` works out an index")
                }
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
                    self.number(&left.value)?;
                    self.number(&right.value)
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

    /// A word that is worked out as arithmetic, with or without quotes around it.
    fn number(&mut self, raw: &str) -> Parsed {
        let bare = in_quotes(raw).unwrap_or(raw);
        let inside = bare
            .strip_prefix("$((")
            .and_then(|bare| bare.strip_suffix("))"));
        self.arithmetic(inside.unwrap_or(bare))
    }

    /// A word of `[[ .. ]]`, where parentheses and bars may be a pattern's.
    fn test_word(&mut self, raw: &str) -> Parsed {
        if raw.contains(['(', '|']) && !raw.contains("$(") {
            return self.pattern(raw);
        }
        self.word(raw).map(|_| ())
    }
}
