//! Tickets, answers and grants.

mod grants;
mod rows;
mod waits;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use toolwright::id::{GrantId, SessionId, TicketId};
use toolwright::ticket::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};

pub(crate) use self::waits::Waits;
use crate::database::{Database, Outlives, lock, on_pool};
use crate::error::SqliteError;
use crate::names::HeldName;

/// The time that a ticket is kept after its deadline, so that a late answer is refused with the reason.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The tickets that are read at a time, so that a long list does not hold up other reads.
const AT_A_TIME: usize = 256;

/// Tickets, answers and grants in a database: see [`SqliteStore`](crate::SqliteStore).
///
/// **Several processes.** If two answer or close one ticket, one wins, and the other gets told. A wait sees the changes
/// of its own process at once, those of others after about 100 ms.
///
/// **Old tickets.** A ticket stays for 7 days after its deadline, so that a late answer is refused with the reason;
/// each [`put`](TicketStore::put) removes some whose time is over. A ticket that a replica has claimed stays until it is
/// [finished](TicketStore::finish). Grants stay until they are revoked or their session is forgotten.
///
/// **Lists** read an index: a page of 10^5 open tickets takes as long as one of ten.
///
/// Cloning is cheap; all clones are one store.
#[derive(Clone)]
pub struct SqliteTickets {
    database: Arc<Database>,
    waits: Arc<Waits>,
    replica: Option<Arc<HeldName>>,
    unreadable: Arc<Mutex<Vec<StoreError>>>,
}

impl SqliteTickets {
    pub(crate) fn new(
        database: Arc<Database>,
        waits: Arc<Waits>,
        replica: Option<Arc<HeldName>>,
    ) -> Self {
        Self {
            database,
            waits,
            replica,
            unreadable: Arc::default(),
        }
    }

    /// Takes the errors of the last [`list`](TicketStore::list) or [`claimed`](TicketStore::claimed): one for each
    /// ticket that cannot be read, which the list leaves out and nobody can answer. Empty if there are none, and after
    /// they were taken.
    pub fn take_unreadable(&self) -> Vec<StoreError> {
        std::mem::take(&mut lock(&self.unreadable))
    }

    /// Puts a ticket, and finishes the claim of the one that its call goes on from, in one commit.
    async fn put_with(
        &self,
        ticket: &StoredTicket,
        claimed: Option<TicketId>,
    ) -> Result<(), StoreError> {
        let row = rows::NewTicket::of(ticket).map_err(StoreError::new)?;
        let replica = self.replica.clone();
        on_pool(&self.database, move |database| {
            let long_ago = SystemTime::now().checked_sub(KEPT);
            let long_ago = rows::millis(long_ago.unwrap_or(SystemTime::UNIX_EPOCH));
            database.write(
                Outlives::PowerLoss,
                "a ticket cannot be stored",
                |connection| {
                    rows::put(connection, &row)?;
                    if let (Some(claimed), Some(replica)) = (claimed, &replica) {
                        rows::finish(connection, &[claimed], replica.name())?;
                    }
                    rows::sweep(connection, long_ago)
                },
            )
        })
        .await
    }

    async fn close_by(
        &self,
        id: TicketId,
        how: CloseReason,
        claimant: Option<Arc<HeldName>>,
    ) -> Result<WriteOutcome, StoreError> {
        let closed = on_pool(&self.database, move |database| {
            let claimant = claimant.as_deref().map(HeldName::name);
            database.write(
                Outlives::PowerLoss,
                "a ticket cannot be closed",
                |connection| rows::close(connection, id, how, claimant),
            )
        });
        let written = closed.await?;
        self.waits.wake(id);
        Ok(written)
    }

    /// Collects the tickets of a list page by page, up to a limit.
    async fn collect(
        &self,
        choice: rows::Choice,
        filter: TicketFilter,
    ) -> Result<Vec<TicketRecord>, StoreError> {
        let listed = on_pool(&self.database, move |database| {
            let most = filter.max_tickets().unwrap_or(usize::MAX);
            let (mut all, mut unreadable) = (Vec::new(), Vec::new());
            let mut after = rows::place_after(&filter);
            while all.len() < most {
                let count = AT_A_TIME.min(most - all.len());
                let page = database.read("tickets cannot be listed", |connection| {
                    rows::page(connection, &choice, &after, count)
                })?;
                let Some(last) = page.last() else {
                    break;
                };
                after = last.place();
                let is_last = page.len() < count;
                for row in page {
                    match row.into_record(database.path()) {
                        Ok(record) if filter.lets_through_record(&record) => all.push(record),
                        Ok(_) => {}
                        Err(error) => unreadable.push(StoreError::new(error)),
                    }
                }
                if is_last {
                    break;
                }
            }
            Ok((all, unreadable))
        });
        let (all, unreadable) = listed.await?;
        *lock(&self.unreadable) = unreadable;
        Ok(all)
    }
}

