//! Stores whose writes are made in another process, or another handle, than their reads.

use std::sync::Arc;

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use toolwright::content::ContentHash;
use toolwright::id::{GrantId, InvocationId, SessionId, TicketId};
use toolwright::results::{ResultPart, ResultStore};
use toolwright::state::{SaveOutcome, StateStore, StoredState};
use toolwright::ticket::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};
use toolwright_journal::ContentStore;

use super::process::Process;

/// The stores of another process.
#[derive(Clone)]
pub(crate) struct Remote(pub(crate) Arc<Process>);

/// Writes by one, reads by the other.
pub(crate) struct Split<S: ?Sized> {
    pub(crate) writer: Arc<S>,
    pub(crate) reader: Arc<S>,
}

impl Remote {
    async fn ask<T: DeserializeOwned>(&self, action: &str, with: Value) -> Result<T, StoreError> {
        let done = self.0.ask(action, with).await.unwrap();
        let done = done.map_err(|failed| StoreError::new(failed.text))?;
        serde_json::from_value(done).map_err(StoreError::new)
    }
}

fn written(outcome: &Value) -> WriteOutcome {
    match outcome.as_str() {
        Some("now") => WriteOutcome::Now,
        Some("before") => WriteOutcome::Before,
        Some(_) => WriteOutcome::Unknown,
        None => WriteOutcome::Closed(serde_json::from_value(outcome["closed"].clone()).unwrap()),
    }
}

#[async_trait]
impl TicketStore for Remote {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.ask("put", json!(ticket)).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        self.ask("get", json!(id)).await
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let outcome = self.ask("answer", json!([id, request, answer])).await?;
        Ok(written(&outcome))
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        let outcome = self.ask("close", json!([id, how])).await?;
        Ok(written(&outcome))
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        let filter = json!([filter.of_session(), filter.max_tickets()]);
        self.ask("list", filter).await
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        self.ask("changed", json!([id, answers])).await
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        self.ask("put_grant", json!(grant)).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        self.ask("grants", json!(session)).await
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        self.ask("remove_grant", json!([session, id])).await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.ask("forget", json!(session)).await
    }
}

#[async_trait]
impl TicketStore for Split<dyn TicketStore> {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.writer.put(ticket).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        self.reader.get(id).await
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        self.writer.answer(id, request, answer).await
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.writer.close(id, how).await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        self.reader.list(filter).await
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        self.reader.changed(id, answers).await
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        self.writer.put_grant(grant).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        self.reader.grants(session).await
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        self.writer.remove_grant(session, id).await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.writer.forget_session(session).await
    }
}

#[async_trait]
impl ResultStore for Remote {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        self.ask("put_result", json!([session, call, text])).await
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        let with = json!([session, call, offset, length]);
        let part: Option<(Vec<u8>, u64)> = self.ask("read_result", with).await?;
        Ok(part.map(|(bytes, total)| ResultPart { bytes, total }))
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.ask("end_session", json!(session)).await
    }
}

#[async_trait]
impl ResultStore for Split<dyn ResultStore> {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        self.writer.put(session, call, text).await
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        self.reader.read(session, call, offset, length).await
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.writer.end_session(session).await
    }
}

#[async_trait]
impl StateStore for Remote {
    async fn load(&self, session: &SessionId) -> Result<Option<StoredState>, StoreError> {
        self.ask("load", json!(session)).await
    }

    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError> {
        let saved: Value = self.ask("save", json!([session, expected, values])).await?;
        let version = |name: &str| saved[name].as_u64();
        Ok(match version("saved") {
            Some(version) => SaveOutcome::Saved { version },
            None => SaveOutcome::Conflict {
                version: version("conflict").unwrap(),
            },
        })
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.ask("forget_state", json!(session)).await
    }
}

#[async_trait]
impl StateStore for Split<dyn StateStore> {
    async fn load(&self, session: &SessionId) -> Result<Option<StoredState>, StoreError> {
        self.reader.load(session).await
    }

    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError> {
        self.writer.save(session, expected, values).await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.writer.forget_session(session).await
    }
}

#[async_trait]
impl ContentStore for Remote {
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError> {
        self.ask("put_content", json!([hash, bytes])).await
    }

    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.ask("get_content", json!(hash)).await
    }
}

#[async_trait]
impl ContentStore for Split<dyn ContentStore> {
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError> {
        self.writer.put(hash, bytes).await
    }

    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.reader.get(hash).await
    }
}
