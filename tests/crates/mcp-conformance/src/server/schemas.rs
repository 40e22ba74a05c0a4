//! Tools with schemas that no type has.

use serde_json::{Value, json};
use toolwright::spec::Effect;
use toolwright::{Tool, ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

/// The tool whose schema has the keywords of JSON Schema 2020-12.
pub(crate) fn json_schema_tool() -> Result<impl Tool, ToolError> {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    echo(
        "json_schema_2020_12_tool",
        "Returns its arguments, which a schema of many keywords describes.",
        &schema,
    )
}

/// The tool with an argument that HTTP clients send as a header too.
pub(crate) fn custom_header() -> Result<impl Tool, ToolError> {
    let schema = json!({
        "type": "object",
        "properties": {"value": {"type": "string", "x-mcp-header": "Value"}},
        "required": ["value"],
    });
    echo(
        "test_custom_header",
        "Returns its argument, which is in a header of the request too.",
        &schema,
    )
}

fn echo(
    name: &'static str,
    description: &'static str,
    schema: &Value,
) -> Result<impl Tool + use<>, ToolError> {
    let name = ToolName::new(name).map_err(ToolError::from_source)?;
    let spec = ToolSpec::new(name, description)
        .with_input_schema_text(&schema.to_string())
        .map_err(ToolError::from_source)?
        .with_effect(Effect::Pure);
    Ok(tool_fn(
        spec,
        |arguments: Value, _ctx: ToolContext| async move { Ok::<_, ToolError>(arguments) },
    ))
}
