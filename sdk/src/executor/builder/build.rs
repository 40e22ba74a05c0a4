//! From the settings of a builder to an executor.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::context::{EnvironmentSettings, EnvironmentSource};
use crate::event::Events;
use crate::executor::arguments::read::ReadLimits;
use crate::executor::build_error::{BuildError, BuildProblem};
use crate::executor::builder::ExecutorBuilder;
use crate::executor::catalog::builder::CatalogBuilder;
use crate::executor::catalog::session_checker::SessionCheckers;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::{Catalogs, LatestTools};
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::{ExecutorCore, NestedCalls, SessionBase};
use crate::executor::executor::Executor;
use crate::executor::people::mode::WaitMode;
use crate::executor::people::service::{ApprovalService, TicketRules};
use crate::executor::people::unheard;
use crate::permission::GrantCheckers;
use crate::schedule::DeadlineQueue;
use crate::ticket::{
    BrokerSettings, GuardedTickets, MemoryTickets, TicketBroker, TicketKey, TicketStore,
};
use crate::util::lock::Lock;

impl ExecutorBuilder {
    /// Builds the executor.
    ///
    /// # Errors
    ///
    /// Fails if a tool could not be made or registered, needs a resource that was not added, declares a bound that
    /// this executor cannot enforce, or has an input schema that nothing enforces; if a grant is no valid grant; and
    /// if the permission checker has a problem with these tools. The error lists all problems.
    pub fn build(self) -> Result<Executor, BuildError> {
        let Self {
            registry,
            interactions,
            approvals,
            mut problems,
            resources,
            session_resources,
            judge,
            timeout,
            reading,
            measures_time,
            grants,
            invalid_grants,
            mode,
            broker,
            store,
            key,
            lifetime,
            store_timeout,
            cancel_grace,
            slots,
            hooks,
            excess,
            output_check,
            max_call_depth,
            sinks,
            trace,
            recorder,
            gates,
            sub_rules,
            environment,
        } = self;
        let judge = Arc::new(judge);
        let excess = excess.with_reader(store_timeout);
        let has_slots = !slots.is_empty();
        let planner = CatalogBuilder {
            judge: Arc::clone(&judge),
            resources: Arc::new(resources),
            session_resources,
            grants,
            timeout,
            slots,
            excess: excess.clone(),
            output_check,
        };
        let whole = planner.catalog(registry, &mut problems);
        planner.find_limited(&whole, &mut problems);
        problems.extend(invalid_grants.into_iter().map(BuildProblem::InvalidGrant));
        let (key, environment) = random_unless(problems, key, environment)?;
        let environment = environment.noting(recorder.is_some());
        let catalogs = Catalogs::new(whole, gates);
        let events = Events::new(sinks);
        let rules = (key, reading, catalogs.latest(), approvals.judged_by(&judge));
        let store = store.map(|store| Arc::new(GuardedTickets::new(store, store_timeout)) as _);
        let people = people((mode, lifetime), (broker, store), rules, events.clone());
        let prefix = prefix();
        let shared = Arc::new_cyclic(|shared: &Weak<ExecutorCore>| {
            let base = SessionBase {
                specs: Arc::<Catalog>::clone(&catalogs.first),
                judge,
                resources: Arc::clone(&planner.resources),
                people: Arc::new(people),
                store_timeout,
                deadlines: Arc::new(DeadlineQueue::new(cancel_grace)),
                sub_rules,
                events,
                trace,
                states: Arc::default(),
                environment,
                recorder,
                calls: Arc::new(NestedCalls {
                    shared: Weak::clone(shared),
                    source: None,
                }),
            };
            ExecutorCore {
                catalogs,
                planner,
                default_session: SessionCore::of_all(prefix, &base),
                interactions,
                approvals,
                reading,
                measures_time,
                held_threads: Lock::default(),
                watched: base.is_told() || base.is_recorded() || !hooks.is_empty() || has_slots,
                hooks,
                excess,
                prefix,
                sessions: AtomicU64::new(1),
                checkers: SessionCheckers::default(),
                max_call_depth,
                base,
            }
        });
        Ok(Executor { shared })
    }
}

/// Makes the service that asks people, and installs its broker.
fn people(
    (mode, lifetime): (WaitMode, Duration),
    (broker, store): (TicketBroker, Option<Arc<dyn TicketStore>>),
    (key, reading, latest, checkers): (
        TicketKey,
        ReadLimits,
        &Arc<LatestTools>,
        &Arc<GrantCheckers>,
    ),
    events: Events,
) -> ApprovalService {
    let rules = Arc::new(TicketRules {
        latest: Arc::clone(latest),
        key,
        reading,
        checkers: Arc::clone(checkers),
    });
    let is_own_store = store.is_none();
    let store = store.unwrap_or_else(|| Arc::new(MemoryTickets::new()));
    let of_tools: Weak<TicketRules> = Arc::downgrade(&rules);
    let settings = BrokerSettings::new(store, rules.key.clone(), lifetime, of_tools);
    let settings = settings
        .attended(mode != WaitMode::Unattended)
        .unheard(move |ticket| unheard::report(&events, ticket));
    broker.install(settings);
    ApprovalService {
        broker,
        mode,
        rules,
        is_own_store,
    }
}

/// The key to sign tickets with, and where the world comes from, unless something is wrong.
fn random_unless(
    mut problems: Vec<BuildProblem>,
    key: Option<TicketKey>,
    environment: EnvironmentSettings,
) -> Result<(TicketKey, EnvironmentSource), BuildError> {
    let key = key.map_or_else(TicketKey::random, Ok);
    let key = key.map_err(|error| problems.push(BuildProblem::NoTicketKey(error.to_string())));
    let real = EnvironmentSource::real();
    let real = real.map_err(|error| problems.push(BuildProblem::NoRandomness(error.to_string())));
    match (key, real) {
        (Ok(key), Ok(real)) if problems.is_empty() => Ok((key, real.with(environment))),
        _ => Err(BuildError::new(problems)),
    }
}

/// Ids must differ, not be secret: the hasher's random keys are enough.
fn prefix() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
