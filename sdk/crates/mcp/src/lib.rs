//! Tools of toolwright over the [Model Context Protocol](https://modelcontextprotocol.io): a registry of tools served to
//! any client, and the tools of any server in a registry, by the official Rust SDK (`rmcp`).
//!
//! | to do | |
//! |---|---|
//! | serve tools to one client | [`serve`], and [`McpServer::stdio`](server::McpServer::stdio) |
//! | serve tools over HTTP | `McpServer::http` and `McpServer::router`, with the feature `http` |
//! | use the tools of a server | [`import`], and [`client::import_with`] for more than the defaults |
//! | use a server over HTTP | `client::Http`, with the feature `http` |
//! | mix tools with other capabilities | [`bridge`] |
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bridge;
#[cfg(feature = "client")]
pub mod client;
#[cfg(all(test, feature = "client", feature = "server"))]
mod defaults;
#[cfg(feature = "server")]
pub mod server;

#[cfg(feature = "client")]
pub use client::import;
#[cfg(feature = "server")]
pub use server::serve;

#[cfg(all(doctest, feature = "client", feature = "http", feature = "server"))]
#[doc = include_str!("../../../docs/guide/mcp.md")]
mod guide {}

#[cfg(all(feature = "client", feature = "http"))]
/// The client of HTTP, which stands in signatures of [`client::Http`].
pub use reqwest;
/// The official Rust SDK of the protocol, whose transports and types stand in signatures of this crate.
pub use rmcp;
