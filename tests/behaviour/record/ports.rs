//! The ports of records: a recorder that fails, hangs or panics at any step, and sources of results.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use toolwright::content::{ContentHash, ErrorKind, ResultSource};
use toolwright::executor::{Limits, SessionOptions, WaitMode};
use toolwright::id::TicketId;
use toolwright::permission::AllowAll;
use toolwright::record::{
    CallRecorder, CallRecording, CallRequest, CallResponse, CallSource, RepeatedRun, RequestInput,
    ResponseHash, SourceDecision, SourcedAnswer, SourcedCall,
};
use toolwright::ticket::{Answer, StoreError, TicketFilter, WaitKind};
use toolwright::{
    Executor, ToolCall, ToolContext, ToolError, ToolOutcome, ToolOutput, ToolRegistry, async_trait,
    tool,
};

use crate::waiting_support::Runs;

/// The behaviour of a recorder at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Fails,
    Hangs,
    Panics,
}

/// Notes its steps, and does something else than it should at one of them.
#[derive(Clone, Default)]
struct Steps {
    steps: Arc<Mutex<Vec<String>>>,
    fault: Option<(&'static str, Fault)>,
}

impl Steps {
    fn failing(step: &'static str, fault: Fault) -> Self {
        Self {
            fault: Some((step, fault)),
            ..Self::default()
        }
    }

    fn note(&self, step: impl Into<String>) {
        self.steps.lock().unwrap().push(step.into());
    }

    fn seen(&self) -> Vec<String> {
        self.steps.lock().unwrap().clone()
    }

    fn panics(&self, step: &str) {
        assert_ne!(self.fault, Some((leak(step), Fault::Panics)), "at {step}");
    }

    async fn step(&self, step: &str) -> Result<(), StoreError> {
        self.note(step);
        self.panics(step);
        match self.fault {
            Some((at, Fault::Fails)) if at == step => Err(StoreError::new("no space left")),
            Some((at, Fault::Hangs)) if at == step => pending().await,
            _ => Ok(()),
        }
    }
}

fn leak(step: &str) -> &'static str {
    ["record", "set_input", "start", "suspend", "end", "dropped"]
        .into_iter()
        .find(|known| *known == step)
        .unwrap()
}

impl CallRecorder for Steps {
    fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording> {
        let resumes = if request.resumes.is_some() {
            " resumed"
        } else {
            ""
        };
        let accepted = request.input.is_accepted;
        self.note(format!("record {} {accepted}{resumes}", request.tool));
        self.panics("record");
        Box::new(self.clone())
    }
}

#[async_trait]
impl CallRecording for Steps {
    fn request_hash(&self) -> Option<ContentHash> {
        Some(ContentHash::of("request"))
    }

    fn set_input(&mut self, input: RequestInput<'_>) {
        self.note(format!("set_input {}", input.changed));
        self.panics("set_input");
    }

    async fn start(&mut self) -> Result<(), StoreError> {
        self.step("start").await
    }

    async fn suspend(&mut self, _: TicketId, _: WaitKind) -> Result<(), StoreError> {
        self.step("suspend").await
    }

    async fn end(
        &mut self,
        response: CallResponse<'_>,
    ) -> Result<Option<ResponseHash>, StoreError> {
        self.note(format!("{:?}", response.source).to_lowercase());
        self.step("end").await?;
        let text = response.output.content()[0].as_text().unwrap_or_default();
        Ok(Some(ResponseHash::new(ContentHash::of(text), true)))
    }

    fn dropped(&mut self, error: ToolError) {
        self.note(error.code());
        self.panics("dropped");
    }
}

/// Do something.
#[tool(register = false)]
async fn act(runs: &Arc<Runs>) -> &'static str {
    runs.add();
    "done"
}

/// Wait for ever.
#[tool(register = false, pure)]
async fn hang() {
    pending::<()>().await;
}

fn executor(steps: &Steps) -> (Executor, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Act).with(Hang))
        .permission_checker(AllowAll)
        .resource(Arc::clone(&runs))
        .call_recorder(steps.clone())
        .build()
        .unwrap();
    (executor, runs)
}

fn code(outcome: &ToolOutcome) -> Option<&str> {
    outcome.error().map(ToolError::code)
}

