//! What waits for somebody: tickets, what they ask, answers, grants, the port that keeps them and
//! the one broker of all.
//!
//! | | |
//! |---|---|
//! | `ticket`, `request`, `call` | what waits, signed |
//! | `answer` | what is said to it |
//! | `asker` | the call that asks |
//! | `grant`, `matcher` | what is remembered of an answer |
//! | `key`, `seal` | signatures and digests |
//! | `store`, `memory`, `guarded` | the port, the store in memory, and a store behind a limit of time |
//! | `broker` | the one way to all of it |
//! | `error` | why a ticket is refused |

mod answer;
mod asker;
mod broker;
mod call;
mod error;
mod grant;
mod guarded;
mod key;
mod matcher;
mod memory;
mod request;
mod seal;
mod store;
mod ticket;

pub use answer::{Answer, AnswerKind, Answers, Decision};
pub use asker::Asker;
pub(crate) use asker::{Pause, Settling};
pub(crate) use broker::{AnswerRules, BrokerSettings, Claim, Draft, Held, Settled};
pub use broker::{Pending, Standing, TicketBroker, TicketEvent, TicketEvents};
pub use call::PendingCall;
pub(crate) use call::SuspendedCall;
pub use error::{StoreError, TicketError, TicketErrorKind};
pub use grant::{Grant, GrantLevel, GrantMatcher, GrantScope};
pub(crate) use guarded::GuardedTickets;
pub(crate) use key::Purpose;
pub use key::{Digest, TicketKey};
pub use memory::MemoryTickets;
pub use request::{PendingRequest, ResumeMode, TrustOption, WaitKind};
pub use store::{
    Closing, Kept, Recorded, SealedAnswer, SealedGrant, StoredTicket, TicketFilter, TicketStore,
};
pub use ticket::Ticket;
pub(crate) use ticket::reason;
