//! The errors that keep an executor from being built.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::id::ToolName;
use crate::registry::{Origin, RegistryError};
use crate::spec::{Bound, Contradiction, InvalidCapability, SchemaError, Unenforced};

/// The reasons why an executor was not built, or its tools were not changed: all problems at once.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<BuildProblem>,
    /// The executor is there, and its tools were to change.
    of_change: bool,
}

crate::util::error_text::debug_as_text!(BuildError);

/// A problem that keeps an executor from being built, or its tools from being changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildProblem {
    /// Tools could not be registered.
    Registry(RegistryError),
    /// Tools could not be made: a closure of
    /// [`register_tools`](crate::ExecutorBuilder::register_tools) failed.
    Registration(RegistrationError),
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
    /// A tool is durable or belongs to a pool, and the executor has no dispatcher that can run it.
    #[non_exhaustive]
    Placement {
        /// The tool.
        tool: ToolName,
        /// The problem.
        problem: PlacementProblem,
    },
    /// A tool that was made by hand declares things that contradict each other.
    #[non_exhaustive]
    Contradiction {
        /// The tool.
        tool: ToolName,
        /// The settings that contradict each other.
        contradiction: Contradiction,
    },
    /// A problem of the permission checker with these tools, such as a policy rule for a tool that does not exist: see
    /// [`PermissionChecker::problems`](crate::permission::PermissionChecker::problems).
    Permissions(String),
    /// A text was granted that is no grant of a capability.
    InvalidGrant(InvalidCapability),
    /// The input schema of a tool is not one that arguments can be judged by.
    #[non_exhaustive]
    BrokenSchema {
        /// The tool.
        tool: ToolName,
        /// The mistake in the schema.
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
    /// The output schema of a tool is not one that outputs can be judged by, as
    /// `ExecutorBuilder::check_output` demands.
    #[non_exhaustive]
    BrokenOutputSchema {
        /// The tool.
        tool: ToolName,
        /// The mistake in the schema.
        error: SchemaError,
    },
    /// A tool declares something of its arguments that cannot work: a default that its own constraints refuse,
    /// constraints that exclude each other, `flatten` of a type that reads no object, or a map whose keys are no texts.
    #[non_exhaustive]
    InvalidDeclaration {
        /// The tool.
        tool: ToolName,
        /// The place of the tool's declaration.
        origin: Origin,
        /// JSON pointer (RFC 6901) to the place among the arguments, in which `*` stands for every element of a list
        /// and every key of a map; empty for the arguments as a whole.
        pointer: String,
        /// The mistake there, and how to correct it.
        message: String,
    },
    /// There is no key to sign tickets with: none was set, and the system gave no random bytes.
    NoTicketKey(String),
    /// The system gave no random bytes for what [`ToolContext::rng`](crate::ToolContext::rng) hands out.
    NoRandomness(String),
    /// A limit was set for a tool that does not exist:
    /// [`max_concurrent_of`](crate::executor::Limits::max_concurrent_of).
    #[non_exhaustive]
    UnknownTool {
        /// The name that was given.
        tool: String,
        /// The tool that is probably meant.
        nearest: Option<String>,
    },
    /// A tool panicked when it was asked what it is and needs.
    #[non_exhaustive]
    Panicked {
        /// The tool.
        tool: ToolName,
    },
}

/// The reason why the calls of a tool cannot be dispatched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlacementProblem {
    /// The executor has no dispatcher.
    #[non_exhaustive]
    NoDispatcher {
        /// The pool of the tool, if it belongs to one.
        pool: Option<String>,
    },
    /// The tool is durable, and a call does not outlive its process with this dispatcher.
    NotDurable,
    /// The dispatcher lets no body run for as long as the tool declares.
    #[non_exhaustive]
    TimeoutTooLong {
        /// The timeout of the tool.
        timeout: Duration,
        /// The longest that the dispatcher allows.
        longest: Duration,
    },
}

impl fmt::Display for PlacementProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDispatcher { pool } => {
                match pool {
                    Some(pool) => write!(
                        f,
                        "runs on hosts of the pool `{pool}`, and this executor has no dispatcher that brings calls there"
                    ),
                    None => f.write_str(
                        "is durable, and this executor has no dispatcher that keeps its calls",
                    ),
                }?;
                f.write_str(
                    ": set one with `Executor::builder(..).dispatcher(..)`. If this process is itself a host of such \
                     tools, or a test, say so with `.hosts_pools()`",
                )
            }
            Self::NotDurable => f.write_str(
                "is durable, and with this dispatcher a call ends with its process: set one that promises \
                 `outlives_process`, or take `durable` out of the declaration",
            ),
            Self::TimeoutTooLong { timeout, longest } => write!(
                f,
                "has a timeout of {timeout:?}, and this dispatcher runs a body for {longest:?} at most: declare a \
                 shorter timeout, or set another dispatcher"
            ),
        }
    }
}

