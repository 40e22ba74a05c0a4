//! The settings of events, spans and the journal.

use crate::event::EventSink;
use crate::executor::builder::ExecutorBuilder;
#[cfg(feature = "tracing")]
use crate::executor::trace::TraceOptions;
#[cfg(feature = "journal")]
use crate::journal::Journal;

impl ExecutorBuilder {
    /// Adds who takes what happens in the executor's sessions: the beginning and the end of each call,
    /// and what tools report meanwhile. Default: nobody, and then no event is made and no clock is
    /// read. Several take the same events, in the order in which they were added.
    ///
    /// A sink is called in the middle of things and must not block; whoever wants to await events takes
    /// an [`EventChannel`](crate::event::EventChannel).
    pub fn events(mut self, sink: impl EventSink) -> Self {
        self.sinks.push(Box::new(sink));
        self
    }

    /// Makes a span for each call, for whoever has set up a subscriber of the crate `tracing`; feature
    /// `tracing`. Default: no spans.
    ///
    /// The span has the level `INFO`, the target `toolwright`, the name `execute_tool`, and the
    /// attributes of the OpenTelemetry conventions for generative AI: `gen_ai.operation.name`,
    /// `gen_ai.tool.name`, `.type`, `.description`, `.call.id`, `.call.arguments` and `.call.result` where
    /// [they are asked for](TraceOptions), `gen_ai.conversation.id` (the session), and `error.type` (the
    /// error's code). `otel.name` is `execute_tool` and the tool's name. It begins when the call is made or
    /// resumed, and ends with its outcome; whatever the tool logs lies in it, on a thread for `blocking`
    /// bodies too.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry};
    /// use toolwright::executor::TraceOptions;
    ///
    /// let executor = Executor::builder(ToolRegistry::new())
    ///     .trace(TraceOptions::new().arguments(true))
    ///     .build()?;
    /// # let _ = executor;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    #[cfg(feature = "tracing")]
    pub fn trace(mut self, options: TraceOptions) -> Self {
        self.trace = Some(options);
        self
    }

    /// Records each call in a journal: what it was made with before its body runs, and what it gave before
    /// it returns. Default: no journal, and nothing is hashed.
    ///
    /// A call that cannot be recorded does not run; one whose response cannot be recorded gives no
    /// result. Both end as [`ToolOutcome::Failed`](crate::ToolOutcome::Failed), with an error of kind
    /// [`Unavailable`](crate::content::ErrorKind::Unavailable) and the code `journal_unavailable`. One that is dropped
    /// before it ends gets a response that says so (code `dropped`), which is written as far as that can be
    /// done without waiting.
    ///
    /// JSON in a result becomes [canonical](crate::journal::CanonicalJson), so that what is returned is what was
    /// hashed.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolRegistry};
    /// use toolwright::journal::{FileLog, Journal};
    ///
    /// /// Add two whole numbers.
    /// #[tool(pure)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # let folder = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let (journal, recovery) = Journal::open(FileLog::open(folder.join("run.jsonl"))?)?;
    /// for call in &recovery.unfinished {
    ///     if call.is_indeterminate() {
    ///         eprintln!("nobody knows whether {} of {} had an effect", call.invocation, call.tool);
    ///     }
    /// }
    /// let executor = Executor::builder(ToolRegistry::new().with(Add)).journal(journal).build()?;
    /// assert_eq!(executor.call("add", r#"{"a": 2, "b": 3}"#).await.text(), "5");
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    #[cfg(feature = "journal")]
    pub fn journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }
}
