//! The reports of a tool while it runs.

use std::fmt::Display;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::tool_context::ToolContext;
use crate::content::Content;
use crate::event::{CallOver, EventCall, EventKind, ProgressStatus};
use crate::spec::ToolSpec;

impl ToolContext {
    /// Returns true if anybody takes the tool's reports: to spare the work if nobody does. The reports themselves need
    /// no such check; without a [sink](crate::ExecutorBuilder::events) they do nothing.
    #[inline]
    pub fn is_watched(&self) -> bool {
        self.session.events.is_listening()
    }

    /// Tells how far the work is: a fraction from 0 to 1, or `None` where that is not known, and a few
    /// words, or none.
    ///
    /// Reports are for people and programs that watch, and may get lost; only the tool's output counts. A report never
    /// waits, and once the call has ended it does nothing. Without a [sink](crate::ExecutorBuilder::events) nothing is
    /// formatted or allocated: words with numbers in them are best given as `format_args!`.
    ///
    /// ```
    /// use toolwright::{ToolContext, tool};
    ///
    /// /// Download some files.
    /// #[tool]
    /// async fn download(files: Vec<String>, ctx: &ToolContext) {
    ///     let count = files.len();
    ///     for (number, file) in files.iter().enumerate() {
    ///         ctx.progress(number as f64 / count as f64, format_args!("{file}, {number} of {count}"));
    ///         // ..
    ///     }
    /// }
    /// ```
    pub fn progress(&self, fraction: impl Into<Option<f64>>, message: impl Display) {
        self.report_progress(ProgressStatus::Running, message, fraction);
    }

    /// Tells where the work stands; see [`ToolContext::progress`]. A fraction that is less than 0 counts
    /// as 0, more than 1 as 1, and one that is no number as not known.
    pub fn report_progress(
        &self,
        status: ProgressStatus,
        message: impl Display,
        fraction: impl Into<Option<f64>>,
    ) {
        self.emit(|| {
            let known = fraction.into().filter(|fraction| !fraction.is_nan());
            EventKind::Progress {
                status,
                message: message.to_string(),
                fraction: known.map(|fraction| fraction.clamp(0.0, 1.0)),
            }
        });
    }

    /// Tells what the tool is busy with, as it stands now: a plan, a list of steps, whatever the host
    /// shows of this kind. It replaces what the call has said of the kind before, or stands beside it.
    ///
    /// Content that cannot be written as JSON becomes an
    /// [`EventKind::Diagnostic`] instead. For the rest see [`ToolContext::progress`].
    ///
    /// ```
    /// # fn work(ctx: &toolwright::ToolContext) {
    /// ctx.report_activity("plan", &["fetch", "sort"], true);
    /// # }
    /// ```
    pub fn report_activity<T: Serialize + ?Sized>(&self, kind: &str, content: &T, replace: bool) {
        self.emit(|| match serde_json::to_value(content) {
            Ok(content) => EventKind::Activity {
                kind: kind.to_owned(),
                content,
                replace,
            },
            Err(error) => not_reported(kind, &error),
        });
    }

    /// Tells what has changed in an activity: a list of changes, commonly a JSON Patch (RFC 6902), or a
    /// single change, which becomes a list of one. For the rest see [`ToolContext::report_activity`].
    ///
    /// ```
    /// # fn work(ctx: &toolwright::ToolContext) {
    /// let change = serde_json::json!({"op": "add", "path": "/-", "value": "store"});
    /// ctx.report_activity_delta("plan", &change);
    /// # }
    /// ```
    pub fn report_activity_delta<T: Serialize + ?Sized>(&self, kind: &str, patch: &T) {
        self.emit(|| match serde_json::to_value(patch) {
            Ok(patch) => EventKind::ActivityDelta {
                kind: kind.to_owned(),
                patch: match patch {
                    Value::Array(changes) => changes,
                    change => vec![change],
                },
            },
            Err(error) => not_reported(kind, &error),
        });
    }

    /// Shows a part of the output before the tool is done. The model does not see it: it reads what the
    /// tool returns, which holds all that counts. For the rest see [`ToolContext::progress`].
    pub fn stream_part(&self, part: Content) {
        self.emit(|| EventKind::Output { part });
    }

    /// Tells of something that happens while the call runs, if somebody wants to know.
    #[inline]
    pub(crate) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        if self.is_watched() {
            self.emit_now(kind);
        }
    }

    #[cold]
    fn emit_now(&self, kind: impl FnOnce() -> EventKind) {
        let events = &self.session.events;
        let session = Some(&self.session.id);
        match self.call.watched() {
            Some(watched) if watched.over.is_set() => {}
            Some(watched) => events.emit(session, Some(watched), kind),
            None => {
                let call = Arc::new(EventCall {
                    turn: self.turn_id(),
                    invocation: self.invocation_id(),
                    parent: self.parent(),
                    call_id: self.call_id().cloned(),
                    tool: self.tool_name().label(),
                    version: self.spec().ok().and_then(ToolSpec::version_label),
                    over: CallOver::default(),
                });
                events.emit(session, Some(&call), kind);
            }
        }
    }
}

#[cold]
fn not_reported(kind: &str, error: &serde_json::Error) -> EventKind {
    EventKind::Diagnostic {
        code: "activity_not_reported".to_owned(),
        message: format!("an activity of kind `{kind}` cannot be written as JSON: {error}"),
    }
}
