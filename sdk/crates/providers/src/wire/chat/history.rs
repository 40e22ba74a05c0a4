//! Messages of Chat Completions that go back into the conversation.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::super::call::{CallKind, ProviderCall};
use super::super::entries::{Edit, Entries, edit_list, has_items, list, quoted};
use super::super::message::Message;
use super::super::raw::{First, Loose, LooseMembers};
use crate::Api;

/// Returns true if a text is a JSON object.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Returns the message for the conversation, written anew if there are calls to fix.
pub(in super::super) fn history(
    api: Api,
    text: &str,
    fixes: Option<&[ProviderCall<'_>]>,
) -> serde_json::Result<Vec<Message>> {
    #[derive(Deserialize)]
    struct ChatPlace<'m> {
        #[serde(borrow, default)]
        choices: Loose<'m, First<Loose<'m, LooseMembers<ChoicePlace<'m>>>>>,
        #[serde(borrow, default)]
        message: Option<&'m RawValue>,
        #[serde(borrow, default)]
        role: Loose<'m>,
    }
    #[derive(Deserialize)]
    struct ChoicePlace<'m> {
        #[serde(borrow, default)]
        message: Option<&'m RawValue>,
    }
    let place: ChatPlace<'_> = serde_json::from_str(text)?;
    let raw = match place.choices {
        _ if place.role.text().is_some() => None,
        Loose::Known(First(Some(Loose::Known(LooseMembers(choice))))) => choice.message,
        _ => place.message,
    };
    let raw = raw.map_or_else(|| serde_json::from_str(text), Ok)?;
    Ok(vec![match fixes {
        Some(calls) => written(api, raw, calls),
        None => Message::raw(raw),
    }])
}

/// Writes a message anew, so that the API takes it back: it is the assistant's, each call has an id, a name and a text of
/// arguments, and there is content where there is no call. Servers that are compatible read the arguments as JSON, and fail
/// for all that is no object.
fn written(api: Api, raw: &RawValue, calls: &[ProviderCall<'_>]) -> Message {
    let Ok(mut message) = Entries::read(raw.get()) else {
        return Message::raw(raw);
    };
    message.set("role", quoted("assistant"));
    let (legacy, listed): (Vec<_>, Vec<_>) =
        calls.iter().partition(|call| call.kind == CallKind::Legacy);
    let items = message.get("tool_calls").filter(|i| i.starts_with('['));
    let tool_calls = match (listed.is_empty(), items) {
        (true, _) => None,
        (false, Some(items)) => Some(edit_list(items, |index, item| match listed.get(index) {
            Some(call) => Edit::Write(written_call(api, item, call)),
            None => Edit::Keep,
        })),
        (false, None) => Some(list(listed.iter().map(|c| written_call(api, "{}", c)))),
    };
    match tool_calls {
        Some(tool_calls) => message.set("tool_calls", tool_calls),
        None => message.remove("tool_calls"),
    }
    match legacy.first() {
        Some(call) => {
            let function = message.get("function_call").unwrap_or("{}").to_owned();
            message.set("function_call", written_function(api, &function, call));
        }
        None => message.remove("function_call"),
    }
    if !message.get("refusal").is_some_and(|r| r.starts_with('"')) {
        message.remove("refusal");
    }
    let content = match message.get("content") {
        Some(text) if text.starts_with('"') => Some(text.to_owned()),
        Some(parts) if parts.starts_with('[') => {
            let parts = edit_list(parts, |_, part| {
                if part.starts_with('{') {
                    Edit::Keep
                } else {
                    Edit::Drop
                }
            });
            has_items(&parts).then_some(parts)
        }
        _ => None,
    };
    let needs_content = calls.is_empty() && message.get("refusal").is_none();
    match content {
        Some(content) => message.set("content", content),
        None if needs_content => message.set("content", quoted("")),
        None if message.get("content").is_some() => message.set("content", "null".to_owned()),
        None => {}
    }
    Message::written(message.write())
}

fn written_call(api: Api, item: &str, call: &ProviderCall<'_>) -> String {
    let mut entries = Entries::read(item).unwrap_or_default();
    entries.set("id", quoted(&call.id));
    if call.kind == CallKind::Custom {
        let custom = entries.get("custom").unwrap_or("{}").to_owned();
        let mut custom = Entries::read(&custom).unwrap_or_default();
        custom.set("name", quoted(call.name_in_history()));
        custom.set("input", quoted(&call.arguments));
        entries.set("type", quoted("custom"));
        entries.set("custom", custom.write());
        return entries.write();
    }
    entries.set("type", quoted("function"));
    entries.remove("custom");
    let function = entries.get("function").unwrap_or("{}").to_owned();
    entries.set("function", written_function(api, &function, call));
    entries.write()
}

fn written_function(api: Api, function: &str, call: &ProviderCall<'_>) -> String {
    let mut function = Entries::read(function).unwrap_or_default();
    function.set("name", quoted(call.name_in_history()));
    let arguments = function.get("arguments");
    let is_text = arguments.is_some_and(|a| a.starts_with('"'));
    if api == Api::Compatible && !is_object(&call.arguments) {
        function.set("arguments", quoted("{}"));
    } else if !is_text && api == Api::OpenAiChat {
        function.set("arguments", quoted(&call.arguments));
    }
    function.write()
}
