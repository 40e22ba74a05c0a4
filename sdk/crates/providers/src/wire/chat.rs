//! Messages of Chat Completions.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::assistant::{AssistantMessage, Entry};
use super::call::{CallKind, CallReader, Found, ProviderCall};
use super::contents::Contents;
use super::message::Message;
use super::raw::{
    Edit, Entries, First, Loose, Members, edit_list, list, quoted, text_of_arguments,
};
use super::stop::StopReason;
use super::usage::Usage;
use crate::Api;

/// A response: `choices`, or `message` as Ollama's own API has it.
#[derive(Deserialize)]
struct Body<'m> {
    #[serde(borrow, default)]
    choices: Loose<'m, First<Loose<'m, Members<Choice<'m>>>>>,
    #[serde(borrow, default)]
    message: Option<&'m RawValue>,
    #[serde(borrow, default)]
    done_reason: Loose<'m>,
    #[serde(borrow, default)]
    usage: Option<&'m RawValue>,
    #[serde(borrow, default)]
    role: Loose<'m>,
}

#[derive(Deserialize)]
struct Choice<'m> {
    #[serde(borrow, default)]
    message: Option<&'m RawValue>,
    #[serde(borrow, default)]
    finish_reason: Loose<'m>,
}

#[derive(Deserialize)]
struct ChatMessage<'m> {
    #[serde(borrow, default)]
    content: Loose<'m, Vec<Loose<'m, Members<Part<'m>>>>>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
    #[serde(borrow, default)]
    tool_calls: Loose<'m, Vec<Loose<'m, Members<Call<'m>>>>>,
    #[serde(borrow, default)]
    function_call: Loose<'m, Members<Function<'m>>>,
}

#[derive(Deserialize)]
struct Part<'m> {
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    refusal: Loose<'m>,
}

#[derive(Deserialize)]
struct Call<'m> {
    #[serde(borrow, default)]
    id: Loose<'m>,
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'m>,
    #[serde(borrow, default)]
    function: Loose<'m, Members<Function<'m>>>,
    #[serde(borrow, default)]
    custom: Loose<'m, Members<Custom<'m>>>,
}

#[derive(Deserialize, Default)]
struct Function<'m> {
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    arguments: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct Custom<'m> {
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    input: Loose<'m>,
}

pub(super) fn read<'m>(
    api: Api,
    text: &'m str,
    reader: CallReader<'m>,
) -> serde_json::Result<Option<AssistantMessage<'m>>> {
    let Loose::Known(Members(body)) = serde_json::from_str::<Loose<'m, Members<Body<'m>>>>(text)?
    else {
        return Ok(None);
    };
    let (raw, reason) = match body.choices.into_known() {
        Some(First(Some(Loose::Known(Members(choice))))) => (choice.message, choice.finish_reason),
        _ => (body.message, body.done_reason),
    };
    let raw = match (raw, body.role.is_null()) {
        (Some(raw), _) => raw,
        // The message alone.
        (None, false) => serde_json::from_str(text)?,
        (None, true) => return Ok(None),
    };
    let Loose::Known(Members(message)) =
        serde_json::from_str::<Loose<'m, Members<ChatMessage<'m>>>>(raw.get())?
    else {
        return Ok(None);
    };
    let mut contents = Contents::new(reader);
    match message.content {
        Loose::Known(parts) => {
            for Members(part) in parts.into_iter().filter_map(Loose::into_known) {
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
                    Loose::Known(Members(call)) => read_call(api, index, call, &mut contents),
                    other => contents.broken_call(index, other.kind()),
                }
            }
        }
        other => contents.broken_call(0, other.kind()),
    }
    if let Loose::Known(Members(function)) = message.function_call {
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
    let stop_reason = stop_reason(&reason, &contents);
    let calls = contents.take_calls(&stop_reason);
    let entry = if contents.must_write {
        Entry::Written(written(api, raw, &calls))
    } else {
        Entry::Raw(raw)
    };
    Ok(Some(AssistantMessage {
        text: contents.text,
        stop_reason,
        usage: Usage::read(body.usage),
        calls,
        history: vec![entry],
    }))
}

fn read_call<'m>(api: Api, index: usize, call: Call<'m>, contents: &mut Contents<'m>) {
    if let Loose::Known(Members(custom)) = call.custom {
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
        Loose::Known(Members(function)) => (function, true),
        _ => (Function::default(), false),
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
        let kind = one_line(call.kind.text().unwrap_or("none"), 40);
        added.refusal = Some(format!(
            "The call did not run: it is of the type `{kind}`, which is not known. Call a tool as a function, by its \
             name and an object of arguments."
        ));
    }
    contents.must_write |= !is_valid;
}

/// Returns true if a text is a JSON object.
fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
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
