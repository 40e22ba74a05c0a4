//! Tickets: what waits, bound to one call and signed.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::key::KeyPurpose;
use super::seal::canonical;
use super::{
    KeyedDigest, PendingCall, PendingRequest, ResumeMode, TicketError, TicketErrorKind, TicketKey,
    WaitKind,
};
use crate::id::{InvocationId, SessionId, TicketId, TurnId};

/// A call that waits for somebody: which one, for what, and until when.
///
/// It is data that a host shows, stores and hands back, and it is signed, so that every change is
/// noticed. It is bound to the session, the invocation, the definition of the tool and the
/// arguments, and is valid for one use. It holds no secret of the call.
///
/// Serialises to JSON and back. What a person should see of it:
///
/// ```
/// use toolwright::ticket::Ticket;
///
/// fn show(ticket: &Ticket) {
///     println!("{} wants to run", ticket.call().tool());
///     if let Some(arguments) = ticket.call().arguments() {
///         println!("{arguments:#}");
///     }
///     for request in ticket.requests() {
///         println!("- {}", request.summary());
///         if let Some(why) = request.why() {
///             println!("  you are asked because {why}");
///         }
///         for (number, option) in request.trust_options().iter().enumerate() {
///             println!("  always or never {number}: {}", option.label());
///         }
///     }
/// }
/// # drop(show);
/// ```
///
/// [`PermissionRequest::from_pending`](crate::PermissionRequest::from_pending) has the details and the preview of an
/// approval, such as the diff of a write; [`Question::of`](crate::question::Question::of) has the form of a question,
/// and [`SignIn::of`](crate::question::SignIn::of) the address of a sign-in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ticket {
    claims: Claims,
    signature: KeyedDigest,
}

/// The signed data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Claims {
    /// The version of this form; code that knows an older version reads it.
    pub(super) version: u8,
    pub(super) id: TicketId,
    pub(super) session: SessionId,
    pub(super) turn: TurnId,
    pub(super) invocation: InvocationId,
    pub(super) call: PendingCall,
    pub(super) kind: WaitKind,
    pub(super) requests: Vec<PendingRequest>,
    pub(super) resume: ResumeMode,
    /// The digest of the tool's definition.
    pub(super) definition: KeyedDigest,
    /// The digest of the arguments that will run.
    pub(super) arguments: KeyedDigest,
    /// The digest of the whole suspended call.
    pub(super) suspended: KeyedDigest,
    /// Milliseconds since 1970.
    pub(super) created: u64,
    pub(super) expires: u64,
}

impl Claims {
    pub(super) const VERSION: u8 = 1;

    pub(super) fn sign(self, key: &TicketKey) -> Result<Ticket, TicketError> {
        let signature = key.sign(KeyPurpose::Ticket, &canonical(&self)?);
        Ok(Ticket {
            claims: self,
            signature,
        })
    }
}

/// Returns the reason why a call with these requests waits.
pub(crate) fn reason<'r>(
    kind: WaitKind,
    requests: impl IntoIterator<Item = &'r PendingRequest>,
) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for why in requests.into_iter().filter_map(PendingRequest::why) {
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }
    if reasons.is_empty() {
        reasons.push(match kind {
            WaitKind::Approval => "it needs approval",
            WaitKind::SignIn => "it needs a sign-in",
            WaitKind::Question => "it asks a question",
            WaitKind::ExternalResult => "its result comes from elsewhere",
        });
    }
    reasons.join("; ")
}

/// The end of the year 9999 in milliseconds since 1970: later than any ticket, and within what every
/// platform's clock can say.
const LAST: u64 = 253_402_300_799_999;

/// As a ticket writes a time.
pub(super) fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_millis()).map_or(LAST, |millis| millis.min(LAST))
}

/// As a ticket may say anything until it is verified, what is beyond the last time is the last.
fn time(millis: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(millis.min(LAST))
}

impl Ticket {
    /// The ticket's id.
    pub fn id(&self) -> TicketId {
        self.claims.id
    }

    /// The session of the call.
    pub fn session(&self) -> &SessionId {
        &self.claims.session
    }

    /// The turn of the call.
    pub fn turn(&self) -> TurnId {
        self.claims.turn
    }

    /// Our id of the call.
    pub fn invocation(&self) -> InvocationId {
        self.claims.invocation
    }

    /// The call, as it may be shown.
    pub fn call(&self) -> &PendingCall {
        &self.claims.call
    }

    /// The kind of wait.
    pub fn kind(&self) -> WaitKind {
        self.claims.kind
    }

    /// The requests: at least one, and each takes one answer.
    pub fn requests(&self) -> &[PendingRequest] {
        &self.claims.requests
    }

    /// The way in which the call goes on.
    pub fn resume_mode(&self) -> ResumeMode {
        self.claims.resume
    }

    /// A line for people: the first request, and the number of the others.
    pub fn summary(&self) -> String {
        match self.requests() {
            [] => String::new(),
            [only] => only.summary().to_owned(),
            [first, rest @ ..] => format!("{}, and {} more", first.summary(), rest.len()),
        }
    }

    /// The reason why the call waits, for people: those that its requests [give](PendingRequest::why), each
    /// once, joined by "; ". Where none gives one, it is made of the [kind](Self::kind).
    pub fn reason(&self) -> String {
        reason(self.kind(), self.requests())
    }

    /// The time at which the call began to wait, by the clock of the machine that it ran on.
    pub fn created_at(&self) -> SystemTime {
        time(self.claims.created)
    }

    /// The deadline for answers: at this time of the system's clock, and later, an answer is refused.
    pub fn expires_at(&self) -> SystemTime {
        time(self.claims.expires)
    }

    pub(super) fn claims(&self) -> &Claims {
        &self.claims
    }

    pub(super) fn signature(&self) -> &KeyedDigest {
        &self.signature
    }

    /// Refuses a ticket that was not signed with the key, or was changed since.
    pub(super) fn verify(&self, key: &TicketKey) -> Result<(), TicketError> {
        let sound = self.claims.version == Claims::VERSION
            && key.verify(
                KeyPurpose::Ticket,
                &canonical(&self.claims)?,
                &self.signature,
            );
        if sound {
            Ok(())
        } else {
            Err(TicketError::new(TicketErrorKind::Forged))
        }
    }
}
