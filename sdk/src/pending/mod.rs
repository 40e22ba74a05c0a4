//! What waits for somebody: tickets, what they ask, answers, grants, the port that keeps them and
//! the one broker of all.
//!
//! | | |
//! |---|---|
//! | `ticket`, `request`, `call` | what waits, signed |
//! | `answer` | what is said to it |
//! | `grant`, `matcher` | what is remembered of an answer |
//! | `key` | signatures and digests |
//! | `store`, `memory` | the port, and the store in memory |
//! | `error` | why a ticket is refused |

mod answer;
mod call;
mod error;
mod grant;
mod key;
mod matcher;
mod request;
mod store;
mod ticket;

pub use answer::{Answer, Answers, Decision};
pub use call::PendingCall;
pub(crate) use call::SuspendedCall;
pub use error::{StoreError, TicketError, TicketErrorKind};
pub use grant::{Grant, GrantLevel, GrantMatcher, GrantScope};
pub use key::{Digest, TicketKey};
pub use request::{PendingRequest, ResumeMode, TrustOption, WaitKind};
pub use store::{
    Closing, Kept, Recorded, SealedAnswer, SealedGrant, StoredTicket, TicketFilter, TicketStore,
};
pub use ticket::Ticket;
