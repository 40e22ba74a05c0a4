//! The tools of an executor, as they are now and as they were.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard};

use tokio::sync::watch;

use crate::context::{Specs, ToolContext};
use crate::executor::catalog::tools::{Catalog, CatalogRef};
use crate::executor::catalog::visibility::Narrowing;
use crate::executor::guard::catch_tool_panic;
use crate::registry::{FeatureGate, put_gate};
use crate::util::lock::Lock;

/// The tools of an executor at one time.
#[derive(Clone)]
pub(crate) struct Tools {
    /// The number of changes before.
    pub(crate) version: u64,
    /// All that there are, those of features that are off among them.
    pub(crate) whole: Arc<Catalog>,
    /// The tools of a session that selects nothing.
    pub(crate) open: Arc<Catalog>,
}

/// The tools of an executor. They may be replaced; who has a catalog keeps it.
pub(crate) struct Catalogs {
    /// The tools that the executor was built with.
    pub(crate) first: Arc<Catalog>,
    /// The number of changes of the tools.
    pub(crate) version: AtomicU64,
    latest: Arc<LatestTools>,
    changes: watch::Sender<u64>,
}

/// The tools of an executor as they are now.
pub(crate) struct LatestTools(Lock<CatalogState>);

struct CatalogState {
    tools: Tools,
    gates: Narrowing,
}

impl LatestTools {
    pub(crate) fn tools(&self) -> Tools {
        self.0.lock().tools.clone()
    }
}

impl Catalogs {
    pub(crate) fn new(whole: Catalog, gates: Vec<FeatureGate>) -> Self {
        let gates = Narrowing {
            gates,
            ..Narrowing::default()
        };
        let (whole, open) = opened(whole, &gates, None);
        let first = Arc::clone(&open);
        let tools = Tools {
            version: 0,
            whole,
            open,
        };
        Self {
            first,
            version: AtomicU64::new(0),
            latest: Arc::new(LatestTools(Lock::new(CatalogState { tools, gates }))),
            changes: watch::Sender::new(0),
        }
    }

    /// Returns the number of changes of the tools.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(crate) fn latest(&self) -> &Arc<LatestTools> {
        &self.latest
    }

    pub(crate) fn tools(&self) -> Tools {
        self.latest.tools()
    }

    /// Returns the tools of a session that selects nothing.
    pub(crate) fn open(&self) -> Arc<Catalog> {
        match self.version() {
            0 => Arc::clone(&self.first),
            _ => self.tools().open,
        }
    }

    /// Tells of each change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Replaces the tools; if a version is given, only if the catalog still has it. Returns true if the tools were
    /// replaced.
    pub(crate) fn replace(&self, whole: Catalog, version: Option<u64>) -> bool {
        let state = self.latest.0.lock();
        if version.is_some_and(|version| version != state.tools.version) {
            return false;
        }
        let (whole, open) = opened(whole, &state.gates, Some(&state.tools.open));
        self.put(state, whole, open);
        true
    }

    /// Puts a gate in the place of that of its name.
    pub(crate) fn put_gate(&self, gate: FeatureGate) {
        let mut state = self.latest.0.lock();
        put_gate(&mut state.gates.gates, gate);
        let whole = Arc::clone(&state.tools.whole);
        let mut open = state.gates.apply(&whole, &whole);
        open.note_removed(&state.tools.open);
        self.put(state, whole, Arc::new(open));
    }

    fn put(
        &self,
        mut state: MutexGuard<'_, CatalogState>,
        whole: Arc<Catalog>,
        open: Arc<Catalog>,
    ) {
        let version = state.tools.version + 1;
        let tools = Tools {
            version,
            whole,
            open,
        };
        let before = std::mem::replace(&mut state.tools, tools);
        self.version.store(version, Ordering::Release);
        drop(state);
        // Dropping a tool runs user code, which may panic.
        let _ = catch_tool_panic("the tool", || drop(before));
        self.changes.send_replace(version);
    }

    /// The catalog of a running call, for a call that it makes itself.
    pub(crate) fn of_call(&self, context: &ToolContext) -> CatalogRef<'_> {
        let own = context.call.specs().and_then(|specs| {
            let specs: Arc<dyn Any + Send + Sync> = Arc::<dyn Specs>::clone(specs);
            specs.downcast::<Catalog>().ok()
        });
        own.map_or(CatalogRef::First(&self.first), CatalogRef::Own)
    }
}

/// All tools, and what of them is there for all.
fn opened(
    mut whole: Catalog,
    gates: &Narrowing,
    before: Option<&Arc<Catalog>>,
) -> (Arc<Catalog>, Arc<Catalog>) {
    if gates.is_none() {
        if let Some(before) = before {
            whole.note_removed(before);
        }
        let whole = Arc::new(whole);
        return (Arc::clone(&whole), whole);
    }
    let mut open = gates.apply(&whole, &whole);
    if let Some(before) = before {
        open.note_removed(before);
    }
    (Arc::new(whole), Arc::new(open))
}
