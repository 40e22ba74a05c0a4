//! Setting up how calls wait for people, and the stores that keep them.

use std::sync::Arc;
use std::time::Duration;

use crate::executor::builder::ExecutorBuilder;
use crate::executor::people::mode::WaitMode;
use crate::ticket::{TicketBroker, TicketKey, TicketStore};

impl ExecutorBuilder {
    /// Sets the last sentence of the message of a call that needed approval while nobody was there to
    /// give it: what can be done now. The model reads it. Default: to continue without the call, or to
    /// tell the user what has to be approved. An app whose user reads these messages names its own
    /// setting here.
    ///
    /// For the developer, the error's [source](std::error::Error::source) names the settings of the
    /// executor: [`waiting`](Self::waiting) and [`permission_checker`](Self::permission_checker). So does an event
    /// [`Diagnostic`](crate::event::EventKind::Diagnostic) of code `nobody_is_asked`, at the first such call.
    pub fn unattended_hint(mut self, hint: impl Into<String>) -> Self {
        self.judge = self.judge.with_hint(hint.into());
        self
    }

    /// Sets what happens to a call that has to wait for somebody. Default:
    /// [`WaitMode::Unattended`], in which nobody is asked.
    pub fn waiting(mut self, mode: WaitMode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets where tickets, answers and grants are kept. Default: in memory, for this executor alone. A
    /// host that resumes calls in another process needs a store that both reach, and a
    /// [key](Self::ticket_key) that both have: a store alone is not enough.
    ///
    /// Of grants that another process puts into the store or takes out of it, a session knows when a
    /// call of it asks the next time; what is allowed without asking goes by what it knew before.
    pub fn ticket_store(mut self, store: impl TicketStore) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Sets how long one operation of a store may take: of the [tickets](Self::ticket_store), the
    /// [results](Self::result_store) and the journal; `None` for as long as it likes. Default: 10 seconds.
    ///
    /// A store that hangs, fails or panics takes no call with it. A write that did not end in time is
    /// unknown: it is read back, and if it is not there or cannot be read, the call that needs it ends
    /// with an error of kind [`Unavailable`](crate::content::ErrorKind::Unavailable) before its body runs. A call
    /// may do several operations, so it takes longer than this before it gives up. Calls of pure tools that
    /// ask nobody do without the store of tickets.
    ///
    /// Operations that hold their thread cannot be stopped: a store awaits, or has a thread of its own.
    /// Without timers in the runtime there is no limit.
    pub fn store_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.store_timeout = timeout.into();
        self
    }

    /// Sets the key that tickets, answers and grants are signed with; keep it apart from the store.
    /// Default: a random one for each executor, so that no ticket is good for another.
    pub fn ticket_key(mut self, key: TicketKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets how long a ticket can be answered. Default: 24 hours.
    pub fn ticket_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Where the executor's calls will wait for people: what tools and hosts may hold before the
    /// executor is there. Until it is built, whatever is asked of it fails.
    pub fn tickets(&self) -> &TicketBroker {
        &self.broker
    }
}
