//! The settings of an import.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{Implementation, ProtocolVersion};
use rmcp::service::ClientLifecycleMode;

use super::drift::Pins;
use super::elicitation::AnswerElicitation;
use super::event::ServerEvent;

/// The settings of an import; see [`import_with`](super::import_with).
#[derive(Clone)]
pub struct ImportOptions {
    pub(crate) connect_timeout: Duration,
    pub(crate) list_timeout: Duration,
    pub(crate) call_timeout: Option<Duration>,
    pub(crate) trusts_annotations: bool,
    pub(crate) pins: Pins,
    pub(crate) max_tools: usize,
    pub(crate) max_definition_bytes: usize,
    pub(crate) max_result_bytes: usize,
    pub(crate) backoff: (Duration, Duration),
    pub(crate) lifecycle: ClientLifecycleMode,
    pub(crate) client: Implementation,
    pub(crate) elicitation: Option<Arc<dyn AnswerElicitation>>,
    pub(crate) observer: Option<Arc<Observer>>,
}

pub(crate) type Observer = dyn Fn(&ServerEvent) + Send + Sync;

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(60),
            list_timeout: Duration::from_secs(30),
            call_timeout: None,
            trusts_annotations: false,
            pins: Pins::default(),
            max_tools: 1_000,
            max_definition_bytes: 256 * 1024,
            max_result_bytes: 16 * 1024 * 1024,
            backoff: (Duration::from_millis(500), Duration::from_secs(30)),
            lifecycle: ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::LATEST],
                legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
            },
            client: Implementation::new("toolwright", env!("CARGO_PKG_VERSION")),
            elicitation: None,
            observer: None,
        }
    }
}

impl ImportOptions {
    /// The defaults, which each setter names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the longest time to connect, with the handshake. Default: 60 s, for a program that is downloaded first.
    pub fn connect_timeout(mut self, longest: Duration) -> Self {
        self.connect_timeout = longest;
        self
    }

    /// Sets the longest time until the server has listed its tools. Default: 30 s.
    pub fn list_timeout(mut self, longest: Duration) -> Self {
        self.list_timeout = longest;
        self
    }

    /// Sets the timeout of each imported tool. Default: that of the executor.
    pub fn call_timeout(mut self, longest: Duration) -> Self {
        self.call_timeout = Some(longest);
        self
    }

    /// Says whether what the server says of its tools' effects is believed: then a tool that it calls read-only runs as
    /// one that only reads. Default: false. Hints of a server that is not trusted can only make toolwright more careful.
    pub fn trust_annotations(mut self, trust: bool) -> Self {
        self.trusts_annotations = trust;
        self
    }

    /// Sets the definitions that were approved earlier. A tool whose definition is another asks for permission at each
    /// call; see [`ImportedServer::drift`](super::ImportedServer::drift). Default: each tool as it is seen first.
    pub fn pinned(mut self, pins: Pins) -> Self {
        self.pins = pins;
        self
    }

    /// Sets the number of tools that are imported at most. Default: 1,000. Those beyond are
    /// [skipped](super::ImportedServer::skipped).
    pub fn max_tools(mut self, count: usize) -> Self {
        self.max_tools = count;
        self
    }

    /// Sets the largest definition of a tool, in bytes of JSON. Default: 256 KiB. A tool with a larger one is skipped.
    pub fn max_definition_bytes(mut self, bytes: usize) -> Self {
        self.max_definition_bytes = bytes;
        self
    }

    /// Sets the largest result of a call, in bytes of its parts. Default: 16 MiB. A larger one is an error of the kind
    /// [`LimitExceeded`](toolwright::content::ErrorKind::LimitExceeded).
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.max_result_bytes = bytes;
        self
    }

    /// Sets the time from the end of a connection to the next attempt, which is doubled after each that fails, and the
    /// longest such time. Default: 0.5 s and 30 s.
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.backoff = (first, longest.max(first));
        self
    }

    /// Sets how the version of the protocol is found. Default: the server is asked for 2026-07-28, and gets the handshake
    /// of 2025-11-25 if it knows nothing of that. If its answer is no answer to that question, or if it ends, it is connected to once more, for
    /// the handshake.
    pub fn lifecycle(mut self, lifecycle: ClientLifecycleMode) -> Self {
        self.lifecycle = lifecycle;
        self
    }

    /// Sets the name and version that the server is told. Default: `toolwright` and the version of this crate.
    pub fn client(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.client = Implementation::new(name, version);
        self
    }

    /// Sets what answers a server that asks for input while a call runs. Default: such requests are declined, and the
    /// server is told that nobody answers them.
    pub fn elicitation(mut self, answer: impl AnswerElicitation) -> Self {
        self.elicitation = Some(Arc::new(answer));
        self
    }

    /// Sets what is told of each change: the end of a connection, a new one, other tools, drift. It is called in the task
    /// of the connection and must not block. Default: nothing.
    pub fn observe(mut self, observer: impl Fn(&ServerEvent) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }
}

impl fmt::Debug for ImportOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImportOptions")
            .field("trusts_annotations", &self.trusts_annotations)
            .field("max_tools", &self.max_tools)
            .field("lifecycle", &self.lifecycle)
            .finish_non_exhaustive()
    }
}
