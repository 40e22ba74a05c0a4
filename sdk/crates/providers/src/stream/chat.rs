//! Chunks of Chat Completions.

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::text::one_line;

use super::growing::{Growing, GrowingJson};
use super::{MAX_PARTS, StreamEvent, Trouble};
use crate::wire::arguments::text_of_arguments;
use crate::wire::entries::{Entries, list, quoted};
use crate::wire::raw::{Loose, LooseMembers};
use crate::{Api, ApiError};

/// A message of which chunks have come.
#[derive(Debug, Default)]
pub(super) struct ChatStream {
    /// The members of the response, `choices` aside.
    response: Growing,
    /// The members of the message, calls aside.
    message: Growing,
    calls: Vec<PartialCall>,
    /// `function_call`, from before calls had ids.
    legacy: Option<PartialCall>,
    finish_reason: Option<String>,
    is_done: bool,
    /// The number of the chunk.
    chunk: u64,
}

#[derive(Debug, Default)]
struct PartialCall {
    /// The number that the server gave to the call; some give the same to each.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: GrowingJson,
    /// Members that are not known here, such as the signature of a thought.
    other: Growing,
    /// The chunk that began the call.
    chunk: u64,
}

#[derive(Deserialize)]
struct ChunkChoice<'c> {
    #[serde(default)]
    index: Option<u64>,
    #[serde(borrow, default)]
    delta: Option<&'c RawValue>,
    #[serde(borrow, default)]
    finish_reason: Loose<'c>,
}

impl ChatStream {
    pub(super) fn event(&mut self, data: &str, told: &mut Vec<StreamEvent>) -> Result<(), Trouble> {
        if data.trim() == "[DONE]" {
            self.is_done = true;
            return Ok(());
        }
        self.chunk += 1;
        for (name, value) in Entries::read(data)?.0 {
            match &*name {
                _ if value == "null" => {}
                "choices" => {
                    for choice in serde_json::from_str::<Vec<ChunkChoice<'_>>>(&value)? {
                        if choice.index.unwrap_or(0) == 0 {
                            self.choice(choice, told)?;
                        }
                    }
                }
                "error" => return Err(Trouble::Api(ApiError::of_event(data))),
                "object" => self.response.set("object", quoted("chat.completion")),
                // Noise against eavesdroppers.
                "obfuscation" => {}
                _ => self.response.set(&name, value),
            }
        }
        Ok(())
    }

    fn choice(
        &mut self,
        choice: ChunkChoice<'_>,
        told: &mut Vec<StreamEvent>,
    ) -> Result<(), Trouble> {
        if let Some(reason) = choice.finish_reason.filled() {
            self.finish_reason = Some(reason.into_owned());
        }
        let Some(delta) = choice.delta else {
            return Ok(());
        };
        let mut has_reasoning = false;
        for (name, value) in Entries::read(delta.get())?.0 {
            let is_text = value.starts_with('"');
            match &*name {
                _ if value == "null" => {}
                "content" | "refusal" => {
                    let text = if is_text {
                        serde_json::from_str(&value)?
                    } else {
                        text_of_parts(&value)?
                    };
                    self.message.add_text(&name, &text);
                    if !text.is_empty() {
                        told.push(StreamEvent::Text(text));
                    }
                }
                "reasoning" | "reasoning_content" if is_text => {
                    let text: String = serde_json::from_str(&value)?;
                    self.message.add_text(&name, &text);
                    // Some servers give it by both names.
                    if !text.is_empty() && !std::mem::replace(&mut has_reasoning, true) {
                        told.push(StreamEvent::Reasoning(text));
                    }
                }
                "tool_calls" => {
                    for call in serde_json::from_str::<Vec<&RawValue>>(&value)? {
                        self.call(call.get(), told)?;
                    }
                }
                "function_call" => {
                    let call = self.legacy.get_or_insert_default();
                    call.add_function(&value, self.calls.len(), told)?;
                }
                "role" => self.message.set("role", value),
                _ => self.message.add_all([(&*name, &*value)])?,
            }
        }
        Ok(())
    }

    fn call(&mut self, delta: &str, told: &mut Vec<StreamEvent>) -> Result<(), Trouble> {
        let entries = Entries::read(delta)?;
        let text = |json: Option<&str>| -> String {
            let text = json.and_then(|json| serde_json::from_str(json).ok());
            text.unwrap_or_default()
        };
        let index = entries.get("index").and_then(|index| index.parse().ok());
        let id = text(entries.get("id"));
        let function = entries.get("function").unwrap_or("{}");
        let known = match index {
            Some(_) => self.calls.iter().rposition(|call| call.index == index),
            None => self.calls.len().checked_sub(1),
        };
        let known = match known {
            Some(known) if !self.calls[known].is_another(&id, function, self.chunk)? => known,
            _ => {
                if self.calls.len() == MAX_PARTS {
                    return Err(Trouble::TooManyParts);
                }
                self.calls.push(PartialCall {
                    index,
                    chunk: self.chunk,
                    ..PartialCall::default()
                });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[known];
        if call.id.is_empty() {
            call.id = id;
        }
        call.add_function(function, known, told)?;
        let others = entries.0.iter().map(|(name, value)| (&**name, &**value));
        let others = others.filter(|(n, _)| !matches!(*n, "index" | "id" | "type" | "function"));
        call.other.add_all(others)?;
        Ok(())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.is_done
    }

    pub(super) fn finish(mut self, api: Api) -> Result<String, String> {
        let has_ended = match api {
            // Compatible servers leave out the one or the other.
            Api::Compatible => self.is_done || self.finish_reason.is_some(),
            _ => self.is_done && self.finish_reason.is_some(),
        };
        if !has_ended {
            let last = self.legacy.as_ref().or(self.calls.last());
            return Err(match last {
                Some(call) => within_call(&call.name),
                None => "before the end of the message".to_owned(),
            });
        }
        if !self.message.has("role") {
            self.message.set("role", quoted("assistant"));
        }
        if !self.message.has("content") {
            self.message.set("content", "null");
        }
        if !self.calls.is_empty() {
            let calls = list(self.calls.iter().map(PartialCall::write));
            self.message.set("tool_calls", calls);
        }
        if let Some(call) = &self.legacy {
            self.message.set("function_call", call.function());
        }
        let reason = self.finish_reason.as_deref().map(quoted);
        let choice = format!(
            r#"[{{"index":0,"message":{},"logprobs":null,"finish_reason":{}}}]"#,
            self.message.write(),
            reason.as_deref().unwrap_or("null"),
        );
        self.response.set("choices", choice);
        Ok(self.response.write())
    }
}

/// Returns the texts of content that comes in parts.
fn text_of_parts(parts: &str) -> Result<String, Trouble> {
    #[derive(Deserialize)]
    struct ContentPart<'c> {
        #[serde(borrow, default)]
        text: Loose<'c>,
    }
    let parts: Loose<'_, Vec<Loose<'_, LooseMembers<ContentPart<'_>>>>> =
        serde_json::from_str(parts)?;
    let parts = parts.into_known().unwrap_or_default();
    let parts = parts.into_iter().filter_map(Loose::into_known);
    Ok(parts
        .filter_map(|LooseMembers(part)| part.text.into_text())
        .collect())
}

