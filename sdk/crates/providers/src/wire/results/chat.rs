//! Results of Chat Completions, which are text.

use std::borrow::Cow;

use serde::Serialize;

use super::super::call::CallKind;
use super::super::message::Message;
use super::{AnswerPart, Answered, data_url};

pub(super) fn result(answered: &Answered<'_>) -> Message {
    #[derive(Serialize)]
    struct Answer<'r> {
        role: &'static str,
        tool_call_id: &'r str,
        content: &'r str,
    }
    #[derive(Serialize)]
    struct Legacy<'r> {
        role: &'static str,
        name: &'r str,
        content: &'r str,
    }
    let content = &*answered.content.text();
    let call = answered.call;
    match call.kind {
        CallKind::Legacy => Message::of(&Legacy {
            role: "function",
            name: call.name_in_history(),
            content,
        }),
        CallKind::Function | CallKind::Custom => Message::of(&Answer {
            role: "tool",
            tool_call_id: &call.id,
            content,
        }),
    }
}

/// A part of a user's message of Chat Completions.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ChatPart<'r> {
    Text { text: Cow<'r, str> },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
pub(super) struct ImageUrl {
    url: String,
}

pub(super) fn parts(parts: Vec<AnswerPart<'_>>) -> Vec<ChatPart<'_>> {
    let parts = parts.into_iter().map(|part| match part {
        AnswerPart::Text(text) => ChatPart::Text { text },
        AnswerPart::Image(image) => ChatPart::ImageUrl {
            image_url: ImageUrl {
                url: data_url(image),
            },
        },
    });
    parts.collect()
}
