//! Every command of the grammar's tree.
//!
//! Each kind of node is named in a `match` without a rest, so that a construct which the parser learns
//! does not compile until it is looked at here.

use std::collections::BTreeSet;

use brush_parser::ast::{AndOr, AndOrList, Command, CompoundList, Pipeline, SeparatorOperator};

use super::arithmetic::Integers;
use super::documents::Lifted;
use super::files::Redirect;
use super::loops::Loop;
use super::part::{Assignment, Directories, LineCommand};
use super::unparsable::{Parsed, Unparsable, refused};
use super::word::Word;
use super::{ShellLine, parse, screen};

/// The most texts that may lie in each other: `sh -c`, `eval` and substitutions.
const TEXTS: usize = 16;

/// In how many directories a command may run.
const DIRECTORIES: usize = 8;

/// The state on the way through a line.
#[derive(Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the line"
)]
pub(super) struct Walk {
    /// The most constructs that may nest.
    most: usize,
    depth: usize,
    /// The weight of the words that are kept.
    pub(super) weight: usize,
    /// The bytes of the names that words may have as files.
    pub(super) names: usize,
    pub(super) parts: Vec<LineCommand>,
    pub(super) redirects: Vec<Redirect>,
    /// The words of wrappers that are not those of what they run.
    pub(super) carriers: Vec<LineCommand>,
    pub(super) directory: Directories,
    /// The number of changes of the directory.
    pub(super) moves: usize,
    /// The variables that are set for good, and whether a program that runs later gets them.
    pub(super) variables: Vec<Assignment>,
    pub(super) integers: Integers,
    /// True if `~` and `cd` may mean something else than elsewhere.
    pub(super) lost: bool,
    /// True if patterns of files may match more than they do at first.
    pub(super) patterns_change: bool,
    pub(super) outer: Vec<Vec<Word>>,
    pub(super) lifted: Option<Lifted>,
    pub(super) documents: BTreeSet<String>,
    /// True if the present text has a `<(..)`.
    pub(super) processes: bool,
    /// The loops of the line.
    pub(super) loops: Vec<Loop>,
}

