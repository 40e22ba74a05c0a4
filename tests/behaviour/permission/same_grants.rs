//! Grants decide the same with and without the policy's crate in the graph: here it is there, and the package
//! `lean` runs the same table without it.

mod table;
