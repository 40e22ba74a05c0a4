//! What is known of a ticket: a directory of numbered files, each one change.
//!
//! A change is the file of the next number. Of several who would write it one does, and the others
//! read what changed and decide anew. So no lock is needed, and none can be left behind.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toolwright::ticket::{CloseReason, SealedAnswer, StoredTicket, TicketRecord, WriteOutcome};

use super::file::{self, Durable, FolderError};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Change {
    /// The first.
    Put(Box<StoredTicket>),
    Answered {
        request: usize,
        answer: SealedAnswer,
    },
    /// The last.
    Closed(CloseReason),
}

/// All of a ticket, and how many changes that is. `None`: nothing is there.
///
/// Files are looked for by their names: to list the directory of each ticket takes longer than to read
/// what is in it.
pub(super) fn read(directory: &Path) -> Result<Option<(TicketRecord, u64)>, FolderError> {
    let Some(Change::Put(stored)) = file::read(&directory.join(file::name(0)))? else {
        return read_all(directory);
    };
    // Each request is answered once at most, and a ticket closed once.
    let most = stored.ticket().requests().len() as u64 + 2;
    let is_there = |number: &u64| {
        directory
            .join(file::name(*number))
            .symlink_metadata()
            .is_ok()
    };
    if (1..=most).any(|number| is_there(&number)) {
        return read_all(directory);
    }
    let kept = TicketRecord {
        stored: *stored,
        answers: Vec::new(),
        closed: None,
    };
    Ok(Some((kept, 1)))
}

/// The same of a ticket that has changed, by the names in its directory.
fn read_all(directory: &Path) -> Result<Option<(TicketRecord, u64)>, FolderError> {
    let odd = |what| FolderError::Odd {
        path: directory.to_owned(),
        what,
    };
    let numbers = file::numbers(directory)?.unwrap_or_default();
    let Some(last) = numbers.last() else {
        return Ok(None);
    };
    let changes = last.saturating_add(1);
    // What is lost could be what closed it.
    if changes != numbers.len() as u64 {
        return Err(odd("lacks one of its numbered files"));
    }
    let mut kept: Option<TicketRecord> = None;
    for number in numbers {
        let Some(change) = file::read(&directory.join(file::name(number)))? else {
            return Ok(None);
        };
        match (change, &mut kept) {
            (Change::Put(stored), None) => {
                kept = Some(TicketRecord {
                    stored: *stored,
                    answers: Vec::new(),
                    closed: None,
                });
            }
            (Change::Answered { request, answer }, Some(kept)) if kept.closed.is_none() => {
                let asked = kept.stored.ticket().requests().len();
                match answer_of(&mut kept.answers, request, asked) {
                    Some(place @ None) => *place = Some(answer),
                    _ => return Err(odd("has an answer to what was not asked, or two to one")),
                }
            }
            (Change::Closed(how), Some(kept)) if kept.closed.is_none() => kept.closed = Some(how),
            _ => return Err(odd("has changes in an order that cannot be")),
        }
    }
    Ok(kept.map(|kept| (kept, changes)))
}

/// Where the answer to a request is or belongs.
fn answer_of(
    answers: &mut Vec<Option<SealedAnswer>>,
    request: usize,
    asked: usize,
) -> Option<&mut Option<SealedAnswer>> {
    if request < asked && answers.len() <= request {
        answers.resize(request + 1, None);
    }
    answers.get_mut(request)
}

/// Adds a change, if what is there by then still lets it.
pub(super) fn change(
    directory: &Path,
    change: &Change,
    lets: impl Fn(&TicketRecord) -> Result<(), WriteOutcome>,
) -> Result<WriteOutcome, FolderError> {
    loop {
        let Some((kept, changes)) = read(directory)? else {
            return Ok(WriteOutcome::Unknown);
        };
        if let Err(before) = lets(&kept) {
            return Ok(before);
        }
        match file::create(directory, &file::name(changes), change, Durable::Now) {
            Ok(true) => return Ok(WriteOutcome::Now),
            Ok(false) => {}
            // The session was forgotten.
            Err(_) if !directory.exists() => return Ok(WriteOutcome::Unknown),
            Err(error) => return Err(FolderError::io(directory, "written to")(error)),
        }
    }
}
