//! The data of one session.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::context::SessionScope;
use crate::executor::catalog::session_tools::SessionTools;
use crate::executor::core::tasks::Tasks;
use crate::record::CallSource;

/// A session without its executor.
pub(crate) struct SessionCore {
    pub(crate) scope: Arc<SessionScope>,
    /// The calls that run by themselves.
    pub(crate) tasks: Arc<Tasks>,
    /// Numbers turns and invocations alike: both rise, and one counter costs less than two.
    pub(crate) count: AtomicU64,
    pub(crate) tools: Arc<SessionTools>,
    /// True if its tools may differ from its executor's.
    pub(crate) narrows: bool,
    /// The source of its results, if it is not the tools alone.
    pub(crate) source: Option<Arc<dyn CallSource>>,
}
