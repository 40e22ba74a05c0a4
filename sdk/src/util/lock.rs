//! A mutex that a panic does not poison.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mutex whose value stays in use after a panic under the lock.
///
/// Nothing under these locks leaves a value half changed: code of tools and of the app runs outside of them, or its
/// panics are caught.
#[derive(Debug, Default)]
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
