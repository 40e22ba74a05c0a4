//! Tickets, answers and grants.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use async_trait::async_trait;
use sqlx::Row;
use sqlx::postgres::PgRow;
use tokio::time::{Instant, timeout};
use toolwright::id::{GrantId, SessionId, TicketId};
use toolwright::ticket::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};

use crate::database::{Fetched, Query};
use crate::error::PostgresError;
use crate::hints::{self, POLL};
use crate::holder::Holder;
use crate::key::{self, signed};
use crate::shared::Shared;

/// Tickets, answers and grants on a server: [`PostgresStore::tickets`](crate::PostgresStore::tickets), [`PostgresReplica::tickets`](crate::PostgresReplica::tickets).
///
/// A write is one statement in a transaction of its own; when it returns, the server has committed it. If the
/// confirmation is lost, the statement is sent again until the [limit](crate::PostgresBuilder::limit) and its first
/// execution counts as this one. A wait wakes by a notification of the server, and reads every 2 s.
///
/// A closed ticket stays for 7 days after its deadline, so that a late answer is refused with the reason. Grants stay
/// until they are revoked or their session is forgotten.
///
/// Cloning is cheap; all clones are one store.
#[derive(Clone)]
pub struct PostgresTickets {
    store: Shared,
    replica: Option<Holder>,
    unreadable: Arc<Mutex<Vec<StoreError>>>,
}

impl fmt::Debug for PostgresTickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresTickets")
            .field("store", &self.store)
            .field("replica", &self.replica.as_ref().map(Holder::name))
            .finish_non_exhaustive()
    }
}

impl PostgresTickets {
    pub(crate) fn new(store: Shared, replica: Option<Holder>) -> Self {
        Self {
            store,
            replica,
            unreadable: Arc::default(),
        }
    }

