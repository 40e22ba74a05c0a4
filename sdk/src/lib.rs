//! Annotate a function, get a tool that a language model can call: described, validated,
//! permission-checked and cancellable.
//!
//! ```
//! use toolwright::{Executor, ToolRegistry, tool};
//!
//! /// Add two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let executor = Executor::new(ToolRegistry::new().with(Add))?;
//! let result = executor.call("add", r#"{"a": 2, "b": 3}"#).await;
//! assert_eq!(result.text(), "5");
//! # Ok::<(), toolwright::BuildError>(())
//! # }).unwrap();
//! ```
//!
//! # Features
//!
//! - `macros` (default): `#[tool]` and the other macros.
//! - `discover` (default): [`discover!`], registration at link time.
//! - `command-hooks` (on Unix): `CommandHook`, programs of the host that look at calls before and after
//!   they run.
//! - `json-schema`: a validator for what no type keeps of an input schema: tools made at run time,
//!   schemas written by hand, and constraints by `#[schemars(..)]`. Without it, a tool that needs it
//!   keeps an executor from being built. It never fetches anything.
//! - `policy`: `PermissionPolicy`, rules over tools, arguments, paths, shell commands and hosts that
//!   say what may run.
//! - `journal`: `ExecutorBuilder::journal`, a tamper-evident record of all calls, to prove a run and to
//!   repeat it.
//! - `chrono`, `uuid`, `url`: arguments and results of the types of these crates, such as
//!   `chrono::NaiveDate`, whose crate takes its own feature `serde` too.
//! - `tracing`: `ExecutorBuilder::trace`, a span for each call by the OpenTelemetry conventions for
//!   generative AI, and `TracingEvents`, each event as a line of the log.

