//! The mark of branches that few calls take.

/// Marks the branch that calls it as one that few calls take, so that the compiler lays its code out of the way of what
/// every call runs. A call passes once through several hundred cache lines of code; each line of another branch among
/// them takes the place of one that is needed.
///
/// `std::hint::cold_path` is the same, and newer than the oldest Rust that this crate builds with.
#[cold]
#[inline(never)]
pub(crate) fn cold_path() {}

/// The value that few calls have: as [`bool::then`], with its branch [marked](cold_path).
#[inline]
pub(crate) fn rarely<T>(is_so: bool, value: impl FnOnce() -> T) -> Option<T> {
    if is_so {
        cold_path();
        Some(value())
    } else {
        None
    }
}
