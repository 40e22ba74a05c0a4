//! The calls of one message, side by side.

use std::borrow::Cow;

use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::ToolOutcome;
use super::asked::Asked;
use super::before::show_hooks;
use super::begin::Begun;
use super::course::no_tickets;
use super::course::{Course, Step};
use super::pipeline::refused;
use super::reading::Notes;
use super::session::{Session, Turn};
use crate::id::{Label, ToolName};
use crate::message::{ToolCall, ToolError};
use crate::tool::BoxFuture;

impl Turn {
    /// Runs the calls of one message side by side, each in a task of its own, and gives their outcomes
    /// in the order of the calls. That takes a Tokio runtime; without one they run one after another.
    ///
    /// What has to be asked about any of them before they run is asked at once, so that a host can show
    /// it as one prompt; those that nobody is asked about run meanwhile. A call that fails, is denied
    /// or waits leaves the others alone. Two calls of one id are two calls.
    ///
    /// Dropping the future drops the tools where they stand.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Double a number.
    /// #[tool(pure)]
    /// fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Double))?;
    /// let calls = [1, 2, 3].map(|n| ToolCall::new("double", serde_json::json!({"n": n})));
    /// let outcomes = executor.session("s-1").turn().call_all(calls).await;
    /// let texts: Vec<String> = outcomes.iter().map(|outcome| outcome.text()).collect();
    /// assert_eq!(texts, ["2", "4", "6"]);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub async fn call_all<'a>(
        &self,
        calls: impl IntoIterator<Item = ToolCall<'a>>,
    ) -> Vec<ToolOutcome> {
        let calls: Vec<ToolCall<'static>> = calls.into_iter().map(ToolCall::into_owned).collect();
        Box::pin(self.run_all(calls)).await
    }

    async fn run_all(&self, calls: Vec<ToolCall<'static>>) -> Vec<ToolOutcome> {
        let mut batch = Batch::default();
        let mut begun = Vec::with_capacity(calls.len());
        for (at, call) in calls.iter().enumerate() {
            batch.ended.push(None);
            match Course::begin(self.shared(), &self.place(), call).await {
                Begun::Ended(outcome) => batch.ended[at] = Some(*outcome),
                Begun::Goes(course, step) => begun.push((at, course, step)),
            }
        }
        show_hooks(&mut begun).await;
        let mut asking = Vec::new();
        for (at, course, step) in begun {
            match step {
                Step::Ask(asked) => asking.push((at, course, asked)),
                step => batch.spawn(at, *course, step),
            }
        }
        self.ask_all(asking, &mut batch).await;
        batch.finish(self, &calls).await
    }

    /// Opens the tickets of all who ask.
    async fn ask_all(&self, asking: Vec<(usize, Box<Course>, Asked)>, batch: &mut Batch) {
        let mut drafts = Vec::with_capacity(asking.len());
        let mut opening = Vec::with_capacity(asking.len());
        for (at, course, asked) in asking {
            match course.draft(&asked) {
                Ok(draft) => {
                    drafts.push(draft);
                    opening.push((at, course, asked));
                }
                Err(error) => batch.spawn(at, *course, Step::refuse(error)),
            }
        }
        if drafts.is_empty() {
            return;
        }
        match self.shared().base.people.broker.open(drafts).await {
            Ok(tickets) => {
                let mut tickets = tickets.into_iter();
                for (at, course, asked) in opening {
                    let step = course.opened(asked, tickets.next());
                    batch.spawn(at, *course, step);
                }
            }
            Err(error) => {
                let error = no_tickets(error);
                for (at, course, _) in opening {
                    batch.spawn(at, *course, Step::refuse(error.clone()));
                }
            }
        }
    }
}

/// The calls that run, and the outcomes of those that have ended.
#[derive(Default)]
struct Batch {
    ended: Vec<Option<ToolOutcome>>,
    running: JoinSet<(usize, ToolOutcome)>,
    /// Where there is no runtime.
    in_turn: Vec<BoxFuture<'static, (usize, ToolOutcome)>>,
}

impl Batch {
    fn spawn(&mut self, at: usize, course: Course, step: Step) {
        let run = async move { (at, course.drive(step).await) };
        if Handle::try_current().is_ok() {
            self.running.spawn(run);
        } else {
            self.in_turn.push(Box::pin(run));
        }
    }

    async fn finish(mut self, turn: &Turn, calls: &[ToolCall<'_>]) -> Vec<ToolOutcome> {
        for run in self.in_turn {
            let (at, outcome) = run.await;
            self.ended[at] = Some(outcome);
        }
        while let Some(ended) = self.running.join_next().await {
            // A task that was stopped is told below.
            if let Ok((at, outcome)) = ended {
                self.ended[at] = Some(outcome);
            }
        }
        let ended = self.ended.into_iter().zip(calls);
        ended
            .map(|(outcome, call)| outcome.unwrap_or_else(|| turn.lost(call)))
            .collect()
    }
}

impl Turn {
    /// The runtime has stopped the task of a call.
    fn lost(&self, call: &ToolCall<'_>) -> ToolOutcome {
        let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
        let error = ToolError::unavailable("the app is shutting down, and the call was stopped");
        let label = Label::from(Cow::Owned(name));
        refused(call, &self.place(), None, Notes::default(), (label, error))
    }
}

impl Session {
    /// Runs the calls of one message, as a turn of their own: see [`Turn::call_all`].
    pub async fn call_all<'a>(
        &self,
        calls: impl IntoIterator<Item = ToolCall<'a>>,
    ) -> Vec<ToolOutcome> {
        self.turn().call_all(calls).await
    }
}
