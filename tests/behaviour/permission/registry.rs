//! The registry of permissions, by a tool that was made with it.

use std::sync::Arc;

use tokio::task::JoinHandle;
use toolwright::executor::WaitMode;
use toolwright::permission::PermissionRegistry;
use toolwright::ticket::{Answer, GrantScope, TicketEvents, TicketFilter, TrustOption};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry,
    toolset,
};

use crate::waiting_support::{Runs, opened};

/// Publishes pages, once somebody has allowed it.
struct Pages {
    permissions: PermissionRegistry,
    runs: Arc<Runs>,
}

#[toolset]
impl Pages {
    /// Publish a page.
    #[tool(read_only)]
    async fn publish(
        &self,
        page: String,
        draft: bool,
        ctx: &ToolContext,
    ) -> Result<String, ToolError> {
        let request = PermissionRequest::new("publish", &*page, format!("Publish {page}"))
            .with_detail("draft", draft)
            .with_trust_option(TrustOption::new("this page", covered(&page)));
        self.with(request, ctx).await?;
        Ok(format!("published {page}"))
    }

    /// Remove a page.
    #[tool(read_only)]
    async fn remove(&self, page: String, ctx: &ToolContext) -> Result<String, ToolError> {
        let request = PermissionRequest::new("remove", &*page, format!("Remove {page}"));
        self.with(request, ctx).await?;
        Ok(format!("removed {page}"))
    }
}

fn covered(page: &str) -> GrantScope {
    GrantScope::target("publish", page)
}

impl Pages {
    async fn with(&self, request: PermissionRequest, ctx: &ToolContext) -> Result<(), ToolError> {
        if !self.permissions.is_granted(ctx, &request).await? {
            let asked = self.permissions.register(ctx, request).await?;
            if asked.recv().await?.is_refusal() {
                return Err(ToolError::denied("permission denied"));
            }
        }
        self.runs.add();
        Ok(())
    }
}

struct Site {
    executor: Executor,
    runs: Arc<Runs>,
    events: TicketEvents,
}

impl Site {
    fn new() -> Self {
        let runs = Arc::new(Runs::default());
        let of_tool = Arc::clone(&runs);
        let executor = Executor::builder(ToolRegistry::new())
            .approvals(WaitMode::Blocking)
            .register_tools(|registries| {
                Ok(ToolRegistry::new().with_set(Pages {
                    permissions: registries.permissions.clone(),
                    runs: of_tool,
                }))
            })
            .build()
            .unwrap();
        let events = executor.tickets().subscribe();
        Self {
            executor,
            runs,
            events,
        }
    }

    fn call(&self, session: &str, tool: &str, arguments: &str) -> JoinHandle<ToolOutcome> {
        let session = self.executor.session(session);
        let call = ToolCall::new(tool, arguments).into_owned();
        tokio::spawn(async move { session.call(call).await })
    }

    /// The call asks, and gets that answer.
    async fn answered(&mut self, call: JoinHandle<ToolOutcome>, answer: Answer) -> ToolOutcome {
        let ticket = opened(&mut self.events).await.remove(0);
        let permissions = self.executor.permissions();
        permissions.respond(ticket.id(), 0, answer).await.unwrap();
        call.await.unwrap()
    }

    /// Nobody was asked since the last answer.
    fn nobody_was_asked(&mut self) -> bool {
        std::iter::from_fn(|| self.events.try_recv())
            .all(|event| !matches!(event, toolwright::ticket::TicketEvent::Opened(_)))
    }
}

const HOME: &str = r#"{"page": "home", "draft": false}"#;

