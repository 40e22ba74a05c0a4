//! The crates by which programs talk to models, each behind a feature of its name: the list of tools in its types, and the
//! calls in its messages run as [`ModelTools::answer`](crate::ModelTools::answer) runs them.
//!
//! | crate | feature | |
//! |---|---|---|
//! | `async-openai` 0.43 | `async-openai` | the tools, and the answers to its responses |
//! | `genai` 0.7 | `genai` | the tools, and the answers to its responses |
//! | `rig-core` 0.44 to 0.46 | `rig` | a `rig` tool of each of ours, and a tool of ours of each of `rig`'s |
//!
//! By default all are off. `genai` and some versions of `rig-core` turn on `serde_json/preserve_order`, and `rig-core` needs a
//! newer Rust than this crate does: 1.95 for 0.44.

#[cfg(feature = "async-openai")]
pub mod async_openai;
#[cfg(feature = "genai")]
pub mod genai;
#[cfg(feature = "rig")]
pub mod rig;
