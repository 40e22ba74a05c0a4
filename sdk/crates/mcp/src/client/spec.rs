//! The definition of a tool as a spec.

use rmcp::model::{Tool, ToolAnnotations as Hints};
use serde_json::Value;
use toolwright::spec::{Effect, ToolAnnotations};
use toolwright::text::one_line;
use toolwright::{ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn};

use super::drift::Fingerprint;
use super::options::ImportOptions;

/// A tool of a server.
pub(super) struct ImportedTool {
    pub(super) spec: ToolSpec,
    pub(super) fingerprint: Fingerprint,
}

/// The most characters of a title.
const TITLE: usize = 200;

/// Reads a definition; or says why the tool cannot be imported.
pub(super) fn imported(
    definition: Tool,
    server: &str,
    options: &ImportOptions,
) -> Result<ImportedTool, String> {
    let text = serde_json::to_string(&definition).map_err(|error| error.to_string())?;
    if text.len() > options.max_definition_bytes {
        let (size, most) = (text.len(), options.max_definition_bytes);
        return Err(format!(
            "its definition has {size} bytes, and the limit is {most}"
        ));
    }
    let fingerprint = Fingerprint::of(&definition);
    let fingerprint = fingerprint.ok_or("its definition has no canonical form")?;
    let own = definition.name.into_owned();
    ToolName::new(format!("{server}.{own}")).map_err(|error| error.to_string())?;
    let name = ToolName::new(own).map_err(|error| error.to_string())?;

    let hints = definition.annotations.unwrap_or_default();
    let description = definition.description.unwrap_or_default();
    let mut spec = ToolSpec::new(name, description.into_owned())
        .with_input_schema(Value::Object((*definition.input_schema).clone()))
        .with_effect(effect(&hints, options.trusts_annotations))
        .with_annotations(annotations(&hints));
    let title = definition.title.or_else(|| hints.title.clone());
    if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
        spec = spec.with_title(one_line(&title, TITLE));
    }
    if let Some(schema) = definition.output_schema {
        spec = spec.with_output_schema(Value::Object((*schema).clone()));
    }
    if let Some(timeout) = options.call_timeout {
        spec = spec.with_timeout(timeout);
    }
    for (key, value) in [
        (ANNOTATIONS, serde_json::to_value(&hints)),
        ("icons", serde_json::to_value(definition.icons)),
        ("_meta", serde_json::to_value(definition.meta)),
    ] {
        let value = value.map_err(|error| error.to_string())?;
        let is_empty = value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
        if !is_empty {
            spec = spec.with_metadata(key, value);
        }
    }
    enforceable(&spec)?;
    Ok(ImportedTool { spec, fingerprint })
}

/// The key of a spec's metadata with the annotations as the server sent them.
pub const ANNOTATIONS: &str = "mcp.annotations";

/// The effect that a server claims, if the host believes it; else that of a tool which may do anything, once.
fn effect(hints: &Hints, trusted: bool) -> Effect {
    match (trusted, hints.read_only_hint, hints.idempotent_hint) {
        (true, Some(true), _) => Effect::ReadOnly,
        (true, _, Some(true)) => Effect::Idempotent,
        _ => Effect::default(),
    }
}

/// The hints that make toolwright more careful. Those that would allow more, such as `readOnlyHint`, are left to
/// [`effect`], for policies go by annotations too.
fn annotations(hints: &Hints) -> ToolAnnotations {
    let mut careful = ToolAnnotations::new();
    if hints.destructive_hint == Some(true) && hints.read_only_hint != Some(true) {
        careful = careful.with_destructive(true);
    }
    if hints.open_world_hint == Some(true) {
        careful = careful.with_open_world(true);
    }
    careful
}

/// Tries whether calls can be held to the schemas: one that refers to another document, or is none, cannot be enforced.
fn enforceable(spec: &ToolSpec) -> Result<(), String> {
    let tool = tool_fn(spec.clone(), async |_: Value, _| Ok::<_, ToolError>(()));
    ToolRegistry::new().with(tool).check().map_err(|error| {
        let schema = error.broken_schemas().first();
        schema.map_or_else(|| error.to_string(), |broken| broken.error().to_string())
    })
}
