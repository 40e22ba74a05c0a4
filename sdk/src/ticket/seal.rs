//! The signatures besides that of the ticket: its call, the answers to it, and grants.

use serde::Serialize;

use super::key::KeyPurpose;
use super::{
    Answer, Grant, KeyedDigest, SealedAnswer, SealedGrant, StoredTicket, SuspendedCall, Ticket,
    TicketError, TicketErrorKind, TicketKey,
};
use crate::id::TicketId;

/// The bytes that stand for a value. The order of members does not count: a store may keep JSON in
/// its own form.
pub(crate) fn canonical(value: &impl Serialize) -> Result<Vec<u8>, TicketError> {
    let bytes = serde_json::to_value(value).and_then(|mut value| {
        value.sort_all_objects();
        serde_json::to_vec(&value)
    });
    bytes.map_err(|error| {
        TicketError::new(TicketErrorKind::Unavailable)
            .with_detail("what is to be signed has no JSON")
            .with_source(error)
    })
}

impl TicketKey {
    /// The digest of the text of the arguments, as they will run.
    pub(super) fn arguments_digest(&self, call: &SuspendedCall) -> KeyedDigest {
        self.sign(KeyPurpose::Arguments, call.arguments.as_bytes())
    }

    /// The digest of the whole call, for one ticket.
    pub(super) fn call_digest(
        &self,
        ticket: TicketId,
        call: &SuspendedCall,
    ) -> Result<KeyedDigest, TicketError> {
        let mut bytes = ticket.to_string().into_bytes();
        bytes.extend(canonical(call)?);
        Ok(self.sign(KeyPurpose::Call, &bytes))
    }

    /// Refuses a row whose ticket is not sound, or whose call is not the ticket's.
    pub(super) fn verify_stored(&self, stored: &StoredTicket) -> Result<(), TicketError> {
        let StoredTicket { ticket, call } = stored;
        ticket.verify(self)?;
        if self.arguments_digest(call) != ticket.claims().arguments {
            return Err(TicketError::new(TicketErrorKind::ChangedArguments));
        }
        if self.call_digest(ticket.id(), call)? != ticket.claims().suspended {
            return Err(TicketError::new(TicketErrorKind::SwappedCall));
        }
        Ok(())
    }

    pub(crate) fn seal_answer(
        &self,
        ticket: &Ticket,
        request: usize,
        answer: Answer,
    ) -> Result<SealedAnswer, TicketError> {
        let signature = self.sign(KeyPurpose::Answer, &answer_bytes(ticket, request, &answer)?);
        Ok(SealedAnswer { answer, signature })
    }

    /// Returns true if it was sealed with this key, for this request of this ticket.
    pub(super) fn sealed_answer(
        &self,
        ticket: &Ticket,
        request: usize,
        sealed: &SealedAnswer,
    ) -> bool {
        answer_bytes(ticket, request, &sealed.answer)
            .is_ok_and(|bytes| self.verify(KeyPurpose::Answer, &bytes, &sealed.signature))
    }

    pub(crate) fn seal_grant(&self, grant: Grant) -> Result<SealedGrant, TicketError> {
        let signature = self.sign(KeyPurpose::Grant, &canonical(&grant)?);
        Ok(SealedGrant { grant, signature })
    }

    /// Returns true if it was sealed with this key. It names its session itself.
    pub(super) fn sealed_grant(&self, sealed: &SealedGrant) -> bool {
        canonical(&sealed.grant)
            .is_ok_and(|bytes| self.verify(KeyPurpose::Grant, &bytes, &sealed.signature))
    }
}

/// The ticket goes in by its signature, which stands for all of it. Both parts before the answer
/// have a fixed length.
fn answer_bytes(ticket: &Ticket, request: usize, answer: &Answer) -> Result<Vec<u8>, TicketError> {
    let mut bytes = ticket.signature().to_string().into_bytes();
    bytes.extend((request as u64).to_le_bytes());
    bytes.extend(canonical(answer)?);
    Ok(bytes)
}
