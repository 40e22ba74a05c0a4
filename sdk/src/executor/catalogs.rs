//! The tools of an executor, as they are now and as they were.

use std::any::Any;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::catalog::Catalog;
use crate::tool::{Specs, ToolContext};

/// The catalog of a call, from its start to its end.
#[derive(Clone)]
pub(super) enum Pinned<'s> {
    /// That which the executor was built with. It is there for as long as the executor is, and so
    /// costs a call nothing.
    First(&'s Arc<Catalog>),
    Own(Arc<Catalog>),
}

impl Pinned<'_> {
    /// What a call's context needs to find its tool. That of the executor's first tools every
    /// session has.
    #[inline]
    pub(super) fn specs(&self) -> Option<Arc<dyn Specs>> {
        match self {
            Self::First(_) => None,
            Self::Own(catalog) => Some(Arc::<Catalog>::clone(catalog)),
        }
    }
}

impl Deref for Pinned<'_> {
    type Target = Arc<Catalog>;

    #[inline]
    fn deref(&self) -> &Arc<Catalog> {
        match self {
            Self::First(catalog) => catalog,
            Self::Own(catalog) => catalog,
        }
    }
}

/// The tools of an executor. They may be replaced; who has a catalog keeps it.
pub(super) struct Catalogs {
    first: Arc<Catalog>,
    /// How often the tools were replaced.
    version: AtomicU64,
    latest: Mutex<Arc<Catalog>>,
}

impl Catalogs {
    pub(super) fn new(first: Catalog) -> Self {
        let first = Arc::new(first);
        Self {
            latest: Mutex::new(Arc::clone(&first)),
            version: AtomicU64::new(0),
            first,
        }
    }

    /// Those that the executor was built with.
    #[inline]
    pub(super) fn first(&self) -> &Arc<Catalog> {
        &self.first
    }

    /// How often the tools were replaced.
    #[inline]
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(super) fn latest(&self) -> Arc<Catalog> {
        Arc::clone(&self.lock())
    }

    /// The catalog of a running call, for a call that it makes itself.
    pub(super) fn of_call(&self, context: &ToolContext) -> Pinned<'_> {
        let own = context.call.specs.as_ref().and_then(|specs| {
            let specs: Arc<dyn Any + Send + Sync> = Arc::<dyn Specs>::clone(specs);
            specs.downcast().ok()
        });
        own.map_or(Pinned::First(&self.first), Pinned::Own)
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Catalog>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
