//! The mark of branches that few calls take.

/// Marks the branch that calls it as one that few calls take, so that the compiler lays its code out of the way of what
/// every call runs. A call passes once through several hundred cache lines of code; each line of another branch among
/// them takes the place of one that is needed.
///
/// `std::hint::cold_path` is the same, and newer than the oldest Rust that this crate builds with.
#[cold]
#[inline(never)]
pub(crate) fn cold_path() {}
