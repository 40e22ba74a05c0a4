//! The Model Context Protocol, and the layer of invocables below tools.

mod bridge;
mod canonical_names;
