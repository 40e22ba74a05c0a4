//! The ways of calls that wait for people, and the store that keeps their tickets.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::executor::builder::ExecutorBuilder;
use crate::executor::builder::limits::set;
use crate::executor::people::mode::WaitMode;
use crate::ticket::{TicketBroker, TicketKey, TicketStore};

/// The settings of calls that wait for people, for [`ExecutorBuilder::approvals`]: what is not set here stays as it is.
///
/// A [`WaitMode`] alone is enough where nothing else is set. The setters form one expression; a struct that grows cannot
/// be written as a literal outside of its crate.
///
/// ```
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright::executor::{Approvals, WaitMode};
/// use toolwright::ticket::{MemoryTickets, TicketKey};
///
/// // With tickets in memory, signed with a random key.
/// let executor = Executor::builder(ToolRegistry::new()).approvals(WaitMode::Suspending).build()?;
///
/// // With a store and a key that processes share.
/// let approvals = Approvals::new()
///     .waiting(WaitMode::Suspending)
///     .ticket_store(MemoryTickets::new())
///     .ticket_key(TicketKey::from_bytes([7; 32]));
/// let executor = Executor::builder(ToolRegistry::new()).approvals(approvals).build()?;
/// # let _ = executor;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Clone, Default)]
#[must_use = "an executor takes these settings by `ExecutorBuilder::approvals`"]
pub struct Approvals {
    mode: Option<WaitMode>,
    no_approver_hint: Option<String>,
    ticket_store: Option<Arc<dyn TicketStore>>,
    ticket_key: Option<TicketKey>,
    ticket_lifetime: Option<Duration>,
}

impl Approvals {
    /// Returns settings that change nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what happens to a call that has to wait for somebody. Default:
    /// [`WaitMode::Unattended`], in which nobody is asked.
    pub fn waiting(mut self, mode: WaitMode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// Sets the last sentence of the message of a call that needed approval while nobody was there to
    /// give it: what can be done now. The model reads it. Default: to continue without the call, or to
    /// tell the user what has to be approved. An app whose user reads these messages names its own
    /// setting here.
    ///
    /// For the developer, the error's [source](std::error::Error::source) names the settings of the
    /// executor: [`approvals`](ExecutorBuilder::approvals) and
    /// [`permission_checker`](ExecutorBuilder::permission_checker). So does an event
    /// [`Diagnostic`](crate::event::EventKind::Diagnostic) of code `nobody_is_asked`, at the first such call.
    pub fn no_approver_hint(mut self, hint: impl Into<String>) -> Self {
        self.no_approver_hint = Some(hint.into());
        self
    }

    /// Sets where tickets, answers and grants are kept. Default: in memory, for this executor alone. A
    /// host that resumes calls in another process needs a store that both reach, and a
    /// [key](Self::ticket_key) that both have: a store alone is not enough.
    ///
    /// A session learns of grants that another process puts into the store or takes out of it when a
    /// call of it asks the next time; what is allowed without asking goes by what it knew before.
    pub fn ticket_store(mut self, store: impl TicketStore) -> Self {
        self.ticket_store = Some(Arc::new(store));
        self
    }

    /// Sets the key that tickets, answers and grants are signed with; keep it apart from the store.
    /// Default: a random one for each executor, so that no ticket is good for another.
    pub fn ticket_key(mut self, key: TicketKey) -> Self {
        self.ticket_key = Some(key);
        self
    }

    /// Sets how long a ticket can be answered, counted from when its call begins to wait. Default: 24 hours.
    pub fn ticket_lifetime(mut self, lifetime: Duration) -> Self {
        self.ticket_lifetime = Some(lifetime);
        self
    }
}

impl From<WaitMode> for Approvals {
    /// Returns settings with this mode and nothing else.
    fn from(mode: WaitMode) -> Self {
        Self::new().waiting(mode)
    }
}

impl fmt::Debug for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approvals")
            .field("mode", &self.mode)
            .field("ticket_lifetime", &self.ticket_lifetime)
            .finish_non_exhaustive()
    }
}

impl ExecutorBuilder {
    /// Sets how calls wait for people: a [`WaitMode`], or [`Approvals`] with where their tickets are kept and how they
    /// are signed. Settings that were made before and are not made again stay. Default: nobody is asked.
    pub fn approvals(mut self, approvals: impl Into<Approvals>) -> Self {
        let Approvals {
            mode,
            no_approver_hint,
            ticket_store,
            ticket_key,
            ticket_lifetime,
        } = approvals.into();
        set(&mut self.mode, mode);
        set(&mut self.lifetime, ticket_lifetime);
        self.store = ticket_store.or(self.store);
        self.key = ticket_key.or(self.key);
        if let Some(hint) = no_approver_hint {
            self.judge().set_hint(hint);
        }
        self
    }

    /// Returns the broker on which the executor's calls wait for people. Tools and hosts may hold it before the
    /// executor is there. Until it is built, whatever is asked of it fails.
    pub fn tickets(&self) -> &TicketBroker {
        &self.broker
    }
}
