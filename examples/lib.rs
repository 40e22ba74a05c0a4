//! The parts of the workbench that other programs use too: the reader of calls, for fuzz targets, and the folder of
//! tickets.

pub mod calls;
pub mod folder;

/// The most bytes of a call's arguments: files are written whole.
pub const MAX_CALL: usize = 64 * 1024 * 1024;
