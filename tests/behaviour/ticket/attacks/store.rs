//! A store in which somebody else can write.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use toolwright::async_trait;
use toolwright::id::{GrantId, SessionId, TicketId};
use toolwright::ticket::{
    CloseReason, MemoryTickets, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter,
    TicketRecord, TicketStore, WriteOutcome,
};

/// A store in memory. For a row that was rewritten it returns the rewritten text.
#[derive(Clone, Default)]
pub(super) struct OpenStore {
    memory: Arc<MemoryTickets>,
    rows: Arc<Mutex<HashMap<TicketId, TicketRecord>>>,
    grants: Arc<Mutex<HashMap<SessionId, Vec<SealedGrant>>>>,
}

impl OpenStore {
    /// A row as data.
    pub(super) async fn row(&self, id: TicketId) -> Value {
        let kept = self.memory.get(id).await.unwrap().unwrap();
        serde_json::to_value(kept).unwrap()
    }

    /// Puts something in the place of a row; tells whether it can be read at all.
    pub(super) fn rewrite(&self, id: TicketId, row: &Value) -> bool {
        let Ok(kept) = serde_json::from_value(row.clone()) else {
            return false;
        };
        self.rows.lock().unwrap().insert(id, kept);
        true
    }

    pub(super) fn restore(&self) {
        self.rows.lock().unwrap().clear();
    }

    /// The grants of a session as data.
    pub(super) async fn grants_of(&self, session: &str) -> Vec<Value> {
        let grants = self.memory.grants(&session.into()).await.unwrap();
        let to_value = |grant| serde_json::to_value(grant).unwrap();
        grants.into_iter().map(to_value).collect()
    }

    pub(super) fn write_grant(&self, session: &str, grant: &Value) {
        let grant = serde_json::from_value(grant.clone()).unwrap();
        let mut grants = self.grants.lock().unwrap();
        grants.entry(session.into()).or_default().push(grant);
    }

    fn told(&self, kept: TicketRecord) -> TicketRecord {
        let rows = self.rows.lock().unwrap();
        rows.get(&kept.stored.ticket().id())
            .cloned()
            .unwrap_or(kept)
    }
}

#[async_trait]
impl TicketStore for OpenStore {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.memory.put(ticket).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        let kept = self.memory.get(id).await?;
        Ok(kept.map(|kept| self.told(kept)))
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        self.memory.answer(id, request, answer).await
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.memory.close(id, how).await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        let kept = self.memory.list(filter).await?;
        Ok(kept.into_iter().map(|kept| self.told(kept)).collect())
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        self.memory.changed(id, answers).await
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        self.memory.put_grant(grant).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let mut grants = self.memory.grants(session).await?;
        let written = self.grants.lock().unwrap();
        grants.extend(written.get(session).into_iter().flatten().cloned());
        Ok(grants)
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        self.memory.remove_grant(session, id).await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.memory.forget_session(session).await
    }
}
