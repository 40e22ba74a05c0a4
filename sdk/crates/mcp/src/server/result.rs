//! Results of calls as MCP writes them.

use rmcp::model::{CallToolResult, ContentBlock, MetaObject, Resource, ResourceContents};
use serde_json::Value;
use toolwright::content::{Content, EmbeddedBody, EmbeddedResource, ToolResult};

/// The result of a call; the schema is that of its tool's output, if it has one.
pub(super) fn result(result: &ToolResult, output_schema: Option<&Value>) -> CallToolResult {
    let mut blocks: Vec<ContentBlock> = result.content().iter().map(block).collect();
    let mut sent = CallToolResult::default();
    let is_success = result.is_success();
    if let (true, Some(schema)) = (is_success, output_schema) {
        sent.structured_content = structured(result, schema);
    }
    // Clients take a success without the structure that the tool promises for a fault of the server, and show nothing
    // of it. So what was cut is no success: the text is read, and its last line says that it was cut.
    let lacks_structure = output_schema.is_some() && sent.structured_content.is_none();
    sent.is_error = Some(!is_success || lacks_structure);
    if blocks.is_empty() && !is_success {
        blocks.push(ContentBlock::text("the call failed"));
    }
    sent.content = blocks;
    sent.meta = result
        .metadata()
        .and_then(|metadata| metadata.get("_meta"))
        .and_then(Value::as_object)
        .map(|meta| MetaObject(meta.clone()));
    sent
}

/// An error that ends a call before the executor has a result of it, for the model.
pub(super) fn failure(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn block(part: &Content) -> ContentBlock {
    match part {
        Content::Text { text, .. } => ContentBlock::text(text),
        Content::Json { json, .. } => ContentBlock::text(json.as_str()),
        Content::Image(image) => ContentBlock::image(&image.data, &image.media_type),
        Content::ResourceLink(link) => {
            let mut resource = Resource::new(&link.uri, &link.name);
            resource.mime_type.clone_from(&link.media_type);
            ContentBlock::resource_link(resource)
        }
        Content::Audio(audio) => ContentBlock::audio(&audio.data, &audio.media_type),
        Content::Embedded(resource) => ContentBlock::resource(embedded(resource)),
        _ => ContentBlock::text("this part of the result cannot be sent over MCP"),
    }
}

fn embedded(resource: &EmbeddedResource) -> ResourceContents {
    let (uri, mime_type) = (resource.uri.clone(), resource.media_type.clone());
    match &resource.body {
        EmbeddedBody::Data(data) => ResourceContents::BlobResourceContents {
            uri,
            mime_type,
            blob: data.clone(),
            meta: None,
        },
        body => ResourceContents::TextResourceContents {
            uri,
            mime_type,
            text: match body {
                EmbeddedBody::Text(text) => text.clone(),
                _ => String::new(),
            },
            meta: None,
        },
    }
}

/// The structure of a result: its JSON, or its text where the schema says that it is a text.
fn structured(result: &ToolResult, schema: &Value) -> Option<Value> {
    let content = result.content();
    let json = content.iter().find_map(|part| match part {
        Content::Json { json, .. } => json.to_value().ok(),
        _ => None,
    });
    json.or_else(|| match content {
        [] => may_be(schema, "null").then_some(Value::Null),
        [Content::Text { text, .. }] => (result.truncated().is_none() && !may_be_object(schema))
            .then(|| Value::String(text.clone())),
        _ => None,
    })
}

/// Returns true if a schema names the type among its own.
fn may_be(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::String(only) => only == name,
        Value::Array(several) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn may_be_object(schema: &Value) -> bool {
    may_be(schema, "object") || may_be(schema, "array")
}
