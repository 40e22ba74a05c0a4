//! Helpers that the tests of waiting share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use toolwright::executor::{Approvals, WaitMode};
use toolwright::outcome::Suspension;
use toolwright::ticket::{
    MemoryTickets, OpenTicket, Ticket, TicketBroker, TicketEvent, TicketEvents, TicketFilter,
    TicketKey,
};
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, Session, ToolCall, ToolContext, ToolError,
    ToolOutcome, ToolRegistry, tool,
};

/// The number of times that the tools ran.
#[derive(Default)]
pub(crate) struct Runs(AtomicU32);

impl Runs {
    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }

    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Deploy to a place.
#[tool(register = false, permission = deployment(place))]
pub(crate) async fn deploy(
    place: String,
    #[arg(secret)] token: Option<String>,
    runs: &Arc<Runs>,
) -> String {
    runs.add();
    match token {
        Some(token) => format!("deployed to {place} with {token}"),
        None => format!("deployed to {place}"),
    }
}

pub(crate) fn deployment(place: &str) -> PermissionRequest {
    PermissionRequest::new("deploy", place, format!("Deploy to {place}"))
}

/// Deploy to many places.
#[tool(register = false, permission = places.iter().map(|place| deployment(place)).collect::<Vec<_>>())]
pub(crate) async fn deploy_all(places: Vec<String>, runs: &Arc<Runs>) -> String {
    runs.add();
    format!("deployed to {}", places.join(", "))
}

/// Open a door, and then the next one.
#[tool(register = false, read_only)]
pub(crate) async fn doors(
    names: Vec<String>,
    ctx: &ToolContext,
    runs: &Arc<Runs>,
) -> Result<String, ToolError> {
    runs.add();
    for name in &names {
        ctx.check(door(name)).await?;
    }
    Ok(format!("opened {}", names.join(", ")))
}

pub(crate) fn door(name: &str) -> PermissionRequest {
    PermissionRequest::new("door.open", name, format!("Open {name}"))
}

/// Count to a number.
#[tool(register = false, pure)]
pub(crate) fn count_to(n: u32) -> u32 {
    n
}

pub(crate) fn key() -> TicketKey {
    TicketKey::from_bytes([7; 32])
}

pub(crate) fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Deploy)
        .with(DeployAll)
        .with(Doors)
        .with(CountTo)
}

pub(crate) struct Host {
    pub(crate) executor: Executor,
    pub(crate) runs: Arc<Runs>,
    pub(crate) session: Session,
}

impl Host {
    pub(crate) fn new(mode: WaitMode) -> Self {
        Self::with(mode, |builder| builder)
    }

    pub(crate) fn with(
        mode: WaitMode,
        set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
    ) -> Self {
        Self::of(registry(), mode, set)
    }

    /// With other tools.
    pub(crate) fn of(
        registry: ToolRegistry,
        mode: WaitMode,
        set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
    ) -> Self {
        let runs = Arc::new(Runs::default());
        let builder = Executor::builder(registry)
            .resource(Arc::clone(&runs))
            .permission_checker(Asks)
            .approvals(mode);
        let executor = set(builder).build().unwrap();
        let session = executor.session("s-1");
        Self {
            executor,
            runs,
            session,
        }
    }

    /// A process with that key and store.
    pub(crate) fn process(store: &MemoryTickets) -> Self {
        Self::with(WaitMode::Suspending, |builder| {
            builder.approvals(
                Approvals::new()
                    .ticket_store(store.clone())
                    .ticket_key(key()),
            )
        })
    }

    pub(crate) fn tickets(&self) -> &TicketBroker {
        self.executor.tickets()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> ToolOutcome {
        self.session.call(ToolCall::new(tool, arguments)).await
    }

    /// A call that is suspended.
    pub(crate) async fn suspended(&self, tool: &str, arguments: &str) -> Suspension {
        interrupted(self.call(tool, arguments).await)
    }

    pub(crate) fn spawn(
        &self,
        tool: &'static str,
        arguments: &'static str,
    ) -> tokio::task::JoinHandle<ToolOutcome> {
        let session = self.session.clone();
        tokio::spawn(async move { session.call(ToolCall::new(tool, arguments)).await })
    }

    pub(crate) async fn open(&self) -> Vec<OpenTicket> {
        self.tickets().list(&TicketFilter::all()).await.unwrap()
    }
}

/// Asks about deployments and doors, and denies the vault.
pub(crate) struct Asks;

impl toolwright::permission::PermissionChecker for Asks {
    fn check_tool(&self, _tool: &toolwright::ToolSpec) -> toolwright::permission::Verdict {
        toolwright::permission::Verdict::Allow
    }

    fn check_request(
        &self,
        _call: &toolwright::permission::CallView<'_>,
        request: &PermissionRequest,
    ) -> toolwright::permission::Verdict {
        match request.target() {
            "the vault" => toolwright::permission::Verdict::deny("nobody enters the vault"),
            "the hall" => toolwright::permission::Verdict::Allow,
            _ => toolwright::permission::Verdict::ask("it cannot be taken back"),
        }
    }
}

pub(crate) fn interrupted(outcome: ToolOutcome) -> Suspension {
    match outcome {
        ToolOutcome::Suspended(suspension) => suspension,
        other => panic!("not interrupted: {other:?}"),
    }
}

/// The tickets of the next prompt.
pub(crate) async fn opened(events: &mut TicketEvents) -> Vec<Arc<Ticket>> {
    loop {
        if let TicketEvent::Opened(tickets) = events.recv().await.expect("the broker is there") {
            return tickets;
        }
    }
}
