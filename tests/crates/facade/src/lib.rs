//! A framework that offers toolwright to its users: they depend on it alone.

pub use toolwright;
