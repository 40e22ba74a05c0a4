//! The context that a tool runs in: [`ToolContext`] and its parts, resources of the app, a clock, random numbers, and
//! what a resumed call is told.

mod ask;
mod block;
mod call;
mod cancellation;
mod check;
mod desk;
mod from_model;
mod nested;
mod report;
pub(crate) mod resource;
mod run;
mod scope;
mod tool_context;
mod wait;
mod world;

pub(crate) use block::{SuspendedTurns, TurnBlock};
pub(crate) use call::{CallExtras, CallIds};
pub(crate) use cancellation::Cancellation;
pub(crate) use check::{Kept, Specs, by_grants, pending, refused};
pub(crate) use desk::{Desk, Left, Waiting};
pub(crate) use nested::{Calls, Nesting};
pub use resource::{Resource, ResourceKey};
pub(crate) use resource::{Resources, missing};
pub(crate) use run::Given;
pub(crate) use scope::TurnScope;
pub(crate) use tool_context::SessionScope;
pub use tool_context::ToolContext;
pub use wait::ResumeInfo;
pub(crate) use wait::{Answered, Wait, Waits, is_suspension, suspension};
pub use world::{CallClock, CallRng, Clock, FixedClock, FreshId, SystemClock};
pub(crate) use world::{CallWorld, Seed, WorldSettings, WorldSource};
