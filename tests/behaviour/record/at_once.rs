//! Recorders that write without waiting, and the calls that go on when they cannot.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use toolwright::content::ContentHash;
use toolwright::id::TicketId;
use toolwright::permission::AllowAll;
use toolwright::record::{
    CallRecorder, CallRecording, CallRequest, CallResponse, RequestInput, ResponseHash,
};
use toolwright::ticket::{StoreError, WaitKind};
use toolwright::{Executor, ToolError, ToolOutcome, ToolRegistry, async_trait, tool};

use crate::waiting_support::Runs;

/// The behaviour of a recorder at a step that is not to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Now {
    Writes,
    Waits,
    Fails,
    Panics,
}

/// Notes its steps.
#[derive(Clone)]
struct Prompt {
    steps: Arc<Mutex<Vec<String>>>,
    start: Now,
    end: Now,
}

impl Prompt {
    fn new(start: Now, end: Now) -> Self {
        Self {
            steps: Arc::default(),
            start,
            end,
        }
    }

    fn note(&self, step: impl Into<String>) {
        self.steps.lock().unwrap().push(step.into());
    }

    fn step<T>(&self, step: &str, now: Now, written: T) -> Option<Result<T, StoreError>> {
        self.note(step);
        match now {
            Now::Writes => Some(Ok(written)),
            Now::Waits => None,
            Now::Fails => Some(Err(StoreError::new("no space left"))),
            Now::Panics => panic!("at {step}"),
        }
    }
}

impl CallRecorder for Prompt {
    fn record(&self, _: CallRequest<'_>) -> Box<dyn CallRecording> {
        Box::new(self.clone())
    }
}

fn hash(response: &CallResponse<'_>) -> ResponseHash {
    let text = response.output.content()[0].as_text().unwrap_or_default();
    ResponseHash::new(ContentHash::of(text), true)
}

#[async_trait]
impl CallRecording for Prompt {
    fn set_input(&mut self, _: RequestInput<'_>) {}

    async fn start(&mut self) -> Result<(), StoreError> {
        self.note("start");
        Ok(())
    }

    fn start_now(&mut self) -> Option<Result<(), StoreError>> {
        self.step("start_now", self.start, ())
    }

    async fn suspend(&mut self, _: TicketId, _: WaitKind) -> Result<(), StoreError> {
        Ok(())
    }

    async fn end(
        &mut self,
        response: CallResponse<'_>,
    ) -> Result<Option<ResponseHash>, StoreError> {
        self.note(format!("end by {:?}", response.source));
        Ok(Some(hash(&response)))
    }

    fn end_now(
        &mut self,
        response: &mut CallResponse<'_>,
    ) -> Option<Result<Option<ResponseHash>, StoreError>> {
        self.step("end_now", self.end, Some(hash(response)))
    }

    fn dropped(&mut self, error: ToolError) {
        self.note(error.code());
    }
}

/// Do something.
#[tool(register = false)]
async fn act(runs: &Arc<Runs>) -> &'static str {
    runs.add();
    "done"
}

/// Do something in place.
#[tool(register = false)]
fn act_in_place(runs: &Arc<Runs>) -> &'static str {
    runs.add();
    "done"
}

/// The outcome of a call, the steps of its record, and how often the body ran. The call never waits.
fn called(tool: &str, start: Now, end: Now) -> (ToolOutcome, Vec<String>, u32) {
    let runs = Arc::new(Runs::default());
    let prompt = Prompt::new(start, end);
    let executor = Executor::builder(ToolRegistry::new().with(Act).with(ActInPlace))
        .permission_checker(AllowAll)
        .resource(Arc::clone(&runs))
        .call_recorder(prompt.clone())
        .build()
        .unwrap();
    let call = pin!(executor.call(tool, "{}"));
    let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("`{tool}` waits");
    };
    let steps = prompt.steps.lock().unwrap().clone();
    (outcome, steps, runs.count())
}

const TOOLS: [&str; 2] = ["act", "act_in_place"];

#[test]
fn a_step_that_has_to_wait_is_made_once_more() {
    for tool in TOOLS {
        for (start, end, expected) in [
            (Now::Writes, Now::Writes, &["start_now", "end_now"][..]),
            (Now::Waits, Now::Writes, &["start_now", "start", "end_now"]),
            (
                Now::Writes,
                Now::Waits,
                &["start_now", "end_now", "end by Tool"],
            ),
        ] {
            let (outcome, mut steps, runs) = called(tool, start, end);
            assert!(outcome.is_success(), "{outcome:?}");
            assert_eq!(runs, 1);
            // A start that has to wait may be asked about again where the call can wait.
            steps.dedup();
            assert_eq!(steps, expected, "{tool}");
            let hash = outcome.result().response_hash();
            assert_eq!(hash, Some(ContentHash::of("done")));
        }
    }
}

#[test]
fn a_step_that_fails_at_once_keeps_the_call_from_running_or_its_result_from_being_seen() {
    for tool in TOOLS {
        for fault in [Now::Fails, Now::Panics] {
            let (outcome, steps, runs) = called(tool, fault, Now::Writes);
            assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
            assert_eq!(outcome.error().unwrap().code(), "journal_unavailable");
            assert_eq!(
                (runs, &steps[..]),
                (0, &["start_now".to_owned(), "end_now".to_owned()][..])
            );

            let (outcome, steps, runs) = called(tool, Now::Writes, fault);
            assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
            assert_eq!(outcome.error().unwrap().code(), "journal_unavailable");
            assert!(outcome.text().contains("the tool has run"), "{outcome:?}");
            assert!(!outcome.text().contains("done"), "{outcome:?}");
            // The end is offered once more, with the error in place of the result.
            assert_eq!(runs, 1);
            assert_eq!(steps, ["start_now", "end_now", "end by Executor"]);
        }
    }
}
