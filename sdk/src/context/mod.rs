//! The context that a tool runs in: [`ToolContext`] and its parts, resources of the app, a clock, random numbers, and
//! what a resumed call is told.

mod ask;
mod block;
mod body;
mod call;
mod cancellation;
mod check;
mod environment;
mod from_model;
mod nested;
mod report;
pub(crate) mod resource;
mod run_info;
mod scope;
mod status_cell;
mod task_scope;
mod tool_context;
mod wait;
mod wait_tracker;

pub(crate) use block::{SuspendedTurns, TurnBlock};
pub(crate) use body::BodyContext;
pub(crate) use call::{CallExtras, CallIds};
pub(crate) use cancellation::Cancellation;
pub(crate) use check::{ArgumentsInFlight, Specs, by_grants, pending, refused};
pub use environment::{CallClock, CallRng, Clock, FixedClock, FreshId, SystemClock};
pub(crate) use environment::{CallEnvironment, EnvironmentSettings, EnvironmentSource, Seed};
pub(crate) use nested::{CallStack, Calls};
pub use resource::{Resource, ResourceKey};
pub(crate) use resource::{Resources, missing};
pub(crate) use run_info::RunInfo;
pub(crate) use scope::TurnScope;
pub(crate) use task_scope::{CallTurn, TaskScope};
pub(crate) use tool_context::SessionScope;
pub use tool_context::ToolContext;
pub use wait::ResumeInfo;
pub(crate) use wait::{AnsweredRequest, Waits, is_suspension, suspension};
pub(crate) use wait_tracker::{RemainingTime, WaitTracker, Waiting};
