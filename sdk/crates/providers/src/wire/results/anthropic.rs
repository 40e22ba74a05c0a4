//! Results of Anthropic.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Answered, Part, is_common_image, join};

/// A block of a message of Anthropic.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block<'r> {
    Text {
        text: Cow<'r, str>,
    },
    Image {
        source: Source<'r>,
    },
    ToolResult {
        tool_use_id: &'r str,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Blocks<'r>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        toolset_name: Option<&'r RawValue>,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Blocks<'r> {
    Text(Cow<'r, str>),
    List(Vec<Block<'r>>),
}

#[derive(Serialize)]
pub(super) struct Source<'r> {
    r#type: &'static str,
    media_type: &'r str,
    data: &'r str,
}

pub(super) fn result<'r>(answered: &'r Answered<'_>) -> Block<'r> {
    Block::ToolResult {
        tool_use_id: &answered.call.id,
        content: blocks(answered.content.parts(is_common_image)),
        is_error: answered.content.is_error(),
        toolset_name: answered.call.echo,
    }
}

/// Returns parts as one text, or as blocks where there is an image. The API takes no block of blank text.
pub(super) fn blocks(parts: Vec<Part<'_>>) -> Option<Blocks<'_>> {
    if !parts.iter().any(|part| matches!(part, Part::Image(_))) {
        let text = join(parts);
        return (!text.trim().is_empty()).then_some(Blocks::Text(text));
    }
    let blocks = parts.into_iter().filter_map(|part| match part {
        Part::Text(text) => (!text.trim().is_empty()).then_some(Block::Text { text }),
        Part::Image(image) => Some(Block::Image {
            source: Source {
                r#type: "base64",
                media_type: &image.media_type,
                data: &image.data,
            },
        }),
    });
    Some(Blocks::List(blocks.collect()))
}
