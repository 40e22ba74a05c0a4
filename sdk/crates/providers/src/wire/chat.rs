//! Messages of Chat Completions.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::call::{CallKind, CallReader, Found, ProviderCall};
use super::contents::{Contents, Read};
use super::message::Message;
use super::raw::{
    Edit, Entries, First, Loose, LooseMembers, edit_list, list, quoted, text_of_arguments,
};
use super::stop::StopReason;
use crate::Api;

/// A response: `choices`, or `message` as Ollama's own API has it; or the message alone.
#[derive(Deserialize)]
struct ChatBody<'m> {
    #[serde(borrow, default)]
    choices: Loose<'m, First<Loose<'m, LooseMembers<ChatChoice<'m>>>>>,
    #[serde(borrow, default)]
    message: Loose<'m, LooseMembers<ChatMessage<'m>>>,
    #[serde(borrow, default)]
    done_reason: Loose<'m>,
    #[serde(borrow, default)]
    usage: Option<&'m RawValue>,
    #[serde(borrow, default)]
    role: Option<&'m RawValue>,
    #[serde(borrow, default)]
    content: ChatContent<'m>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
    #[serde(borrow, default)]
    tool_calls: ChatCalls<'m>,
    #[serde(borrow, default)]
    function_call: Loose<'m, LooseMembers<ChatFunction<'m>>>,
}

#[derive(Deserialize)]
struct ChatChoice<'m> {
    #[serde(borrow, default)]
    message: Loose<'m, LooseMembers<ChatMessage<'m>>>,
    #[serde(borrow, default)]
    finish_reason: Loose<'m>,
}

#[derive(Deserialize)]
struct ChatMessage<'m> {
    #[serde(borrow, default)]
    content: ChatContent<'m>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
    #[serde(borrow, default)]
    tool_calls: ChatCalls<'m>,
    #[serde(borrow, default)]
    function_call: Loose<'m, LooseMembers<ChatFunction<'m>>>,
}

type ChatContent<'m> = Loose<'m, Vec<Loose<'m, LooseMembers<ChatTextPart<'m>>>>>;
type ChatCalls<'m> = Loose<'m, Vec<Loose<'m, LooseMembers<ChatCall<'m>>>>>;

#[derive(Deserialize)]
struct ChatTextPart<'m> {
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
}

#[derive(Deserialize)]
struct ChatCall<'m> {
    #[serde(borrow, default)]
    id: Loose<'m>,
    #[serde(borrow, default, rename = "type")]
    kind: Option<&'m RawValue>,
    #[serde(borrow, default)]
    function: Loose<'m, LooseMembers<ChatFunction<'m>>>,
    #[serde(borrow, default)]
    custom: Option<&'m RawValue>,
}

#[derive(Deserialize, Default)]
struct ChatFunction<'m> {
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    arguments: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct ChatCustom<'m> {
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    input: Loose<'m>,
}

pub(super) fn read<'m>(
    api: Api,
    text: &'m str,
    reader: CallReader<'m>,
) -> serde_json::Result<Option<Read<'m>>> {
    let Loose::Known(LooseMembers(body)) =
        serde_json::from_str::<Loose<'m, LooseMembers<ChatBody<'m>>>>(text)?
    else {
        return Ok(None);
    };
    let (message, reason) = match body.choices {
        Loose::Known(First(Some(Loose::Known(LooseMembers(choice))))) => {
            (choice.message, choice.finish_reason)
        }
        _ => (body.message, body.done_reason),
    };
    let message = match message {
        Loose::Known(LooseMembers(message)) => message,
        Loose::Null if body.role.is_some() => ChatMessage {
            content: body.content,
            refusal: body.refusal,
            tool_calls: body.tool_calls,
            function_call: body.function_call,
        },
        _ => return Ok(None),
    };
    let mut contents = Contents::new(reader);
    match message.content {
        Loose::Known(parts) => {
            for LooseMembers(part) in parts.into_iter().filter_map(Loose::into_known) {
                contents.text(part.text);
                contents.refusal(part.refusal);
            }
        }
        text => {
            contents.text(text.only_text());
        }
    }
    contents.refusal(message.refusal);
    match message.tool_calls {
        Loose::Null => {}
        Loose::Known(items) => {
            // The API refuses a list without items in a request.
            contents.must_write = items.is_empty();
            for (index, item) in items.into_iter().enumerate() {
                match item {
                    Loose::Known(LooseMembers(call)) => read_call(api, index, call, &mut contents),
                    other => contents.broken_call(index, other.kind()),
                }
            }
        }
        other => contents.broken_call(0, other.kind()),
    }
    if let Loose::Known(LooseMembers(function)) = message.function_call {
        contents.call(
            0,
            Found {
                name: function.name,
                arguments: text_of_arguments(function.arguments),
                kind: CallKind::Legacy,
                ..Found::default()
            },
        );
    }
    Ok(Some(Read {
        stop_reason: stop_reason(&reason, &contents),
        contents,
        usage: body.usage,
    }))
}

