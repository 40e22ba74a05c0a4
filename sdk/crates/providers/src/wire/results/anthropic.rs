//! Results of Anthropic.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{AnswerPart, Answered, is_common_image, join};

/// A block of a message of Anthropic.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum UserBlock<'r> {
    Text {
        text: Cow<'r, str>,
    },
    Image {
        source: ImageSource<'r>,
    },
    ToolResult {
        tool_use_id: &'r str,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<UserBlocks<'r>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        toolset_name: Option<&'r RawValue>,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum UserBlocks<'r> {
    Text(Cow<'r, str>),
    List(Vec<UserBlock<'r>>),
}

#[derive(Serialize)]
pub(super) struct ImageSource<'r> {
    r#type: &'static str,
    media_type: &'r str,
    data: &'r str,
}

pub(super) fn result<'r>(answered: &'r Answered<'_>) -> UserBlock<'r> {
    UserBlock::ToolResult {
        tool_use_id: &answered.call.id,
        content: blocks(answered.content.parts(is_common_image)),
        is_error: answered.content.is_error(),
        toolset_name: answered.call.echo,
    }
}

/// Returns parts as one text, or as blocks where there is an image. The API takes no block of blank text.
pub(super) fn blocks(parts: Vec<AnswerPart<'_>>) -> Option<UserBlocks<'_>> {
    if !parts
        .iter()
        .any(|part| matches!(part, AnswerPart::Image(_)))
    {
        let text = join(parts);
        return (!text.trim().is_empty()).then_some(UserBlocks::Text(text));
    }
    let blocks = parts.into_iter().filter_map(|part| match part {
        AnswerPart::Text(text) => (!text.trim().is_empty()).then_some(UserBlock::Text { text }),
        AnswerPart::Image(image) => Some(UserBlock::Image {
            source: ImageSource {
                r#type: "base64",
                media_type: &image.media_type,
                data: &image.data,
            },
        }),
    });
    Some(UserBlocks::List(blocks.collect()))
}
