//! The reasons why a ticket or an answer is refused, for the host.

use std::error::Error;
use std::sync::Arc;

use crate::content::{ErrorKind, ToolError};
use crate::util::store_error::StoreError;

/// The reason why a ticket or an answer to it is refused. Nothing ran because of it.
#[derive(Clone, thiserror::Error)]
#[error("{}{}", kind.text(), detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
pub struct TicketError {
    kind: TicketErrorKind,
    detail: Option<String>,
    #[source]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

crate::util::error_text::debug_as_text!(TicketError);

/// The kinds of [`TicketError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TicketErrorKind {
    /// It was not signed with this key, or was changed since.
    Forged,
    /// There is no such ticket here: it was never put, or its session has ended.
    Unknown,
    /// Its time is over.
    Expired,
    /// It was used: its call has run, or was refused.
    Used,
    /// The call was cancelled, or its session has ended.
    Cancelled,
    /// It belongs to another session.
    OtherSession,
    /// The stored data under its id belongs to another call.
    SwappedCall,
    /// The arguments in the store are not those that were asked about.
    ChangedArguments,
    /// The tool is not what it was when somebody was asked: its definition has changed, or it is gone.
    ChangedTool,
    /// The request has an answer already, which stands.
    AlreadyAnswered,
    /// The ticket has no request of that number.
    NoSuchRequest,
    /// The answer does not fit what was asked.
    UnfitAnswer,
    /// The grant can never cover anything, or says what it covers in a form that nothing has.
    InvalidGrant,
    /// A session cannot be granted more than the one above it has.
    MoreThanParent,
    /// The store could not be read or written.
    Store,
    /// There is nobody to do it: the executor is not built yet, or is gone, or its host lacks what
    /// it takes, such as timers. The detail says which.
    Unavailable,
}

impl TicketErrorKind {
    fn text(self) -> &'static str {
        match self {
            Self::Forged => {
                "the ticket does not verify: it was not signed with this key, or was changed since"
            }
            Self::Unknown => {
                "there is no such ticket here: it was never issued, or its session has ended"
            }
            Self::Expired => "the time of the ticket is over",
            Self::Used => "the ticket was used already",
            Self::Cancelled => "the call of the ticket was cancelled, or its session has ended",
            Self::OtherSession => "the ticket belongs to another session",
            Self::SwappedCall => "what is kept under the ticket's id belongs to another call",
            Self::ChangedArguments => {
                "the arguments that are kept are not those that were asked about"
            }
            Self::ChangedTool => "the tool is not what it was when somebody was asked about it",
            Self::AlreadyAnswered => "the request has an answer already, which stands",
            Self::NoSuchRequest => "the ticket has no such request",
            Self::UnfitAnswer => "the answer does not fit what was asked",
            Self::InvalidGrant => "the grant can never cover anything",
            Self::MoreThanParent => {
                "a session cannot be granted in code what the session above it has not"
            }
            Self::Store => "the store of tickets could not be read or written",
            Self::Unavailable => "tickets cannot be handled here",
        }
    }
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
