//! Real definitions and real calls: `tests/data/README.md` says where they come from.

mod bfcl;
pub(crate) mod mcp;
