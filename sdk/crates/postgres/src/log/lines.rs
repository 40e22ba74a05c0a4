//! The lines of one log, on the connection that has its name.

use std::sync::Arc;
use std::time::Duration;

use sqlx::Row;
use sqlx::error::DatabaseError;
use tokio::time::Instant;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;
use toolwright_journal::{LogError, LogLine};

use crate::database::{Database, Fetched, Query};
use crate::error::PostgresError;
use crate::name::{Named, SendError};
use crate::shared::Shared;

const READ: &str = "read a log";
const WRITE: &str = "write a log";
/// The most lines that are read at once, each of which may be large.
const PAGE: i64 = 256;

/// A log, and the state of its end as of the last look or write.
pub(crate) struct Lines {
    database: Arc<Database>,
    named: Named,
    writes: bool,
    name_wait: Duration,
    patience: Duration,
    id: i64,
    end: i64,
    head: Option<ContentHash>,
    /// The connection that the end was read on: another process may have written between two.
    seen: u64,
    /// The end of a write is not known.
    is_uncertain: bool,
}

impl Lines {
    pub(crate) fn new(store: &Shared, name: &str, writes: bool) -> Result<Self, PostgresError> {
        let mut named = Named::new("log", name)?;
        if !writes {
            named = named.without_lock();
        }
        Ok(Self {
            database: Arc::clone(store.database_arc()),
            named,
            writes,
            name_wait: store.name_wait(),
            patience: store.patience(),
            id: 0,
            end: 0,
            head: None,
            seen: 0,
            is_uncertain: false,
        })
    }

    pub(crate) async fn open(&mut self) -> Result<(), PostgresError> {
        let now = Instant::now();
        let until = now + self.name_wait + self.database.limit;
        self.named
            .take(&self.database, now + self.name_wait, until)
            .await?;
        let name = self.named.name().as_bytes().to_vec();
        if self.writes {
            let make = || {
                sqlx::query("insert into logs (name) values ($1) on conflict do nothing")
                    .bind(name.as_slice())
            };
            self.named.fetch(&self.database, WRITE, make).await?;
        }
        let make = || sqlx::query("select id from logs where name = $1").bind(name.as_slice());
        let found = self.named.fetch(&self.database, READ, make).await?;
        // A log for reading that nobody has written to is empty.
        self.id = match found.first() {
            Some(row) => row
                .try_get(0)
                .map_err(|error| self.database.refused(READ, error))?,
            None => 0,
        };
        self.look(until).await
    }

    /// Has the name, and knows the end of the log.
    async fn look(&mut self, until: Instant) -> Result<(), PostgresError> {
        loop {
            self.named.take(&self.database, until, until).await?;
            if self.seen == self.named.number() {
                return Ok(());
            }
            let last = sqlx::query(
                "select number, hash from log_lines where log = $1 order by number desc limit 1",
            );
            let last = self
                .named
                .send(&self.database, READ, until, last.bind(self.id))
                .await;
            match last {
                Ok(last) => {
                    return self
                        .note(&last)
                        .map_err(|error| self.database.unreadable(READ, error));
                }
                Err(SendError::NotSent(_) | SendError::Lost(_)) if Instant::now() < until => {}
                Err(error) => return Err(error.of(&self.database, READ)),
            }
        }
    }

    fn note(&mut self, last: &Fetched) -> Result<(), sqlx::Error> {
        (self.end, self.head) = match last.first() {
            None => (0, None),
            Some(row) => {
                let hash: [u8; 32] = row.try_get(1)?;
                (row.try_get(0)?, Some(ContentHash::from_bytes(hash)))
            }
        };
        self.seen = self.named.number();
        Ok(())
    }

    pub(crate) async fn read_head(&mut self) -> Result<Option<ContentHash>, PostgresError> {
        self.seen = 0;
        self.look(Instant::now() + self.database.limit).await?;
        Ok(self.head)
    }

    /// The number of the last line.
    pub(crate) async fn read_end(&mut self) -> Result<i64, PostgresError> {
        self.read_head().await?;
        Ok(self.end)
    }

