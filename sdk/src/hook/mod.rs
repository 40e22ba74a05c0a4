//! The host's own say in each call: gates that decide before it, hooks before and after it.
//!
//! A [`ToolGate`] decides by what is declared, [`BeforeTool`] sees the arguments and may change them, [`AfterTool`] sees the
//! output and may replace it. The crate `toolwright-command-hooks` has hooks that are programs.

// The files:
//
// - `call`: a call as gates and hooks see it
// - `gate`: gates: pure, ranked decisions
// - `before`: hooks before a call runs: a veto, other arguments
// - `after`: hooks after a call: another output

mod after;
mod before;
mod call;
mod gate;

pub use after::{AfterCall, AfterDecision, AfterTool};
pub use before::{BatchDecision, BeforeDecision, BeforeTool};
pub(crate) use before::{HookDecision, HookDecisions};
pub use call::{GateCall, HookCall};
pub(crate) use gate::Requested;
pub use gate::{GateDecision, GateRequest, ToolGate};
