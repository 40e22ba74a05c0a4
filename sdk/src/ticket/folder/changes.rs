//! A ticket as a folder of numbered files, each one change.
//!
//! Whoever changes a ticket makes the file of the next number. If several try, one of them makes it, and the others
//! read it and decide anew. So no lock is needed, and a process that dies leaves none behind.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::{CloseReason, SealedAnswer, StoredTicket, TicketRecord, WriteOutcome};
use super::file::{self, FolderError};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TicketChange {
    /// The first change.
    Put(Box<StoredTicket>),
    Answered {
        request: usize,
        answer: SealedAnswer,
    },
    /// The last change.
    Closed(CloseReason),
}

/// The file of a change.
pub(super) fn path(ticket: &Path, number: usize) -> PathBuf {
    ticket.join(format!("{number}.json"))
}

/// Returns all that is known of a ticket and the number of its changes, `None` if it is not there.
pub(super) fn read(ticket: &Path) -> Result<Option<(TicketRecord, usize)>, FolderError> {
    let unfit = |fault| Err(FolderError::unfit(ticket, fault));
    let stored = match file::read(&path(ticket, 0))? {
        None => return Ok(None),
        Some(TicketChange::Put(stored)) => *stored,
        Some(_) => return unfit("does not begin with its ticket"),
    };
    let requests = stored.ticket().requests().len();
    let mut record = TicketRecord {
        stored,
        answers: Vec::new(),
        closed: None,
    };
    let mut changes = 1;
    while let Some(change) = file::read(&path(ticket, changes))? {
        if !apply(&mut record, change) {
            return unfit("has a change that cannot follow those before it");
        }
        changes += 1;
    }
    // Each request is answered once at most, and a ticket is closed once. A lost change may be the one that closed it.
    let is_there = |number| path(ticket, number).symlink_metadata().is_ok();
    if (changes + 1..requests + 2).any(is_there) {
        return unfit("lacks one of its numbered files");
    }
    Ok(Some((record, changes)))
}

/// Returns false if the change cannot follow those before it.
fn apply(record: &mut TicketRecord, change: TicketChange) -> bool {
    if record.closed.is_some() {
        return false;
    }
    match change {
        TicketChange::Put(_) => return false,
        TicketChange::Closed(reason) => record.closed = Some(reason),
        TicketChange::Answered { request, answer } => {
            if request >= record.stored.ticket().requests().len() {
                return false;
            }
            if record.answers.len() <= request {
                record.answers.resize(request + 1, None);
            }
            return record.answers[request].replace(answer).is_none();
        }
    }
    true
}

/// Adds a change, unless `refusal` says that the ticket does not take it any more.
pub(super) fn add(
    unfinished: &Path,
    ticket: &Path,
    change: &TicketChange,
    refusal: impl Fn(&TicketRecord) -> Option<WriteOutcome>,
) -> Result<WriteOutcome, FolderError> {
    loop {
        let Some((record, changes)) = read(ticket)? else {
            return Ok(WriteOutcome::Unknown);
        };
        if let Some(refused) = refusal(&record) {
            return Ok(refused);
        }
        match file::create(unfinished, &path(ticket, changes), change) {
            Ok(true) => return Ok(WriteOutcome::Now),
            // Another process was first.
            Ok(false) => {}
            // The session was forgotten.
            Err(_) if !ticket.exists() => return Ok(WriteOutcome::Unknown),
            Err(error) => return Err(FolderError::io(ticket, "written to")(error)),
        }
    }
}
