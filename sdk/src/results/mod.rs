//! Large results: the rest that the model has not seen, kept to be read on.
//!
//! A [`ResultStore`] keeps them: [`MemoryResults`], [`FolderResults`], or one of the app's own.

mod folder;
mod guarded;
mod memory;
mod read;
mod store;

pub use crate::util::store_error::StoreError;
pub use folder::FolderResults;
pub(crate) use guarded::GuardedResults;
pub use memory::MemoryResults;
pub(crate) use read::{NAME, ReadResult};
pub use store::{ResultPart, ResultStore};
