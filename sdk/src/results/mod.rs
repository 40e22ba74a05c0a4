//! What of large results the model has not seen: kept, to be read on.

mod folder;
mod guarded;
mod memory;
mod read;
mod store;

pub use folder::FolderResults;
pub(crate) use guarded::GuardedResults;
pub use memory::MemoryResults;
pub(crate) use read::{NAME, ReadResult};
pub use store::{ResultPart, ResultStore};