mod character;
mod differ;
mod documented;
mod error_text;
mod event;
mod executor;
mod hash;
mod hook;
mod id;
mod interaction;
#[cfg(feature = "journal")]
mod journal;
mod message;
mod nesting;
mod panic;
mod pending;
mod permission;
mod pointer;
mod port;
mod registry;
mod results;
mod spec;
mod state;
mod strict;
mod suggest;
pub mod testing;
mod tool;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use async_trait::async_trait;
#[cfg(feature = "tracing")]
pub use event::TracingEvents;
#[cfg(feature = "journal")]
pub use event::{CutLine, EventLog, FileLog, LogError, LogLine, LogLines, MemoryLog};
pub use event::{
    Event, EventCall, EventChannel, EventKind, EventReceiver, EventSink, HookStage, MemoryEvents,
    ProgressStatus, ReceivedEvent,
};
#[cfg(feature = "json-schema")]
pub use executor::OutputCheck;
#[cfg(feature = "tracing")]
pub use executor::TraceOptions;
pub use executor::{
    BuildError, BuildProblem, CallCounts, CallStream, Executor, ExecutorBuilder, Preview,
    RegistrationError, Registries, RunningCall, RunningHook, Session, SessionEndError,
    SessionOptions, StatusWatch, TaskHandle, ToolsChange, ToolsWatch, Turn, WaitMode,
};
pub use hash::{ContentHash, InvalidHash};
#[cfg(all(unix, feature = "command-hooks"))]
pub use hook::CommandHook;
pub use hook::{
    AfterCall, AfterDecision, AfterTool, BatchDecision, BeforeDecision, BeforeTool, GateCall,
    GateDecision, GateRequest, HookCall, ToolGate,
};
pub use id::{
    AgentId, CallId, GrantId, HookRunId, InvalidId, InvalidToolName, InvocationId, RunId,
    RunIdentity, SessionId, ThreadId, TicketId, ToolName, TurnId,
};
pub use interaction::{
    InvalidQuestion, InvalidReply, PendingQuestion, Picked, Question, QuestionForm, QuestionId,
    QuestionOption, QuestionReceiver, Reply, SignIn, TextPattern, UserInteractionRegistry, WaitFor,
};
#[cfg(feature = "journal")]
pub use journal::{
    Broken, CanonicalJson, ContentStore, Divergence, DivergenceKind, Durability, FolderContents,
    Interrupted, Journal, JournalBuilder, JournalError, JournalKey, JournalRecord, JournalRecords,
    MemoryContents, NotCanonical, RecordKind, RecordedInput, RecordedOutput, Recovery, Replay,
    ReplayReport, ReplayedAs, ReplayedCall, Requested, Responded, ResumedCall, UnfinishedCall,
    Verified, verify,
};
pub use message::{
    ArgumentProblem, Arguments, CallStatus, CanonicalArguments, Content, ErrorKind, ExceededLimit,
    IllegalStep, Image, InvalidArguments, JsonText, Limit, ProblemKind, ReadResultError, Repair,
    RepairKind, Repaired, ResourceLink, ResultSource, ToolCall, ToolError, ToolOutput, ToolResult,
    ToolStatus, Truncation,
};
pub use pending::{
    Answer, AnswerKind, Answers, Asker, Closing, Decision, Digest, Grant, GrantLevel, GrantMatcher,
    GrantScope, Kept, MemoryTickets, Pending, PendingCall, PendingRequest, Recorded, ResumeMode,
    SealedAnswer, SealedGrant, Standing, StoreError, StoredTicket, Ticket, TicketBroker,
    TicketError, TicketErrorKind, TicketEvent, TicketEvents, TicketFilter, TicketKey, TicketStore,
    TrustOption, WaitKind,
};
pub use permission::{
    AllowAll, Ask, AsyncPermissionChecker, CallView, CommandAccess, Containment, DefaultPolicy,
    Denial, DenyAll, FileAccess, Granting, HostAccess, IntoRequests, PendingApproval, PendingAsk,
    PermissionChecker, PermissionReceiver, PermissionRegistry, PermissionRequest, RequestPreview,
    RequestPreviewKind, Verdict,
};
#[cfg(feature = "policy")]
pub use permission::{
    ArgumentTest, Change, Explained, Explanation, Hint, HintName, Outweighed, PermissionPolicy,
    PolicyBuilder, PolicyError, Problem, Rule, RulePlace, RuleVerdict, Unmatched,
};
pub use registry::{
    Availability, BrokenSchema, Collision, EmptyPackage, FeatureGate, InvalidPattern,
    InvalidSelector, Lint, LintKind, OnCollision, Origin, RegistryError, RoleRules, Selected,
    Selector, ToolRegistry, ToolSnapshot, UnmatchedPattern, Withheld,
};
pub use results::{FolderResults, MemoryResults, ResultPart, ResultStore};
pub use spec::{
    Bound, Capability, CapabilityGrant, Contradiction, Determinism, Effect, InvalidCapability,
    InvalidSchema, PURPOSE_ARGUMENT, ResourceBounds, SchemaError, ToolAnnotations, ToolId,
    ToolSpec, Unenforced,
};
pub use state::{Command, ScheduledAction, StateSnapshot};
pub use tokio_util::sync::CancellationToken;
pub use tool::{
    Argument, CallClock, CallRng, Clock, Executable, FailedCall, FixedClock, FreshId, Interruption,
    InvalidExecutable, Invocation, Resource, ResourceKey, Resumed, Run, SystemClock, Tool,
    ToolContext, ToolEnum, ToolFn, ToolOutcome, ToolReturn, Toolset, Typed, TypedTool, constraint,
    from_bytes, from_executable, tool_fn,
};

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tool.md")]
pub use toolwright_macros::tool;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/toolset.md")]
pub use toolwright_macros::toolset;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/derive_tool.md")]
pub use toolwright_macros::Tool;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/derive_tool_enum.md")]
pub use toolwright_macros::ToolEnum;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tool_type.md")]
pub use toolwright_macros::tool_type;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/error_index.md")]
pub mod error_index {}

#[doc = include_str!("../docs/defaults.md")]
pub mod defaults {}

// The README's example is compiled and run with the documentation's.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../../README.md")]
struct Readme;
