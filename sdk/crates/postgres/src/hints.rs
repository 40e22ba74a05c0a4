//! Notifications of the server, which wake whoever waits for a ticket. They are hints: each wait reads, and reads again
//! after a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use toolwright::content::ContentHash;

use crate::database::Database;

/// The time between two looks without a hint.
pub(crate) const POLL: Duration = Duration::from_secs(2);
/// The time before a new listener after one that failed.
const PAUSE: Duration = Duration::from_millis(500);

/// The tickets that are waited for.
#[derive(Default)]
pub(crate) struct Hints {
    waiting: Mutex<HashMap<[u8; 16], Arc<Notify>>>,
    listener: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Hints {
    fn drop(&mut self) {
        if let Some(listener) = lock(&self.listener).take() {
            listener.abort();
        }
    }
}

/// The channel of a schema: those of a database are one space.
pub(crate) fn channel(schema: &str) -> String {
    let hash = ContentHash::of(schema).to_string();
    format!("toolwright_{}", &hash[..16])
}

impl Hints {
    /// Begins to wait for a ticket. The first one starts the listener.
    pub(crate) fn watch(self: &Arc<Self>, id: [u8; 16], database: &Arc<Database>) -> Watch {
        let mut listener = lock(&self.listener);
        // The listener has ended if its runtime has.
        if listener.as_ref().is_none_or(JoinHandle::is_finished) {
            let listening = listen(Arc::downgrade(self), Arc::clone(database));
            *listener = Some(tokio::spawn(listening));
        }
        drop(listener);
        let notify = Arc::clone(lock(&self.waiting).entry(id).or_default());
        Watch {
            hints: Arc::clone(self),
            id,
            notify,
        }
    }

    /// Wakes those who wait for a ticket; with any other text, all.
    fn wake(&self, payload: &str) {
        let waiting = lock(&self.waiting);
        match u128::from_str_radix(payload, 16) {
            Ok(id) => waiting
                .get(&id.to_be_bytes())
                .into_iter()
                .for_each(|one| one.notify_waiters()),
            Err(_) => waiting.values().for_each(|each| each.notify_waiters()),
        }
    }
}

/// A wait for a ticket.
pub(crate) struct Watch {
    hints: Arc<Hints>,
    id: [u8; 16],
    notify: Arc<Notify>,
}

impl Watch {
    /// Ends at the next hint after this call.
    pub(crate) fn hint(&self) -> OwnedNotified {
        Arc::clone(&self.notify).notified_owned()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut waiting = lock(&self.hints.waiting);
        // The map and this one: nobody else waits.
        if Arc::strong_count(&self.notify) <= 2 {
            waiting.remove(&self.id);
        }
    }
}

async fn listen(hints: Weak<Hints>, database: Arc<Database>) {
    let channel = channel(&database.target.schema);
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .max_lifetime(None)
        .idle_timeout(None)
        .connect_lazy_with(database.options.clone());
    drop(database);
    loop {
        if let Ok(mut listener) = PgListener::connect_with(&pool).await
            && listener.listen(&channel).await.is_ok()
        {
            // Notifications of the time without a connection are lost: everything is read again.
            let mut payload = String::new();
            loop {
                match hints.upgrade() {
                    Some(hints) => hints.wake(&payload),
                    None => return,
                }
                match listener.try_recv().await {
                    Ok(Some(notification)) => notification.payload().clone_into(&mut payload),
                    Ok(None) => payload.clear(),
                    Err(_) => break,
                }
            }
        }
        sleep(PAUSE).await;
    }
}

/// Nothing that is locked here is left half done by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
