//! Chunks of Gemini's `streamGenerateContent`, each of which is a response.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::growing::Growing;
use super::{StreamEvent, Trouble};
use crate::ApiError;
use crate::wire::entries::{Entries, list, quoted};
use crate::wire::raw::{Loose, LooseMembers};

/// A response of which chunks have come.
#[derive(Debug, Default)]
pub(super) struct GeminiStream {
    /// The members of the response, `candidates` aside.
    response: Growing,
    /// The members of the first candidate, `content` aside.
    candidate: Growing,
    parts: Vec<StreamedPart>,
    calls: usize,
}

#[derive(Debug)]
enum StreamedPart {
    /// A part that has a text and nothing else; the next one continues it.
    Text { text: String, is_thought: bool },
    /// Any other part, as it came: a signature belongs to its part.
    Json(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KnownPart<'c> {
    #[serde(borrow, default)]
    text: Loose<'c>,
    #[serde(default)]
    thought: bool,
    #[serde(borrow, default)]
    function_call: Loose<'c, LooseMembers<StreamedCall<'c>>>,
}

#[derive(Deserialize)]
struct StreamedCall<'c> {
    #[serde(borrow, default)]
    name: Loose<'c>,
    #[serde(borrow, default)]
    args: Option<&'c RawValue>,
}

#[derive(Deserialize)]
struct StreamedContent<'c> {
    #[serde(borrow, default)]
    parts: Option<Vec<&'c RawValue>>,
}

impl GeminiStream {
    pub(super) fn event(&mut self, data: &str, told: &mut Vec<StreamEvent>) -> Result<(), Trouble> {
        for (name, value) in Entries::read(data)?.0 {
            match &*name {
                _ if value == "null" => {}
                "candidates" => {
                    let candidates: Vec<Entries<'_>> = serde_json::from_str(&value)?;
                    if let Some(candidate) = candidates.into_iter().next() {
                        self.candidate(candidate, told)?;
                    }
                }
                "error" => return Err(Trouble::Api(ApiError::of_event(data))),
                _ => self.response.set(&name, value),
            }
        }
        Ok(())
    }

    fn candidate(
        &mut self,
        candidate: Entries<'_>,
        told: &mut Vec<StreamEvent>,
    ) -> Result<(), Trouble> {
        for (name, value) in candidate.0 {
            match &*name {
                _ if value == "null" => {}
                "content" => {
                    let content: StreamedContent<'_> = serde_json::from_str(&value)?;
                    for part in content.parts.unwrap_or_default() {
                        self.part(part.get(), told)?;
                    }
                }
                _ => self.candidate.set(&name, value),
            }
        }
        Ok(())
    }

    fn part(&mut self, raw: &str, told: &mut Vec<StreamEvent>) -> Result<(), Trouble> {
        let part: KnownPart<'_> = serde_json::from_str(raw)?;
        let is_thought = part.thought;
        if let Loose::Known(LooseMembers(call)) = part.function_call {
            let index = self.calls;
            self.calls += 1;
            let name = call.name.into_text().unwrap_or_default().into_owned();
            told.push(StreamEvent::CallStarted { index, name });
            if let Some(args) = call.args {
                let text = args.get().to_owned();
                told.push(StreamEvent::ArgumentsDelta { index, text });
            }
        }
        let Some(text) = part.text.into_text() else {
            self.parts.push(StreamedPart::Json(raw.to_owned()));
            return Ok(());
        };
        let text = text.into_owned();
        if !text.is_empty() {
            let piece = text.clone();
            told.push(if is_thought {
                StreamEvent::Reasoning(piece)
            } else {
                StreamEvent::Text(piece)
            });
        }
        let mut members = Entries::read(raw)?.0.into_iter();
        let is_plain = members.all(|(name, _)| matches!(&*name, "text" | "thought"));
        match self.parts.last_mut() {
            _ if !is_plain => self.parts.push(StreamedPart::Json(raw.to_owned())),
            Some(StreamedPart::Text {
                text: whole,
                is_thought: same,
            }) if *same == is_thought => whole.push_str(&text),
            _ => self.parts.push(StreamedPart::Text { text, is_thought }),
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<String, String> {
        let is_blocked = self
            .response
            .get("promptFeedback")
            .is_some_and(|feedback| feedback.contains("\"blockReason\""));
        if !self.candidate.has("finishReason") {
            if is_blocked && self.parts.is_empty() {
                return Ok(self.response.write());
            }
            return Err("before the end of the message".to_owned());
        }
        let parts = list(self.parts.iter().map(StreamedPart::write));
        let content = format!(r#"{{"parts":{parts},"role":"model"}}"#);
        self.candidate.set("content", content);
        let candidates = list([self.candidate.write()]);
        self.response.set("candidates", candidates);
        Ok(self.response.write())
    }
}

impl StreamedPart {
    fn write(&self) -> String {
        match self {
            Self::Text { text, is_thought } => {
                let thought = if *is_thought {
                    r#","thought":true"#
                } else {
                    ""
                };
                format!(r#"{{"text":{}{thought}}}"#, quoted(text))
            }
            Self::Json(json) => json.clone(),
        }
    }
}