    /// Some of the lines after a number, up to another.
    pub(crate) async fn page(
        &mut self,
        after: i64,
        end: i64,
    ) -> Result<Vec<Vec<u8>>, PostgresError> {
        let id = self.id;
        let make = || {
            sqlx::query("select line from log_lines where log = $1 and number > $2 and number <= $3 order by number limit $4")
                .bind(id)
                .bind(after)
                .bind(end)
                .bind(PAGE)
        };
        let page = self.named.fetch(&self.database, READ, make).await?;
        let lines = page
            .rows
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<Vec<_>, _>>();
        let lines = lines.map_err(|error| self.database.unreadable(READ, error))?;
        if lines.is_empty() {
            let gone = format!("line {} is gone", after + 1);
            return Err(self.database.unreadable(READ, gone));
        }
        Ok(lines)
    }

    fn insert(&self, lines: &[LogLine]) -> Query {
        let texts: Vec<&[u8]> = lines.iter().map(|line| line.text().as_bytes()).collect();
        let hashes: Vec<[u8; 32]> = lines.iter().map(|line| *line.hash().as_bytes()).collect();
        // A number that is there already, of somebody without the name, makes this fail.
        sqlx::query(
            "insert into log_lines (log, number, line, hash) select $1, $2 + new.place, new.line, new.hash \
             from unnest($3::bytea[], $4::bytea[]) with ordinality as new (line, hash, place)",
        )
        .bind(self.id)
        .bind(self.end)
        .bind(texts)
        .bind(hashes)
    }

    pub(crate) async fn append(
        &mut self,
        head: Option<ContentHash>,
        lines: &[LogLine],
    ) -> Result<(), LogError> {
        let name = || self.named.name().to_owned();
        if !self.writes {
            return Err(LogError::Unwritten(PostgresError::ReadOnly(name()).store()));
        }
        if self.is_uncertain {
            return Err(LogError::Unknown(PostgresError::Uncertain(name()).store()));
        }
        let until = Instant::now() + self.database.limit;
        loop {
            let look = self.look(until).await;
            look.map_err(|error| LogError::Unwritten(error.store()))?;
            if self.head != head {
                return Err(LogError::Conflict);
            }
            let Some(last) = lines.last() else {
                return Ok(());
            };
            let query = self.insert(lines);
            let failure = match self.named.send(&self.database, WRITE, until, query).await {
                Ok(_) => {
                    self.end += i64::try_from(lines.len()).unwrap_or(i64::MAX);
                    self.head = Some(last.hash());
                    return Ok(());
                }
                Err(SendError::NotSent(_)) if Instant::now() < until => continue,
                Err(SendError::NotSent(error)) => {
                    return Err(LogError::Unwritten(
                        self.database.refused(WRITE, error).store(),
                    ));
                }
                Err(SendError::Refused(error)) => {
                    // Whatever it was, the end is read before the next write.
                    self.seen = 0;
                    if error
                        .as_database_error()
                        .is_some_and(DatabaseError::is_unique_violation)
                    {
                        return Err(LogError::Conflict);
                    }
                    return Err(LogError::Unwritten(
                        self.database.refused(WRITE, error).store(),
                    ));
                }
                Err(error) => error.of(&self.database, WRITE),
            };
            // Having the name again proves that the session of the write has ended: what is read now stays.
            let known = self.look(Instant::now() + self.patience).await;
            if let Err(error) = known {
                return Err(self.doubt(error.store()));
            }
            if self.head == Some(last.hash()) {
                return Ok(());
            }
            if self.head != head {
                // Another process had the name meanwhile, and wrote before or after these lines.
                return Err(self.doubt(failure.store()));
            }
            if Instant::now() >= until {
                return Err(LogError::Unwritten(failure.store()));
            }
        }
    }

    fn doubt(&mut self, error: StoreError) -> LogError {
        self.is_uncertain = true;
        LogError::Unknown(error)
    }
}
