//! The result of a call as an output.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};
use toolwright::content::{ErrorKind, JsonText};
use toolwright::text::one_line;
use toolwright::{Content, ToolError, ToolOutput};

/// The key of an output's metadata with the parts that [`Content`] has no form for, as the server sent them.
pub const OTHER_PARTS: &str = "mcp.content";

/// The key of an output's metadata with the metadata that the server sent.
pub const RESULT_META: &str = "mcp._meta";

/// Turns a result into an output.
pub(super) fn output(result: CallToolResult, most: usize) -> Result<ToolOutput, ToolError> {
    let size = size(&result);
    if size > most {
        let text = format!("the result of the server has {size} bytes, and the limit is {most}");
        return Err(ToolError::new(ErrorKind::LimitExceeded, text));
    }
    let mut output = ToolOutput::empty();
    let structured = result.structured_content;
    if let Some(structured) = &structured {
        let text = structured.to_string();
        let json = JsonText::from_text(text).map_err(ToolError::from_source)?;
        output = output.with(Content::from(json));
    }
    let (mut text, mut others) = (String::new(), Vec::new());
    for block in result.content {
        let part = part(block, &mut others);
        let shown = part.as_text();
        // The same data once more, for clients of earlier versions.
        let repeats = || shown.is_some_and(|shown| is_same(shown, structured.as_ref()));
        if structured.is_some() && repeats() {
            continue;
        }
        if let Some(shown) = shown {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(shown);
        }
        output = output.with(part);
    }
    if !others.is_empty() {
        output = output.with_metadata(OTHER_PARTS, others);
    }
    if let Some(meta) = result.meta {
        output = output.with_metadata(RESULT_META, Value::Object(meta.0));
    }
    if result.is_error == Some(true) {
        if text.is_empty() {
            text = structured.map_or_else(
                || "the server reports an error and says no more".to_owned(),
                |structured| structured.to_string(),
            );
        }
        output = output.with_error(ToolError::failed(text).with_code("mcp_tool_error"));
    }
    Ok(output)
}

fn is_same(text: &str, structured: Option<&Value>) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<Value>(text).ok().as_ref() == structured
}

/// The part that a block becomes. One of a kind that is not known is named, and kept whole among the others.
fn part(block: ContentBlock, others: &mut Vec<Value>) -> Content {
    match block {
        ContentBlock::Text(text) => Content::text(text.text),
        ContentBlock::Image(image) => match STANDARD.decode(&image.data) {
            Ok(bytes) => Content::image(bytes, image.mime_type),
            Err(_) => broken("an image", &image.mime_type),
        },
        ContentBlock::Audio(audio) => match STANDARD.decode(&audio.data) {
            Ok(bytes) => Content::audio(bytes, audio.mime_type),
            Err(_) => broken("a sound", &audio.mime_type),
        },
        ContentBlock::ResourceLink(link) => typed(
            json!({"type": "resource_link", "uri": link.uri, "name": link.name}),
            link.mime_type,
        ),
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents {
                uri,
                mime_type,
                text,
                ..
            } => typed(
                json!({"type": "embedded", "uri": uri, "text": text}),
                mime_type,
            ),
            ResourceContents::BlobResourceContents {
                uri,
                mime_type,
                blob,
                ..
            } => {
                if STANDARD.decode(&blob).is_err() {
                    return broken(
                        "a resource",
                        mime_type.as_deref().unwrap_or("of unknown type"),
                    );
                }
                typed(
                    json!({"type": "embedded", "uri": uri, "data": blob}),
                    mime_type,
                )
            }
            _ => unknown(),
        },
        other => {
            others.extend(serde_json::to_value(other));
            unknown()
        }
    }
}

fn unknown() -> Content {
    Content::text("[a part of a kind that is not known here]")
}

fn broken(what: &str, media_type: &str) -> Content {
    let media_type = one_line(media_type, 100);
    Content::text(format!("[{what}, {media_type}, which is not valid base64]"))
}

/// A part from its serialised form, with its media type if that is known.
fn typed(mut part: Value, media_type: Option<String>) -> Content {
    if let (Some(media_type), Some(part)) = (media_type, part.as_object_mut()) {
        part.insert("media_type".to_owned(), media_type.into());
    }
    serde_json::from_value(part).unwrap_or_else(|_| unknown())
}

/// The bytes of all that a result carries.
fn size(result: &CallToolResult) -> usize {
    let blocks = result.content.iter().map(|block| match block {
        ContentBlock::Text(text) => text.text.len(),
        ContentBlock::Image(image) => image.data.len(),
        ContentBlock::Audio(audio) => audio.data.len(),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.len(),
            ResourceContents::BlobResourceContents { blob, .. } => blob.len(),
            _ => 0,
        },
        _ => 0,
    });
    let structured = result
        .structured_content
        .as_ref()
        .map(|value| value.to_string().len());
    blocks.sum::<usize>() + structured.unwrap_or_default()
}
