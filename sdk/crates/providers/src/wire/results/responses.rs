//! Results of Responses.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::super::call::CallKind;
use super::super::message::Message;
use super::{AnswerPart, Answered, data_url, is_common_image, join};

/// A part of an input of Responses.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum InputPart<'r> {
    InputText { text: Cow<'r, str> },
    InputImage { image_url: String },
}

pub(super) fn parts(parts: Vec<AnswerPart<'_>>) -> Vec<InputPart<'_>> {
    let parts = parts.into_iter().map(|part| match part {
        AnswerPart::Text(text) => InputPart::InputText { text },
        AnswerPart::Image(image) => InputPart::InputImage {
            image_url: data_url(image),
        },
    });
    parts.collect()
}

pub(super) fn result(answered: &Answered<'_>) -> Message {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum CallOutputContent<'r> {
        Text(Cow<'r, str>),
        Parts(Vec<InputPart<'r>>),
    }
    #[derive(Serialize)]
    struct CallOutput<'r> {
        r#type: &'static str,
        call_id: &'r str,
        output: CallOutputContent<'r>,
        #[serde(skip_serializing_if = "Option::is_none")]
        caller: Option<&'r RawValue>,
    }
    let found = answered.content.marked_parts(is_common_image);
    let has_image = found
        .iter()
        .any(|part| matches!(part, AnswerPart::Image(_)));
    Message::of(&CallOutput {
        r#type: match answered.call.kind {
            CallKind::Custom => "custom_tool_call_output",
            CallKind::Function | CallKind::Legacy => "function_call_output",
        },
        call_id: &answered.call.id,
        output: if has_image {
            CallOutputContent::Parts(parts(found))
        } else {
            CallOutputContent::Text(join(found))
        },
        caller: answered.call.echo,
    })
}
