//! From the settings of a builder to an executor.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::context::{EnvironmentSettings, EnvironmentSource};
use crate::event::Events;
use crate::executor::build_error::{BuildError, BuildProblem};
use crate::executor::builder::ExecutorBuilder;
use crate::executor::catalog::builder::Placement;
use crate::executor::catalog::session_checker::SessionCheckers;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::Catalogs;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::{ExecutorCore, NestedCalls, SessionBase, Watched};
use crate::executor::executor::Executor;
use crate::executor::people::mode::WaitMode;
use crate::executor::people::service::{ApprovalService, TicketRules};
use crate::executor::people::unheard;
use crate::schedule::{CoarseTimers, DeadlineQueue};
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
        let mut planner = self.planner;
        planner.excess = planner.excess.with_reader(self.store_timeout);
        let has_slots = !planner.slots.is_empty();
        let mut problems = self.problems;
        let whole = planner.catalog(self.registry, &mut problems);
        planner.find_limited(&whole, &mut problems);
        let invalid_grants = self.invalid_grants.into_iter();
        problems.extend(invalid_grants.map(BuildProblem::InvalidGrant));
        let (key, environment) = random_unless(problems, self.key, self.environment)?;
        if let Placement::Dispatched(placer) = &planner.placement {
            placer.sign_with(&key);
        }
        let catalogs = Catalogs::new(whole, self.gates);
        let event_numbers = Arc::new(AtomicU64::new(1));
        let events = Events::new(self.sinks, &event_numbers);
        let rules = TicketRules {
            latest: Arc::clone(catalogs.latest()),
            key,
            reading: self.reading,
            checkers: Arc::clone(self.approvals.judged_by(&planner.judge)),
        };
        let store = self.store.map(|store| {
            let guarded = GuardedTickets::new(store, self.store_timeout);
            Arc::new(guarded) as Arc<dyn TicketStore>
        });
        let waiting = (self.mode, self.lifetime);
        let people = people(waiting, (self.broker, store), rules, events.clone());
        let prefix = prefix();
        let shared = Arc::new_cyclic(|shared: &Weak<ExecutorCore>| {
            let base = SessionBase {
                specs: Arc::<Catalog>::clone(&catalogs.first),
                judge: Arc::clone(&planner.judge),
                resources: Arc::clone(&planner.resources),
                people: Arc::new(people),
                store_timeout: self.store_timeout,
                deadlines: Arc::new(DeadlineQueue::new(self.cancel_grace)),
                sub_rules: self.sub_rules,
                events,
                event_numbers,
                trace: self.trace,
                states: Arc::default(),
                environment: environment.noting(self.recorder.is_some()),
                recorder: self.recorder,
                calls: Arc::new(NestedCalls {
                    shared: Weak::clone(shared),
                    source: None,
                }),
            };
            ExecutorCore {
                catalogs,
                planner,
                default_session: SessionCore::of_all(prefix, &base),
                interactions: self.interactions,
                approvals: self.approvals,
                reading: self.reading,
                measures_time: self.measures_time,
                held_threads: Lock::default(),
                timers: CoarseTimers::default(),
                is_traced: base.trace.is_some(),
                watched: if self.hooks.look_before() || has_slots || base.is_recorded() {
                    Watched::All
                } else if base.events.is_listening() || !self.hooks.after.is_empty() {
                    Watched::Seen
                } else {
                    Watched::No
                },
                hooks: self.hooks,
                prefix,
                sessions: AtomicU64::new(1),
                checkers: SessionCheckers::default(),
                max_call_depth: self.max_call_depth,
                base,
            }
        });
        Ok(Executor { shared })
    }
}

/// The way to the people who answer.
fn people(
    (mode, lifetime): (WaitMode, Duration),
    (broker, store): (TicketBroker, Option<Arc<dyn TicketStore>>),
    rules: TicketRules,
    events: Events,
) -> ApprovalService {
    let rules = Arc::new(rules);
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
