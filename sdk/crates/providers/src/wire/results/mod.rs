//! Results in the forms of the APIs.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;
use toolwright::content::{Content, Image, ToolResult, ToolStatus};

use super::call::ProviderCall;
use super::entries::quoted;
use super::message::Message;
use crate::Api;

/// A call with its answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered<'r> {
    pub(crate) call: &'r ProviderCall<'r>,
    pub(crate) content: AnswerContent<'r>,
}

impl<'r> Answered<'r> {
    /// A call that did not run, and the reason.
    pub(crate) fn refused(call: &'r ProviderCall<'r>, why: &'r str) -> Self {
        let content = AnswerContent::Refusal(why);
        Self { call, content }
    }

    /// A call with its result; `None` if what runs calls has given fewer results than there were calls.
    pub(crate) fn of(call: &'r ProviderCall<'r>, result: Option<&'r ToolResult>) -> Self {
        let content = result.map_or(AnswerContent::Refusal(NO_RESULT), AnswerContent::Result);
        Self { call, content }
    }
}

/// The text for the model in place of a result that the app has lost.
const NO_RESULT: &str = "the app gave no result for this call, which may have run";

/// The answer to a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnswerContent<'r> {
    Result(&'r ToolResult),
    /// The reason why the call did not run.
    Refusal(&'r str),
}

impl AnswerContent<'_> {
    fn is_error(&self) -> bool {
        match self {
            Self::Result(result) => result.is_error(),
            Self::Refusal(_) => true,
        }
    }

    /// Returns the answer as parts, the images that `takes` accepts as such, all else as text.
    fn parts(&self, takes: fn(&Image) -> bool) -> Vec<AnswerPart<'_>> {
        match self {
            Self::Result(result) => parts(result.content(), takes),
            Self::Refusal(text) => vec![AnswerPart::Text(Cow::Borrowed(*text))],
        }
    }

    /// Returns the answer as one text, which says if it is an error.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        join(self.marked_parts(|_| false))
    }

    /// Returns the answer as parts for an API that has no mark for errors: the text says so.
    fn marked_parts(&self, takes: fn(&Image) -> bool) -> Vec<AnswerPart<'_>> {
        let mut parts = self.parts(takes);
        if self.is_error() {
            match parts.first_mut() {
                Some(AnswerPart::Text(text)) => text.to_mut().insert_str(0, ERROR),
                _ => parts.insert(0, AnswerPart::Text(Cow::Borrowed(ERROR.trim_ascii_end()))),
            }
        }
        parts
    }
}

/// The mark of an error in a text.
const ERROR: &str = "Error: ";

/// A part of an answer.
enum AnswerPart<'r> {
    Text(Cow<'r, str>),
    Image(&'r Image),
}

fn parts(content: &[Content], takes: fn(&Image) -> bool) -> Vec<AnswerPart<'_>> {
    let parts = content.iter().map(|content| match content {
        Content::Image(image) if takes(image) => AnswerPart::Image(image),
        content => AnswerPart::Text(text_of(content)),
    });
    parts.collect()
}

/// Returns the text of a part; a note in place of what is no text.
pub(crate) fn text_of(content: &Content) -> Cow<'_, str> {
    match content {
        Content::Image(image) => {
            // Four characters of base64 are three bytes.
            let bytes = image.data.len() / 4 * 3;
            let kind = quoted(&image.media_type);
            Cow::Owned(format!(
                "[An image of type {kind}, about {bytes} bytes, which cannot be shown here.]"
            ))
        }
        Content::Audio(audio) => {
            let (kind, bytes) = (quoted(&audio.media_type), audio.data.len() / 4 * 3);
            Cow::Owned(format!(
                "[A sound of type {kind}, about {bytes} bytes, which cannot be played here.]"
            ))
        }
        Content::Embedded(resource) => {
            let uri = quoted(&resource.uri);
            match content.as_text() {
                Some(text) => Cow::Owned(format!("[The resource {uri}:]\n{text}")),
                None => Cow::Owned(format!(
                    "[The resource {uri}, whose bytes cannot be shown here.]"
                )),
            }
        }
        Content::ResourceLink(link) => {
            let (name, uri) = (quoted(&link.name), quoted(&link.uri));
            let mut note = format!("[A link to {name}: {uri}");
            if let Some(kind) = &link.media_type {
                // A `String` takes all that is written.
                let _ = write!(note, ", of type {}", quoted(kind));
            }
            note.push(']');
            Cow::Owned(note)
        }
        content => match content.as_text() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Borrowed("[A part of a kind that cannot be shown here.]"),
        },
    }
}

