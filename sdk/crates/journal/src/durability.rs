//! The durability of a record: the faults that it outlives.

/// The faults that a written record outlives. Higher is slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Durability {
    /// The end of the process, however it ends: the record is with the operating system. It is written in
    /// the thread of the call.
    #[default]
    Flushed,
    /// A loss of power too: the disk has confirmed it. It is written in a thread of the journal's own, and
    /// what calls record side by side is confirmed together.
    Synced,
}