impl BuildError {
    pub(crate) fn new(problems: Vec<BuildProblem>) -> Self {
        Self {
            problems,
            of_change: false,
        }
    }

    pub(crate) fn of_change(problems: Vec<BuildProblem>) -> Self {
        Self {
            problems,
            of_change: true,
        }
    }

    /// The problems.
    pub fn problems(&self) -> &[BuildProblem] {
        &self.problems
    }
}

impl fmt::Display for BuildProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry(error) => error.fmt(f),
            Self::Registration(error) => write!(f, "tools could not be made: {error}"),
            Self::MissingResource { tool, resource } => write!(
                f,
                "the tool `{tool}` needs a `{resource}` and there is none: add it with \
                 `Executor::builder(..).resource(..)`, or with `.resource_arc(..)` if it is in an \
                 `Arc`. If each session brings its own, by `SessionOptions::resource`, say so with \
                 `.session_resource::<{resource}>()`"
            ),
            Self::UnenforceableBound { tool, bound } => write!(
                f,
                "the tool `{tool}` declares a limit of {bound}, which this executor cannot \
                 enforce: it runs tools in place, where {bound} is not measured. Leave the limit \
                 out of the declaration, or the tool out of the registry"
            ),
            Self::Placement { tool, problem } => write!(f, "the tool `{tool}` {problem}"),
            Self::Contradiction {
                tool,
                contradiction,
            } => write!(
                f,
                "the tool `{tool}` declares {contradiction}. Policies and replay go by what is \
                 declared, so keep what is true"
            ),
            Self::Permissions(problem) => write!(f, "the permission checker: {problem}"),
            Self::InvalidGrant(invalid) => invalid.fmt(f),
            Self::BrokenSchema { tool, error } => {
                write!(
                    f,
                    "the input schema of the tool `{tool}` is broken: {error}"
                )
            }
            Self::BrokenOutputSchema { tool, error } => write!(
                f,
                "the output schema of the tool `{tool}` is broken, and outputs are to be checked: {error}"
            ),
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
            Self::InvalidDeclaration {
                tool,
                origin,
                pointer,
                message,
            } => {
                write!(f, "the tool `{tool}` ({origin}) declares what cannot work")?;
                if !pointer.is_empty() {
                    write!(f, ", at `{pointer}`")?;
                }
                write!(f, ": {message}")
            }
            Self::NoTicketKey(error) => write!(
                f,
                "no key to sign tickets with could be made ({error}): set one with \
                 `Approvals::ticket_key`"
            ),
            Self::NoRandomness(error) => {
                write!(f, "the system gave no random bytes for tools ({error})")
            }
            Self::UnknownTool { tool, nearest } => {
                write!(
                    f,
                    "`Limits::max_concurrent_of(\"{tool}\", ..)`: unknown tool `{tool}`"
                )?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
                    None => Ok(()),
                }
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
        f.write_str(if self.of_change {
            "the executor's tools cannot be changed so:"
        } else {
            "the executor cannot be built:"
        })?;
        for problem in &self.problems {
            for line in problem.to_string().lines() {
                write!(f, "\n- {line}")?;
            }
        }
        Ok(())
    }
}

impl Error for BuildError {
    /// The source of the first problem that has one.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.problems.iter().find_map(|problem| match problem {
            BuildProblem::Registry(error) => error.source(),
            BuildProblem::Registration(error) => error.source(),
            BuildProblem::BrokenSchema { error, .. }
            | BuildProblem::BrokenOutputSchema { error, .. } => error.source(),
            _ => None,
        })
    }
}

/// The error that a closure of [`ExecutorBuilder::register_tools`](crate::ExecutorBuilder::register_tools) returned.
///
/// `Display` and [`source`](Error::source) are those of the error that was returned.
#[derive(Clone, thiserror::Error)]
#[error(transparent)]
pub struct RegistrationError(pub(crate) Arc<dyn Error + Send + Sync>);

crate::util::error_text::debug_as_text!(RegistrationError);

impl RegistrationError {
    /// The error that was returned, for instance to find out its type.
    pub fn get_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

/// The same error, not an equal one.
impl PartialEq for RegistrationError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for RegistrationError {}