    /// Takes the errors of the last [`list`](TicketStore::list): one for each ticket that cannot be read, which the list
    /// leaves out and nobody can answer here. A later version may have written it. Empty if there are none, and after
    /// they were taken.
    pub fn take_unreadable(&self) -> Vec<StoreError> {
        std::mem::take(
            &mut *self
                .unreadable
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    async fn fetch(
        &self,
        doing: &'static str,
        make: impl Fn() -> Query + Send,
    ) -> Result<Fetched, StoreError> {
        self.store
            .database()
            .fetch(doing, make)
            .await
            .map_err(PostgresError::store)
    }

    fn channel(&self) -> String {
        hints::channel(&self.store.database().target.schema)
    }

    fn unreadable(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        self.store
            .database()
            .unreadable("read a ticket", error)
            .store()
    }

    fn record(&self, row: &PgRow) -> Result<TicketRecord, StoreError> {
        let column = |error: sqlx::Error| self.unreadable(error);
        let json = |error: serde_json::Error| self.unreadable(error);
        let stored: &[u8] = row.try_get(0).map_err(column)?;
        let texts: Vec<Option<Vec<u8>>> = row.try_get(1).map_err(column)?;
        let closed: Option<String> = row.try_get(2).map_err(column)?;
        let answers = texts
            .iter()
            .map(|text| text.as_deref().map(serde_json::from_slice).transpose());
        let mut answers: Vec<Option<SealedAnswer>> =
            answers.collect::<Result<_, _>>().map_err(json)?;
        while answers.pop_if(|last| last.is_none()).is_some() {}
        Ok(TicketRecord {
            stored: serde_json::from_slice(stored).map_err(json)?,
            answers,
            closed: closed.map(|text| reason(&text)).transpose().map_err(json)?,
        })
    }

    fn records(&self, rows: &[PgRow]) -> Vec<TicketRecord> {
        let mut unreadable = Vec::new();
        let read = rows.iter().filter_map(|row| {
            self.record(row)
                .map_err(|error| unreadable.push(error))
                .ok()
        });
        let records = read.collect();
        *self
            .unreadable
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = unreadable;
        records
    }

    /// Puts a ticket, and finishes the claim of the one that its call goes on from, in one statement.
    async fn put_with(
        &self,
        ticket: &StoredTicket,
        after: Option<(&Holder, TicketId)>,
    ) -> Result<(), StoreError> {
        let stored = json(ticket)?;
        let ticket = ticket.ticket();
        let requests = i32::try_from(ticket.requests().len()).map_err(StoreError::new)?;
        let make = || {
            sqlx::query(
                "with finished as (update tickets set finished = true where id = $8 and replica = $9) \
                 insert into tickets (id, session, turn, created, expires, stored, answers) \
                 values ($1, $2, $3, $4, $5, $6, array_fill(null::bytea, array[$7::integer])) \
                 on conflict (id) do nothing",
            )
            .bind(key::id(ticket.id()))
            .bind(key::session(ticket.session()))
            .bind(signed(ticket.turn().number()))
            .bind(millis(ticket.created_at()))
            .bind(millis(ticket.expires_at()))
            .bind(stored.as_slice())
            .bind(requests)
            .bind(after.map(|(_, claimed)| key::id(claimed)))
            .bind(after.map(|(replica, _)| key::name(replica.name())))
        };
        let doing = "put a ticket";
        match after {
            Some((replica, _)) => replica
                .fetch(doing, make)
                .await
                .map_err(PostgresError::store)?,
            None => self.fetch(doing, make).await?,
        };
        self.store.sweep().await;
        Ok(())
    }

    /// Closes a ticket, for a replica that claims it.
    async fn close_by(
        &self,
        id: TicketId,
        how: CloseReason,
        replica: Option<&Holder>,
    ) -> Result<WriteOutcome, StoreError> {
        let (reason, channel) = (text(how).map_err(StoreError::new)?, self.channel());
        // Tells a closing whose confirmation was lost from that of somebody else.
        let mut closing = [0_u8; 16];
        getrandom::fill(&mut closing).map_err(StoreError::new)?;
        let make = || {
            sqlx::query(
                "with closed as (update tickets set closed = $2, replica = $3, closing = $4 \
                 where id = $1 and closed is null returning id) select pg_notify($5, $6) from closed",
            )
            .bind(key::id(id))
            .bind(reason.as_str())
            .bind(replica.map(|replica| key::name(replica.name())))
            .bind(closing)
            .bind(channel.as_str())
            .bind(id.to_string())
        };
        let doing = "close a ticket";
        let closed = match replica {
            Some(replica) => replica
                .fetch(doing, make)
                .await
                .map_err(PostgresError::store)?,
            None => self.fetch(doing, make).await?,
        };
        if !closed.is_empty() {
            return Ok(WriteOutcome::Now);
        }
        let Some(row) = self.state(id, 1).await? else {
            return Ok(WriteOutcome::Unknown);
        };
        let kept: Option<Vec<u8>> = row.try_get(1).map_err(|error| self.unreadable(error))?;
        if kept.as_deref() == Some(&closing) {
            return Ok(WriteOutcome::Now);
        }
        Ok(self
            .closed_as(&row)?
            .map_or(WriteOutcome::Unknown, WriteOutcome::Closed))
    }

    /// Reads the ticket that a write did not change.
    async fn state(&self, id: TicketId, request: i32) -> Result<Option<PgRow>, StoreError> {
        let found = self.fetch("read a ticket", || {
            sqlx::query("select closed, closing, cardinality(answers), answers[$2] from tickets where id = $1")
                .bind(key::id(id))
                .bind(request)
        });
        Ok(found.await?.rows.pop())
    }

    fn closed_as(&self, row: &PgRow) -> Result<Option<CloseReason>, StoreError> {
        let closed: Option<String> = row.try_get(0).map_err(|error| self.unreadable(error))?;
        closed
            .map(|text| reason(&text))
            .transpose()
            .map_err(|error| self.unreadable(error))
    }

    async fn has_changed(&self, id: TicketId, answers: usize) -> Result<bool, StoreError> {
        let found = self.fetch("watch a ticket", || {
            sqlx::query("select closed is null, cardinality(array_remove(answers, null)) from tickets where id = $1")
                .bind(key::id(id))
        });
        let found = found.await?;
        let Some(row) = found.first() else {
            return Ok(true);
        };
        let open: bool = row.try_get(0).map_err(|error| self.unreadable(error))?;
        let answered: i32 = row.try_get(1).map_err(|error| self.unreadable(error))?;
        Ok(!open || usize::try_from(answered).unwrap_or(0) > answers)
    }
}

fn text(how: CloseReason) -> Result<String, serde_json::Error> {
    serde_json::to_string(&how)
}

fn reason(text: &str) -> Result<CloseReason, serde_json::Error> {
    serde_json::from_str(text)
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(StoreError::new)
}

/// Milliseconds since 1970.
fn millis(time: SystemTime) -> i64 {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Arrays count from 1.
fn place(request: usize) -> i32 {
    i32::try_from(request)
        .ok()
        .and_then(|number| number.checked_add(1))
        .unwrap_or(i32::MAX)
}

#[async_trait]
impl TicketStore for PostgresTickets {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.put_with(ticket, None).await
    }

    async fn put_after(&self, ticket: &StoredTicket, claimed: TicketId) -> Result<(), StoreError> {
        let replica = self.replica.as_ref();
        self.put_with(ticket, replica.map(|replica| (replica, claimed)))
            .await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        let found = self.fetch("read a ticket", || {
            sqlx::query("select stored, answers, closed from tickets where id = $1")
                .bind(key::id(id))
        });
        found.await?.first().map(|row| self.record(row)).transpose()
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let (place, answer, channel) = (place(request), json(answer)?, self.channel());
        let answered = self.fetch("answer a ticket", || {
            sqlx::query(
                "with answered as (update tickets set answers[$2] = $3, answered = true where id = $1 and closed is null \
                 and $2 <= cardinality(answers) and answers[$2] is null returning id) \
                 select pg_notify($4, $5) from answered",
            )
            .bind(key::id(id))
            .bind(place)
            .bind(answer.as_slice())
            .bind(channel.as_str())
            .bind(id.to_string())
        });
        let answered = answered.await?;
        if !answered.is_empty() {
            return Ok(WriteOutcome::Now);
        }
        let Some(row) = self.state(id, place).await? else {
            return Ok(WriteOutcome::Unknown);
        };
        let column = |error: sqlx::Error| self.unreadable(error);
        let kept: Option<Vec<u8>> = row.try_get(3).map_err(column)?;
        if answered.again && kept.as_deref() == Some(&answer) {
            return Ok(WriteOutcome::Now);
        }
        let requests: Option<i32> = row.try_get(2).map_err(column)?;
        Ok(match self.closed_as(&row)? {
            Some(how) => WriteOutcome::Closed(how),
            None if place > requests.unwrap_or(0) => WriteOutcome::Unknown,
            None => WriteOutcome::Before,
        })
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.close_by(id, how, None).await
    }

    async fn claim(&self, id: TicketId) -> Result<WriteOutcome, StoreError> {
        self.close_by(id, CloseReason::Used, self.replica.as_ref())
            .await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        // Every ticket comes after this one.
        let (created, after) = filter
            .begins_after()
            .map_or((-1, [0; 16]), |(created, id)| {
                (millis(created), key::id(id))
            });
        let turn = filter.of_turn().map(|turn| signed(turn.number()));
        let limit = filter
            .max_tickets()
            .map(|most| i64::try_from(most).unwrap_or(i64::MAX));
        let session = filter.of_session().map(key::session);
        let listed = self.fetch("list tickets", || {
            let query = match session {
                Some(session) => sqlx::query(
                    "select stored, answers, closed from tickets where closed is null and (created, id) > ($1, $2) \
                     and ($3::bigint is null or turn = $3) and (answered or not $5) and session = $6 order by session, created, id limit $4",
                )
                .bind(created)
                .bind(after)
                .bind(turn)
                .bind(limit)
                .bind(filter.wants_answered())
                .bind(session),
                None => sqlx::query(
                    "select stored, answers, closed from tickets where closed is null and (created, id) > ($1, $2) \
                     and ($3::bigint is null or turn = $3) and (answered or not $5) order by created, id limit $4",
                )
                .bind(created)
                .bind(after)
                .bind(turn)
                .bind(limit)
                .bind(filter.wants_answered()),
            };
            // A plan for these very values: that for any limit reads all tickets.
            query.persistent(false)
        });
        Ok(self.records(&listed.await?.rows))
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        let watch = self
            .store
            .hints()
            .watch(key::id(id), self.store.database_arc());
        let mut away_since = None;
        loop {
            // Made before the look, so that a change after it wakes.
            let hint = watch.hint();
            match self.has_changed(id, answers).await {
                Ok(true) => return Ok(()),
                Ok(false) => away_since = None,
                Err(error) => {
                    let since = *away_since.get_or_insert_with(Instant::now);
                    if since.elapsed() >= self.store.patience() {
                        return Err(error);
                    }
                }
            }
            // Early or late, the next look decides.
            let _ = timeout(POLL, hint).await;
        }
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        let stored = json(grant)?;
        let grant = grant.grant();
        let put = self.fetch("put a grant", || {
            sqlx::query("insert into grants (session, id, stored) values ($1, $2, $3) on conflict do nothing")
                .bind(key::session(grant.session()))
                .bind(key::id(grant.id()))
                .bind(stored.as_slice())
        });
        put.await.map(drop)
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let found = self.fetch("read grants", || {
            sqlx::query("select stored from grants where session = $1 order by number")
                .bind(key::session(session))
        });
        let found = found.await?;
        let read = |row: &PgRow| {
            let stored: &[u8] = row.try_get(0).map_err(|error| self.unreadable(error))?;
            serde_json::from_slice(stored).map_err(|error| self.unreadable(error))
        };
        found.rows.iter().map(read).collect()
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let removed = self.fetch("remove a grant", || {
            sqlx::query("delete from grants where session = $1 and id = $2 returning true")
                .bind(key::session(session))
                .bind(key::id(id))
        });
        let removed = removed.await?;
        // The first execution may have removed it.
        Ok(removed.again || !removed.is_empty())
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let channel = self.channel();
        let forgotten = self.fetch("forget a session", || {
            sqlx::query(
                "with grants as (delete from grants where session = $1), \
                 gone as (delete from tickets where session = $1 returning closed) \
                 select pg_notify($2, 'all') where exists (select from gone where closed is null)",
            )
            .bind(key::session(session))
            .bind(channel.as_str())
        });
        forgotten.await.map(drop)
    }

    async fn claimed(&self) -> Result<Vec<TicketRecord>, StoreError> {
        let Some(replica) = &self.replica else {
            return Ok(Vec::new());
        };
        let claimed = replica.fetch("read claimed tickets", || {
            sqlx::query(
                "select stored, answers, closed from tickets where replica = $1 and not finished order by created, id",
            )
            .bind(key::name(replica.name()))
        });
        let claimed = claimed.await.map_err(PostgresError::store)?;
        // Each is a call that somebody has to go on with or settle: none is left out.
        claimed.rows.iter().map(|row| self.record(row)).collect()
    }

    async fn finish(&self, tickets: &[TicketId]) -> Result<(), StoreError> {
        let Some(replica) = self.replica.as_ref().filter(|_| !tickets.is_empty()) else {
            return Ok(());
        };
        let ids: Vec<[u8; 16]> = tickets.iter().map(key::id).collect();
        let finished = replica.fetch("finish tickets", || {
            sqlx::query("update tickets set finished = true where id = any($1) and replica = $2")
                .bind(ids.as_slice())
                .bind(key::name(replica.name()))
        });
        finished.await.map(drop).map_err(PostgresError::store)
    }
}
