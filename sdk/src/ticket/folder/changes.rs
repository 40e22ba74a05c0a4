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
    loop {
        while let Some(change) = file::read(&path(ticket, changes))? {
            if !apply(&mut record, change) {
                return unfit("has a change that cannot follow those before it");
            }
            changes += 1;
        }
        let is_there = |number| path(ticket, number).symlink_metadata().is_ok();
        match next(changes, requests, is_there) {
            Next::None => return Ok(Some((record, changes))),
            Next::Came => {}
            Next::Lost => return unfit("lacks one of its numbered files"),
        }
    }
}

/// The change of a number that was not there when it was read.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    None,
    /// It was made meanwhile.
    Came,
    Lost,
}

/// Looks for the change of a number among those that a ticket may have: each request is answered once at most, and a
/// ticket is closed once. A lost change may be the one that closed it.
fn next(number: usize, requests: usize, is_there: impl Fn(usize) -> bool) -> Next {
    if !(number + 1..requests + 2).any(&is_there) {
        Next::None
    } else if is_there(number) {
        // Others have made it, and one after it, since it was read. A later one is looked for first: this one was made
        // before it.
        Next::Came
    } else {
        Next::Lost
    }
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{Next, next};

    #[test]
    fn a_change_that_is_made_while_it_is_looked_for_is_not_lost() {
        assert_eq!(next(1, 1, |_| false), Next::None);
        assert_eq!(next(1, 1, |number| number == 2), Next::Lost);
        assert_eq!(next(2, 1, |number| number == 3), Next::None);
        // Another process answers and closes the ticket before the first look, or after it.
        assert_eq!(next(1, 1, |_| true), Next::Came);
        let looks = Cell::new(0);
        let made_by_then = |_| looks.replace(looks.get() + 1) > 0;
        assert_eq!(next(1, 1, made_by_then), Next::None);
    }
}
