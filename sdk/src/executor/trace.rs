//! Spans of calls, by the OpenTelemetry conventions for generative AI: feature `tracing`.
//!
//! See <https://github.com/open-telemetry/semantic-conventions-genai>, `execute_tool`.

use std::future::Future;
use std::time::Duration;

use tracing::field::Empty;
use tracing::level_filters::LevelFilter;
use tracing::{Instrument, Span, info_span, warn};

use crate::content::{ErrorKind, ToolResult};
use crate::event::EventCall;
use crate::id::{SessionId, ToolName};
use crate::ticket::Ticket;

/// The parts of calls that an executor's spans show; see [`ExecutorBuilder::trace`](crate::ExecutorBuilder::trace).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[must_use = "an executor is set up with them"]
pub struct TraceOptions {
    arguments: bool,
    results: bool,
}

impl TraceOptions {
    /// Spans without arguments and results.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says whether spans show the canonical arguments of their calls, in which secrets are masked.
    /// Default: no, for they may tell of people.
    pub fn arguments(mut self, shown: bool) -> Self {
        self.arguments = shown;
        self
    }

    /// Says whether spans show what the model reads of their calls' results, where it is text. Default:
    /// no, for it may tell of people, and what a tool writes is not searched for secrets.
    pub fn results(mut self, shown: bool) -> Self {
        self.results = shown;
        self
    }
}

impl TraceOptions {
    /// Returns true if anybody may take spans or logs. Without a subscriber nobody does.
    #[expect(
        clippy::unused_self,
        reason = "without the feature `tracing` there is no value to ask"
    )]
    pub(crate) fn is_heard(self) -> bool {
        // The span is of the level `INFO`, and the report of a held thread a warning.
        LevelFilter::current() >= LevelFilter::WARN
    }
}

/// The span of a call, and what it is to show.
pub(crate) struct CallTrace {
    options: TraceOptions,
    span: Span,
    shows_arguments: bool,
}

impl CallTrace {
    /// The name of a span is fixed where it is made; what exports spans takes `otel.name`.
    pub(crate) fn new(
        options: TraceOptions,
        session: &SessionId,
        call: &EventCall,
        description: Option<&str>,
    ) -> Self {
        let span = info_span!(
            target: "toolwright",
            "execute_tool",
            otel.name = format_args!("execute_tool {}", call.tool()),
            otel.kind = "internal",
            otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = call.tool(),
            "gen_ai.tool.type" = "function",
            gen_ai.tool.description = description,
            gen_ai.tool.call.id = call.call_id().map(crate::id::CallId::as_str),
            gen_ai.tool.call.arguments = Empty,
            gen_ai.tool.call.result = Empty,
            gen_ai.conversation.id = session.as_str(),
            "error.type" = Empty,
            toolwright.turn = call.turn().number(),
            toolwright.invocation = %call.invocation(),
            toolwright.parent = call.parent().map(tracing::field::display),
        );
        Self {
            options,
            span,
            shows_arguments: false,
        }
    }

    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Shows the arguments, once: as they run, or as they were when somebody said no.
    pub(crate) fn arguments(&mut self, text: impl FnOnce() -> Option<String>) {
        let shown = self.options.arguments && !self.shows_arguments && !self.span.is_disabled();
        if let Some(text) = shown.then(text).flatten() {
            self.shows_arguments = true;
            self.span.record("gen_ai.tool.call.arguments", text);
        }
    }

    pub(crate) fn result(&self, result: &ToolResult) {
        if let Some(error) = result.error() {
            self.failed(error.code());
        }
        if self.options.results && !self.span.is_disabled() {
            self.span.record("gen_ai.tool.call.result", result.text());
        }
    }

    pub(crate) fn dropped(&self) {
        self.failed(ErrorKind::Cancelled.as_str());
    }

    fn failed(&self, code: &str) {
        self.span.record("otel.status_code", "ERROR");
        self.span.record("error.type", code);
    }
}

/// The span of a call, if it has one: what the call does lies in it.
pub(crate) struct CallSpan(Span);

impl CallSpan {
    pub(crate) fn of(trace: Option<&CallTrace>) -> Self {
        Self(trace.map_or_else(Span::none, CallTrace::span))
    }

    /// Runs code in the span.
    pub(crate) fn in_scope<T>(&self, code: impl FnOnce() -> T) -> T {
        self.0.in_scope(code)
    }

    /// Each poll of the future lies in the span, and what others do between two polls does not.
    pub(crate) fn cover<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        future.instrument(self.0)
    }
}

/// Logs that the body of a tool held its thread.
pub(crate) fn warn_of_held_thread(tool: &ToolName, held: Duration) {
    warn!(
        target: "toolwright",
        tool = tool.as_str(),
        held_ms = held.as_secs_f64() * 1e3,
        "a sync body held its thread: make the tool `blocking` or `async`"
    );
}

/// Logs that a call waits while nobody has subscribed to tickets.
pub(crate) fn warn_of_unheard(ticket: &Ticket, message: impl Fn() -> String) {
    warn!(
        target: "toolwright",
        tool = ticket.call().tool().as_str(),
        session = ticket.session().as_str(),
        ticket = %ticket.id(),
        "{}",
        message()
    );
}
