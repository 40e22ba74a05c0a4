//! Calls that a dispatcher hands over, as an app uses it.

mod approvals;
mod observed;
mod placement;
mod recovered;
mod refused;
mod relay;
mod stopped;
mod unreliable;

use std::sync::Arc;

use toolwright::dispatch::Dispatcher;
use toolwright::executor::{Approvals, LocalDispatcher, ToolHost, WaitMode};
use toolwright::permission::AllowAll;
use toolwright::ticket::TicketKey;
use toolwright::{Executor, ExecutorBuilder, PermissionRequest, ToolRegistry, tool};

use crate::waiting_support::{Runs, key};

/// Render a scene.
#[tool(
    register = false,
    pool = "gpu",
    permission = PermissionRequest::new("render", scene, format!("Render {scene}"))
)]
pub(super) async fn render(
    scene: String,
    #[arg(secret)] licence: Option<String>,
    runs: &Arc<Runs>,
) -> String {
    runs.add();
    match licence {
        Some(licence) => format!("rendered {scene} with {licence}"),
        None => format!("rendered {scene}"),
    }
}

/// Measure a scene.
#[tool(register = false, idempotent, pool = "gpu")]
pub(super) async fn measure(runs: &Arc<Runs>) -> &'static str {
    runs.add();
    "measured"
}

pub(super) fn registry() -> ToolRegistry {
    ToolRegistry::new().with(Render).with(Measure)
}

/// The executor of a host, which has what the bodies need.
pub(super) fn host(
    runs: &Arc<Runs>,
    registry: ToolRegistry,
    set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
) -> ToolHost {
    host_with(key(), runs, registry, set)
}

pub(super) fn host_with(
    key: TicketKey,
    runs: &Arc<Runs>,
    registry: ToolRegistry,
    set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
) -> ToolHost {
    let builder = Executor::builder(registry)
        .resource(Arc::clone(runs))
        .permission_checker(AllowAll)
        .approvals(Approvals::new().ticket_key(key))
        .hosts_pools();
    ToolHost::new(&set(builder).build().unwrap())
}

/// The executor of an app, without what the bodies need.
pub(super) fn app(
    dispatcher: impl Dispatcher,
    registry: ToolRegistry,
    set: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
) -> Executor {
    let approvals = Approvals::new()
        .ticket_key(key())
        .waiting(WaitMode::Suspending);
    let builder = Executor::builder(registry)
        .permission_checker(AllowAll)
        .approvals(approvals)
        .dispatcher(dispatcher);
    set(builder).build().unwrap()
}

/// A host of the tools in this process.
pub(super) fn local(runs: &Arc<Runs>) -> LocalDispatcher {
    LocalDispatcher::new(host(runs, registry(), |builder| builder))
}
