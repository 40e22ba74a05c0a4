//! A file of cases, one a line.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::{Case, Ran};

/// The ends of the cases of a file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub cases: usize,
    /// Those that ran, repaired or not.
    pub accepted: usize,
    /// Those of them that something was repaired in.
    pub repaired: usize,
    /// Those that did not run.
    pub refused: usize,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, ran: &Ran<'_>) {
        self.cases += 1;
        self.accepted += usize::from(ran.refused.is_none());
        self.repaired += usize::from(ran.refused.is_none() && !ran.repairs.is_empty());
        self.refused += usize::from(ran.refused.is_some());
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            cases,
            accepted,
            repaired,
            refused,
        } = self;
        write!(
            f,
            "cases={cases} accepted={accepted} repaired={repaired} refused={refused}"
        )
    }
}

/// A line of a file: its number, counted from 1, and the case, or why it is none.
pub type Line = (usize, Result<Case, serde_json::Error>);

/// Reads the cases of a file; empty lines are passed over.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(File::open(path)?).lines()) {
        let line = line?;
        if !line.trim().is_empty() {
            lines.push((number, serde_json::from_str(&line)));
        }
    }
    Ok(lines)
}