/// Joins the texts of parts, one a line.
fn join(parts: Vec<AnswerPart<'_>>) -> Cow<'_, str> {
    let texts = parts.into_iter().filter_map(|part| match part {
        AnswerPart::Text(text) => Some(text),
        AnswerPart::Image(_) => None,
    });
    texts
        .reduce(|mut all, text| {
            let whole = all.to_mut();
            whole.push('\n');
            whole.push_str(&text);
            all
        })
        .unwrap_or_default()
}

/// Returns the messages that answer the calls of a message, in the order of the calls.
pub(crate) fn write_results(api: Api, answered: &[Answered<'_>]) -> Vec<Message> {
    if answered.is_empty() {
        return Vec::new();
    }
    match api {
        Api::OpenAiChat | Api::Compatible => answered.iter().map(chat::result).collect(),
        Api::OpenAiResponses => answered.iter().map(responses::result).collect(),
        Api::Anthropic => vec![Message::of(&UserMessage {
            role: "user",
            content: answered.iter().map(anthropic::result).collect::<Vec<_>>(),
        })],
        Api::Gemini => vec![Message::of(&gemini::GeminiUser {
            role: "user",
            parts: answered.iter().map(gemini::result).collect(),
        })],
    }
}

#[derive(Serialize)]
struct UserMessage<C> {
    role: &'static str,
    content: C,
}

fn data_url(image: &Image) -> String {
    format!("data:{};base64,{}", image.media_type, image.data)
}

/// Returns true if an image is of a type that `OpenAI` and Anthropic take
/// (<https://platform.openai.com/docs/guides/images-vision#image-input-requirements>, read 2026-11-24 in a stored copy;
/// `types/base64_image_source_param.py` of Anthropic's Python package 2.12.0).
fn is_common_image(image: &Image) -> bool {
    matches!(
        &*image.media_type,
        "image/png" | "image/jpeg" | "image/gif" | "image/webp"
    )
}

/// Returns a message of the user.
pub(crate) fn user_message(api: Api, text: &str) -> Message {
    user_parts(api, vec![AnswerPart::Text(Cow::Borrowed(text))])
}

/// Returns the result of a call that was suspended, as a message of the user: its placeholder has answered the call in
/// the history, and an API takes one result for each call. `id` is the id that the model knows the call by, if it does.
pub(crate) fn late_result(api: Api, result: &ToolResult, name: &str, id: Option<&str>) -> Message {
    let call = match id {
        Some(id) => format!("`{name}` (call {id})"),
        None => format!("`{name}`"),
    };
    let end = match result.status() {
        ToolStatus::Error => "failed",
        // It waits again, for somebody else or elsewhere.
        ToolStatus::Pending => "gone on",
        _ => "ended",
    };
    let head = format!("The call of {call} that was waiting has {end}. Its result:");
    let takes: fn(&Image) -> bool = match api {
        Api::OpenAiChat | Api::OpenAiResponses | Api::Anthropic => is_common_image,
        Api::Gemini => gemini::is_image,
        Api::Compatible => |_| false,
    };
    let mut all = vec![AnswerPart::Text(Cow::Owned(head))];
    all.extend(parts(result.content(), takes));
    user_parts(api, all)
}

fn user_parts(api: Api, parts: Vec<AnswerPart<'_>>) -> Message {
    let role = "user";
    if api == Api::Gemini {
        let parts = parts.into_iter().map(gemini::part).collect();
        return Message::of(&gemini::GeminiUser { role, parts });
    }
    if !parts
        .iter()
        .any(|part| matches!(part, AnswerPart::Image(_)))
    {
        let content = join(parts);
        return Message::of(&UserMessage { role, content });
    }
    match api {
        Api::Anthropic => Message::of(&UserMessage {
            role,
            content: anthropic::blocks(parts),
        }),
        Api::OpenAiResponses => Message::of(&UserMessage {
            role,
            content: responses::parts(parts),
        }),
        Api::OpenAiChat | Api::Compatible | Api::Gemini => Message::of(&UserMessage {
            role,
            content: chat::parts(parts),
        }),
    }
}

#[cfg(test)]
mod tests;
