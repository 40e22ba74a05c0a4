//! Setting up an executor, and what keeps one from being built.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::time::Duration;

use super::capabilities::{missing, unequipped};
use super::guard::guarded;
use super::reading::Reading;
use super::session::SessionCore;
use super::{Executor, Plan, Shared};
use crate::id::{SessionId, ToolName};
use crate::nesting::DEPTH;
use crate::permission::{DefaultPolicy, PermissionChecker, Verdict};
use crate::registry::{RegistryError, ToolRegistry, ToolSnapshot};
use crate::spec::{
    Bound, CapabilityGrant, InvalidCapability, SchemaError, SchemaFault, Unenforced,
};
use crate::tool::{Resource, Resources};

/// How long a call may take unless its tool or the executor says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Sets up an [`Executor`]; see [`Executor::builder`].
///
/// Defaults: [`DefaultPolicy`], a timeout of 60 seconds, arguments of at most 1 MiB and 64 levels,
/// not [`strict`](Self::strict), so that arguments are repaired where they have to be, no
/// capabilities granted and no times measured.
#[must_use = "an executor comes of `build`"]
pub struct ExecutorBuilder {
    registry: ToolRegistry,
    resources: Resources,
    checker: Box<dyn PermissionChecker>,
    unattended_hint: String,
    timeout: Option<Duration>,
    reading: Reading,
    measures_time: bool,
    grants: Vec<CapabilityGrant>,
    invalid_grants: Vec<InvalidCapability>,
}

impl ExecutorBuilder {
    pub(super) fn new(registry: ToolRegistry) -> Self {
        Self {
            registry,
            resources: Resources::default(),
            checker: Box::new(DefaultPolicy),
            unattended_hint: "The setting is `ExecutorBuilder::permissions`.".to_owned(),
            timeout: Some(DEFAULT_TIMEOUT),
            reading: Reading::default(),
            measures_time: false,
            grants: Vec::new(),
            invalid_grants: Vec::new(),
        }
    }

    /// Adds a thing of the app, which tools take by reference: a parameter `&T` finds it by its
    /// type. A second of the same type takes the place of the first.
    pub fn resource<T: Resource>(self, resource: T) -> Self {
        self.resource_arc(Arc::new(resource))
    }

    /// Adds a thing of the app that is shared already, for instance as a trait object: a parameter
    /// `&dyn Files` finds an `Arc<dyn Files>`.
    pub fn resource_arc<T: ?Sized + Resource>(mut self, resource: Arc<T>) -> Self {
        self.resources.put(resource);
        self
    }

    /// Sets who judges tools and calls. Default: [`DefaultPolicy`].
    pub fn permissions(mut self, checker: impl PermissionChecker) -> Self {
        self.checker = Box::new(checker);
        self
    }

    /// Grants what the executor's sessions hold: a capability such as `fs:read:/data`, or several
    /// by a wildcard such as `fs:read:*`; see [`CapabilityGrant`]. Default: nothing is granted.
    ///
    /// A tool that requires no capability runs without a grant. The calls of one that requires
    /// some that are not granted are denied before anything else is looked at, with
    /// [`ErrorKind::CapabilityDenied`](crate::ErrorKind::CapabilityDenied) and the names of all
    /// that are missing.
    ///
    /// A text that is no grant keeps the executor from being built.
    pub fn grant_capability<G>(mut self, grant: G) -> Self
    where
        G: TryInto<CapabilityGrant>,
        G::Error: Into<InvalidCapability>,
    {
        match grant.try_into() {
            Ok(grant) => self.grants.push(grant),
            Err(invalid) => self.invalid_grants.push(invalid.into()),
        }
        self
    }

    /// Sets the sentence that names the app's own setting, for the message of a call that needed
    /// approval while nobody was there to give it.
    pub fn unattended_hint(mut self, hint: impl Into<String>) -> Self {
        self.unattended_hint = hint.into();
        self
    }

