//! The rows of tickets and of their answers.

use std::path::Path;
use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::de::Error as _;
use toolwright::id::{SessionId, TicketId};
use toolwright::ticket::{
    CloseReason, SealedAnswer, StoredTicket, TicketFilter, TicketRecord, WriteOutcome,
};

use super::malformed;
use crate::database::integer;
use crate::error::SqliteError;

/// The old tickets that one write removes at most.
const SWEPT: i64 = 64;

/// A time as the tables have it.
pub(super) fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// A number that is only compared for equality.
fn number(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

/// The columns of a ticket that is to be stored.
pub(super) struct NewTicket {
    id: String,
    session: SessionId,
    turn: i64,
    created: i64,
    expires: i64,
    requests: i64,
    stored: String,
}

impl NewTicket {
    pub(super) fn of(stored: &StoredTicket) -> Result<Self, serde_json::Error> {
        let ticket = stored.ticket();
        Ok(Self {
            id: ticket.id().to_string(),
            session: ticket.session().clone(),
            turn: number(ticket.turn().number()),
            created: millis(ticket.created_at()),
            expires: millis(ticket.expires_at()),
            requests: integer(ticket.requests().len()),
            stored: serde_json::to_string(stored)?,
        })
    }
}

/// A ticket and its answers, as they are stored.
pub(super) struct TicketRow {
    id: String,
    created: i64,
    closed: Option<String>,
    stored: String,
    /// The number of each request that is answered, and its answer.
    answers: Vec<(i64, String)>,
}

/// A place in a list: the time of creation, then the id.
pub(super) type Place = (i64, String);

impl TicketRow {
    pub(super) fn place(&self) -> Place {
        (self.created, self.id.clone())
    }

    pub(super) fn into_record(self, path: &Path) -> Result<TicketRecord, SqliteError> {
        let row = format!("ticket {}", self.id);
        self.parse().map_err(malformed(path, row))
    }

    fn parse(self) -> Result<TicketRecord, serde_json::Error> {
        let stored: StoredTicket = serde_json::from_str(&self.stored)?;
        if stored.ticket().id().to_string() != self.id {
            return Err(serde_json::Error::custom("the row holds another ticket"));
        }
        let mut answers: Vec<Option<SealedAnswer>> = Vec::new();
        for (request, answer) in self.answers {
            let requests = stored.ticket().requests().len();
            let request = usize::try_from(request)
                .ok()
                .filter(|number| *number < requests);
            let none = || serde_json::Error::custom("it has no request of that number");
            answers.resize(request.ok_or_else(none)?, None);
            answers.push(Some(serde_json::from_str(&answer)?));
        }
        let closed = self.closed.map(|how| serde_json::from_str(&how));
        Ok(TicketRecord {
            stored,
            answers,
            closed: closed.transpose()?,
        })
    }
}

/// The tickets of a list.
pub(super) enum Choice {
    Open {
        session: Option<SessionId>,
        turn: Option<i64>,
        /// Only those that have an answer.
        answered: bool,
    },
    /// Those that a replica has claimed.
    Claimed(String),
}

impl Choice {
    pub(super) fn open(filter: &TicketFilter) -> Self {
        Self::Open {
            session: filter.of_session().cloned(),
            turn: filter.of_turn().map(|turn| number(turn.number())),
            answered: filter.wants_answered(),
        }
    }
}

/// The place that a list begins after.
pub(super) fn place_after(filter: &TicketFilter) -> Place {
    match filter.begins_after() {
        Some((created, id)) => (millis(created), id.to_string()),
        None => (i64::MIN, String::new()),
    }
}

/// Reads the next tickets of a list, in its order. Each form of it walks along one index.
pub(super) fn page(
    connection: &Connection,
    choice: &Choice,
    after: &Place,
    count: usize,
) -> rusqlite::Result<Vec<TicketRow>> {
    const SELECT: &str = "SELECT id, created, closed, stored FROM tickets WHERE";
    const OPEN: &str = "closed IS NULL AND (?4 IS NULL OR turn = ?4) AND";
    const REST: &str = "(created, id) > (?1, ?2) ORDER BY created, id LIMIT ?3";
    let count = integer(count);
    let (created, id) = after;
    let mut rows = match choice {
        Choice::Open {
            session,
            turn,
            answered,
        } => {
            // Each text has an index of its own.
            let answered = if *answered { "answered > 0 AND" } else { "" };
            match session {
                None => connection
                    .prepare_cached(&format!("{SELECT} {answered} {OPEN} {REST}"))?
                    .query_map(params![created, id, count, turn], read)?
                    .collect::<rusqlite::Result<Vec<_>>>()?,
                Some(session) => connection
                    .prepare_cached(&format!(
                        "{SELECT} session = ?5 AND {answered} {OPEN} {REST}"
                    ))?
                    .query_map(params![created, id, count, turn, session.as_str()], read)?
                    .collect::<rusqlite::Result<Vec<_>>>()?,
            }
        }
        Choice::Claimed(replica) => connection
            .prepare_cached(&format!("{SELECT} replica = ?4 AND {REST}"))?
            .query_map(params![created, id, count, replica], read)?
            .collect::<rusqlite::Result<Vec<_>>>()?,
    };
    for row in &mut rows {
        row.answers = answers_of(connection, &row.id)?;
    }
    Ok(rows)
}

pub(super) fn get(connection: &Connection, id: TicketId) -> rusqlite::Result<Option<TicketRow>> {
    let row = connection
        .prepare_cached("SELECT id, created, closed, stored FROM tickets WHERE id = ?1")?
        .query_row([id.to_string()], read)
        .optional()?;
    let Some(mut row) = row else {
        return Ok(None);
    };
    row.answers = answers_of(connection, &row.id)?;
    Ok(Some(row))
}

fn read(row: &Row<'_>) -> rusqlite::Result<TicketRow> {
    Ok(TicketRow {
        id: row.get(0)?,
        created: row.get(1)?,
        closed: row.get(2)?,
        stored: row.get(3)?,
        answers: Vec::new(),
    })
}

fn answers_of(connection: &Connection, id: &str) -> rusqlite::Result<Vec<(i64, String)>> {
    connection
        .prepare_cached("SELECT request, answer FROM answers WHERE ticket = ?1 ORDER BY request")?
        .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The state of a ticket as far as a wait looks at it: whether it is closed, and the number of its answers. `None` if it
/// is not there.
pub(super) type Progress = Option<(bool, i64)>;

pub(super) fn progress(connection: &Connection, id: TicketId) -> rusqlite::Result<Progress> {
    let sql = "SELECT closed IS NOT NULL, answered FROM tickets WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Returns true if there is nothing to see for a wait that knows so many answers.
pub(super) fn is_waiting(progress: Progress, answers: usize) -> bool {
    progress.is_some_and(|(is_closed, answered)| !is_closed && answered <= integer(answers))
}

pub(super) fn put(connection: &Connection, ticket: &NewTicket) -> rusqlite::Result<()> {
    let sql = "INSERT INTO tickets (id, session, turn, created, expires, requests, stored)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
    connection.prepare_cached(sql)?.execute(params![
        ticket.id,
        ticket.session.as_str(),
        ticket.turn,
        ticket.created,
        ticket.expires,
        ticket.requests,
        ticket.stored,
    ])?;
    Ok(())
}

/// Removes some tickets whose deadline was before that time.
pub(super) fn sweep(connection: &Connection, long_ago: i64) -> rusqlite::Result<()> {
    let sql = "DELETE FROM tickets WHERE rowid IN
        (SELECT rowid FROM tickets WHERE expires < ?1 AND replica IS NULL LIMIT ?2)";
    connection
        .prepare_cached(sql)?
        .execute(params![long_ago, SWEPT])?;
    Ok(())
}

pub(super) fn answer(
    connection: &Connection,
    id: TicketId,
    request: usize,
    answer: &str,
) -> rusqlite::Result<WriteOutcome> {
    let sql = "SELECT closed, requests FROM tickets WHERE id = ?1";
    let found = connection
        .prepare_cached(sql)?
        .query_row([id.to_string()], |row| {
            Ok((row.get::<_, Option<String>>(0)?, row.get::<_, i64>(1)?))
        })
        .optional()?;
    match found {
        None => return Ok(WriteOutcome::Unknown),
        Some((Some(how), _)) => return closed_by(&how),
        Some((None, requests)) if integer(request) >= requests => return Ok(WriteOutcome::Unknown),
        Some(_) => {}
    }
    let sql =
        "INSERT INTO answers (ticket, request, answer) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let stored = connection.prepare_cached(sql)?.execute(params![
        id.to_string(),
        integer(request),
        answer
    ])?;
    if stored == 0 {
        return Ok(WriteOutcome::Before);
    }
    connection
        .prepare_cached("UPDATE tickets SET answered = answered + 1 WHERE id = ?1")?
        .execute([id.to_string()])?;
    Ok(WriteOutcome::Now)
}

pub(super) fn close(
    connection: &Connection,
    id: TicketId,
    how: CloseReason,
    claimant: Option<&str>,
) -> rusqlite::Result<WriteOutcome> {
    let found: Option<Option<String>> = connection
        .prepare_cached("SELECT closed FROM tickets WHERE id = ?1")?
        .query_row([id.to_string()], |row| row.get(0))
        .optional()?;
    match found {
        None => return Ok(WriteOutcome::Unknown),
        Some(Some(how)) => return closed_by(&how),
        Some(None) => {}
    }
    let how = serde_json::to_string(&how).map_err(unwritable)?;
    connection
        .prepare_cached("UPDATE tickets SET closed = ?2, replica = ?3 WHERE id = ?1")?
        .execute(params![id.to_string(), how, claimant])?;
    Ok(WriteOutcome::Now)
}

/// The refusal of a change to a closed ticket.
fn closed_by(how: &str) -> rusqlite::Result<WriteOutcome> {
    serde_json::from_str(how)
        .map(WriteOutcome::Closed)
        .map_err(|error| {
            let kind = rusqlite::types::Type::Text;
            rusqlite::Error::FromSqlConversionFailure(0, kind, Box::new(error))
        })
}

fn unwritable(error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

/// Removes the tickets of a session, and returns their ids, as far as they can be read.
pub(super) fn forget(
    connection: &Connection,
    session: &SessionId,
) -> rusqlite::Result<Vec<TicketId>> {
    let ids = connection
        .prepare_cached("DELETE FROM tickets WHERE session = ?1 RETURNING id")?
        .query_map([session.as_str()], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
}

pub(super) fn finish(
    connection: &Connection,
    tickets: &[TicketId],
    replica: &str,
) -> rusqlite::Result<()> {
    let sql = "UPDATE tickets SET replica = NULL WHERE id = ?1 AND replica = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    for id in tickets {
        statement.execute(params![id.to_string(), replica])?;
    }
    Ok(())
}
