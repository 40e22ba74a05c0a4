//! The data of a call that is answered by a recorded run.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::CallObserver;
use crate::journal::{RecordedCall, RecordedInput, Replay};
use crate::message::{Arguments, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::tool::Invocation;

/// A call of a session that replays.
pub(crate) struct Replayed<'a> {
    pub(crate) shared: &'a Arc<ExecutorCore>,
    pub(crate) place: &'a CallSite<'a>,
    pub(crate) call: &'a ToolCall<'a>,
    pub(crate) replay: &'a Replay,
    pub(crate) observer: Option<Box<CallObserver>>,
    pub(crate) begun: Option<Instant>,
    pub(crate) notes: ReadNotes,
}

/// A body that can run, and what it runs with.
pub(crate) struct ReadCall {
    pub(crate) invocation: Box<dyn Invocation>,
    pub(crate) arguments: Arguments<'static>,
    pub(crate) input: RecordedInput,
}

/// The end of a call, and the remarks for the model.
pub(crate) type ReplayedEnd = (ResultSource, ToolOutput, Vec<String>);

pub(crate) fn executor(error: ToolError) -> ReplayedEnd {
    (ResultSource::Executor, error.into(), Vec::new())
}

/// A recorded call that runs again.
#[derive(Clone, Copy)]
pub(crate) struct Again<'r> {
    pub(crate) number: usize,
    pub(crate) recorded: &'r RecordedCall,
    pub(crate) bounded: bool,
}
