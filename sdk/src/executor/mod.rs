//! The executor: the one way from a model's call to a tool and back.
//!
//! [`Executor::builder`] sets it up once, [`Executor::session`] begins a conversation, [`Session::turn`] takes the calls of
//! one message of the model. [`SessionOptions`] give one session its own tools, checker and resources.

// Data stands below, the stages of a call use data, and the public methods stand on top:
//
// 1. `guard`, `concurrency`, `trace`, `hooks`, `arguments`, `outcome`, `output`, `build_error`: what calls are made with.
// 2. `catalog`: the tools as calls find them; `people`: the way to tickets; `options`.
// 3. `core`: what an executor, a session and a turn hold, and the place of a call; `observe`: events, span and
//    record of one call.
// 4. `call`: the stages of one call; `batch`: the calls of one message.
// 5. `executor`, `builder`, `session`, `turn` and the files beside them: public methods.
//
// A test holds which of them may use which.

mod arguments;
mod batch;
mod build_error;
mod builder;
mod call;
mod catalog;
mod concurrency;
mod core;
mod dispatch;
#[expect(clippy::module_inception, reason = "it holds the type of this name")]
mod executor;
mod guard;
mod hooks;
mod observe;
mod options;
mod output;
mod people;
mod recovery;
mod session;
mod session_end;
mod state_persistence;
mod tool_caller;
mod tools_watch;
#[cfg_attr(not(feature = "tracing"), path = "no_trace.rs")]
mod trace;
mod turn;
mod weak;

pub use batch::handle::{StatusWatch, TaskHandle};
pub use batch::stream::CallStream;
pub use build_error::{BuildError, BuildProblem, PlacementProblem, RegistrationError};
pub use builder::ExecutorBuilder;
pub use builder::approvals::Approvals;
pub use builder::limits::Limits;
pub use builder::registration::ToolSetup;
pub use call::preview::Preview;
pub use catalog::output_check::OutputCheck;
pub use core::counts::CallCounts;
pub use core::handles::{Session, Turn};
pub use core::tasks::RunningCall;
pub use dispatch::host::ToolHost;
pub use dispatch::local::LocalDispatcher;
pub use executor::Executor;
pub use hooks::RunningHook;
pub use options::SessionOptions;
pub use people::mode::WaitMode;
pub use recovery::RecoveredCalls;
pub use session_end::SessionEndError;
pub use state_persistence::{LoadedState, StateError, StatePersistence};
pub use tool_caller::ToolCaller;
pub use tools_watch::{ToolsChange, ToolsWatch};
#[cfg(feature = "tracing")]
pub use trace::TraceOptions;
pub use weak::WeakExecutor;
