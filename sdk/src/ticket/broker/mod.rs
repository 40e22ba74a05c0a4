//! The one broker: tickets are opened, answered, waited for and claimed here, and nowhere else.
//!
//! Nothing that the store says is believed: each row is verified when it is read.

mod abandon;
mod answering;
mod claim;
mod event;
mod grants;
mod open_ticket;
mod opening;
mod read;
mod underway;
mod wait;
mod waiting_ticket;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, SystemTime};

use abandon::Abandoned;
pub(crate) use claim::{Claim, ClaimGuard, ClaimedCall};
use event::Subscribers;
pub use event::{TicketEvent, TicketEvents};
pub use open_ticket::{AnswerProgress, OpenTicket};
pub(crate) use opening::Draft;
use underway::Underway;
pub(crate) use wait::Settled;
pub(crate) use waiting_ticket::WaitingTicket;

use super::key::KeyPurpose;
use super::{
    Answer, Grant, KeyedDigest, PendingCall, PendingRequest, StoredTicket, Ticket, TicketError,
    TicketErrorKind, TicketKey, TicketStore,
};
use crate::id::TicketId;
use crate::util::lock::Lock;

/// The waits of an executor's calls: a host's access to all tickets, whatever they are for.
///
/// Each call that waits has a [`Ticket`]. A host hears of new ones through [`subscribe`](Self::subscribe)
/// or looks them up with [`list`](Self::list), shows what is asked, and says what the person said with
/// [`answer`](Self::answer), [`decline`](Self::decline) or [`cancel`](Self::cancel). Answers may come in
/// any order and a few at a time; of two answers to one request the first stands, and the other gets an
/// error.
///
/// Data in the store counts only if it was signed with the executor's key: a row, an answer or a grant that somebody
/// else wrote there is ignored and [reported](TicketEvent::Ignored). A program that can write to the store can remove
/// data, and put back earlier data, a used ticket too; it cannot make a ticket, an answer or a grant, nor move one.
///
/// Cloning is cheap; all clones are one broker.
///
/// ```
/// use toolwright::{Executor, PermissionRequest, tool, ToolCall, ToolRegistry};
/// use toolwright::executor::WaitMode;
/// use toolwright::ticket::{Answer, TicketEvent};
///
/// /// Deploy to a place.
/// #[tool(permission = PermissionRequest::new("deploy", place, format!("Deploy to {place}")))]
/// fn deploy(place: String) -> String {
///     format!("deployed to {place}")
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let executor = Executor::builder(ToolRegistry::new().with(Deploy))
///     .approvals(WaitMode::Blocking)
///     .build()?;
///
/// // The host, in a task of its own: it shows each ticket and says what the person said.
/// let tickets = executor.tickets().clone();
/// let mut events = tickets.subscribe();
/// tokio::spawn(async move {
///     while let Some(event) = events.recv().await {
///         if let TicketEvent::Opened(opened) = event {
///             for ticket in opened {
///                 println!("{}", ticket.summary());
///                 let answer = Answer::no().because("not on a Friday");
///                 if let Err(error) = tickets.answer(ticket.id(), answer).await {
///                     println!("{error}");
///                 }
///             }
///         }
///     }
/// });
///
/// let session = executor.session("s-1");
/// let call = ToolCall::new("deploy", r#"{"place": "production"}"#);
/// let outcome = session.call(call).await;
/// assert!(outcome.text().contains("not on a Friday"));
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct TicketBroker {
    shared: Arc<BrokerState>,
}

struct BrokerState {
    settings: OnceLock<BrokerSettings>,
    subscribers: Subscribers,
    underway: Underway,
    abandoned: Abandoned,
    /// Claimed tickets whose calls have ended.
    ended: Lock<Vec<TicketId>>,
    generation: AtomicU64,
    /// Numbers the tickets that are opened here, so that those of one moment keep their order.
    opened: AtomicU64,
    /// Somebody has refused something here for more than one call.
    has_refused: AtomicBool,
}

/// The settings of a broker, known once its executor is built.
pub(crate) struct BrokerSettings {
    store: Arc<dyn TicketStore>,
    key: TicketKey,
    lifetime: Duration,
    /// Weak, because the rules hold the tools, and tools may hold brokers: a strong reference would be a circle.
    rules: Weak<dyn AnswerRules>,
    /// True if anybody answers.
    attended: bool,
    /// Receives the calls that wait while nobody has subscribed.
    unheard: Option<Unheard>,
    clock: TimeSource,
}

type Unheard = Box<dyn Fn(&Ticket) + Send + Sync>;

type TimeSource = Box<dyn Fn() -> SystemTime + Send + Sync>;

impl BrokerSettings {
    pub(crate) fn new(
        store: Arc<dyn TicketStore>,
        key: TicketKey,
        lifetime: Duration,
        rules: Weak<dyn AnswerRules>,
    ) -> Self {
        Self {
            store,
            key,
            lifetime,
            rules,
            attended: true,
            unheard: None,
            clock: Box::new(SystemTime::now),
        }
    }

    /// Sets if anybody answers. Default: yes.
    pub(crate) fn attended(mut self, attended: bool) -> Self {
        self.attended = attended;
        self
    }

