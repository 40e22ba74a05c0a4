//! Events as lines of a log, by the crate `tracing`.

use std::sync::Arc;

use tracing::{Level, event};

use super::{Event, EventKind, EventSink};
use crate::content::{ErrorKind, ExceededLimit};
use crate::id::{CallId, SessionId};
use crate::util::hash::ContentHash;

/// Writes each event as one event of the crate [`tracing`](https://docs.rs/tracing), with the target
/// `toolwright::event`, the kind as its message and the rest in fields.
///
/// Refusals, cancellations and reports for the log are warnings. The steps of a call have the level `INFO`. Reports of
/// a running tool, and steps of the status, have the level `DEBUG`. No arguments, no output and no payload are
/// written, and only names from what a tool reports.
///
/// | field | of |
/// |---|---|
/// | `sequence`, `session` | every event |
/// | `turn`, `invocation`, `parent`, `call_id`, `tool`, `version` | events of a call |
/// | `ticket`, `wait` | what is asked, answered, suspended, resumed |
/// | `status`, `source`, `error`, `duration_ms` | `finished` |
/// | `error`, `code`, `missing`, `limit`, `most`, `found` | `refused` |
/// | `request_hash`, `response_hash` | calls that are hashed |
/// | `about` | the name of what is emitted or scheduled, the kind of an activity, the steps of the status, answers, changes of tools, reports for the log |
///
/// ```
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright::event::TracingEvents;
///
/// let executor = Executor::builder(ToolRegistry::new()).events(TracingEvents::new()).build()?;
/// # let _ = executor;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct TracingEvents {}

impl TracingEvents {
    /// A sink that writes to whatever subscriber of `tracing` there is.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The fields of an event beyond the call and session that it belongs to.
#[derive(Default)]
struct EventFields {
    ticket: Option<String>,
    wait: Option<String>,
    status: Option<String>,
    source: Option<String>,
    error: Option<ErrorKind>,
    code: Option<String>,
    missing: Option<String>,
    limit: Option<ExceededLimit>,
    duration_ms: Option<f64>,
    request_hash: Option<ContentHash>,
    response_hash: Option<ContentHash>,
    about: Option<String>,
}

/// Names of one kind in serialised form.
fn word(of: impl serde::Serialize) -> Option<String> {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(word)) => Some(word),
        _ => None,
    }
}

fn listed<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> Option<String> {
    let mut list = String::new();
    for word in words {
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(word.as_ref());
    }
    (!list.is_empty()).then_some(list)
}

impl EventFields {
    fn of(kind: &EventKind) -> Self {
        let mut told = Self::default();
        match kind {
            EventKind::Requested { request_hash } => told.request_hash = *request_hash,
            EventKind::Resumed { ticket } => told.ticket = Some(ticket.to_string()),
            EventKind::Asked { ticket, wait, .. } | EventKind::Suspended { ticket, wait } => {
                told.ticket = Some(ticket.to_string());
                told.wait = word(wait);
            }
            EventKind::Answered {
                ticket,
                wait,
                answers,
            } => {
                told.ticket = Some(ticket.to_string());
                told.wait = word(wait);
                let answers = answers.iter();
                let said = answers.map(|answer| answer.map_or("none", |answer| answer.as_str()));
                told.about = listed(said);
            }
            EventKind::Refused {
                kind,
                code,
                missing,
                limit,
            } => {
                told.error = Some(*kind);
                told.code = Some(code.clone());
                told.missing = listed(missing.iter().map(crate::spec::Capability::as_str));
                told.limit = *limit;
            }
            EventKind::Finished {
                status,
                source,
                error,
                duration,
                request_hash,
                response_hash,
            } => {
                told.status = word(status);
                told.source = word(source);
                told.error = *error;
                told.duration_ms = Some(duration.as_secs_f64() * 1e3);
                told.request_hash = *request_hash;
                told.response_hash = *response_hash;
            }
            EventKind::Status { from, to } => told.about = Some(format!("{from}, {to}")),
            EventKind::Progress { status, .. } => told.status = word(status),
            EventKind::Activity { kind, .. } | EventKind::ActivityDelta { kind, .. } => {
                told.about = Some(kind.clone());
            }
            EventKind::Emitted { name, .. } => told.about = Some(name.clone()),
            EventKind::Scheduled { action } => told.about = Some(action.name.clone()),
            EventKind::ToolsChanged {
                added,
                removed,
                changed,
            } => {
                let names = [added, removed, changed].into_iter().flatten();
                told.about = listed(names.map(crate::id::ToolName::as_str));
            }
            EventKind::Diagnostic { code, message } => {
                told.code = Some(code.clone());
                told.about = Some(message.clone());
            }
            EventKind::HookStarted { hook, stage, .. } => {
                told.about = Some(hook.clone());
                told.status = word(stage);
            }
            EventKind::HookFinished {
                hook,
                stage,
                duration,
                error,
                ..
            } => {
                told.about = Some(hook.clone());
                told.status = word(stage);
                told.error = *error;
                told.duration_ms = Some(duration.as_secs_f64() * 1e3);
            }
            EventKind::Started | EventKind::Output { .. } | EventKind::Cancelled => {}
        }
        told
    }
}

fn level(kind: &EventKind) -> Level {
    match kind {
        EventKind::Refused { .. } | EventKind::Cancelled | EventKind::Diagnostic { .. } => {
            Level::WARN
        }
        EventKind::Status { .. }
        | EventKind::Progress { .. }
        | EventKind::Activity { .. }
        | EventKind::ActivityDelta { .. }
        | EventKind::HookStarted { .. }
        | EventKind::HookFinished { .. }
        | EventKind::Output { .. } => Level::DEBUG,
        _ => Level::INFO,
    }
}

/// The level of an event of `tracing` is fixed where it is made.
macro_rules! line {
    ($level:expr, $event:expr) => {
        // The fields are built only if a subscriber takes the line.
        if tracing::enabled!(target: "toolwright::event", $level) {
            let call = $event.call();
            let told = EventFields::of($event.kind());
            event!(
                target: "toolwright::event",
                $level,
                sequence = $event.sequence(),
                session = $event.session().map(SessionId::as_str),
                turn = call.map(|call| call.turn().number()),
                invocation = call.map(|call| tracing::field::display(call.invocation())),
                parent = call.and_then(|call| call.parent()).map(tracing::field::display),
                call_id = call.and_then(|call| call.call_id()).map(CallId::as_str),
                tool = call.map(|call| call.tool()),
                version = call.and_then(|call| call.version()),
                ticket = told.ticket,
                wait = told.wait,
                status = told.status,
                source = told.source,
                error = told.error.map(ErrorKind::as_str),
                code = told.code,
                missing = told.missing,
                limit = told.limit.map(|exceeded| exceeded.limit().as_str()),
                most = told.limit.map(|exceeded| exceeded.most()),
                found = told.limit.and_then(|exceeded| exceeded.found()),
                duration_ms = told.duration_ms,
                request_hash = told.request_hash.map(tracing::field::display),
                response_hash = told.response_hash.map(tracing::field::display),
                about = told.about,
                "{}",
                $event.kind().as_str(),
            );
        }
    };
}

impl EventSink for TracingEvents {
    fn accept(&self, event: &Arc<Event>) {
        match level(event.kind()) {
            Level::WARN => line!(Level::WARN, event),
            Level::DEBUG => line!(Level::DEBUG, event),
            _ => line!(Level::INFO, event),
        }
    }
}