fn read_call<'m>(api: Api, index: usize, call: ChatCall<'m>, contents: &mut Contents<'m>) {
    let custom = call.custom.map(|raw| serde_json::from_str(raw.get()));
    if let Some(Ok(Loose::Known(LooseMembers(custom)))) = custom {
        let custom: ChatCustom<'m> = custom;
        let found = Found {
            id: call.id,
            name: custom.name,
            arguments: custom.input.into_text().unwrap_or_default(),
            kind: CallKind::Custom,
            ..Found::default()
        };
        contents.call(index, found).refuse_custom();
        return;
    }
    let (function, is_function) = match call.function {
        Loose::Known(LooseMembers(function)) => (function, true),
        _ => (ChatFunction::default(), false),
    };
    let is_valid = match function.arguments {
        Some(raw) if raw.get().starts_with('"') => true,
        // Ollama's own API takes an object, and nothing else.
        Some(raw) => api == Api::Compatible && raw.get().starts_with('{'),
        None => false,
    };
    let found = Found {
        id: call.id,
        name: function.name,
        arguments: text_of_arguments(function.arguments),
        ..Found::default()
    };
    let is_valid = is_valid && (api != Api::Compatible || is_object(&found.arguments));
    let added = contents.call(index, found);
    if !is_function {
        let kind = one_line(call.kind.map_or("none", RawValue::get), 40);
        added.refusal = Some(format!(
            "The call did not run: it is of the type {kind}, which is not known. ChatCall a tool as a function, by its \
             name and an object of arguments."
        ));
    }
    contents.must_write |= !is_valid;
}

/// Returns true if a text is a JSON object.
fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Returns the message for the conversation, written anew if there are calls to fix.
pub(super) fn history(
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
    }
    #[derive(Deserialize)]
    struct ChoicePlace<'m> {
        #[serde(borrow, default)]
        message: Option<&'m RawValue>,
    }
    let place: ChatPlace<'_> = serde_json::from_str(text)?;
    let raw = match place.choices {
        Loose::Known(First(Some(Loose::Known(LooseMembers(choice))))) => choice.message,
        _ => place.message,
    };
    let raw = raw.map_or_else(|| serde_json::from_str(text), Ok)?;
    Ok(vec![match fixes {
        Some(calls) => written(api, raw, calls),
        None => Message::raw(raw),
    }])
}

/// Writes a message anew, so that the API takes it back: each call has an id, a name and a text of arguments. Servers
/// that are compatible read these as JSON, and fail for all that is no object.
fn written(api: Api, raw: &RawValue, calls: &[ProviderCall<'_>]) -> Message {
    let Ok(mut message) = Entries::read(raw.get()) else {
        return Message::raw(raw);
    };
    let list = match message.get("tool_calls") {
        Some(items) if items.starts_with('[') && !calls.is_empty() => {
            Some(edit_list(items, |index, item| match calls.get(index) {
                Some(call) => Edit::Write(written_call(api, item, call)),
                None => Edit::Keep,
            }))
        }
        Some(_) => {
            let calls = calls.iter().filter(|call| call.kind == CallKind::Function);
            let calls: Vec<_> = calls.map(|call| written_call(api, "{}", call)).collect();
            (!calls.is_empty()).then(|| list(calls))
        }
        None => None,
    };
    match list {
        Some(list) => message.set("tool_calls", list),
        None => message.remove("tool_calls"),
    }
    Message::written(message.write())
}

fn written_call(api: Api, item: &str, call: &ProviderCall<'_>) -> String {
    let mut entries = Entries::read(item).unwrap_or_default();
    entries.set("id", quoted(&call.id));
    if call.kind == CallKind::Custom {
        return entries.write();
    }
    entries.set("type", quoted("function"));
    let function = entries.get("function").unwrap_or("{}").to_owned();
    let mut function = Entries::read(&function).unwrap_or_default();
    function.set("name", quoted(call.name_in_history()));
    let is_text = function
        .get("arguments")
        .is_some_and(|a| a.starts_with('"'));
    if api == Api::Compatible && !is_object(&call.arguments) {
        function.set("arguments", quoted("{}"));
    } else if !is_text && api == Api::OpenAiChat {
        function.set("arguments", quoted(&call.arguments));
    }
    entries.set("function", function.write());
    entries.write()
}

fn stop_reason(reason: &Loose<'_>, contents: &Contents<'_>) -> StopReason {
    match reason.text() {
        // Some servers say `stop` where there are calls.
        Some("stop") if contents.has_calls() => StopReason::Calls,
        Some("stop") if contents.is_refused => StopReason::Refused,
        Some("stop") => StopReason::Finished,
        Some("tool_calls" | "function_call") => StopReason::Calls,
        Some("length" | "model_length") => StopReason::MaxTokens,
        Some("content_filter") => StopReason::Filtered,
        Some(other) => StopReason::Other(one_line(other, 60)),
        None => StopReason::Unknown,
    }
}

#[cfg(test)]
mod tests;
