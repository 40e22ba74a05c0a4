//! Events kept in memory.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::{Event, EventSink};

use crate::util::lock::Lock;

/// Keeps the last events, for tests and for a host that shows what has happened. A clone shows the same.
///
/// ```
/// use toolwright::{Executor, tool, ToolRegistry};
/// use toolwright::event::{EventKind, MemoryEvents};
///
/// /// Add two whole numbers.
/// #[tool(pure)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let events = MemoryEvents::new(1_000);
/// let registry = ToolRegistry::new().with(Add);
/// let executor = Executor::builder(registry).events(events.clone()).build()?;
/// executor.call("add", r#"{"a": 2, "b": 3}"#).await;
/// let told = events.events();
/// assert!(matches!(told[0].kind(), EventKind::Requested { .. }));
/// assert_eq!(events.lost(), 0);
/// # Ok::<(), toolwright::BuildError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct MemoryEvents {
    capacity: usize,
    kept: Arc<Lock<StoredEvents>>,
}

#[derive(Default)]
struct StoredEvents {
    events: VecDeque<Arc<Event>>,
    lost: u64,
}

impl MemoryEvents {
    /// Returns a sink that keeps the last `capacity` events, at least 1. Memory is taken as they come.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            kept: Arc::default(),
        }
    }

    /// The events that are kept, in the order in which they came.
    pub fn events(&self) -> Vec<Arc<Event>> {
        self.kept.lock().events.iter().cloned().collect()
    }

    /// Takes the events that are kept out, in the order in which they came.
    pub fn take(&self) -> Vec<Arc<Event>> {
        let taken = std::mem::take(&mut self.kept.lock().events);
        taken.into()
    }

    /// The number of events, in all, that were dropped because there was no room for them.
    pub fn lost(&self) -> u64 {
        self.kept.lock().lost
    }
}

impl EventSink for MemoryEvents {
    fn accept(&self, event: &Arc<Event>) {
        let mut kept = self.kept.lock();
        let oldest = if kept.events.len() < self.capacity {
            None
        } else {
            kept.lost += 1;
            kept.events.pop_front()
        };
        kept.events.push_back(Arc::clone(event));
        drop(kept);
        // Dropping the event may take long, so no lock is held.
        drop(oldest);
    }
}

impl fmt::Debug for MemoryEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock();
        f.debug_struct("MemoryEvents")
            .field("kept", &kept.events.len())
            .field("lost", &kept.lost)
            .finish_non_exhaustive()
    }
}