#[async_trait]
impl TicketStore for SqliteTickets {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.put_with(ticket, None).await
    }

    async fn put_after(&self, ticket: &StoredTicket, claimed: TicketId) -> Result<(), StoreError> {
        self.put_with(ticket, Some(claimed)).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        on_pool(&self.database, move |database| {
            let row = database.read("a ticket cannot be read", |connection| {
                rows::get(connection, id)
            })?;
            row.map(|row| row.into_record(database.path())).transpose()
        })
        .await
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let answer = serde_json::to_string(answer).map_err(StoreError::new)?;
        let answered = on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "an answer cannot be stored",
                |connection| rows::answer(connection, id, request, &answer),
            )
        });
        let written = answered.await?;
        self.waits.wake(id);
        Ok(written)
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.close_by(id, how, None).await
    }

    async fn claim(&self, id: TicketId) -> Result<WriteOutcome, StoreError> {
        self.close_by(id, CloseReason::Used, self.replica.clone())
            .await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        self.collect(rows::Choice::open(filter), filter.clone())
            .await
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        // Made before the look, so that a change after it wakes.
        let wait = self.waits.begin(&self.database, id, answers);
        let wait = wait.map_err(StoreError::new)?;
        let progress = on_pool(&self.database, move |database| {
            database.read("a ticket cannot be read", |connection| {
                rows::progress(connection, id)
            })
        });
        if rows::is_waiting(progress.await?, answers) {
            wait.changed().await;
        }
        Ok(())
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        let sealed = serde_json::to_string(grant).map_err(StoreError::new)?;
        let (session, id) = (grant.grant().session().clone(), grant.grant().id());
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "a grant cannot be stored",
                |connection| grants::put(connection, &session, id, &sealed),
            )
        })
        .await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let session = session.clone();
        on_pool(&self.database, move |database| {
            let rows = database.read("grants cannot be read", |connection| {
                grants::of_session(connection, &session)
            })?;
            // A grant that cannot be read may deny something: then it is an error.
            let read = rows.into_iter().map(|row| row.into_grant(database.path()));
            read.collect()
        })
        .await
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let session = session.clone();
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "a grant cannot be removed",
                |connection| grants::remove(connection, &session, id),
            )
        })
        .await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let session = session.clone();
        let forgotten = on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "a session cannot be forgotten",
                |connection| {
                    grants::forget(connection, &session)?;
                    rows::forget(connection, &session)
                },
            )
        });
        for id in forgotten.await? {
            self.waits.wake(id);
        }
        Ok(())
    }

    async fn claimed(&self) -> Result<Vec<TicketRecord>, StoreError> {
        match &self.replica {
            None => Ok(Vec::new()),
            Some(replica) => {
                let choice = rows::Choice::Claimed(replica.name().to_owned());
                self.collect(choice, TicketFilter::all()).await
            }
        }
    }

    async fn finish(&self, tickets: &[TicketId]) -> Result<(), StoreError> {
        let Some(replica) = self.replica.clone() else {
            return Ok(());
        };
        let tickets = tickets.to_vec();
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "tickets cannot be finished",
                |connection| rows::finish(connection, &tickets, replica.name()),
            )
        })
        .await
    }
}

impl fmt::Debug for SqliteTickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteTickets")
            .field("path", &self.database.path())
            .field("replica", &self.replica.as_deref().map(HeldName::name))
            .finish_non_exhaustive()
    }
}

/// The error of a row that holds something else than the store writes.
fn malformed<E>(path: &std::path::Path, row: String) -> impl FnOnce(E) -> SqliteError
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let path = path.to_owned();
    move |source| SqliteError::Malformed {
        path,
        row,
        source: source.into(),
    }
}
