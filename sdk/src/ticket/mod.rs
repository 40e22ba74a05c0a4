//! Tickets: calls and questions that wait for somebody, the answers, and the grants that are kept of them.
//!
//! The [`TicketBroker`] is the one way to all of it: list, subscribe, answer. A [`TicketStore`] keeps them:
//! [`MemoryTickets`], [`FolderTickets`], which outlives the process, or one of the app's own.

// The files:
//
// - `signed`, `request`, `call`: what waits, signed
// - `answer`: what is said to it
// - `asker`: the call that asks
// - `grant`: what is remembered of an answer
// - `key`, `seal`: signatures and digests
// - `store`, `memory`, `folder`, `guarded`: the port, the stores in memory and in files, and a store behind a limit of time
// - `broker`: the one way to all of it
// - `error`: why a ticket is refused

mod answer;
mod asker;
mod broker;
mod call;
mod error;
mod folder;
mod grant;
mod guarded;
mod key;
mod memory;
mod request;
mod seal;
mod signed;
mod store;

pub use crate::util::store_error::StoreError;
pub use answer::{Answer, AnswerKind, Answers, Decision};
pub use asker::Requester;
pub(crate) use asker::{Pause, Settling};
pub use broker::{AnswerProgress, OpenTicket, TicketBroker, TicketEvent, TicketEvents};
pub(crate) use broker::{
    AnswerRules, BrokerSettings, Claim, ClaimGuard, ClaimedCall, Draft, Settled, WaitingTicket,
};
pub use call::PendingCall;
pub(crate) use call::SuspendedCall;
pub use error::{TicketError, TicketErrorKind};
pub use folder::FolderTickets;
pub use grant::{Grant, GrantLevel, GrantLifetime, GrantScope};
pub(crate) use guarded::GuardedTickets;
pub(crate) use key::KeyPurpose;
pub use key::{KeyedDigest, TicketKey};
pub use memory::MemoryTickets;
pub(crate) use request::Wait;
pub use request::{PendingRequest, ResumeMode, TrustOption, WaitKind};
pub(crate) use seal::canonical;
pub use signed::Ticket;
pub(crate) use signed::reason;
pub use store::{
    CloseReason, SealedAnswer, SealedGrant, StoredTicket, TicketFilter, TicketRecord, TicketStore,
    WriteOutcome,
};
