//! People who say what a unit test has them say.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::content::ToolError;
use crate::context::{AnsweredRequest, ToolContext, Waits, suspension};
use crate::question::unavailable;
use crate::ticket::{Answer, PendingRequest, ResumeMode, Wait};
use crate::util::future::BoxFuture;

/// Gives the answers of a script, one to each request.
pub(super) struct Scripted {
    is_attended: bool,
    answers: Mutex<VecDeque<Answer>>,
}

impl Scripted {
    pub(super) fn new(answers: Vec<Answer>) -> Self {
        Self {
            is_attended: !answers.is_empty(),
            answers: Mutex::new(answers.into()),
        }
    }

    fn answer(&self, ctx: &ToolContext, wait: &Wait) -> Result<Vec<Answer>, ToolError> {
        if wait.resume != ResumeMode::RunAgain {
            // The body ends here, as it does in an executor.
            return Err(suspension(ctx.invocation_id()));
        }
        let mut script = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let count = wait.requests.len();
        if script.len() < count {
            let unanswered = wait.requests.get(script.len());
            let summary = unanswered.map_or("", PendingRequest::summary);
            return Err(unavailable(wait.kind, summary));
        }
        let answers: Vec<Answer> = script.drain(..count).collect();
        let requests = wait.requests.iter().cloned();
        let answered = requests.zip(answers.iter().cloned());
        let answered =
            answered.map(|(request, answer)| -> AnsweredRequest { (wait.kind, request, answer) });
        ctx.session.wait_tracker.keep(ctx.invocation_id(), answered);
        Ok(answers)
    }
}

impl Waits for Scripted {
    fn is_attended(&self) -> bool {
        self.is_attended
    }

    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>> {
        Box::pin(async move { self.answer(ctx, &wait) })
    }
}
