//! The commands of a call that has succeeded, applied to the session's state.

use crate::content::{ErrorKind, ResultSource, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::event::EventKind;
use crate::executor::call::state::CallState;
use crate::executor::guard::catch_tool_panic;
use crate::executor::observe::observer::CallObserver;
use crate::state::{ApplyError, CommandEvent, SessionState, StateCommand};

/// Applies commands, all or none, and tells what there is to tell of them.
pub(crate) fn apply(
    state: &SessionState,
    commands: Vec<StateCommand>,
    mut tell: impl FnMut(EventKind),
) -> Result<(), ToolError> {
    let applied = state.apply(&commands);
    // Dropping a command runs code of the app, which may panic; the commands have been applied.
    let _ = catch_tool_panic("a command", || drop(commands));
    for sign in applied.map_err(not_applied)? {
        tell(match sign {
            CommandEvent::Scheduled(action) => EventKind::Scheduled { action },
            CommandEvent::Emitted { name, payload } => EventKind::Emitted { name, payload },
        });
    }
    Ok(())
}

#[cold]
fn not_applied(error: ApplyError) -> ToolError {
    match error {
        ApplyError::Panicked(said) => ToolError::new(
            ErrorKind::Panicked,
            "a change to the session's state panicked, and the state is as it was: this is a fault \
             of the tool, not of the call",
        )
        .with_source(said),
        ApplyError::TooManyScheduled => ToolError::new(
            ErrorKind::LimitExceeded,
            "too many scheduled actions wait in the session already",
        )
        .with_source(
            "the app takes them by `Session::take_scheduled`, or hears of them by an event sink and \
             takes them then",
        ),
    }
}

/// Has the commands of an output happen, and drops them if it is an error. Commands that cannot happen make the
/// output an error of the executor.
#[cold]
#[inline(never)]
pub(crate) fn apply_or_fail(
    source: &mut ResultSource,
    output: &mut ToolOutput,
    happen: impl FnOnce(Vec<StateCommand>) -> Result<(), ToolError>,
) {
    let commands = output.take_commands();
    if output.is_error() {
        let _ = catch_tool_panic("a command", || drop(commands));
        return;
    }
    if let Err(error) = happen(commands) {
        *source = ResultSource::Executor;
        *output = error.with_note("; the tool itself has run").into();
    }
}

/// Applies commands of a tool whose call has no state of its own.
#[cold]
#[inline(never)]
pub(crate) fn apply_in(
    context: &ToolContext,
    observer: Option<&CallObserver>,
    commands: Vec<StateCommand>,
) -> Result<(), ToolError> {
    apply(&context.session.state, commands, |kind| {
        if let Some(observer) = observer {
            observer.emit(|| kind);
        }
    })
}

impl CallState {
    /// Applies commands of the call's tool or of a hook, at once: all or none.
    pub(crate) fn apply(&self, commands: Vec<StateCommand>) -> Result<(), ToolError> {
        if commands.is_empty() {
            return Ok(());
        }
        apply(&self.session.state, commands, |kind| self.emit(|| kind))
    }
}
