//! Journals: `call` and `run` write one by `--journal FILE`, `journal` shows, verifies and replays it.
//!
//! Large outputs lie in a folder beside the file, `FILE.outputs`.

mod replay;
mod settle;
mod show;
mod table;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use toolwright::Executor;
use toolwright_journal::{FileLog, FolderContents, Journal, JournalError, Recovery};

use crate::cli::{Cli, Command, JournalCommand, Problem};
use crate::outside::must_be_outside;
use crate::terminal::safe;

pub(crate) use self::settle::{Settle, settle};

/// The journal that a command writes, if it writes one.
pub(crate) fn recording_of(command: &Command) -> Option<&Path> {
    let recording = match command {
        Command::Call { recording, .. } | Command::Run { recording, .. } => recording,
        Command::Resume(resume) => &resume.recording,
        Command::Chat(chat) => &chat.recording,
        Command::Serve(serve) => &serve.recording,
        _ => return None,
    };
    recording.journal.as_deref()
}

/// Opens the journal that a command writes, if it writes one, and tells what an earlier run left.
pub(crate) fn open(cli: &Cli) -> Result<Option<Journal>, Problem> {
    let Some(file) = recording_of(&cli.command) else {
        return Ok(None);
    };
    must_be_outside(cli, file)?;
    let log = FileLog::open(file).map_err(|error| broken(file, error.into()))?;
    let (journal, recovery) = Journal::builder(log)
        .contents(contents_of(file))
        .open()
        .map_err(|error| broken(file, error))?;
    report(file, &recovery);
    Ok(Some(journal))
}

/// Tells of a journal.
pub(crate) async fn tell(
    executor: &Executor,
    command: &JournalCommand,
) -> Result<ExitCode, Problem> {
    let told = match command {
        JournalCommand::Show { file } => show::show(file),
        JournalCommand::Verify { file, head } => verify::verify(file, *head).await,
        JournalCommand::Replay { file, .. } => replay::replay(executor, file).await,
    };
    match told {
        Err(problem) if problem.is_of_journal() => {
            crate::tell(&problem);
            Ok(ExitCode::from(1))
        }
        told => told,
    }
}

/// The folder of the large outputs of a journal.
fn contents_of(file: &Path) -> FolderContents {
    let mut folder = OsString::from(file);
    folder.push(".outputs");
    FolderContents::new(PathBuf::from(folder))
}

fn read_only(file: &Path) -> Result<FileLog, Problem> {
    FileLog::read_only(file).map_err(|error| broken(file, error.into()))
}

fn broken(file: &Path, error: JournalError) -> Problem {
    Problem::Journal {
        path: file.to_owned(),
        error,
    }
}

/// A tool, and its version if it has one.
fn named(tool: &str, version: Option<&str>) -> String {
    let mut name = safe::line(tool);
    if let Some(version) = version {
        name.push('@');
        name.push_str(&safe::line(version));
    }
    name
}

/// Reports the remains of an earlier run that did not end well.
fn report(file: &Path, recovery: &Recovery) {
    // `eprintln!` panics where nobody reads it.
    let mut out = io::stderr().lock();
    if let Some(cut) = recovery.cut {
        let _ = writeln!(
            out,
            "workbench: line {} of {} was not written to its end, and is cut off",
            cut.line,
            file.display()
        );
    }
    for call in &recovery.unfinished {
        let tool = safe::line(&call.tool);
        let _ = match call.waits {
            Some(ticket) => writeln!(
                out,
                "workbench: {tool} (record {}) waits with ticket {ticket}",
                call.seq
            ),
            None if call.is_indeterminate() => writeln!(
                out,
                "workbench: {tool} (record {}) never ended, and whether it had an effect is unknown: look before you \
                 call it again",
                call.seq
            ),
            None => writeln!(
                out,
                "workbench: {tool} (record {}) never ended; it may be called again",
                call.seq
            ),
        };
    }
}