impl PartialCall {
    /// Returns true if a delta does not belong to this call, although the server gives it the same number: some servers
    /// number every call 0, and give each in one delta.
    fn is_another(&self, id: &str, function: &str, chunk: u64) -> Result<bool, Trouble> {
        if !id.is_empty() && !self.id.is_empty() && self.id != id {
            return Ok(true);
        }
        let function: FunctionDelta<'_> = serde_json::from_str(function)?;
        let Some(name) = function.name.filled() else {
            return Ok(false);
        };
        let has_arguments = function.arguments.is_some_and(|a| a.get() != "\"\"");
        let is_whole = self.arguments.is_closed();
        let is_other_name = name != self.name && (is_whole || self.arguments.text.is_empty());
        Ok(!self.name.is_empty()
            && (self.chunk == chunk || is_other_name || (is_whole && has_arguments)))
    }

    fn add_function(
        &mut self,
        function: &str,
        index: usize,
        told: &mut Vec<StreamEvent>,
    ) -> Result<(), Trouble> {
        let function: FunctionDelta<'_> = serde_json::from_str(function)?;
        if let (true, Some(name)) = (self.name.is_empty(), function.name.filled()) {
            self.name = name.into_owned();
            let name = self.name.clone();
            told.push(StreamEvent::CallStarted { index, name });
        }
        let text = text_of_arguments(function.arguments);
        if !text.is_empty() {
            self.arguments.push(&text);
            let text = text.into_owned();
            told.push(StreamEvent::ArgumentsDelta { index, text });
        }
        Ok(())
    }

    fn function(&self) -> String {
        let mut function = Growing::default();
        if !self.name.is_empty() {
            function.set("name", quoted(&self.name));
        }
        function.set("arguments", quoted(&self.arguments.text));
        function.write()
    }

    fn write(&self) -> String {
        let mut call = Growing::default();
        if !self.id.is_empty() {
            call.set("id", quoted(&self.id));
        }
        call.set("type", quoted("function"));
        call.set("function", self.function());
        call.extend(&self.other);
        call.write()
    }
}

#[derive(Deserialize)]
struct FunctionDelta<'c> {
    #[serde(borrow, default)]
    name: Loose<'c>,
    #[serde(borrow, default)]
    arguments: Option<&'c RawValue>,
}

/// Returns the place of a stream that ends within a call.
pub(super) fn within_call(name: &str) -> String {
    match name {
        "" => "within a call".to_owned(),
        name => format!("within the call of `{}`", one_line(name, 80)),
    }
}
