//! The parts of the workbench that need no terminal and no file, for its tests and for fuzz targets.

pub mod calls;
