//! Commands that only read.
//!
//! The list is small, and each entry has its reason. A program is not here if an option of it writes,
//! runs something or opens a connection, unless the options that do not are listed: then only these
//! are taken, spelled out, and with any other the command does not count. So `awk` (`system`, `>`), `less`
//! (`!`), `tee`, `xargs` and all interpreters are not here. Nor are `git` and `rg`: what they run is said by
//! files that they find (aliases, pagers, hooks and drivers of git's configuration, `RIPGREP_CONFIG_PATH`),
//! so it is for a policy's author to allow them by name. `env` and `printenv` show what is secret.
//!
//! The things that a command *reads* are the contents of files and the names in the directories that it is given;
//! `ls -R`, `du`, `tree` and `find` say the names that lie deeper, and are not asked about each.

mod forms;
mod operands;
mod programs;
#[cfg(all(test, unix))]
mod tests;

use std::path::{Path, PathBuf};

use super::files::{self, Access, FileUse};
use super::part::{Assignment, LineCommand};
use super::word::Word;
use operands::{Operand, only, operands, search};
use programs::{Takes, takes};

impl LineCommand {
    /// Returns the files that the command reads, if it is known to do nothing but read; else `None`. The line starts in
    /// the directory.
    pub fn read_only(&self, start: &Path) -> Option<Vec<FileUse>> {
        let program = self.program()?;
        // Variables that `export` sets count for the other commands of the line.
        if program != "export" && !self.assignments().iter().all(Assignment::is_harmless) {
            return None;
        }
        let words = self.words().get(1..)?;
        if program == "cd" {
            // The directory has to be known: the rest of the line runs there.
            let [Word::Known(path)] = words else {
                return None;
            };
            return (!path.starts_with('-')).then(Vec::new);
        }
        let takes = takes(program)?;
        let operands: Vec<Operand> = match takes {
            // Names that a pattern finds are shown.
            Takes::Words => {
                let patterns = words.iter().filter(|word| word.has_pattern());
                patterns.cloned().map(Operand::File).collect()
            }
            Takes::Files(letters) | Takes::Places(letters) => operands(program, words, letters)?,
            Takes::Search(letters) => search(program, words, letters)?,
            Takes::Only(flags, valued, long, most) => {
                let operands = only(words, flags, valued, long)?;
                let splits = most != usize::MAX && operands.iter().any(Word::splits);
                if splits || operands.len() > most {
                    return None;
                }
                operands.into_iter().map(Operand::File).collect()
            }
            Takes::Form(form) => form(self)?.into_iter().map(Operand::File).collect(),
        };
        let mut files = reads(&operands, self, start);
        let place = matches!(takes, Takes::Places(_) | Takes::Search(_));
        if place && !operands.iter().any(|one| matches!(one, Operand::File(_))) {
            let present = |path| FileUse::new(Access::Read, path, ".");
            files.extend(places(self, start).into_iter().map(present));
        }
        Some(files)
    }
}

/// Returns where a command may run; a place that is not known, if nothing is.
fn places(part: &LineCommand, start: &Path) -> Vec<Option<PathBuf>> {
    let directories = part.directories(start);
    if directories.is_empty() {
        vec![None]
    } else {
        directories.into_iter().map(Some).collect()
    }
}

/// The files that words name, to be read.
fn reads(operands: &[Operand], part: &LineCommand, start: &Path) -> Vec<FileUse> {
    let places = places(part, start);
    let mut files = Vec::new();
    for (operand, place) in operands
        .iter()
        .flat_map(|operand| places.iter().map(move |place| (operand, place.as_deref())))
    {
        let (Operand::File(word) | Operand::Option(word)) = operand;
        let mut found = files::of_word(word, place);
        match (operand, word.known()) {
            (Operand::File(_), Some(text)) => found.retain(|(_, shown)| shown == text),
            (Operand::File(_), None) => {}
            (Operand::Option(_), _) => found.retain(|(_, shown)| !shown.starts_with('-')),
        }
        let read = |(path, shown)| FileUse::new(Access::Read, path, shown);
        files.extend(found.into_iter().map(read));
    }
    files
}
