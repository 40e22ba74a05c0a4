//! Items of Responses.

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::assistant::{AssistantMessage, Entry};
use super::call::{CallKind, CallReader, Found, ProviderCall};
use super::contents::Contents;
use super::message::Message;
use super::raw::{Entries, Loose, Members, quoted, text_of_arguments};
use super::stop::StopReason;
use super::usage::Usage;

#[derive(Deserialize, Default)]
struct Body<'m> {
    #[serde(borrow, default)]
    output: Loose<'m, Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    status: Loose<'m>,
    #[serde(borrow, default)]
    incomplete_details: Loose<'m, Members<IncompleteDetails<'m>>>,
    #[serde(borrow, default)]
    usage: Option<&'m RawValue>,
    /// The type of an item alone.
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
}

#[derive(Deserialize)]
struct IncompleteDetails<'m> {
    #[serde(borrow, default)]
    reason: Loose<'m>,
}

#[derive(Deserialize)]
struct Item<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
    #[serde(borrow, default)]
    call_id: Loose<'m>,
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    arguments: Option<&'m RawValue>,
    #[serde(borrow, default)]
    input: Loose<'m>,
    #[serde(borrow, default)]
    status: Loose<'m>,
    #[serde(borrow, default)]
    content: Loose<'m, Vec<Loose<'m, Members<Part<'m>>>>>,
    #[serde(borrow, default)]
    caller: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct Part<'m> {
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
}

pub(super) fn read<'m>(
    text: &'m str,
    reader: CallReader<'m>,
) -> serde_json::Result<Option<AssistantMessage<'m>>> {
    let mut end = Body::default();
    let items: Vec<&RawValue> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)?
    } else {
        let body = serde_json::from_str::<Loose<'m, Members<Body<'m>>>>(text)?;
        let Loose::Known(Members(mut body)) = body else {
            return Ok(None);
        };
        match std::mem::take(&mut body.output) {
            // The response has the error of its request.
            Loose::Known(_) if body.status.text() == Some("failed") => return Ok(None),
            Loose::Known(items) => {
                end = body;
                items
            }
            // An error has a type too.
            _ if matches!(body.kind.text(), Some(kind) if kind != "error") => {
                vec![serde_json::from_str(text)?]
            }
            _ => return Ok(None),
        }
    };
    let mut contents = Contents::new(reader);
    let mut entries = Vec::with_capacity(items.len());
    let mut unfinished = Vec::new();
    for raw in items {
        let item = serde_json::from_str::<Loose<'m, Members<Item<'m>>>>(raw.get())?;
        // The API takes no item back that is no object.
        if let Loose::Known(Members(item)) = item {
            if matches!(item.status.text(), Some("incomplete" | "in_progress")) {
                unfinished.push(entries.len());
            }
            read_item(entries.len(), item, &mut contents);
            entries.push(Entry::Raw(raw));
        }
    }
    let stop_reason = stop_reason(&end, &contents);
    let mut calls = contents.take_calls(&stop_reason);
    for (call, place) in calls.iter_mut().zip(&contents.places) {
        if unfinished.contains(place) {
            call.cut_off(&stop_reason);
        }
        if contents.must_write
            && let Some(entry) = entries.get_mut(*place)
            && let Entry::Raw(raw) = entry
        {
            *entry = Entry::Written(written(raw, call));
        }
    }
    Ok(Some(AssistantMessage {
        text: contents.text,
        stop_reason,
        usage: Usage::read(end.usage),
        calls,
        history: entries,
    }))
}

fn read_item<'m>(index: usize, item: Item<'m>, contents: &mut Contents<'m>) {
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
                arguments: item.input.into_text().unwrap_or_default(),
                kind: CallKind::Custom,
                echo: item.caller,
            };
            contents.call(index, found).refuse_custom();
        }
        Some("message") => {
            contents.other();
            let parts = item.content.into_known().unwrap_or_default();
            for Members(part) in parts.into_iter().filter_map(Loose::into_known) {
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

fn stop_reason(end: &Body<'_>, contents: &Contents<'_>) -> StopReason {
    match end.status.text() {
        Some("completed") if contents.has_calls() => StopReason::Calls,
        Some("completed") if contents.is_refused => StopReason::Refused,
        Some("completed") => StopReason::Finished,
        Some("incomplete") => match &end.incomplete_details {
            Loose::Known(Members(details)) => match details.reason.text() {
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
