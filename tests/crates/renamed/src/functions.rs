//! `#[tool]` on functions.

use std::future::ready;

use tw::tool;

/// The start of every greeting.
#[derive(Debug)]
pub struct Greeting(pub String);

/// Greet somebody.
#[tool(crate = tw, pure, aliases("hello"))]
pub fn greet(
    /// Whom to greet.
    #[arg(length = 1..)]
    name: String,
    #[arg(default = 1, range = 1..=3)] times: usize,
    greeting: &Greeting,
) -> String {
    vec![format!("{} {name}", greeting.0); times].join(", ")
}

/// Give the number back that comes after.
///
/// # Errors
///
/// Fails if there is none.
#[tw::tool(crate = ::tw, read_only, permission = None::<tw::PermissionRequest>)]
pub async fn next(number: Option<u8>) -> Result<u8, tw::ToolError> {
    ready(number)
        .await
        .unwrap_or_default()
        .checked_add(1)
        .ok_or_else(|| tw::ToolError::failed("there is no number after 255"))
}
