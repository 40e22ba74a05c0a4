//! The settings of events, spans and the recorder.

use std::sync::Arc;

use crate::event::EventSink;
use crate::executor::builder::ExecutorBuilder;
#[cfg(feature = "tracing")]
use crate::executor::trace::TraceOptions;
use crate::record::CallRecorder;

impl ExecutorBuilder {
    /// Adds who takes what happens in the executor's sessions: the beginning and the end of each call,
    /// and what tools report meanwhile. Default: nobody, and then no event is made and no clock is
    /// read. Several take the same events, in the order in which they were added. A sink for one session is set by
    /// [`SessionOptions::events`](crate::executor::SessionOptions::events).
    ///
    /// A sink is called in the middle of things and must not block; whoever wants to await events takes
    /// an [`EventChannel`](crate::event::EventChannel).
    pub fn events(mut self, sink: impl EventSink) -> Self {
        self.sinks.push(Arc::new(sink));
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

    /// Records each call: what it was made with before its body runs, and its end before it returns; see
    /// [`CallRecorder`]. Default: no recorder, and nothing is hashed. The crate `toolwright-journal` has a recorder
    /// whose records are chained by hashes.
    ///
    /// A call that cannot be recorded does not run; one whose end cannot be recorded gives no
    /// result. Both end as [`ToolOutcome::Failed`](crate::ToolOutcome::Failed), with an error of kind
    /// [`Unavailable`](crate::content::ErrorKind::Unavailable) and the code `journal_unavailable`. A call that is
    /// dropped before it ends is recorded as far as that can be done without waiting.
    pub fn call_recorder(mut self, recorder: impl CallRecorder) -> Self {
        self.recorder = Some(Arc::new(recorder));
        self
    }
}