#[tokio::test]
async fn a_recorder_is_told_of_a_call_in_order() {
    let steps = Steps::default();
    let (executor, _) = executor(&steps);
    let outcome = executor.call("act", "{}").await;
    assert_eq!(
        steps.seen(),
        ["record act true", "start", "tool", "end"],
        "{outcome:?}"
    );
    let hash = Some(ContentHash::of("done"));
    assert_eq!(outcome.result().response_hash(), hash);
    assert!(outcome.result().is_normalized());

    // A call that is refused has no start.
    for (tool, arguments) in [("act", r#"{"a": 1}"#), ("no_such_tool", "{}")] {
        let before = steps.seen().len();
        assert!(!executor.call(tool, arguments).await.is_success());
        let record = format!("record {tool} false");
        assert_eq!(steps.seen()[before..], [record.as_str(), "executor", "end"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_cannot_be_recorded_does_not_run_whatever_the_recorder_does() {
    let faults = [Fault::Fails, Fault::Hangs, Fault::Panics];
    let all = faults.map(|fault| ("start", fault));
    for (step, fault) in all.into_iter().chain([("record", Fault::Panics)]) {
        let steps = Steps::failing(step, fault);
        let (executor, runs) = executor(&steps);
        let outcome = executor.call("act", "{}").await;
        assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
        assert_eq!(code(&outcome), Some("journal_unavailable"), "{fault:?}");
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Unavailable);
        assert!(!outcome.text().contains("no space"), "{}", outcome.text());
        assert_eq!(runs.count(), 0, "{step} {fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_whose_end_cannot_be_recorded_is_withheld_whatever_the_recorder_does() {
    for fault in [Fault::Fails, Fault::Hangs, Fault::Panics] {
        let steps = Steps::failing("end", fault);
        let (executor, runs) = executor(&steps);
        let outcome = executor.call("act", "{}").await;
        assert_eq!(code(&outcome), Some("journal_unavailable"), "{fault:?}");
        assert_eq!(runs.count(), 1);
        assert!(!outcome.text().contains("done"), "{}", outcome.text());
        assert!(
            outcome.text().contains("the tool has run"),
            "{}",
            outcome.text()
        );
        assert_eq!(outcome.result().response_hash(), None);
        // The end is offered once more, with the error in place of the result.
        let end = ["tool", "end", "executor", "end"];
        assert_eq!(steps.seen()[2..], end, "{fault:?}");
        assert_eq!(outcome.result().source(), ResultSource::Executor);
    }
}

#[tokio::test]
async fn a_recorder_is_told_of_a_call_that_is_dropped_and_may_panic_there() {
    for steps in [Steps::default(), Steps::failing("dropped", Fault::Panics)] {
        let (executor, _) = executor(&steps);
        let session = executor.session("s");
        let mut call = Box::pin(session.call(ToolCall::new("hang", "{}")));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(call.as_mut().poll(&mut cx).is_pending());
        drop(call);
        assert_eq!(steps.seen(), ["record hang true", "start", "dropped"]);
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_while_its_end_is_written_is_told_of_as_dropped() {
    let steps = Steps::failing("end", Fault::Hangs);
    let (executor, runs) = executor(&steps);
    let session = executor.session("s");
    let mut call = Box::pin(session.call(ToolCall::new("act", "{}")));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    assert_eq!(runs.count(), 1);
    drop(call);
    let seen = steps.seen();
    assert_eq!(seen[1..], ["start", "tool", "end", "dropped"]);
}

/// Under the default policy, `act` waits for people.
fn asking(steps: &Steps) -> (Executor, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Act))
        .resource(Arc::clone(&runs))
        .approvals(WaitMode::Suspending)
        .call_recorder(Arc::new(steps.clone()))
        .build()
        .unwrap();
    (executor, runs)
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_suspension_cannot_be_recorded_ends_and_its_ticket_is_withdrawn() {
    for fault in [Fault::Fails, Fault::Hangs, Fault::Panics] {
        let steps = Steps::failing("suspend", fault);
        let (executor, runs) = asking(&steps);
        let session = executor.session("s");
        let outcome = session.call(ToolCall::new("act", "{}")).await;
        assert_eq!(code(&outcome), Some("journal_unavailable"), "{fault:?}");
        let waiting = executor.tickets().list(&TicketFilter::all()).await;
        assert!(waiting.unwrap().is_empty(), "{fault:?}");
        assert_eq!(runs.count(), 0);
        let seen = steps.seen();
        assert_eq!(seen[1..], ["suspend", "executor", "end"], "{fault:?}");
    }
}

#[tokio::test]
async fn a_recorder_is_told_of_a_call_that_waits_and_goes_on_with_other_arguments() {
    for fault in [None, Some(("set_input", Fault::Panics))] {
        let steps = Steps {
            fault,
            ..Steps::default()
        };
        let (executor, runs) = asking(&steps);
        let session = executor.session("s");
        let outcome = session.call(ToolCall::new("act", "{}")).await;
        let ticket = outcome.suspension().unwrap().ticket().clone();
        assert_eq!(steps.seen(), ["record act true", "suspend"]);
        let outcome = session.resume(&ticket, Answer::yes()).await.unwrap();
        let mut seen = steps.seen().split_off(2);
        seen.dedup();
        assert_eq!(seen[..2], ["record act true resumed", "set_input false"]);
        if fault.is_none() {
            assert!(outcome.is_success(), "{outcome:?}");
            assert_eq!(seen[2..], ["start", "set_input false", "tool", "end"]);
        } else {
            // A recorder that has panicked once is asked no more, and nothing runs.
            assert_eq!(code(&outcome), Some("journal_unavailable"));
            assert_eq!(seen.len(), 2);
        }
        assert_eq!(runs.count(), u32::from(fault.is_none()));
    }
}

/// Answers `act` by a decision of the test, and lets `roll` run again.
#[derive(Clone)]
struct Source(Arc<dyn Fn() -> Fault + Send + Sync>);

#[async_trait]
impl CallSource for Source {
    async fn decide(&self, call: &SourcedCall<'_>) -> SourceDecision {
        match (call.tool, (self.0)()) {
            ("roll", _) => SourceDecision::run(),
            ("missing", _) => {
                assert!(call.spec.is_none() && call.read.is_none());
                SourceDecision::run()
            }
            (_, Fault::Fails) => {
                SourceDecision::answer(SourcedAnswer::recorded(ToolOutput::text("from the record")))
            }
            (_, Fault::Hangs) => pending().await,
            (_, Fault::Panics) => panic!("the record is broken"),
        }
    }

    async fn repeated(&self, run: RepeatedRun) -> SourcedAnswer {
        match (self.0)() {
            Fault::Fails => run
                .into_answer()
                .with_remarks(["It ran again.".to_owned()])
                .with_response(ResponseHash::new(ContentHash::of("roll"), false)),
            Fault::Hangs => pending().await,
            Fault::Panics => panic!("the record is broken"),
        }
    }
}

/// Roll a die.
#[tool(register = false, pure)]
fn roll(sides: u64, ctx: &ToolContext) -> u64 {
    ctx.rng().below(sides)
}

#[tokio::test(start_paused = true)]
async fn a_source_answers_or_lets_run_and_takes_no_call_with_it() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Act).with(Roll))
        .resource(Arc::clone(&runs))
        .limits(Limits::new().store_timeout(Duration::from_secs(3)))
        .build()
        .unwrap();
    let open = |fault: Fault| {
        let source = Source(Arc::new(move || fault));
        executor.session_with("s", SessionOptions::new().call_source(source))
    };
    // Nobody is asked, and the body does not run.
    let session = open(Fault::Fails);
    let answered = session.call(ToolCall::new("act", "{}")).await;
    assert_eq!(answered.text(), "from the record");
    assert_eq!(answered.result().source(), ResultSource::Replay);
    let rolled = session
        .sub_session("below")
        .call(ToolCall::new("roll", r#"{"sides": 1}"#))
        .await;
    assert_eq!(rolled.result().source(), ResultSource::Tool);
    assert!(rolled.text().starts_with('0') && rolled.text().contains("It ran again."));
    let hash = Some(ContentHash::of("roll"));
    assert_eq!(rolled.result().response_hash(), hash);
    // A source cannot let run what cannot run.
    let misread = session.call(ToolCall::new("roll", "{}")).await;
    assert_eq!(code(&misread), Some("invalid_arguments"));
    let missing = session.call(ToolCall::new("missing", "{}")).await;
    assert_eq!(code(&missing), Some("not_found"));
    for fault in [Fault::Hangs, Fault::Panics] {
        let session = open(fault);
        for (tool, arguments) in [("act", "{}"), ("roll", r#"{"sides": 2}"#)] {
            let outcome = session.call(ToolCall::new(tool, arguments)).await;
            assert_eq!(code(&outcome), Some("record_unreadable"), "{fault:?}");
        }
    }
    assert_eq!(runs.count(), 0);
}
