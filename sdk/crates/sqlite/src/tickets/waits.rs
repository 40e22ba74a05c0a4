//! Waits for changes: of this process, and of others.
//!
//! A thread looks for the commits of other processes while somebody waits, and reads the tickets that are waited for
//! when there is one. So a wait costs no read while nothing changes, and no timer of the runtime.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use toolwright::id::TicketId;

use super::rows;
use crate::database::{Database, lock};
use crate::error::SqliteError;

/// The time between two looks for what other processes changed.
const LOOK: Duration = Duration::from_millis(100);

/// The waits of one handle to a database.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    /// Notified when there is a first wait, and at the end.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    tickets: HashMap<TicketId, WaitedFor>,
    is_over: bool,
}

#[derive(Debug)]
struct WaitedFor {
    notify: Arc<Notify>,
    /// The fewest answers that somebody knows who waits.
    answers: usize,
    waits: usize,
}

/// A wait for a change of a ticket, from the time on that it was begun.
#[derive(Debug)]
pub(super) struct Wait {
    shared: Arc<Shared>,
    id: TicketId,
    notify: Arc<Notify>,
    notified: Pin<Box<OwnedNotified>>,
}

impl Waits {
    /// Begins to wait. What changes after this is seen.
    pub(super) fn begin(
        &self,
        database: &Database,
        id: TicketId,
        answers: usize,
    ) -> Result<Wait, SqliteError> {
        self.start(database)?;
        let mut waiting = lock(&self.shared.waiting);
        let waited_for = waiting.tickets.entry(id).or_insert_with(|| WaitedFor {
            notify: Arc::default(),
            answers,
            waits: 0,
        });
        waited_for.answers = waited_for.answers.min(answers);
        waited_for.waits += 1;
        let notify = Arc::clone(&waited_for.notify);
        let wait = Wait {
            shared: Arc::clone(&self.shared),
            id,
            notified: Box::pin(Arc::clone(&notify).notified_owned()),
            notify,
        };
        drop(waiting);
        self.shared.changed.notify_one();
        Ok(wait)
    }

    /// Wakes who waits for a ticket.
    pub(super) fn wake(&self, id: TicketId) {
        lock(&self.shared.waiting).wake(id);
    }

    fn start(&self, database: &Database) -> Result<(), SqliteError> {
        let mut thread = lock(&self.thread);
        if thread.is_none() {
            let connection = database.connect()?;
            let shared = Arc::clone(&self.shared);
            let named = thread::Builder::new().name("toolwright-sqlite".to_owned());
            let started = named.spawn(move || shared.look_on(&connection));
            *thread = Some(started.map_err(SqliteError::Thread)?);
        }
        Ok(())
    }
}

/// The thread and its connection are gone when the store is.
impl Drop for Waits {
    fn drop(&mut self) {
        lock(&self.shared.waiting).is_over = true;
        self.shared.changed.notify_one();
        let thread = self.thread.get_mut();
        if let Some(thread) = thread.unwrap_or_else(PoisonError::into_inner).take() {
            // A panic of it woke nobody, and nobody is left to wake.
            let _ = thread.join();
        }
    }
}

impl Wait {
    /// Waits for a change.
    pub(super) async fn changed(mut self) {
        self.notified.as_mut().await;
    }
}

/// A wait that ends leaves nothing behind.
impl Drop for Wait {
    fn drop(&mut self) {
        let mut waiting = lock(&self.shared.waiting);
        if let Some(waited_for) = waiting.tickets.get_mut(&self.id)
            && Arc::ptr_eq(&waited_for.notify, &self.notify)
        {
            waited_for.waits -= 1;
            if waited_for.waits == 0 {
                waiting.tickets.remove(&self.id);
            }
        }
    }
}

impl Waiting {
    fn wake(&mut self, id: TicketId) {
        if let Some(waited_for) = self.tickets.remove(&id) {
            waited_for.notify.notify_waiters();
        }
    }
}

impl Shared {
    /// Looks for the commits of others, while somebody waits, until the store is gone.
    fn look_on(&self, connection: &Connection) {
        let mut seen = None;
        let mut waiting = lock(&self.waiting);
        while !waiting.is_over {
            if waiting.tickets.is_empty() {
                seen = None;
                waiting = self
                    .changed
                    .wait(waiting)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            drop(waiting);
            let found = version(connection).ok();
            if found.is_none() || found != seen {
                self.wake_changed(connection);
            }
            seen = found;
            let look = self
                .changed
                .wait_timeout_while(lock(&self.waiting), LOOK, |waiting| !waiting.is_over);
            waiting = look.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Wakes who waits for a ticket that has changed, or that cannot be read: whoever waits reads the error.
    fn wake_changed(&self, connection: &Connection) {
        let tickets: Vec<(TicketId, usize)> = lock(&self.waiting)
            .tickets
            .iter()
            .map(|(id, waited_for)| (*id, waited_for.answers))
            .collect();
        for (id, answers) in tickets {
            let progress = rows::progress(connection, id);
            if !progress.is_ok_and(|progress| rows::is_waiting(progress, answers)) {
                lock(&self.waiting).wake(id);
            }
        }
    }
}

/// A number that changes with each commit of another connection.
fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("PRAGMA data_version")?
        .query_row([], |row| row.get(0))
}
