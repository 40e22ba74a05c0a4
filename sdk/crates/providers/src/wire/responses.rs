//! Items of Responses.

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::arguments::text_of_arguments;
use super::call::{CallKind, CallReader, Found, ProviderCall};
use super::contents::{Contents, Read};
use super::entries::{Entries, quoted};
use super::message::Message;
use super::raw::{Loose, LooseMembers};
use super::stop::StopReason;

#[derive(Deserialize, Default)]
struct ResponsesBody<'m> {
    #[serde(borrow, default)]
    output: ResponsesItems<'m>,
    #[serde(borrow, default)]
    status: Loose<'m>,
    #[serde(borrow, default)]
    incomplete_details: Loose<'m, LooseMembers<IncompleteDetails<'m>>>,
    #[serde(borrow, default)]
    usage: Option<&'m RawValue>,
    /// The type of an item alone.
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
}

type ResponsesItems<'m> = Loose<'m, Vec<Loose<'m, LooseMembers<ResponsesItem<'m>>>>>;

#[derive(Deserialize)]
struct IncompleteDetails<'m> {
    #[serde(borrow, default)]
    reason: Loose<'m>,
}

#[derive(Deserialize)]
struct ResponsesItem<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
    #[serde(borrow, default)]
    call_id: Loose<'m>,
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    arguments: Option<&'m RawValue>,
    #[serde(borrow, default)]
    input: Option<&'m RawValue>,
    #[serde(borrow, default)]
    status: Loose<'m>,
    #[serde(borrow, default)]
    content: Loose<'m, Vec<Loose<'m, LooseMembers<ResponsesPart<'m>>>>>,
    #[serde(borrow, default)]
    caller: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct ResponsesPart<'m> {
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
}

pub(super) fn read<'m>(
    text: &'m str,
    reader: CallReader<'m>,
) -> serde_json::Result<Option<Read<'m>>> {
    let mut end = ResponsesBody::default();
    let items = if text.trim_start().starts_with('[') {
        serde_json::from_str::<ResponsesItems<'m>>(text)?
    } else {
        let body = serde_json::from_str::<Loose<'m, LooseMembers<ResponsesBody<'m>>>>(text)?;
        let Loose::Known(LooseMembers(body)) = body else {
            return Ok(None);
        };
        end = body;
        match std::mem::take(&mut end.output) {
            // The response has the error of its request.
            Loose::Known(_) if end.status.text() == Some("failed") => return Ok(None),
            Loose::Null if end.is_item() => {
                end.status = Loose::Null;
                Loose::Known(vec![serde_json::from_str(text)?])
            }
            items => items,
        }
    };
    let Loose::Known(items) = items else {
        return Ok(None);
    };
    let mut contents = Contents::new(reader);
    let mut unfinished = Vec::new();
    // The API takes no item back that is no object.
    let items = items.into_iter().filter_map(Loose::into_known);
    for (place, LooseMembers(item)) in items.enumerate() {
        if matches!(item.status.text(), Some("incomplete" | "in_progress")) {
            unfinished.push(place);
        }
        read_item(place, item, &mut contents);
    }
    let stop_reason = stop_reason(&end, &contents);
    contents.cut_off(&unfinished, &stop_reason);
    Ok(Some(Read {
        contents,
        stop_reason,
        usage: end.usage,
    }))
}

/// Returns the items for the conversation, calls written anew if there are some to fix.
pub(super) fn history(
    text: &str,
    fixes: Option<&[ProviderCall<'_>]>,
) -> serde_json::Result<Vec<Message>> {
    #[derive(Deserialize)]
    struct ResponsesPlace<'m> {
        #[serde(borrow, default)]
        output: Option<Vec<&'m RawValue>>,
    }
    let items = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)?
    } else {
        match serde_json::from_str::<ResponsesPlace<'_>>(text)?.output {
            Some(items) => items,
            None => vec![serde_json::from_str(text)?],
        }
    };
    let items = items.into_iter().filter(|item| item.get().starts_with('{'));
    let mut left = fixes.unwrap_or_default().iter().peekable();
    let messages =
        items.enumerate().map(
            |(place, item)| match left.next_if(|call| call.place == place) {
                Some(call) => written(item, call),
                None => Message::raw(item),
            },
        );
    Ok(messages.collect())
}

impl ResponsesBody<'_> {
    /// Returns true if this is an item alone. An error has a type too.
    fn is_item(&self) -> bool {
        self.kind.text().is_some_and(|kind| kind != "error")
    }
}

fn read_item<'m>(index: usize, item: ResponsesItem<'m>, contents: &mut Contents<'m>) {
    match item.kind.text() {
        Some("function_call") => {
            let is_text = item.arguments.is_some_and(|a| a.get().starts_with('"'));
            let found = Found {
                id: item.call_id,
                name: item.name,
                arguments: text_of_arguments(item.arguments),
                echo: item.caller,
                ..Found::default()
            };
            contents.call(index, found);
            contents.must_write |= !is_text;
        }
        Some("custom_tool_call") => {
            let found = Found {
                id: item.call_id,
                name: item.name,
                arguments: text_of_arguments(item.input),
                kind: CallKind::Custom,
                echo: item.caller,
            };
            contents.call(index, found).refuse_custom();
        }
        Some("message") => {
            contents.other();
            let parts = item.content.into_known().unwrap_or_default();
            for LooseMembers(part) in parts.into_iter().filter_map(Loose::into_known) {
                contents.text(part.text);
                contents.refusal(part.refusal);
            }
        }
        _ => contents.other(),
    }
}

/// Writes the item of a call anew, so that the API takes it back: it has an id, a name and a text of arguments.
fn written(raw: &RawValue, call: &ProviderCall<'_>) -> Message {
    let Ok(mut item) = Entries::read(raw.get()) else {
        return Message::raw(raw);
    };
    item.set("call_id", quoted(&call.id));
    item.set("name", quoted(call.name_in_history()));
    if call.kind == CallKind::Function {
        item.set("arguments", quoted(&call.arguments));
    }
    Message::written(item.write())
}

fn stop_reason(end: &ResponsesBody<'_>, contents: &Contents<'_>) -> StopReason {
    match end.status.text() {
        Some("completed") if contents.has_calls() => StopReason::Calls,
        Some("completed") if contents.is_refused => StopReason::Refused,
        Some("completed") => StopReason::Finished,
        Some("incomplete") => match &end.incomplete_details {
            Loose::Known(LooseMembers(details)) => match details.reason.text() {
                Some("content_filter") => StopReason::Filtered,
                Some("max_output_tokens") | None => StopReason::MaxTokens,
                Some(other) => StopReason::Other(one_line(other, 60)),
            },
            _ => StopReason::MaxTokens,
        },
        Some(other) => StopReason::Other(one_line(other, 60)),
        None => StopReason::Unknown,
    }
}

#[cfg(test)]
mod tests;
