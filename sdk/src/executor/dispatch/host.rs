//! The host of dispatched calls: the one place where their bodies run.

use std::fmt;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use tokio_util::sync::CancellationToken;

use crate::arguments::Arguments;
use crate::content::ToolResult;
use crate::context::CallTurn;
use crate::dispatch::{CallClaims, DispatchError, DispatchedCall};
use crate::event::EventCall;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::core::handles::Session;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::executor::Executor;
use crate::executor::observe::observer::CallObserver;
use crate::executor::options::SessionOptions;
use crate::executor::people::service::definition_digest;

/// Runs [dispatched calls](DispatchedCall) in this process: a [`Dispatcher`](crate::dispatch::Dispatcher) brings them
/// here.
///
/// The executor of a host has the tools and the [`ticket_key`](crate::executor::Approvals::ticket_key) of those that
/// dispatch, and is built with [`hosts_pools`](crate::ExecutorBuilder::hosts_pools). A call is judged again: what its
/// permission checker, its gates and its grants deny does not run. Nobody is asked again, because the call was allowed,
/// and approved where it had to be, before it was dispatched. Its hooks see the call, and its recorder records it.
///
/// Cloning is cheap; all clones are one host.
///
/// ```
/// use toolwright::dispatch::{DispatchOutcome, Dispatcher};
/// use toolwright::executor::{Approvals, LocalDispatcher, ToolHost};
/// use toolwright::ticket::TicketKey;
/// use toolwright::{Executor, ToolRegistry, tool};
///
/// /// Render a scene.
/// #[tool(pool = "gpu")]
/// async fn render(scene: String) -> String {
///     format!("rendered {scene}")
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let tools = || ToolRegistry::new().with(Render);
/// let key = Approvals::new().ticket_key(TicketKey::from_bytes([7; 32]));
/// let policy = toolwright::permission::AllowAll;
/// let host = Executor::builder(tools())
///     .approvals(key.clone())
///     .permission_checker(policy)
///     .hosts_pools()
///     .build()?;
/// let executor = Executor::builder(tools())
///     .approvals(key)
///     .permission_checker(policy)
///     .dispatcher(LocalDispatcher::new(ToolHost::new(&host)))
///     .build()?;
/// let outcome = executor.call("render", r#"{"scene": "a beach"}"#).await;
/// assert_eq!(outcome.text(), "rendered a beach");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ToolHost {
    executor: Executor,
}

impl ToolHost {
    /// Runs calls with an executor.
    pub fn new(executor: &Executor) -> Self {
        Self {
            executor: executor.clone(),
        }
    }

    /// Runs a call to its end, whatever that is: the result tells of errors and denials too. The cancellation of the
    /// token cancels the call.
    ///
    /// Whoever has a call that is [not repeatable](crate::dispatch::CallDefinition::is_repeatable) calls this once.
    /// Dropping the future drops the body where it stands.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Refused`] if the body has not run and cannot run here: the call is not signed with the key of
    /// this executor, its time is over, or the tool is not here or has another definition.
    pub async fn execute(
        &self,
        call: &DispatchedCall,
        cancellation: &CancellationToken,
    ) -> Result<ToolResult, DispatchError> {
        let shared = &self.executor.shared;
        let claims = call.verify(&shared.base.people.rules.key)?;
        if claims
            .deadline
            .is_some_and(|deadline| deadline <= SystemTime::now())
        {
            return Err(DispatchError::refused("its time is over"));
        }
        let session = Session::open(shared, claims.session.clone(), SessionOptions::new(), None);
        let turn = session.turn();
        let site = CallSite {
            turn_id: claims.turn,
            ..turn.place_of(CallTurn::Scope(&turn.scope), claims.invocation)
        };
        let state = hosted(shared, &site, claims)?;
        let running = state.drive(Stage::StartAnew { allowed: true });
        let mut running = std::pin::pin!(running);
        let ended = cancellation.run_until_cancelled(&mut running).await;
        let outcome = if let Some(outcome) = ended {
            outcome
        } else {
            turn.cancel();
            running.await
        };
        Ok(outcome.into_result())
    }
}

/// A call that was judged where it was made, as it goes on here.
fn hosted(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    claims: &CallClaims,
) -> Result<Box<CallState>, DispatchError> {
    let name = claims.tool.as_str();
    let definition = &claims.definition;
    let found = site
        .catalog
        .snapshot
        .find_version(name, definition.version.as_deref());
    let Some((number, entry)) = found else {
        let reason = match definition.version.as_deref() {
            Some(version) if site.catalog.snapshot.find(name).is_some() => {
                format!("its host has no tool `{name}` of the version `{version}`")
            }
            _ => format!("its host has no tool `{name}`"),
        };
        return Err(DispatchError::refused(reason));
    };
    let digest = definition_digest(&shared.base.people.rules.key, entry.tool.spec());
    if digest.as_ref() != Some(&definition.digest) {
        let reason = format!("its host has another definition of the tool `{name}`");
        return Err(DispatchError::refused(reason));
    }
    let identity = site.identity(claims.call_id.clone(), entry.name.label());
    let begun = shared.measures_time.then(Instant::now);
    let mut state = CallState::new(shared, site, identity, begun, number, ReadNotes::default());
    state.arguments = Arguments::from(claims.arguments.clone());
    state.metadata = claims.metadata.clone().map(Arc::new);
    state.environment = site.session.environment.of_call(claims.invocation, None);
    state.passed = true;
    state.is_hosted = true;
    state.recorder = state.recorder_of(None);
    state.observer = CallObserver::is_due(shared, &state.session).then(|| {
        let event = EventCall::new(state.identity.clone(), state.entry().version());
        let entry = Some(state.entry());
        let mut observer = CallObserver::begin(shared, &state.session, entry, event);
        observer.request();
        Box::new(observer)
    });
    Ok(state)
}

impl fmt::Debug for ToolHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolHost").finish_non_exhaustive()
    }
}
