//! Messages of Gemini.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::call::{CallReader, Found, ProviderCall};
use super::contents::{Contents, Read};
use super::entries::{Edit, Entries, edit_list, has_items, quoted};
use super::message::Message;
use super::raw::{First, Loose, LooseMembers};
use super::stop::StopReason;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiBody<'m> {
    #[serde(borrow, default)]
    candidates: Loose<'m, First<Loose<'m, LooseMembers<GeminiCandidate<'m>>>>>,
    #[serde(borrow, default)]
    prompt_feedback: Loose<'m, LooseMembers<PromptFeedback<'m>>>,
    #[serde(borrow, default)]
    usage_metadata: Option<&'m RawValue>,
    /// The members of a content alone.
    #[serde(borrow, default)]
    parts: ModelParts<'m>,
    #[serde(borrow, default)]
    role: Loose<'m>,
}

type ModelParts<'m> = Loose<'m, Vec<Loose<'m, LooseMembers<ModelPart<'m>>>>>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback<'m> {
    #[serde(borrow, default)]
    block_reason: Loose<'m>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiCandidate<'m> {
    #[serde(borrow, default)]
    content: Loose<'m, LooseMembers<ModelContent<'m>>>,
    #[serde(borrow, default)]
    finish_reason: Loose<'m>,
}

#[derive(Deserialize)]
struct ModelContent<'m> {
    #[serde(borrow, default)]
    parts: ModelParts<'m>,
    #[serde(borrow, default)]
    role: Loose<'m>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelPart<'m> {
    #[serde(borrow, default)]
    text: Loose<'m>,
    #[serde(borrow, default)]
    thought: Option<&'m RawValue>,
    #[serde(borrow, default)]
    function_call: Loose<'m, LooseMembers<GeminiCall<'m>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiCall<'m> {
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
) -> serde_json::Result<Option<Read<'m>>> {
    let Loose::Known(LooseMembers(body)) =
        serde_json::from_str::<Loose<'m, LooseMembers<GeminiBody<'m>>>>(text)?
    else {
        return Ok(None);
    };
    let (content, reason) = match (body.candidates, body.parts, body.prompt_feedback) {
        // A content alone, whatever its other members are called: no response has parts.
        (_, parts @ Loose::Known(_), _) => {
            let role = body.role;
            (Some(ModelContent { parts, role }), Loose::Null)
        }
        (Loose::Known(First(Some(Loose::Known(LooseMembers(candidate))))), ..) => {
            let content = match candidate.content {
                Loose::Known(LooseMembers(content)) => Some(content),
                Loose::Null => None,
                _ => return Ok(None),
            };
            (content, candidate.finish_reason)
        }
        // The prompt itself was refused.
        (.., Loose::Known(LooseMembers(feedback))) if !feedback.block_reason.is_null() => {
            (None, Loose::Text(Cow::Borrowed("PROHIBITED_CONTENT")))
        }
        _ => return Ok(None),
    };
    let mut contents = Contents::new(reader);
    if let Some(content) = content {
        // Without a role, the API would take the content for the user's.
        contents.must_write = content.role.text() != Some("model");
        let parts = content.parts.into_known().unwrap_or_default();
        for (index, part) in parts.into_iter().enumerate() {
            read_part(index, part, &mut contents);
        }
    }
    Ok(Some(Read {
        stop_reason: stop_reason(&reason, contents.has_calls()),
        contents,
        usage: body.usage_metadata,
    }))
}

/// Returns the content for the conversation, written anew if there are calls to fix. A content without parts is none.
pub(super) fn history(
    text: &str,
    fixes: Option<&[ProviderCall<'_>]>,
) -> serde_json::Result<Vec<Message>> {
    #[derive(Deserialize)]
    struct GeminiPlace<'m> {
        #[serde(borrow, default)]
        candidates: Loose<'m, First<Loose<'m, LooseMembers<CandidatePlace<'m>>>>>,
        #[serde(borrow, default)]
        parts: Option<&'m RawValue>,
    }
    #[derive(Deserialize)]
    struct CandidatePlace<'m> {
        #[serde(borrow, default)]
        content: Option<&'m RawValue>,
    }
    let place: GeminiPlace<'_> = serde_json::from_str(text)?;
    let raw = match place.candidates {
        _ if place
            .parts
            .is_some_and(|parts| parts.get().starts_with('[')) =>
        {
            Some(serde_json::from_str(text)?)
        }
        Loose::Known(First(Some(Loose::Known(LooseMembers(candidate))))) => candidate.content,
        _ => None,
    };
    let Some(raw) = raw else {
        return Ok(Vec::new());
    };
    let content: GeminiPlace<'_> = serde_json::from_str(raw.get())?;
    let has_parts = content.parts.is_some_and(|parts| has_items(parts.get()));
    let message = match fixes {
        _ if !has_parts => None,
        Some(calls) => written(raw, calls),
        None => Some(Message::raw(raw)),
    };
    Ok(message.into_iter().collect())
}

fn read_part<'m>(
    index: usize,
    part: Loose<'m, LooseMembers<ModelPart<'m>>>,
    contents: &mut Contents<'m>,
) {
    let Loose::Known(LooseMembers(part)) = part else {
        contents.must_write = true;
        return;
    };
    match part.function_call {
        Loose::Null if part.thought.is_some_and(|t| t.get() == "true") => contents.other(),
        Loose::Null => {
            contents.text(part.text);
        }
        Loose::Known(LooseMembers(function)) => {
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
/// arguments, and an id of its own if it had one. `None` if no part is left.
fn written(raw: &RawValue, calls: &[ProviderCall<'_>]) -> Option<Message> {
    let mut content = Entries::read(raw.get()).ok()?;
    let mut left = calls.iter().peekable();
    let parts = edit_list(content.get("parts").unwrap_or("[]"), |index, part| {
        let Ok(mut entries) = Entries::read(part) else {
            return Edit::Drop;
        };
        let Some(call) = left.next_if(|call| call.place == index) else {
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
    if !has_items(&parts) {
        return None;
    }
    content.set("role", quoted("model"));
    content.set("parts", parts);
    Some(Message::written(content.write()))
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
