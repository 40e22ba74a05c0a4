//! Values that are made from something once, and kept with it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::lock::Lock;

/// The values that were made from what holds them, each under a key. A clone begins without values.
#[derive(Default)]
pub(crate) struct Derived(Lock<Vec<DerivedValue>>);

struct DerivedValue {
    key: Box<dyn Any + Send + Sync>,
    value: Arc<dyn Any + Send + Sync>,
}

impl Derived {
    /// Returns the value of this type and key, made at the first use. Two threads that ask at once may both make it;
    /// one value stays.
    pub(crate) fn get_or_make<K, T>(&self, key: K, make: impl FnOnce() -> T) -> Arc<T>
    where
        K: Eq + Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        if let Some(found) = find(&self.0.lock(), &key) {
            return found;
        }
        // Outside of the lock, because it is the app's code.
        let value = Arc::new(make());
        let mut entries = self.0.lock();
        if let Some(found) = find(&entries, &key) {
            return found;
        }
        entries.push(DerivedValue {
            key: Box::new(key),
            value: Arc::<T>::clone(&value),
        });
        value
    }
}

fn find<K: Eq + 'static, T: Send + Sync + 'static>(
    entries: &[DerivedValue],
    key: &K,
) -> Option<Arc<T>> {
    entries.iter().find_map(|entry| {
        let same = entry.key.downcast_ref::<K>() == Some(key);
        same.then(|| Arc::clone(&entry.value).downcast().ok())?
    })
}

impl Clone for Derived {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Derived")
            .field(&self.0.lock().len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_for_its_key_and_type() {
        let derived = Derived::default();
        let first = derived.get_or_make("a", || 1_u8);
        let again = derived.get_or_make("a", || 2_u8);
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(*derived.get_or_make("b", || 3_u8), 3);
        assert_eq!(*derived.get_or_make("a", || "text"), "text");
        assert_eq!(*derived.clone().get_or_make("a", || 4_u8), 4);
    }

    #[test]
    fn what_makes_a_value_may_ask_for_another() {
        let derived = Derived::default();
        let made = derived.get_or_make(1, || *derived.get_or_make(2, || 5) + 1);
        assert_eq!(*made, 6);
    }
}
