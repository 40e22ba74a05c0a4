//! Checkers that have to be waited for, such as those that ask a policy service.

use std::error::Error;
use std::io::ErrorKind as IoKind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use toolwright::content::ErrorKind;
use toolwright::executor::{Limits, SessionOptions, WaitMode};
use toolwright::permission::{AsyncPermissionChecker, CallView, PermissionChecker, Verdict};
use toolwright::ticket::{Answer, GrantScope};
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolContext, ToolError, ToolOutcome,
    ToolRegistry, ToolSpec, async_trait, testing, tool,
};

use crate::support::HandMade;

type CheckError = Box<dyn Error + Send + Sync>;

/// Deploy to a place.
#[tool(register = false, permission = deployment(place))]
async fn ship(place: String) -> String {
    format!("shipped to {place}")
}

/// Tell what may be done with a place, before asking and by asking.
#[tool(register = false, pure)]
async fn look(place: String, ctx: &ToolContext) -> String {
    let before = ctx.verdict(&deployment(&place));
    let asked = ctx.check(deployment(&place)).await;
    let asked = asked.map_or_else(|error| error.code().to_owned(), |()| "allowed".to_owned());
    format!("{before:?}, {asked}")
}

/// Ship by another tool.
#[tool(register = false, pure)]
async fn order(place: String, ctx: &ToolContext) -> String {
    ctx.call(ToolCall::new("ship", json!({"place": place})))
        .await
        .text()
}

fn deployment(place: &str) -> PermissionRequest {
    PermissionRequest::new("deploy", place, format!("Deploy to {place}"))
}

fn registry() -> ToolRegistry {
    ToolRegistry::new().with(Ship).with(Look).with(Order)
}

type Question = (String, oneshot::Sender<Verdict>);

/// Asks a service that is somewhere else.
#[derive(Clone)]
struct Service {
    questions: mpsc::UnboundedSender<Question>,
    /// The number of checks that were dropped before they had their answer.
    dropped: Arc<AtomicUsize>,
}

struct Waits<'s>(&'s Service, bool);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        if self.1 {
            self.0.dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[async_trait]
impl AsyncPermissionChecker for Service {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    async fn check_request(
        &self,
        call: &CallView<'_>,
        request: &PermissionRequest,
    ) -> Result<Verdict, CheckError> {
        let mut waits = Waits(self, true);
        let session = call.session_id().map_or("-", |id| id.as_str());
        let question = format!("{session} {} {}", request.kind(), request.target());
        let (answer, answered) = oneshot::channel();
        self.questions.send((question, answer))?;
        let verdict = answered
            .await
            .map_err(|_| std::io::Error::new(IoKind::ConnectionReset, "policy.example hung up"));
        waits.1 = false;
        Ok(verdict?)
    }
}

/// The service answers by the place. What it is silent about it keeps.
fn service() -> (Service, Arc<Mutex<Vec<String>>>) {
    let (questions, mut asked) = mpsc::unbounded_channel::<Question>();
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&log);
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Some((question, answer)) = asked.recv().await {
            noted.lock().unwrap().push(question.clone());
            let verdict = match question.rsplit(' ').next() {
                Some("test") => Verdict::Allow,
                Some("production") => Verdict::ask("it cannot be taken back"),
                Some("lost") => continue,
                Some("silence") => {
                    kept.push(answer);
                    continue;
                }
                Some("nonsense") => Verdict::Unknown,
                _ => Verdict::deny("the service says no"),
            };
            let _ = answer.send(verdict);
        }
    });
    let dropped = Arc::default();
    (Service { questions, dropped }, log)
}

