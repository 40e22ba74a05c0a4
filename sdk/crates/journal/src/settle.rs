//! Calls of which nobody knows the effect, and what a person found out.

use toolwright::content::{ErrorKind, ResultSource};
use toolwright::id::InvocationId;
use toolwright::{ToolError, ToolOutput};

use crate::entry::Entry;
use crate::error::JournalError;
use crate::journal::Journal;
use crate::normal::{NormalOutput, status};
use crate::record::Response;
use crate::recovery::UnfinishedCall;

/// The end of a call that was cut off, as a person found it out: see [`Journal::settle`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settlement {
    /// The call had its effect. The text is its result.
    Succeeded(String),
    /// The call failed, for this reason.
    Failed(String),
    /// The call had no effect.
    NotRun,
}

impl Settlement {
    fn output(self) -> ToolOutput {
        match self {
            Self::Succeeded(text) => ToolOutput::text(text),
            Self::Failed(reason) => ToolError::new(ErrorKind::Failed, reason).into(),
            Self::NotRun => {
                let message = "the call was cut off before it had an effect";
                ToolError::new(ErrorKind::Cancelled, message).into()
            }
        }
    }
}

impl Journal {
    /// The calls that were cut off before this journal was opened, that wait in no ticket, and that nobody has settled.
    pub fn unsettled(&self) -> Vec<UnfinishedCall> {
        let mut calls: Vec<_> = self.left().values().cloned().collect();
        calls.sort_unstable_by_key(|call| call.seq);
        calls
    }

    /// Records how a call ended that was cut off before this journal was opened. The response says that a person gave
    /// it.
    ///
    /// # Errors
    ///
    /// [`JournalError::NotUnsettled`] if there is no such call among the [unsettled](Self::unsettled). Otherwise fails if
    /// the response cannot be written; the call is then as before.
    pub async fn settle(&self, call: InvocationId, how: Settlement) -> Result<(), JournalError> {
        let unsettled = self.left().remove(&call);
        let unsettled = unsettled.ok_or(JournalError::NotUnsettled { call })?;
        let written = self.write_settled(&unsettled, how).await;
        if written.is_err() {
            self.left().insert(call, unsettled);
        }
        written
    }

    async fn write_settled(
        &self,
        call: &UnfinishedCall,
        how: Settlement,
    ) -> Result<(), JournalError> {
        let mut output = how.output();
        let (normal, _) = NormalOutput::of(&mut output)?;
        let hash = normal.hash;
        let kept = self.keep(normal).await?;
        let responded = Response {
            invocation: call.invocation,
            request_hash: call.request_hash,
            response_hash: hash,
            status: status(&output),
            source: ResultSource::Answer,
            output: kept,
            error: output.as_error().cloned(),
            metadata: None,
            remarks: Vec::new(),
            changed: false,
            attended: true,
            clock: Vec::new(),
            unrepeatable: true,
        };
        let written = self
            .writer()
            .put(&[Entry::Responded(&responded)])
            .wait()
            .await;
        written.map_err(|failed| JournalError::Store(toolwright::ticket::StoreError::new(failed)))
    }
}
