//! Messages of Chat Completions.

mod history;

pub(super) use history::history;
use history::is_object;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::arguments::text_of_arguments;
use super::call::{CallKind, CallReader, Found};
use super::contents::{Contents, Read};
use super::raw::{First, Loose, LooseMembers};
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
    role: Loose<'m>,
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
    role: Loose<'m>,
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
        // A message alone, whatever its other members are called: no response has a role.
        _ if body.role.text().is_some() => (Loose::Null, body.done_reason),
        Loose::Known(First(Some(Loose::Known(LooseMembers(choice))))) => {
            (choice.message, choice.finish_reason)
        }
        _ => (body.message, body.done_reason),
    };
    let message = match message {
        Loose::Known(LooseMembers(message)) => message,
        Loose::Null if !body.role.is_null() => ChatMessage {
            role: body.role,
            content: body.content,
            refusal: body.refusal,
            tool_calls: body.tool_calls,
            function_call: body.function_call,
        },
        _ => return Ok(None),
    };
    if message.is_none() {
        return Ok(None);
    }
    let mut contents = Contents::new(reader);
    contents.must_write = message.role.text() != Some("assistant");
    let mut has_content = true;
    match message.content {
        Loose::Known(parts) => {
            has_content = !parts.is_empty();
            for part in parts {
                let Loose::Known(LooseMembers(part)) = part else {
                    contents.must_write = true;
                    continue;
                };
                contents.text(part.text);
                contents.refusal(part.refusal);
            }
        }
        Loose::Null => has_content = false,
        Loose::Other(_) => contents.must_write = true,
        text @ Loose::Text(_) => {
            contents.text(text.only_text());
        }
    }
    has_content |= message.refusal.text().is_some();
    contents.must_write |= matches!(message.refusal, Loose::Other(_));
    contents.refusal(message.refusal);
    match message.tool_calls {
        Loose::Null => {}
        Loose::Known(items) => {
            // The API refuses a list without items in a request.
            contents.must_write |= items.is_empty();
            for (index, item) in items.into_iter().enumerate() {
                match item {
                    Loose::Known(LooseMembers(call)) => read_call(api, index, call, &mut contents),
                    other => contents.broken_call(index, other.kind()),
                }
            }
        }
        other => contents.broken_call(0, other.kind()),
    }
    match message.function_call {
        Loose::Null => {}
        Loose::Known(LooseMembers(function)) => {
            let arguments = text_of_arguments(function.arguments);
            contents.must_write |= !is_valid(api, function.arguments, &arguments);
            let found = Found {
                name: function.name,
                arguments,
                kind: CallKind::Legacy,
                ..Found::default()
            };
            contents.call(0, found);
        }
        _ => contents.must_write = true,
    }
    // The API refuses a message without content, unless there are calls.
    contents.must_write |= !has_content && !contents.has_calls();
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
    let arguments = text_of_arguments(function.arguments);
    contents.must_write |= !is_valid(api, function.arguments, &arguments);
    let found = Found {
        id: call.id,
        name: function.name,
        arguments,
        ..Found::default()
    };
    let added = contents.call(index, found);
    if !is_function {
        let kind = one_line(call.kind.map_or("none", RawValue::get), 40);
        added.refusal = Some(format!(
            "The call did not run: it is of the type {kind}, which is not known. Call a tool as a function, by its \
             name and an object of arguments."
        ));
    }
}

/// Returns true if a server takes the arguments of a function back as they are. Ollama's own API takes an object, and nothing
/// else; other compatible servers a text that holds one.
fn is_valid(api: Api, raw: Option<&RawValue>, arguments: &str) -> bool {
    match api {
        Api::Compatible => is_object(arguments),
        _ => raw.is_some_and(|raw| raw.get().starts_with('"')),
    }
}

impl ChatMessage<'_> {
    /// Returns true if this is no message at all.
    fn is_none(&self) -> bool {
        self.role.is_null()
            && self.content.is_null()
            && self.refusal.is_null()
            && self.tool_calls.is_null()
            && self.function_call.is_null()
    }
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
