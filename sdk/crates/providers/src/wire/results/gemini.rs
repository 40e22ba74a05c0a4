//! Results of Gemini.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use toolwright::content::{Content, Image};

use super::{AnswerContent, AnswerPart, Answered, join};
use crate::json::Json;

#[derive(Serialize)]
pub(super) struct GeminiUser<'r> {
    pub(super) role: &'static str,
    pub(super) parts: Vec<GeminiPart<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum GeminiPart<'r> {
    Text(Cow<'r, str>),
    InlineData(InlineData<'r>),
    FunctionResponse {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'r str>,
        name: &'r str,
        response: FunctionResult,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        parts: Vec<GeminiPart<'r>>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InlineData<'r> {
    mime_type: &'r str,
    data: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum FunctionResult {
    Output(Box<RawValue>),
    Error(Box<RawValue>),
}

pub(super) fn result<'r>(answered: &'r Answered<'_>) -> GeminiPart<'r> {
    let (texts, images): (Vec<_>, Vec<_>) = answered
        .content
        .parts(is_image)
        .into_iter()
        .partition(|part| matches!(part, AnswerPart::Text(_)));
    let data = match answered.content {
        AnswerContent::Result(result) => match result.content() {
            [Content::Json { json, .. }] => data_for_gemini(json.as_str()),
            _ => None,
        },
        AnswerContent::Refusal(_) => None,
    };
    let written = data.unwrap_or_else(|| to_raw_value(&join(texts)).unwrap_or_default());
    GeminiPart::FunctionResponse {
        id: answered.call.sends_id.then_some(&*answered.call.id),
        name: answered.call.name_in_history(),
        response: if answered.content.is_error() {
            FunctionResult::Error(written)
        } else {
            FunctionResult::Output(written)
        },
        parts: images.into_iter().map(part).collect(),
    }
}

pub(super) fn part(part: AnswerPart<'_>) -> GeminiPart<'_> {
    match part {
        AnswerPart::Text(text) => GeminiPart::Text(text),
        AnswerPart::Image(image) => GeminiPart::InlineData(InlineData {
            mime_type: &image.media_type,
            data: &image.data,
        }),
    }
}

/// Returns data as it is, if the API reads it: its reader of JSON refuses a depth of 100 and numbers that are no `f64`.
/// All else goes as text.
fn data_for_gemini(json: &str) -> Option<Box<RawValue>> {
    fn depth(json: &Json) -> usize {
        let deepest = match json {
            Json::Array(items) => items.iter().map(depth).max(),
            Json::Object(object) => object.iter().map(|(_, value)| depth(value)).max(),
            _ => return 0,
        };
        deepest.unwrap_or(0) + 1
    }
    // Fails at a depth of 128.
    let tree: Json = serde_json::from_str(json).ok()?;
    if depth(&tree) > 64 {
        return None;
    }
    RawValue::from_string(json.to_owned()).ok()
}

/// Returns true if an image is of a type that a function's response may have, with Gemini 3 and later
/// (<https://ai.google.dev/gemini-api/docs/function-calling#multimodal>, read 2026-11-24 in a stored copy).
pub(super) fn is_image(image: &Image) -> bool {
    matches!(
        &*image.media_type,
        "image/png" | "image/jpeg" | "image/webp"
    )
}
