//! An app that uses tools of its own and of other packages. A module for each way to write a tool.

use toolwright::registry::RegistryError;
use toolwright::{ToolRegistry, discover};

pub mod functions;

/// The tools of the app: its own, and those of two of the libraries that it uses.
///
/// # Errors
///
/// Fails if one of the three has none, or if two want one name.
pub fn registry() -> Result<ToolRegistry, RegistryError> {
    discover!(crate, note_kit, letters = "letter-kit")
}
