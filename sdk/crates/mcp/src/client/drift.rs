//! The definitions of tools as they were approved, to notice when a server changes them.

use std::collections::BTreeMap;
use std::fmt;

use rmcp::model::Tool;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toolwright::PermissionRequest;
use toolwright::content::ContentHash;
use toolwright::permission::TOOL_CHANGED;

/// The fingerprint of a tool's definition: equal for equal definitions, on every run and machine.
///
/// It is the BLAKE3 hash of the definition's name, title, description, schemas and annotations as canonical JSON (RFC
/// 8785).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(ContentHash);

impl Fingerprint {
    /// The fingerprint of a definition. `None` if it cannot be written as JSON.
    pub(super) fn of(definition: &Tool) -> Option<Self> {
        let seen = json!({
            "name": definition.name,
            "title": definition.title,
            "description": definition.description,
            "inputSchema": definition.input_schema,
            "outputSchema": definition.output_schema,
            "annotations": definition.annotations,
        });
        let bytes = serde_json_canonicalizer::to_vec(&seen).ok()?;
        Some(Self(ContentHash::of(bytes)))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The fingerprints of a server's tools as somebody approved them, by the server's own names of the tools. They are
/// plain data: a host keeps them, and gives them to the next import.
///
/// ```
/// use toolwright_mcp::client::{ImportOptions, Pins};
///
/// # fn stored() -> String { String::from("{}") }
/// let pins: Pins = serde_json::from_str(&stored())?;
/// let options = ImportOptions::new().pinned(pins);
/// # drop(options);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pins(pub(super) BTreeMap<String, Fingerprint>);

impl Pins {
    /// The fingerprint that a tool was approved with.
    pub fn get(&self, tool: &str) -> Option<Fingerprint> {
        self.0.get(tool).copied()
    }

    /// Returns true if no tool is among them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A tool whose definition is another than the one that was approved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// The server's own name of the tool.
    pub tool: String,
    /// The definition that was approved.
    pub approved: Fingerprint,
    /// The definition now.
    pub current: Fingerprint,
}

impl Drift {
    /// The request for a call.
    pub(super) fn request(&self, server: &str) -> PermissionRequest {
        let Self {
            tool,
            approved,
            current,
        } = self;
        let summary = format!(
            "Use `{tool}` of the server `{server}`, whose definition has changed since it was approved"
        );
        PermissionRequest::new(TOOL_CHANGED, format!("{server}.{tool}@{current}"), summary)
            .with_detail("approved", approved.to_string())
            .with_detail("current", current.to_string())
    }
}