    /// Sets the function that gets calls which wait while nobody has subscribed. Default: none.
    pub(crate) fn unheard(mut self, tell: impl Fn(&Ticket) + Send + Sync + 'static) -> Self {
        self.unheard = Some(Box::new(tell));
        self
    }

    #[cfg(test)]
    pub(crate) fn with_clock(
        mut self,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        self.clock = Box::new(clock);
        self
    }

    fn rules(&self) -> Result<Arc<dyn AnswerRules>, TicketError> {
        self.rules
            .upgrade()
            .ok_or_else(|| unavailable("the executor is gone"))
    }

    fn now(&self) -> SystemTime {
        (self.clock)()
    }
}

/// The facts about tools and questions that the broker needs.
pub(crate) trait AnswerRules: Send + Sync {
    /// Checks that an answer fits its request; the error says what would fit, for the person who answers.
    fn check(&self, stored: &StoredTicket, request: usize, answer: &Answer) -> Result<(), String>;

    /// The digest of the tool's definition as it is now, if the tool exists.
    fn definition(&self, call: &PendingCall) -> Option<KeyedDigest>;

    /// The session's grant that decides about a request for approval, if one does. All of the grants hold. A refusal
    /// that may cover the request keeps an allowance from deciding, and several grants may cover the commands of a
    /// line, so they are checked together.
    fn deciding<'g>(
        &self,
        grants: &[&'g Grant],
        ticket: &StoredTicket,
        request: &PendingRequest,
    ) -> Option<&'g Grant>;
}

fn unavailable(detail: &str) -> TicketError {
    TicketError::new(TicketErrorKind::Unavailable).with_detail(detail)
}

impl TicketBroker {
    /// A broker that cannot do anything yet: see [`install`](Self::install).
    pub(crate) fn new() -> Self {
        Self {
            shared: Arc::new(BrokerState {
                settings: OnceLock::new(),
                subscribers: Subscribers::default(),
                underway: Underway::default(),
                abandoned: Abandoned::default(),
                ended: Lock::default(),
                generation: AtomicU64::new(0),
                opened: AtomicU64::new(0),
                has_refused: AtomicBool::new(false),
            }),
        }
    }

    /// Gives the broker its settings. Only the first call has an effect: a broker belongs to one executor.
    pub(crate) fn install(&self, settings: BrokerSettings) {
        let _ = self.shared.settings.set(settings);
    }

    /// Subscribes to the events from now on. Use [`list`](Self::list) for the tickets that were open before:
    /// subscribe first, and nothing is missed.
    ///
    /// Events of another process on the same store do not arrive here.
    pub fn subscribe(&self) -> TicketEvents {
        self.shared.subscribers.add()
    }

    /// Counts up with each change of a grant that is made here.
    pub(crate) fn generation(&self) -> u64 {
        self.shared.generation.load(Ordering::Acquire)
    }

    /// Returns true if a grant that refuses was put by way of this broker.
    pub(crate) fn has_refused(&self) -> bool {
        self.shared.has_refused.load(Ordering::Acquire)
    }

    fn grants_changed(&self) {
        self.shared.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns true if anybody answers.
    pub(crate) fn is_attended(&self) -> bool {
        let settings = self.shared.settings.get();
        settings.is_some_and(|settings| settings.attended)
    }

    /// The digest of a host's own bytes under the key that tickets are signed with: for what a host binds to a ticket, in
    /// the [id of its call](crate::ToolCall::with_id) for instance. Whoever does not have the key can neither make it nor
    /// guess the bytes from it, and it is none of the signatures of tickets, answers and grants.
    ///
    /// # Errors
    ///
    /// Fails if the executor is not built yet.
    pub fn digest(&self, bytes: &[u8]) -> Result<KeyedDigest, TicketError> {
        Ok(self.settings()?.key.sign(KeyPurpose::Host, bytes))
    }

    fn settings(&self) -> Result<&BrokerSettings, TicketError> {
        self.shared
            .settings
            .get()
            .ok_or_else(|| unavailable("the executor is not built yet"))
    }

    /// The time that tickets and grants go by.
    pub(crate) fn now(&self) -> Result<SystemTime, TicketError> {
        Ok(self.settings()?.now())
    }

    /// Reports a call that begins to wait, if nobody has subscribed to the events.
    fn note_wait(&self, ticket: &Ticket) {
        let settings = self.shared.settings.get();
        if let Some(unheard) = settings.and_then(|settings| settings.unheard.as_ref())
            && !self.shared.subscribers.is_there()
        {
            unheard(ticket);
        }
    }

    fn tell(&self, event: &TicketEvent) {
        self.shared.subscribers.tell(event);
    }

    /// Reports that the call of a claimed ticket begins to run.
    pub(crate) fn running(&self, ticket: &Arc<Ticket>) {
        self.tell(&TicketEvent::Running(Arc::clone(ticket)));
    }
}

impl fmt::Debug for TicketBroker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TicketBroker")
            .field("ready", &self.shared.settings.get().is_some())
            .finish_non_exhaustive()
    }
}
