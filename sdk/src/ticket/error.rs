//! The reasons why a ticket or an answer is refused, for the host.

use std::error::Error;
use std::sync::Arc;

use crate::content::{ErrorKind, ToolError};
use crate::util::store_error::StoreError;

/// The reason why a ticket or an answer to it is refused. Nothing ran because of it.
#[derive(Clone, thiserror::Error)]
#[error("{kind}{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
pub struct TicketError {
    kind: TicketErrorKind,
    detail: Option<String>,
    #[source]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

crate::util::error_text::debug_as_text!(TicketError);

/// The kinds of [`TicketError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TicketErrorKind {
    /// It was not signed with this key, or was changed since.
    #[error("the ticket does not verify: it was not signed with this key, or was changed since")]
    Forged,
    /// There is no such ticket here: it was never put, or its session has ended.
    #[error("there is no such ticket here: it was never issued, or its session has ended")]
    Unknown,
    /// Its time is over.
    #[error("the time of the ticket is over")]
    Expired,
    /// It was used: its call has run, or was refused.
    #[error("the ticket was used already")]
    Used,
    /// The call was cancelled, or its session has ended.
    #[error("the call of the ticket was cancelled, or its session has ended")]
    Cancelled,
    /// It belongs to another session.
    #[error("the ticket belongs to another session")]
    OtherSession,
    /// The stored data under its id belongs to another call.
    #[error("what is kept under the ticket's id belongs to another call")]
    SwappedCall,
    /// The arguments in the store are not those that were asked about.
    #[error("the arguments that are kept are not those that were asked about")]
    ChangedArguments,
    /// The tool is not what it was when somebody was asked: its definition has changed, or it is gone.
    #[error("the tool is not what it was when somebody was asked about it")]
    ChangedTool,
    /// The request has an answer already, which stands.
    #[error("the request has an answer already, which stands")]
    AlreadyAnswered,
    /// The ticket has no request of that number.
    #[error("the ticket has no such request")]
    NoSuchRequest,
    /// The answer does not fit what was asked.
    #[error("the answer does not fit what was asked")]
    UnfitAnswer,
    /// The grant can never cover anything, or says what it covers in a form that nothing has.
    #[error("the grant can never cover anything")]
    InvalidGrant,
    /// A session cannot be granted more than the one above it has.
    #[error("a session cannot be granted in code what the session above it has not")]
    MoreThanParent,
    /// The store could not be read or written.
    #[error("the store of tickets could not be read or written")]
    Store,
    /// There is nobody to do it: the executor is not built yet, or is gone, or its host lacks what
    /// it takes, such as timers. The detail says which.
    #[error("tickets cannot be handled here")]
    Unavailable,
}

impl TicketError {
    pub(crate) fn new(kind: TicketErrorKind) -> Self {
        Self {
            kind,
            detail: None,
            source: None,
        }
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// The kind, to decide by.
    pub fn kind(&self) -> TicketErrorKind {
        self.kind
    }
}

/// By kind and detail; the source does not count.
impl PartialEq for TicketError {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.detail == other.detail
    }
}

/// For the body of a tool that waits: the model reads what it means for the call, the log why.
///
/// It is of kind [`Cancelled`](ErrorKind::Cancelled) or [`TimedOut`](ErrorKind::TimedOut) (code `ticket_expired`) if
/// the ticket ended so, and [`Unavailable`](ErrorKind::Unavailable) (code `tickets_unavailable`) if nobody could be
/// asked.
impl From<TicketError> for ToolError {
    fn from(error: TicketError) -> Self {
        match error.kind {
            TicketErrorKind::Cancelled => Self::new(ErrorKind::Cancelled, "the call was cancelled"),
            TicketErrorKind::Expired => Self::new(ErrorKind::TimedOut, "nobody answered in time")
                .with_code("ticket_expired"),
            _ => Self::unavailable("nobody can be asked now").with_code("tickets_unavailable"),
        }
        .with_source(error)
    }
}

impl From<StoreError> for TicketError {
    fn from(error: StoreError) -> Self {
        Self::new(TicketErrorKind::Store).with_source(error)
    }
}
