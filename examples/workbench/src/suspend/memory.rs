//! The places of this user's tickets, so that `resume TICKET yes` is enough.
//!
//! It is a convenience and no more: what it says is checked against the ticket.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use toolwright::id::TicketId;

use super::Suspension;
use super::key::{make_directories, state};
use crate::cli::{Cli, Command};
use crate::journal::recording_of;
#[cfg(unix)]
use crate::process::Variable;
use crate::terminal::safe;

/// The least time that a ticket is remembered: longer than any ticket is valid.
const REMEMBERED: Duration = Duration::from_secs(8 * 24 * 60 * 60);

/// The time between two searches for tickets to forget.
const SEARCH: Duration = Duration::from_secs(60 * 60);

/// The options of a run that its calls need again.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// The folder, or the file of a state.
    folder: PathBuf,
    #[serde(default)]
    is_state: bool,
    root: PathBuf,
    policy: Option<PathBuf>,
    key: Option<PathBuf>,
    #[serde(default)]
    journal: Option<PathBuf>,
    strict: bool,
    #[cfg(unix)]
    env: Vec<Variable>,
}

fn file(ticket: TicketId) -> Option<PathBuf> {
    Some(state()?.join("tickets").join(format!("{ticket}.json")))
}

/// Fills in what the command line leaves out, as the run of the ticket said it.
pub(crate) fn recall(cli: &mut Cli) {
    let Command::Resume(resume) = &mut cli.command else {
        return;
    };
    let text = file(resume.ticket).and_then(|path| fs::read(path).ok());
    let known = text.and_then(|text| serde_json::from_slice::<Remembered>(&text).ok());
    let Some(known) = known else {
        return;
    };
    match &cli.state {
        // The command line goes before what is remembered.
        Some(_) => {}
        None if known.is_state && resume.suspend.is_none() => cli.state = Some(known.folder),
        None => drop(resume.suspend.get_or_insert(known.folder)),
    }
    if resume.key.file.is_none() {
        resume.key.file = known.key;
    }
    if resume.recording.journal.is_none() {
        resume.recording.journal = known.journal;
    }
    cli.root.get_or_insert(known.root);
    // Beside `--yes` or `--deny` there is no policy, and without the same one no resume.
    if cli.policy.is_none() && !cli.yes && !cli.deny {
        cli.policy = known.policy;
    }
    cli.reading.strict |= known.strict;
    #[cfg(unix)]
    cli.env.extend(known.env);
}

impl Remembered {
    pub(crate) fn of(cli: &Cli, suspension: &Suspension) -> Self {
        let place = suspension.place();
        Self {
            folder: place.folder.clone(),
            is_state: suspension.may_prompt(),
            root: place.root.clone(),
            policy: place.policy.clone(),
            key: place.key.clone(),
            journal: recording_of(&cli.command).and_then(|file| file.canonicalize().ok()),
            strict: cli.is_strict(),
            #[cfg(unix)]
            env: cli.env.clone(),
        }
    }

    /// Remembers where a ticket is. Returns the option that names the place where that cannot be remembered.
    pub(crate) fn write_or_name(&self, ticket: TicketId) -> String {
        match self.write(ticket) {
            Ok(()) => String::new(),
            Err(_) if self.is_state => safe::text(&format!(" --state {}", self.folder.display())),
            Err(_) => safe::text(&format!(" --suspend {}", self.folder.display())),
        }
    }

    fn write(&self, ticket: TicketId) -> io::Result<()> {
        let path = file(ticket).ok_or(io::ErrorKind::NotFound)?;
        let directory = path.parent().unwrap_or(Path::new("."));
        make_directories(directory)?;
        sweep_if_due(directory);
        let mut file = NamedTempFile::new_in(directory)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.persist(&path)?;
        Ok(())
    }
}

/// Forgets tickets that cannot be good any more, once an hour: the search takes the longer the more there are. What
/// cannot be removed does no harm.
fn sweep_if_due(directory: &Path) {
    let note = directory.with_file_name("tickets.swept");
    let last = note.metadata().and_then(|found| found.modified()).ok();
    let age = last.and_then(|last| SystemTime::now().duration_since(last).ok());
    if age.is_some_and(|age| age < SEARCH) || fs::write(&note, "\n").is_err() {
        return;
    }
    let long_ago = SystemTime::now().checked_sub(REMEMBERED);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        if written.ok() < long_ago {
            let _ = fs::remove_file(entry.path());
        }
    }
}