impl Walk {
    fn new(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    pub(super) fn of_line(line: &str, most: usize) -> Parsed<ShellLine> {
        let mut walk = Self::new(most);
        walk.lifted = Lifted::new(line);
        let lifted = walk.lifted.as_ref().map(|lifted| lifted.text.clone());
        walk.text(lifted.as_deref().unwrap_or(line))?;
        walk.end(line)
    }

    pub(super) fn of_words(words: &[String], most: usize) -> Parsed<ShellLine> {
        let mut walk = Self::new(most);
        walk.command(words.iter().cloned().map(Word::Known).collect(), Vec::new())?;
        walk.end("")
    }

    /// The line that was walked. `source` is its text, empty where commands come as words.
    fn end(mut self, source: &str) -> Parsed<ShellLine> {
        if let Some(name) = self.integers.doubted() {
            return refused(format!(
                "arithmetic works out `{name}`, which the line does not set to integers alone: what is in it \
                 may run commands"
            ));
        }
        if self.lost {
            return refused("the line sets a variable that decides where `~` and `cd` lead");
        }
        let expected = self.lifted.as_ref().map_or(0, |lifted| lifted.bodies.len());
        if self.documents.len() != expected {
            return Err(Unparsable::document());
        }
        if self.patterns_change {
            for part in self.parts.iter_mut().chain(&mut self.carriers) {
                for word in part.words.iter_mut().chain(part.outer.iter_mut().flatten()) {
                    if let Word::Unknown(unknown) = word {
                        unknown.pattern = None;
                        unknown.braced.clear();
                    }
                }
            }
        }
        self.bind_loops(source);
        self.share_patterns();
        for part in &mut self.parts {
            if let Some(lifted) = &self.lifted {
                part.text = lifted.restored(&part.text);
                for word in part.words.iter_mut().chain(part.outer.iter_mut().flatten()) {
                    match word {
                        Word::Unknown(unknown) => unknown.shown = lifted.restored(&unknown.shown),
                        Word::Known(text) => *text = lifted.restored(text),
                    }
                }
            }
            part.assignments.extend(self.variables.iter().cloned());
        }
        Ok(ShellLine {
            parts: self.parts,
            redirects: self.redirects,
            carriers: self.carriers,
        })
    }

    /// Divides what may be looked at among all look-ups of patterns.
    fn share_patterns(&mut self) {
        let mut patterns = Vec::new();
        let mut shares = 0;
        for part in self.parts.iter_mut().chain(&mut self.carriers) {
            let directories = part.directory.0.len().max(1);
            let before = patterns.len();
            for word in &mut part.words {
                word.patterns(&mut patterns);
            }
            shares += directories * (patterns.len() - before);
        }
        for redirect in &mut self.redirects {
            let before = patterns.len();
            redirect.target.patterns(&mut patterns);
            shares += patterns.len() - before;
        }
        for pattern in patterns {
            pattern.share(shares);
        }
    }

    /// A text that bash reads.
    pub(super) fn text(&mut self, text: &str) -> Parsed {
        if self.depth >= TEXTS {
            return refused("too many commands lie in each other");
        }
        if parse::openers(text) > self.most {
            return Err(screen::too_deep());
        }
        if self
            .lifted
            .as_ref()
            .is_some_and(|lifted| !lifted.has_all_of(text))
        {
            return Err(Unparsable::document());
        }
        let program = parse::program(text)?;
        self.depth += 1;
        let processes = std::mem::take(&mut self.processes);
        for list in &program.complete_commands {
            self.list(list)?;
        }
        if self.processes && glued(text) {
            return refused("`<(..)` has to be a word of its own");
        }
        self.processes = processes;
        self.depth -= 1;
        Ok(())
    }

    /// Something that a shell of its own runs: what it changes ends with it.
    pub(super) fn apart(&mut self, run: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        let directory = self.directory.clone();
        let moves = self.moves;
        run(self)?;
        self.directory = directory;
        self.moves = moves;
        Ok(())
    }

    pub(super) fn list(&mut self, list: &CompoundList) -> Parsed {
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
    pub(super) fn and_or(&mut self, chain: &AndOrList) -> Parsed {
        let before = self.moves;
        let start = self.directory.clone();
        self.pipeline(&chain.first)?;
        for next in &chain.additional {
            match next {
                AndOr::And(pipeline) => self.pipeline(pipeline)?,
                AndOr::Or(pipeline) => {
                    self.may_have_moved(before, &start);
                    self.pipeline(pipeline)?;
                }
            }
        }
        self.may_have_moved(before, &start);
        Ok(())
    }

    /// After commands of which nobody knows whether they ran, and how often the directory was changed
    /// before them, and which it was.
    fn may_have_moved(&mut self, moves: usize, start: &Directories) {
        let changes = self.moves - moves;
        if changes == 0 {
            return;
        }
        let lost = start.0.is_empty() || self.directory.0.is_empty();
        let mut all = [&*start.0, &*self.directory.0].concat();
        all.sort_unstable();
        all.dedup();
        if changes > 1 || lost || all.len() > DIRECTORIES {
            all.clear();
        }
        self.directory = Directories(all.into());
    }

    pub(super) fn lose_directory(&mut self) {
        self.moves += 1;
        self.directory = Directories::unknown();
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Parsed {
        // `time` and `!` run nothing of their own.
        let Pipeline {
            timed: _,
            bang,
            seq,
        } = pipeline;
        let before = self.moves;
        let start = self.directory.clone();
        if let [command] = seq.as_slice() {
            self.node(command)?;
        } else {
            for command in seq {
                self.apart(|walk| walk.node(command))?;
            }
        }
        if *bang {
            self.may_have_moved(before, &start);
        }
        Ok(())
    }

    pub(super) fn node(&mut self, command: &Command) -> Parsed {
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
            Command::Function(function) => refused(format!(
                "the line defines the function `{}`: any name may be run in place of a program",
                function.fname.value
            )),
        }
    }
}

/// Returns true if a `<(..)` of a text may be part of a longer word.
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