#[tokio::test]
async fn s2_25_the_registry_has_what_is_asked_and_what_was_granted() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    let ticket = opened(&mut site.events).await.remove(0);
    let permissions = site.executor.permissions();
    let pending = permissions
        .pending(&TicketFilter::session("s-1"))
        .await
        .unwrap();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].asks()[0].request().summary(), "Publish home");
    assert!(permissions.list("s-1").await.unwrap().is_empty());
    let covers = pending[0].asks()[0].trust_options()[0].covers().clone();
    let always = Answer::always(covers);
    permissions.respond(ticket.id(), 0, always).await.unwrap();
    assert!(call.await.unwrap().is_success());
    assert!(
        permissions
            .pending(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
    let granted = permissions.list("s-1").await.unwrap();
    assert_eq!(granted.len(), 1);
    assert_eq!(granted[0].covers(), &covered("home"));
}

#[tokio::test]
async fn s2_26_what_was_granted_for_the_session_asks_nobody() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    site.answered(call, Answer::always(covered("home"))).await;
    let outcome = site.call("s-1", "publish", HOME).await.unwrap();
    assert_eq!(outcome.text(), "published home");
    assert!(site.nobody_was_asked());
}

#[tokio::test]
async fn s2_27_what_was_not_granted_is_told_to_the_host_and_the_tool_waits() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    let ticket = opened(&mut site.events).await.remove(0);
    assert_eq!(ticket.summary(), "Publish home");
    assert_eq!(ticket.session().as_str(), "s-1");
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!call.is_finished());
    assert_eq!(site.runs.count(), 0);
    site.executor.tickets().cancel(ticket.id()).await.unwrap();
    assert!(!call.await.unwrap().is_success());
}

#[tokio::test]
async fn s2_28_granted_the_body_goes_on_once() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    let outcome = site.answered(call, Answer::yes()).await;
    assert_eq!(outcome.text(), "published home");
    assert_eq!(site.runs.count(), 1);
}

#[tokio::test]
async fn s2_29_denied_the_model_reads_it_and_nothing_runs() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    let outcome = site.answered(call, Answer::no()).await;
    assert_eq!(outcome.text(), "permission denied");
    assert!(outcome.result().is_error());
    assert_eq!(site.runs.count(), 0);
}

#[tokio::test]
async fn s2_30_an_answer_for_the_session_is_kept() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    site.answered(call, Answer::always(covered("home"))).await;
    for _ in 0..5 {
        assert!(
            site.call("s-1", "publish", HOME)
                .await
                .unwrap()
                .is_success()
        );
    }
    assert!(site.nobody_was_asked());
    assert_eq!(site.runs.count(), 6);
}

#[tokio::test]
async fn s2_31_like_requests_are_covered_and_others_ask() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    site.answered(call, Answer::always(covered("home"))).await;
    let alike = r#"{"page": "home", "draft": true}"#;
    assert!(
        site.call("s-1", "publish", alike)
            .await
            .unwrap()
            .is_success()
    );
    assert!(site.nobody_was_asked());
    let other_kind = site.call("s-1", "remove", r#"{"page": "home"}"#);
    assert!(!site.answered(other_kind, Answer::no()).await.is_success());
    let other_page = site.call("s-1", "publish", r#"{"page": "imprint", "draft": false}"#);
    assert!(!site.answered(other_page, Answer::no()).await.is_success());
}

#[tokio::test]
async fn s2_32_an_answer_for_once_is_not_kept() {
    let mut site = Site::new();
    for answer in [Answer::yes(), Answer::no(), Answer::yes()] {
        let call = site.call("s-1", "publish", HOME);
        // It would hang here if nobody were asked.
        site.answered(call, answer).await;
    }
    assert_eq!(site.runs.count(), 2);
    assert!(
        site.executor
            .permissions()
            .list("s-1")
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn s2_33_what_is_granted_in_one_session_is_asked_in_another() {
    let mut site = Site::new();
    let call = site.call("s-1", "publish", HOME);
    site.answered(call, Answer::always(covered("home"))).await;
    let other = site.call("s-2", "publish", HOME);
    let outcome = site.answered(other, Answer::no()).await;
    assert_eq!(outcome.text(), "permission denied");
    assert_eq!(site.runs.count(), 1);
}
