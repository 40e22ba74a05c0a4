#![doc = include_str!("../docs/guide/README.md")]

// The pages are files, so that the repository, docs.rs and the tests have the same text. A page whose examples need a
// companion crate is compiled and run by the doc tests of that crate, which includes the same file.

#[doc = include_str!("../docs/guide/first_tool.md")]
pub mod first_tool {}

#[doc = include_str!("../docs/guide/arguments.md")]
pub mod arguments {}

#[doc = include_str!("../docs/guide/results.md")]
pub mod results {}

#[doc = include_str!("../docs/guide/app_resources.md")]
pub mod app_resources {}

#[doc = include_str!("../docs/guide/permissions.md")]
pub mod permissions {}

#[cfg_attr(not(doctest), doc = include_str!("../docs/guide/policies.md"))]
pub mod policies {}

#[doc = include_str!("../docs/guide/asking_people.md")]
pub mod asking_people {}

#[doc = include_str!("../docs/guide/many_calls.md")]
pub mod many_calls {}

#[doc = include_str!("../docs/guide/state.md")]
pub mod state {}

#[doc = include_str!("../docs/guide/nested_calls.md")]
pub mod nested_calls {}

#[doc = include_str!("../docs/guide/large_results.md")]
pub mod large_results {}

#[doc = include_str!("../docs/guide/testing.md")]
pub mod testing {}

// Definitions as data need the validator.
#[cfg_attr(any(not(doctest), feature = "json-schema"), doc = include_str!("../docs/guide/dynamic_tools.md"))]
pub mod dynamic_tools {}

#[doc = include_str!("../docs/guide/choosing_tools.md")]
pub mod choosing_tools {}

#[doc = include_str!("../docs/guide/hooks_and_events.md")]
pub mod hooks_and_events {}

#[cfg_attr(not(doctest), doc = include_str!("../docs/guide/journal_and_replay.md"))]
pub mod journal_and_replay {}

#[doc = include_str!("../docs/guide/agent_loop.md")]
pub mod agent_loop {}

#[cfg_attr(not(doctest), doc = include_str!("../docs/guide/providers.md"))]
pub mod providers {}

#[cfg_attr(not(doctest), doc = include_str!("../docs/guide/mcp.md"))]
pub mod mcp {}

#[cfg_attr(not(doctest), doc = include_str!("../docs/guide/many_processes.md"))]
pub mod many_processes {}

#[doc = include_str!("../docs/guide/limitations.md")]
pub mod limitations {}