fn call(tool: &'static str, place: &str) -> ToolCall<'static> {
    ToolCall::new(tool, json!({"place": place}))
}

fn error(outcome: &ToolOutcome) -> (ErrorKind, String) {
    let error = outcome.error().expect("the call ends in an error");
    (error.kind(), error.code().to_owned())
}

fn failed() -> (ErrorKind, String) {
    (ErrorKind::Denied, "permission_check_failed".to_owned())
}

/// The causes, for the log.
fn causes(outcome: &ToolOutcome) -> String {
    let mut cause = outcome.error().and_then(|error| error.source());
    let mut all = Vec::new();
    while let Some(error) = cause {
        all.push(error.to_string());
        cause = error.source();
    }
    all.join(" < ")
}

#[tokio::test]
async fn s3_58_a_checker_that_asks_a_service_decides() {
    let (service, log) = service();
    let executor = Executor::builder(registry())
        .async_permission_checker(service)
        .build()
        .unwrap();
    let session = executor.session("ada");
    assert_eq!(
        session.call(call("ship", "test")).await.text(),
        "shipped to test"
    );
    let denied = session.call(call("ship", "moon")).await;
    assert_eq!(
        denied.text(),
        "`ship` was denied (Deploy to moon): the service says no"
    );
    assert_eq!(*log.lock().unwrap(), ["ada deploy test", "ada deploy moon"]);

    // In all ways that a call can come.
    let together = session
        .turn()
        .call_all([call("ship", "test"), call("ship", "moon")])
        .await;
    let texts: Vec<bool> = together.iter().map(ToolOutcome::is_success).collect();
    assert_eq!(texts, [true, false]);
    assert!(
        session
            .spawn(call("ship", "test"))
            .join()
            .await
            .is_success()
    );
    assert!(
        !session
            .spawn(call("ship", "moon"))
            .join()
            .await
            .is_success()
    );
    assert_eq!(
        session.call(call("order", "test")).await.text(),
        "shipped to test"
    );
    assert!(
        session
            .call(call("order", "moon"))
            .await
            .text()
            .contains("the service says no")
    );
    // Nobody is here to be asked.
    let asks = session.call(call("ship", "production")).await;
    assert_eq!(error(&asks).1, "approval_unavailable");
}

#[tokio::test(start_paused = true)]
async fn s3_58_its_timeout_denies() {
    for (set, limit) in [(None, 5), (Some(2), 2)] {
        let (service, _log) = service();
        let builder = Executor::builder(registry()).async_permission_checker(service.clone());
        let builder = match set {
            Some(seconds) => {
                builder.limits(Limits::new().permission_timeout(Duration::from_secs(seconds)))
            }
            None => builder,
        };
        let session = builder.build().unwrap().session("s");
        let began = tokio::time::Instant::now();
        let outcome = session.call(call("ship", "silence")).await;
        assert_eq!(began.elapsed().as_secs(), limit);
        assert_eq!(error(&outcome), failed());
        assert_eq!(
            outcome.text(),
            "`ship` was denied: the app could not check whether it may run"
        );
        let cause = causes(&outcome);
        assert!(cause.contains(&format!("longer than {limit}s")), "{cause}");
        assert!(cause.contains("Limits::permission_timeout"), "{cause}");
        assert_eq!(service.dropped.load(Ordering::SeqCst), 1);
        // The same for what a body asks.
        assert_eq!(
            session.call(call("look", "silence")).await.text(),
            "Unknown, permission_check_failed"
        );
    }
}

/// Fails in each way that there is.
struct Fails(&'static str);

#[async_trait]
impl AsyncPermissionChecker for Fails {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    async fn check_call(&self, call: &CallView<'_>) -> Result<Verdict, CheckError> {
        match self.0 {
            "panics" => panic!("secret-host:8443 is gone"),
            "panics later" => {
                tokio::task::yield_now().await;
                panic!("secret-host:8443 is gone");
            }
            "errs" => Err(std::io::Error::other("secret-host:8443 is gone").into()),
            "unknown" => Ok(Verdict::Unknown),
            _ => Ok(self.check_tool(call.spec())),
        }
    }

    async fn check_request(
        &self,
        _: &CallView<'_>,
        _: &PermissionRequest,
    ) -> Result<Verdict, CheckError> {
        Ok(Verdict::Allow)
    }
}

#[tokio::test]
async fn s3_58_a_panic_and_a_lost_connection_deny() {
    for how in ["panics", "panics later", "errs", "unknown"] {
        let executor = Executor::builder(registry().with(HandMade::new("plain")))
            .async_permission_checker(Fails(how))
            .build()
            .unwrap();
        let outcome = executor.call("plain", "{}").await;
        assert_eq!(error(&outcome), failed(), "{how}");
        assert_eq!(
            outcome.text(),
            "`plain` was denied: the app could not check whether it may run"
        );
        let cause = causes(&outcome);
        assert_eq!(
            cause.contains("secret-host:8443"),
            how != "unknown",
            "{how}: {cause}"
        );
    }
    let (service, _log) = service();
    let executor = Executor::builder(registry())
        .async_permission_checker(service)
        .build()
        .unwrap();
    let outcome = executor.session("s").call(call("ship", "lost")).await;
    assert_eq!(error(&outcome), failed());
    assert!(
        !outcome.text().contains("policy.example"),
        "{}",
        outcome.text()
    );
    assert_eq!(causes(&outcome), "policy.example hung up");
    let outcome = executor.session("s").call(call("ship", "nonsense")).await;
    assert_eq!(error(&outcome), failed());
}

#[test]
fn s3_58_a_runtime_without_timers_denies() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (service, _log) = service();
        let executor = Executor::builder(registry())
            .async_permission_checker(service)
            .limits(Limits::new().timeout(None))
            .build()
            .unwrap();
        let outcome = executor.session("s").call(call("ship", "silence")).await;
        assert_eq!(error(&outcome), failed());
        assert!(
            causes(&outcome).contains("enable_time"),
            "{}",
            causes(&outcome)
        );
    });
}