    /// Sets how long a call may take unless its tool says otherwise; `None` for as long as it
    /// likes. Default: 60 seconds.
    ///
    /// The time counts from when the call first waits. A body that never waits cannot be stopped.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// Says whether arguments that do not fit a tool's schema are refused as they are. Default: no;
    /// they are [repaired](crate::ToolSpec::repair) where it is plain what was meant, and the
    /// [result tells](crate::ToolResult::repairs) of each repair.
    ///
    /// Arguments that fit are never changed, whatever is set here.
    pub fn strict(mut self, strict: bool) -> Self {
        self.reading.strict = strict;
        self
    }

    /// Sets how large the arguments of a call may be, in bytes of JSON: of a text those that were
    /// sent, of a tree those of its shortest text. Default: 1 MiB (1,048,576 bytes).
    ///
    /// A call whose arguments are larger ends with
    /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded), and the tool does not see
    /// them.
    pub fn max_input_bytes(mut self, bytes: usize) -> Self {
        self.reading.max_bytes = bytes;
        self
    }

    /// Sets how many levels of objects and lists may stand in each other in the arguments of a call;
    /// the arguments object itself is the first. Default: 64. More than 127, which is as far as JSON
    /// is read, count as 127.
    ///
    /// A call whose arguments nest deeper ends as one of [`ExecutorBuilder::max_input_bytes`].
    pub fn max_input_depth(mut self, levels: usize) -> Self {
        self.reading.max_depth = levels.min(DEPTH);
        self
    }

    /// Says whether results tell how long their calls took. Default: no, and no clock is read.
    pub fn measure_time(mut self, measure: bool) -> Self {
        self.measures_time = measure;
        self
    }

    /// Builds the executor.
    ///
    /// # Errors
    ///
    /// When a tool could not be registered, needs a resource that was not added, declares a bound
    /// that this executor cannot enforce, or has an input schema that nothing enforces, and when a
    /// grant was no grant. The error tells of all problems.
    pub fn build(self) -> Result<Executor, BuildError> {
        let Self {
            registry,
            resources,
            checker,
            unattended_hint,
            timeout,
            reading,
            measures_time,
            grants,
            invalid_grants,
        } = self;
        let invalid_grants = invalid_grants.into_iter().map(BuildProblem::InvalidGrant);
        let mut problems: Vec<BuildProblem> = invalid_grants.collect();
        if let Err(error) = registry.check() {
            problems.push(BuildProblem::Registry(error));
        }
        let snapshot = ToolSnapshot::new(registry);
        let mut plans = Vec::with_capacity(snapshot.len());
        for entry in snapshot.entries() {
            let described = guarded("the tool", || {
                let spec = entry.tool.spec();
                let needs = entry.tool.needs().to_vec();
                let missing = missing(spec, &grants);
                let fault = entry.tool.schema_fault().cloned();
                let repeatable = spec.effect().is_repeatable();
                (needs, spec.bounds(), repeatable, missing, fault)
            });
            let Ok((needs, bounds, repeatable, missing, fault)) = described else {
                let tool = entry.name.clone();
                problems.push(BuildProblem::Panicked { tool });
                continue;
            };
            problems.extend(
                needs
                    .iter()
                    .filter(|need| !resources.satisfies(need))
                    .map(|need| BuildProblem::MissingResource {
                        tool: entry.name.clone(),
                        resource: need.type_name(),
                    }),
            );
            problems.extend(
                bounds
                    .metered()
                    .map(|bound| BuildProblem::UnenforceableBound {
                        tool: entry.name.clone(),
                        bound,
                    }),
            );
            problems.extend(fault.map(|fault| {
                let tool = entry.name.clone();
                match fault {
                    SchemaFault::Broken(error) => BuildProblem::BrokenSchema { tool, error },
                    SchemaFault::Unenforced(unenforced) => {
                        BuildProblem::SchemaNotEnforced { tool, unenforced }
                    }
                }
            }));
            let verdict = guarded("the permission checker", || {
                checker.check_tool(entry.tool.spec())
            });
            plans.push(Plan {
                verdict: verdict.unwrap_or_else(|_| {
                    Verdict::deny("the permission checker panicked when asked about the tool")
                }),
                timeout: bounds.timeout().or(timeout),
                repeatable,
                unequipped: (!missing.is_empty()).then(|| unequipped(&entry.name, &missing)),
                output: bounds.output(),
            });
        }
        if !problems.is_empty() {
            return Err(BuildError { problems });
        }
        let resources = Arc::new(resources);
        // Ids must differ, not be secret: the hasher's random keys are enough.
        let prefix = RandomState::new().hash_one(std::process::id());
        let output_sizes = snapshot.entries().iter().map(|_| AtomicUsize::new(0));
        Ok(Executor {
            shared: Arc::new(Shared {
                output_sizes: output_sizes.collect(),
                snapshot: Arc::new(snapshot),
                plans,
                checker,
                unattended_hint,
                default_session: SessionCore::new(
                    SessionId::new("default"),
                    prefix,
                    Arc::clone(&resources),
                ),
                resources,
                reading,
                measures_time,
                prefix,
                sessions: AtomicU64::new(1),
            }),
        })
    }
}

