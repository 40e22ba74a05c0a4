//! The holder of a replica's name.

use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::database::{Fetched, Query};
use crate::error::PostgresError;
use crate::name::Named;
use crate::shared::Shared;

/// A name and the connection that has it. Cloning is cheap; all clones are one holder.
#[derive(Clone)]
pub(crate) struct Holder {
    store: Shared,
    name: Arc<str>,
    named: Arc<Mutex<Named>>,
}

impl Holder {
    pub(crate) async fn open(store: Shared, name: &str) -> Result<Self, PostgresError> {
        let mut named = Named::new("replica", name)?;
        let now = Instant::now();
        let wait = store.name_wait();
        let database = store.database();
        named
            .take(database, now + wait, now + wait + database.limit)
            .await?;
        Ok(Self {
            name: named.name().into(),
            named: Arc::new(Mutex::new(named)),
            store,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) async fn fetch(
        &self,
        doing: &'static str,
        make: impl Fn() -> Query + Send,
    ) -> Result<Fetched, PostgresError> {
        let database = self.store.database();
        let Ok(mut named) = timeout_at(Instant::now() + database.limit, self.named.lock()).await
        else {
            return Err(database.timed_out(doing));
        };
        named.fetch(database, doing, make).await
    }
}
