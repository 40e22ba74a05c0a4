//! The checker of a session says what grants and refusals cover; one around a policy that forwards neither
//! question covers less, and lets nothing run that the policy refuses.

use std::error::Error;
use std::sync::Arc;

use toolwright::executor::SessionOptions;
use toolwright::permission::{
    AsyncPermissionChecker, CallView, CommandAccess, Coverage, GrantQuery, IntoRequests,
    PermissionChecker, Verdict,
};
use toolwright::ticket::{GrantLevel, GrantScope, Requester};
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, Session, ToolCall, ToolName, ToolRegistry,
    ToolSpec, async_trait, tool,
};
use toolwright_policy::{DefaultDecision, PermissionPolicy};

/// Say what a shell would run.
#[tool(name = "shell.run", register = false, permission = CommandAccess::shell(line).in_directory("/"))]
fn run(line: String) -> String {
    line
}

fn policy() -> PermissionPolicy {
    let policy = PermissionPolicy::builder("/").default_verdict(DefaultDecision::Ask);
    policy.build().unwrap()
}

/// A checker around a policy.
struct Around {
    policy: PermissionPolicy,
    forwards: bool,
}

impl Around {
    fn new(forwards: bool) -> Self {
        Self {
            policy: policy(),
            forwards,
        }
    }
}

impl PermissionChecker for Around {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        self.policy.check_tool(tool)
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        self.policy.check_request(call, request)
    }

    fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        if self.forwards {
            self.policy.grant_covers(grants, query)
        } else {
            query.covered_by(grants)
        }
    }

    fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        if self.forwards {
            self.policy.refusal_covers(refusal, query)
        } else {
            query.refused_by(refusal)
        }
    }
}

/// The same, as a service would answer.
struct Service(Around);

#[async_trait]
impl AsyncPermissionChecker for Service {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    async fn check_request(
        &self,
        call: &CallView<'_>,
        request: &PermissionRequest,
    ) -> Result<Verdict, Box<dyn Error + Send + Sync>> {
        Ok(self.0.check_request(call, request))
    }

    fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        self.0.grant_covers(grants, query)
    }

    fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        self.0.refusal_covers(refusal, query)
    }
}

fn builder() -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Run))
}

/// The end of a call with a line: it runs, asks or is refused.
async fn ends(session: &Session, line: &str) -> String {
    let arguments = serde_json::json!({ "line": line });
    let outcome = session.call(ToolCall::new("shell.run", arguments)).await;
    let code = outcome.error().map(|error| error.code().to_owned());
    match code.as_deref() {
        None => "runs".to_owned(),
        Some("approval_unavailable") => "asks".to_owned(),
        Some("denied_by_user") => "refused".to_owned(),
        Some(other) => other.to_owned(),
    }
}

/// Grants `git log`, and then refuses `rm` among all commands: how calls end, before the refusal and after.
async fn all_ends(builder: ExecutorBuilder) -> [String; 6] {
    let executor = builder.build().unwrap();
    let session = executor.session("s");
    let permissions = executor.permissions();
    let log = GrantScope::command(["git", "log"]);
    permissions.grant("s", log).await.unwrap();
    let granted = ends(&session, "git log -3 | git log").await;
    let beyond = ends(&session, "git log; ls").await;
    permissions
        .grant("s", GrantScope::kind("command.run"))
        .await
        .unwrap();
    let kind = ends(&session, "ls").await;
    let rm = permissions
        .grant("s", GrantScope::command(["rm"]))
        .level(GrantLevel::Deny);
    rm.await.unwrap();
    let other = ends(&session, "ls").await;
    let refused = ends(&session, "sudo rm x").await;
    let unknown = ends(&session, "$X").await;
    [granted, beyond, kind, other, refused, unknown]
}

#[tokio::test]
async fn arcs_and_checkers_that_forward_say_what_the_policy_says() {
    let full = ["runs", "asks", "runs", "runs", "refused", "asks"];
    let shared: Arc<dyn PermissionChecker> = Arc::new(policy());
    for builder in [
        builder().permission_checker(policy()),
        builder().permission_checker(Arc::new(policy())),
        builder().permission_checker(Arc::new(shared)),
        builder().permission_checker(Around::new(true)),
        builder().async_permission_checker(Service(Around::new(true))),
        builder().async_permission_checker(Arc::new(Service(Around::new(true)))),
    ] {
        assert_eq!(all_ends(builder).await, full);
    }
}

#[tokio::test]
async fn a_checker_that_forwards_neither_covers_less_and_refuses_no_less() {
    let plain = ["asks", "asks", "runs", "asks", "asks", "asks"];
    for builder in [
        builder().permission_checker(Around::new(false)),
        builder().async_permission_checker(Service(Around::new(false))),
    ] {
        assert_eq!(all_ends(builder).await, plain);
    }
}

#[tokio::test]
async fn the_checker_of_a_session_says_what_its_grants_cover() {
    let executor = builder()
        .permission_checker(Around::new(false))
        .build()
        .unwrap();
    let with_policy = SessionOptions::new().permission_checker(policy());
    let own = executor.session_with("own", with_policy);
    let below = own.sub_session("below");
    let plain = executor.session("plain");
    let permissions = executor.permissions();
    for session in ["own", "plain"] {
        let log = GrantScope::command(["git", "log"]);
        permissions.grant(session, log).await.unwrap();
    }
    assert_eq!(ends(&own, "git log -3").await, "runs");
    assert_eq!(ends(&below, "git log -3").await, "runs");
    assert_eq!(ends(&plain, "git log -3").await, "asks");

    // Readers of grants from elsewhere go by the same checkers.
    let line = CommandAccess::shell("git log -3").in_directory("/");
    let request = line.into_requests().unwrap().remove(0);
    let is_granted = async |session: &Session| {
        let tool = ToolName::new("shell.run").unwrap();
        let by = Requester::new(tool, session.id().clone(), session.turn().id());
        permissions.is_granted(by, &request).await.unwrap()
    };
    assert!(is_granted(&own).await);
    assert!(is_granted(&below).await);
    assert!(!is_granted(&plain).await);
    // A session that is opened again without one has the executor's.
    drop((own, below));
    assert!(!is_granted(&executor.session("own")).await);
}
