//! Messages of Gemini.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::assistant::{AssistantMessage, Entry};
use super::call::{CallReader, Found, ProviderCall};
use super::contents::Contents;
use super::message::Message;
use super::raw::{Edit, Entries, First, Loose, Members, edit_list, quoted};
use super::stop::StopReason;
use super::usage::Usage;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'m> {
    #[serde(borrow, default)]
    candidates: Loose<'m, First<Loose<'m, Members<Candidate<'m>>>>>,
    #[serde(borrow, default)]
    prompt_feedback: Loose<'m, Members<Feedback<'m>>>,
    #[serde(borrow, default)]
    usage_metadata: Option<&'m RawValue>,
    #[serde(borrow, default)]
    parts: Option<&'m RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback<'m> {
    #[serde(borrow, default)]
    block_reason: Loose<'m>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'m> {
    #[serde(borrow, default)]
    content: Option<&'m RawValue>,
    #[serde(borrow, default)]
    finish_reason: Loose<'m>,
}

#[derive(Deserialize)]
struct Content<'m> {
    #[serde(borrow, default)]
    parts: Loose<'m, Vec<Loose<'m, Members<Part<'m>>>>>,
    #[serde(borrow, default)]
    role: Loose<'m>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part<'m> {
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    thought: Option<&'m RawValue>,
    #[serde(borrow, default)]
    function_call: Loose<'m, Members<FunctionCall<'m>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FunctionCall<'m> {
    #[serde(borrow, default)]
    id: Loose<'m>,
    #[serde(borrow, default)]
    name: Loose<'m>,
    #[serde(borrow, default)]
    args: Option<&'m RawValue>,
    /// Arguments in pieces, which Vertex AI sends where a request asks for them.
    #[serde(borrow, default)]
    partial_args: Option<&'m RawValue>,
}

pub(super) fn read<'m>(
    text: &'m str,
    reader: CallReader<'m>,
) -> serde_json::Result<Option<AssistantMessage<'m>>> {
    let Loose::Known(Members(body)) = serde_json::from_str::<Loose<'m, Members<Body<'m>>>>(text)?
    else {
        return Ok(None);
    };
    let candidate = match body.candidates.into_known() {
        Some(First(Some(Loose::Known(Members(candidate))))) => candidate,
        _ if body.parts.is_some() => Candidate {
            content: Some(serde_json::from_str(text)?),
            finish_reason: Loose::Null,
        },
        _ => match body.prompt_feedback.into_known() {
            // The prompt itself was refused.
            Some(Members(Feedback { block_reason })) if !block_reason.is_null() => Candidate {
                content: None,
                finish_reason: Loose::Text(Cow::Borrowed("PROHIBITED_CONTENT")),
            },
            _ => return Ok(None),
        },
    };
    let mut contents = Contents::new(reader);
    let mut history = None;
    if let Some(raw) = candidate.content {
        let content = serde_json::from_str::<Loose<'m, Members<Content<'m>>>>(raw.get())?;
        let Loose::Known(Members(content)) = content else {
            return Ok(None);
        };
        // Without a role, the API would take the content for the user's.
        contents.must_write = content.role.text() != Some("model");
        let parts = content.parts.into_known().unwrap_or_default();
        history = (!parts.is_empty()).then_some(raw);
        for (index, part) in parts.into_iter().enumerate() {
            read_part(index, part, &mut contents);
        }
    }
    let stop_reason = stop_reason(&candidate.finish_reason, contents.has_calls());
    let calls = contents.take_calls(&stop_reason);
    let entry = history.map(|raw| {
        if contents.must_write {
            Entry::Written(written(raw, &calls, &contents.places))
        } else {
            Entry::Raw(raw)
        }
    });
    Ok(Some(AssistantMessage {
        text: contents.text,
        stop_reason,
        usage: Usage::read(body.usage_metadata),
        calls,
        history: entry.into_iter().collect(),
    }))
}

fn read_part<'m>(index: usize, part: Loose<'m, Members<Part<'m>>>, contents: &mut Contents<'m>) {
    let Loose::Known(Members(part)) = part else {
        contents.must_write = true;
        return;
    };
    match part.function_call {
        Loose::Null if part.thought.is_some_and(|t| t.get() == "true") => contents.other(),
        Loose::Null => {
            contents.text(part.text);
        }
        Loose::Known(Members(function)) => {
            let is_object = function.args.is_none_or(|a| a.get().starts_with('{'));
            let found = Found {
                id: function.id,
                name: function.name,
                arguments: Cow::Borrowed(function.args.map_or("", RawValue::get)),
                ..Found::default()
            };
            let call = contents.call(index, found);
            if function.partial_args.is_some() {
                call.refuse(|| {
                    "The call did not run: its arguments came in pieces (`partialArgs`), which cannot be read here. \
                     Make the call again."
                        .to_owned()
                });
            }
            contents.must_write |= !is_object;
        }
        other => contents.broken_call(index, other.kind()),
    }
}

/// Writes a content anew, so that the API takes it back: it is the model's, and each call has a name, an object of
/// arguments, and an id of its own if it had one.
fn written(raw: &RawValue, calls: &[ProviderCall<'_>], by_part: &[usize]) -> Message {
    let Ok(mut content) = Entries::read(raw.get()) else {
        return Message::raw(raw);
    };
    let mut left = by_part.iter().zip(calls).peekable();
    let parts = edit_list(content.get("parts").unwrap_or("[]"), |index, part| {
        let Ok(mut entries) = Entries::read(part) else {
            return Edit::Drop;
        };
        let Some((_, call)) = left.next_if(|(at, _)| **at == index) else {
            return Edit::Keep;
        };
        let function = entries.get("functionCall").unwrap_or("{}").to_owned();
        let mut function = Entries::read(&function).unwrap_or_default();
        function.set("name", quoted(call.name_in_history()));
        if call.sends_id {
            function.set("id", quoted(&call.id));
        }
        if function.get("args").is_some_and(|a| !a.starts_with('{')) {
            function.set("args", "{}".to_owned());
        }
        entries.set("functionCall", function.write());
        Edit::Write(entries.write())
    });
    content.set("role", quoted("model"));
    content.set("parts", parts);
    Message::written(content.write())
}

fn stop_reason(reason: &Loose<'_>, has_calls: bool) -> StopReason {
    match reason.text() {
        None | Some("FINISH_REASON_UNSPECIFIED") => StopReason::Unknown,
        Some("STOP") if has_calls => StopReason::Calls,
        Some("STOP") => StopReason::Finished,
        Some("MAX_TOKENS") => StopReason::MaxTokens,
        Some("CONTINUATION") => StopReason::Paused,
        Some("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL") => StopReason::MalformedCall,
        Some(
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "ESCALATION"
            | "MODEL_ARMOR",
        ) => StopReason::Filtered,
        Some(other) => StopReason::Other(one_line(other, 60)),
    }
}

#[cfg(test)]
mod tests;
