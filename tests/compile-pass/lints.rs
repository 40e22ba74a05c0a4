//! The code that an expansion adds is free of lints, whatever an author's crate denies.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused,
    rust_2018_idioms,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_import_braces,
    unused_macro_rules,
    variant_size_differences,
    absolute_paths_not_starting_with_crate,
    let_underscore_drop,
    redundant_lifetimes,
    unit_bindings,
    nonstandard_style
)]

use serde::Serialize;
use std::path::PathBuf;
use toolwright::{FileAccess, ToolContext, ToolError, tool};

/// The workspace.
#[derive(Debug, Clone, Copy)]
pub struct Workspace;

/// The result of a search.
#[derive(Debug, Serialize)]
struct Found {
    path: PathBuf,
}

/// Read a text file.
#[tool(
    name = "fs.read",
    title = "Read",
    version = "1.0",
    aliases("cat"),
    category = "files",
    read_only,
    destructive = false,
    open_world = false,
    needs_approval,
    streaming,
    timeout = "10s",
    metadata(tier = 2, weight = 0.5),
    permission = FileAccess::read(path)
)]
async fn read_file(
    /// The path.
    path: PathBuf,
    #[arg(default = "b", length = ..=64, pattern = "^[a-z]+$", format = "hostname", one_of("a", "b"))]
    host: String,
    #[arg(default = 1, range = 1..=9, one_of(1, 2))] from: u32,
    limit: Option<u32>,
    workspace: &Workspace,
    context: Option<&ToolContext>,
) -> Result<Vec<Found>, ToolError> {
    drop((host, from, limit, workspace, context));
    Ok(vec![Found { path }])
}

/// Wait a moment.
#[tool]
async fn wait() {}

/// Add up.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say hello.
#[tool(register = false)]
fn hello() -> &'static str {
    "hello"
}

#[test]
fn program_runs() {
    let tools = toolwright::ToolRegistry::new().with(Hello);
    assert_eq!(tools.len(), 1);
}
