//! The data of a call that is answered by a recorded run.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::Notes;
use crate::executor::core::shared::Shared;
use crate::executor::core::site::Place;
use crate::executor::observe::observer::Witness;
use crate::journal::{RecordedCall, RecordedInput, Replay};
use crate::message::{Arguments, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::tool::Invocation;

/// A call of a session that replays.
pub(crate) struct Replayed<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) place: &'a Place<'a>,
    pub(crate) call: &'a ToolCall<'a>,
    pub(crate) replay: &'a Replay,
    pub(crate) witness: Option<Box<Witness>>,
    pub(crate) begun: Option<Instant>,
    pub(crate) notes: Notes,
}

/// A body that can run, and what it runs with.
pub(crate) struct Ready {
    pub(crate) invocation: Box<dyn Invocation>,
    pub(crate) arguments: Arguments<'static>,
    pub(crate) input: RecordedInput,
}

/// What a call ends with, and what the model is told besides.
pub(crate) type Ended = (ResultSource, ToolOutput, Vec<String>);

pub(crate) fn executor(error: ToolError) -> Ended {
    (ResultSource::Executor, error.into(), Vec::new())
}

/// A recorded call that runs again.
#[derive(Clone, Copy)]
pub(crate) struct Again<'r> {
    pub(crate) number: usize,
    pub(crate) recorded: &'r RecordedCall,
    pub(crate) bounded: bool,
}