#[tokio::test]
async fn s3_58_a_cancelled_call_waits_no_longer() {
    let (service, log) = service();
    let executor = Executor::builder(registry())
        .async_permission_checker(service.clone())
        .build()
        .unwrap();
    let session = executor.session("s");
    for in_body in [false, true] {
        let turn = session.turn();
        let tool = if in_body { "look" } else { "ship" };
        let running = turn.spawn(call(tool, "silence"));
        while log.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        turn.cancel();
        let outcome = running.join().await;
        assert_eq!(error(&outcome).0, ErrorKind::Cancelled, "{in_body}");
        log.lock().unwrap().clear();
    }
    assert_eq!(service.dropped.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn s3_58_who_does_not_wait_is_told_that_nobody_knows() {
    let (service, log) = service();
    let executor = Executor::builder(registry())
        .async_permission_checker(service.clone())
        .build()
        .unwrap();
    let session = executor.session("s");
    for place in ["test", "moon"] {
        let preview = session.preview(&call("ship", place)).unwrap();
        assert_eq!(preview.verdict(), &Verdict::Unknown);
        assert_eq!(preview.requests().len(), 1);
    }
    assert!(log.lock().unwrap().is_empty());
    // No grant makes an allowance of it: the service may deny, and `check` asks it.
    let everything = GrantScope::target("deploy", "moon");
    executor.permissions().grant("s", everything).await.unwrap();
    let looked = session.call(call("look", "moon")).await;
    assert_eq!(looked.text(), "Unknown, denied");
    assert_eq!(
        session.call(call("look", "test")).await.text(),
        "Unknown, allowed"
    );
    assert!(!session.call(call("ship", "moon")).await.is_success());

    let ctx = testing::context().async_permission_checker(service).build();
    assert_eq!(ctx.verdict(&deployment("test")), Verdict::Unknown);
    ctx.check(deployment("test")).await.unwrap();
    assert!(ctx.check(deployment("moon")).await.is_err());
}

#[tokio::test]
async fn s3_58_what_the_service_would_ask_a_person_is_asked_and_a_denial_that_comes_later_holds() {
    struct Changes(Mutex<Verdict>);

    #[async_trait]
    impl AsyncPermissionChecker for Changes {
        fn check_tool(&self, _: &ToolSpec) -> Verdict {
            Verdict::Allow
        }

        async fn check_request(
            &self,
            _: &CallView<'_>,
            _: &PermissionRequest,
        ) -> Result<Verdict, CheckError> {
            tokio::task::yield_now().await;
            Ok(self.0.lock().unwrap().clone())
        }
    }

    let checker = Arc::new(Changes(Mutex::new(Verdict::ask("it is far"))));
    let executor = Executor::builder(registry())
        .async_permission_checker(Arc::clone(&checker))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s");
    for denied_later in [false, true] {
        let outcome = session.call(call("ship", "mars")).await;
        let ticket = Arc::clone(outcome.suspension().expect("it waits").ticket());
        assert_eq!(ticket.requests()[0].why(), Some("it is far"));
        if denied_later {
            *checker.0.lock().unwrap() = Verdict::deny("not any more");
        }
        let outcome = session.resume(&ticket, Answer::yes()).await.unwrap();
        assert_eq!(outcome.is_success(), !denied_later, "{}", outcome.text());
    }
}

/// A session may have such a checker where the executor has none, and the other way round.
#[tokio::test]
async fn s3_58_a_session_may_have_one_of_its_own() {
    let (service, log) = service();
    let executor = Executor::builder(registry())
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    let options = SessionOptions::new().async_permission_checker(Arc::new(service.clone()));
    let own = executor.session_with("ada", options);
    assert!(!own.call(call("ship", "moon")).await.is_success());
    assert!(
        !own.sub_session("below")
            .call(call("ship", "moon"))
            .await
            .is_success()
    );
    assert_eq!(
        *log.lock().unwrap(),
        ["ada deploy moon", "below deploy moon"]
    );
    assert!(
        executor
            .session("bob")
            .call(call("ship", "moon"))
            .await
            .is_success()
    );

    let remote: ExecutorBuilder = Executor::builder(registry()).async_permission_checker(service);
    let executor = remote.build().unwrap();
    let local = SessionOptions::new().permission_checker(toolwright::permission::AllowAll);
    let local = executor.session_with("local", local);
    assert!(local.call(call("ship", "moon")).await.is_success());
}

/// Verdicts that nobody waits for allow nothing, also those of a checker that answers at once.
#[tokio::test]
async fn a_checker_that_answers_unknown_denies() {
    struct Unsure;

    impl PermissionChecker for Unsure {
        fn check_tool(&self, _: &ToolSpec) -> Verdict {
            Verdict::Unknown
        }

        fn check_request(&self, _: &CallView<'_>, _: &PermissionRequest) -> Verdict {
            Verdict::Unknown
        }
    }

    let executor = Executor::builder(registry().with(HandMade::new("plain")))
        .permission_checker(Unsure)
        .build()
        .unwrap();
    assert_eq!(error(&executor.call("plain", "{}").await), failed());
    let session = executor.session("s");
    assert_eq!(error(&session.call(call("ship", "test")).await), failed());
    let kind = session.call(call("ship", "test")).await;
    assert_eq!(kind.error().map(ToolError::kind), Some(ErrorKind::Denied));
}