impl fmt::Debug for ExecutorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecutorBuilder")
            .field("registry", &self.registry)
            .field("resources", &self.resources)
            .field("timeout", &self.timeout)
            .field("grants", &self.grants)
            .finish_non_exhaustive()
    }
}

/// Why an executor was not built: everything at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<BuildProblem>,
}

/// One thing that keeps an executor from being built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildProblem {
    /// Tools could not be registered.
    Registry(RegistryError),
    /// A tool needs a resource that was not added.
    #[non_exhaustive]
    MissingResource {
        /// The tool.
        tool: ToolName,
        /// The type of the resource, as the compiler names it.
        resource: &'static str,
    },
    /// A tool declares a bound that this executor has no backend to enforce.
    #[non_exhaustive]
    UnenforceableBound {
        /// The tool.
        tool: ToolName,
        /// The bound.
        bound: Bound,
    },
    /// A text was granted that is no grant of a capability.
    InvalidGrant(InvalidCapability),
    /// The input schema of a tool is not one that arguments can be judged by.
    #[non_exhaustive]
    BrokenSchema {
        /// The tool.
        tool: ToolName,
        /// What is wrong with the schema.
        error: SchemaError,
    },
    /// The input schema of a tool promises what takes a validator, and the program is built without
    /// the feature `json-schema`.
    #[non_exhaustive]
    SchemaNotEnforced {
        /// The tool.
        tool: ToolName,
        /// The first few keywords that nothing enforces.
        unenforced: Vec<Unenforced>,
    },
    /// A tool panicked when it was asked what it is and needs.
    #[non_exhaustive]
    Panicked {
        /// The tool.
        tool: ToolName,
    },
}

impl BuildError {
    /// The problems.
    pub fn problems(&self) -> &[BuildProblem] {
        &self.problems
    }
}

impl fmt::Display for BuildProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry(error) => error.fmt(f),
            Self::MissingResource { tool, resource } => write!(
                f,
                "the tool `{tool}` needs a `{resource}` and there is none: add it with \
                 `Executor::builder(..).resource(..)`, or with `.resource_arc(..)` if it is in an \
                 `Arc`"
            ),
            Self::UnenforceableBound { tool, bound } => write!(
                f,
                "the tool `{tool}` declares a limit of {bound}, which this executor cannot \
                 enforce: it runs tools in place, where {bound} is not measured. Leave the limit \
                 out of the declaration, or the tool out of the registry"
            ),
            Self::InvalidGrant(invalid) => invalid.fmt(f),
            Self::BrokenSchema { tool, error } => {
                write!(
                    f,
                    "the input schema of the tool `{tool}` is broken: {error}"
                )
            }
            Self::SchemaNotEnforced { tool, unenforced } => {
                let keywords: Vec<String> = unenforced.iter().map(Unenforced::to_string).collect();
                write!(
                    f,
                    "the input schema of the tool `{tool}` promises what nothing enforces: {}. Add \
                     `features = [\"json-schema\"]` to the dependency on toolwright; what a Rust type \
                     demands can be said with `#[arg(..)]` instead, which is enforced without it",
                    keywords.join(", ")
                )
            }
            Self::Panicked { tool } => write!(
                f,
                "the tool `{tool}` panicked when it was asked what it is and needs"
            ),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the executor cannot be built:")?;
        for problem in &self.problems {
            for line in problem.to_string().lines() {
                write!(f, "\n- {line}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}
