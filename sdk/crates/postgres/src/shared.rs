//! The parts that all stores of a schema share.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::database::Database;
use crate::hints::Hints;

/// The time between two removals of what is old.
const SWEEP: Duration = Duration::from_hours(1);

/// The pool, the listener and the settings of a schema. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Shared {
    inner: Arc<Inner>,
}

struct Inner {
    database: Arc<Database>,
    name_wait: Duration,
    patience: Duration,
    hints: Arc<Hints>,
    is_swept: AtomicBool,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.database().target, f)
    }
}

impl Shared {
    pub(crate) fn new(database: Arc<Database>, name_wait: Duration, patience: Duration) -> Self {
        Self {
            inner: Arc::new(Inner {
                database,
                name_wait,
                patience,
                hints: Arc::default(),
                is_swept: AtomicBool::new(false),
            }),
        }
    }

    pub(crate) fn database(&self) -> &Database {
        &self.inner.database
    }

    pub(crate) fn database_arc(&self) -> &Arc<Database> {
        &self.inner.database
    }

    pub(crate) fn hints(&self) -> &Arc<Hints> {
        &self.inner.hints
    }

    pub(crate) fn name_wait(&self) -> Duration {
        self.inner.name_wait
    }

    pub(crate) fn patience(&self) -> Duration {
        self.inner.patience
    }

    /// Removes old tickets and results, at the first call and then once an hour.
    pub(crate) async fn sweep(&self) {
        if self.inner.is_swept.swap(true, Ordering::Relaxed) {
            return;
        }
        let inner = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            sleep(SWEEP).await;
            if let Some(inner) = inner.upgrade() {
                inner.is_swept.store(false, Ordering::Relaxed);
            }
        });
        let until = Instant::now() + self.database().limit;
        for sql in [
            "delete from tickets where id in (select id from tickets where expires < \
             extract(epoch from now() - interval '7 days') * 1000 and (replica is null or finished) \
             limit 1000 for update skip locked)",
            "delete from results where (session, call) in (select session, call from results \
             where stored_at < now() - interval '7 days' limit 1000 for update skip locked)",
        ] {
            // Rows that cannot be removed now do no harm.
            if Instant::now() < until {
                let _ = self
                    .database()
                    .fetch("remove old rows", || sqlx::query(sql))
                    .await;
            }
        }
    }
}
