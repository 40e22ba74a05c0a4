//! Messages of Anthropic.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::call::{CallReader, Found, ProviderCall};
use super::contents::{Contents, Read};
use super::entries::{Edit, Entries, edit_list, has_items, quoted};
use super::message::Message;
use super::raw::{Loose, LooseMembers};
use super::stop::StopReason;

/// A response, which is a message too.
#[derive(Deserialize)]
struct AnthropicBody<'m> {
    #[serde(borrow, default)]
    content: AnthropicBlocks<'m>,
    #[serde(borrow, default)]
    stop_reason: Loose<'m>,
    #[serde(borrow, default)]
    usage: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct AnthropicBlock<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    id: Loose<'m>,
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    input: Option<&'m RawValue>,
    #[serde(borrow, default)]
    toolset_name: Option<&'m RawValue>,
}

/// The message for the history: the response has members that a request may not have.
#[derive(Serialize)]
struct SentMessage<'m> {
    role: &'static str,
    content: &'m RawValue,
}

type AnthropicBlocks<'m> = Loose<'m, Vec<Loose<'m, LooseMembers<AnthropicBlock<'m>>>>>;

pub(super) fn read<'m>(
    text: &'m str,
    reader: CallReader<'m>,
) -> serde_json::Result<Option<Read<'m>>> {
    let Loose::Known(LooseMembers(body)) =
        serde_json::from_str::<Loose<'m, LooseMembers<AnthropicBody<'m>>>>(text)?
    else {
        return Ok(None);
    };
    let mut contents = Contents::new(reader);
    match body.content {
        Loose::Known(blocks) => {
            for (index, block) in blocks.into_iter().enumerate() {
                let is_valid = read_block(index, block, &mut contents);
                contents.must_write |= !is_valid;
            }
        }
        text @ Loose::Text(_) => {
            contents.text(text.only_text());
        }
        Loose::Null | Loose::Other(_) => return Ok(None),
    }
    Ok(Some(Read {
        stop_reason: stop_reason(&body.stop_reason),
        contents,
        usage: body.usage,
    }))
}

/// Reads a block. Returns true if the API takes it back as it is.
fn read_block<'m>(
    index: usize,
    block: Loose<'m, LooseMembers<AnthropicBlock<'m>>>,
    contents: &mut Contents<'m>,
) -> bool {
    let Loose::Known(LooseMembers(block)) = block else {
        return false;
    };
    match block.kind.text() {
        Some("tool_use") => {
            contents.call(
                index,
                Found {
                    id: block.id,
                    name: block.name,
                    arguments: Cow::Borrowed(block.input.map_or("", RawValue::get)),
                    echo: block.toolset_name,
                    ..Found::default()
                },
            );
            block
                .input
                .is_some_and(|input| input.get().starts_with('{'))
        }
        Some("text") => {
            let is_blank = block.text.text().is_none_or(is_blank);
            contents.text(block.text);
            !is_blank
        }
        _ => {
            contents.other();
            true
        }
    }
}

/// Returns the message for the conversation, its blocks written anew if there are calls to fix. The API refuses a message
/// without content.
pub(super) fn history(
    text: &str,
    fixes: Option<&[ProviderCall<'_>]>,
) -> serde_json::Result<Vec<Message>> {
    #[derive(Deserialize)]
    struct AnthropicPlace<'m> {
        #[serde(borrow)]
        content: &'m RawValue,
    }
    let AnthropicPlace { content } = serde_json::from_str(text)?;
    let content = match fixes {
        Some(calls) => Cow::Owned(written(content, calls)),
        None => Cow::Borrowed(content),
    };
    let is_filled = match content.get() {
        text if text.starts_with('"') => text != "\"\"",
        blocks => has_items(blocks),
    };
    let message = is_filled.then(|| {
        Message::of(&SentMessage {
            role: "assistant",
            content: &content,
        })
    });
    Ok(message.into_iter().collect())
}

/// Writes the blocks anew, so that the API takes them back: each call has an id, a name and an object of arguments, and
/// no text is blank.
fn written(raw: &RawValue, calls: &[ProviderCall<'_>]) -> Box<RawValue> {
    let mut left = calls.iter().peekable();
    let list = edit_list(raw.get(), |index, block| {
        let Ok(mut entries) = Entries::read(block) else {
            return Edit::Drop;
        };
        if let Some(call) = left.next_if(|call| call.place == index) {
            entries.set("id", quoted(&call.id));
            entries.set("name", quoted(call.name_in_history()));
            if !entries.get("input").is_some_and(|i| i.starts_with('{')) {
                // The text of a call may hold the object that was meant; anything else is told by the refusal.
                let text: Cow<'_, str> =
                    serde_json::from_str(&call.arguments).map_or(Cow::Borrowed(""), Cow::Owned);
                let object = Entries::read(&text).unwrap_or_default();
                entries.set("input", object.write());
            }
            return Edit::Write(entries.write());
        }
        let block = serde_json::from_str::<AnthropicBlock<'_>>(block);
        match block {
            Ok(block) if block.kind.text() == Some("text") => match block.text.text() {
                Some(text) if !is_blank(text) => Edit::Keep,
                _ => Edit::Drop,
            },
            _ => Edit::Keep,
        }
    });
    RawValue::from_string(list).unwrap_or_default()
}

/// Returns true if the API refuses a block of this text.
fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn stop_reason(reason: &Loose<'_>) -> StopReason {
    match reason.text() {
        Some("end_turn" | "stop_sequence") => StopReason::Finished,
        Some("tool_use") => StopReason::Calls,
        Some("max_tokens" | "model_context_window_exceeded") => StopReason::MaxTokens,
        Some("pause_turn") => StopReason::Paused,
        Some("refusal") => StopReason::Refused,
        Some(other) => StopReason::Other(one_line(other, 60)),
        None => StopReason::Unknown,
    }
}

#[cfg(test)]
mod tests;
