//! Events of Responses.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::chat::within_call;
use super::growing::Growing;
use super::{MAX_PARTS, StreamEvent, Trouble};
use crate::ApiError;
use crate::wire::entries::list;
use crate::wire::raw::Loose;

/// A response of which events have come.
#[derive(Debug, Default)]
pub(super) struct ResponsesStream {
    /// The items that are whole.
    items: Vec<String>,
    calls: Vec<OpenCall>,
    /// The response, which the last event has.
    response: Option<String>,
}

#[derive(Debug)]
struct OpenCall {
    output_index: u64,
    name: String,
    is_open: bool,
}

#[derive(Deserialize)]
struct ResponsesEvent<'e> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'e>,
    #[serde(borrow, default)]
    delta: Loose<'e>,
    #[serde(default)]
    output_index: u64,
    #[serde(borrow, default)]
    item: Option<&'e RawValue>,
    #[serde(borrow, default)]
    response: Option<&'e RawValue>,
}

#[derive(Deserialize)]
struct AddedItem<'e> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'e>,
    #[serde(borrow, default)]
    name: Loose<'e>,
}

impl ResponsesStream {
    pub(super) fn event(&mut self, data: &str, told: &mut Vec<StreamEvent>) -> Result<(), Trouble> {
        // Some servers end as Chat Completions do.
        if data.trim() == "[DONE]" {
            return Ok(());
        }
        let event: ResponsesEvent<'_> = serde_json::from_str(data)?;
        let delta = event.delta.filled().map(Cow::into_owned);
        match event.kind.text() {
            Some("response.output_text.delta" | "response.refusal.delta") => {
                told.extend(delta.map(StreamEvent::Text));
            }
            Some("response.reasoning_summary_text.delta" | "response.reasoning_text.delta") => {
                told.extend(delta.map(StreamEvent::Reasoning));
            }
            Some("response.output_item.added") => {
                let item: AddedItem<'_> =
                    serde_json::from_str(event.item.map_or("{}", RawValue::get))?;
                if item.kind.text() == Some("function_call") {
                    self.start(event.output_index, item.name, told)?;
                }
            }
            Some("response.function_call_arguments.delta") => {
                let at = event.output_index;
                let call = self.calls.iter().rposition(|call| call.output_index == at);
                if let (Some(index), Some(text)) = (call, delta) {
                    told.push(StreamEvent::ArgumentsDelta { index, text });
                }
            }
            Some("response.output_item.done") => {
                let at = event.output_index;
                if let Some(call) = self.calls.iter_mut().rfind(|call| call.output_index == at) {
                    call.is_open = false;
                }
                self.items
                    .extend(event.item.map(|item| item.get().to_owned()));
            }
            Some("response.completed" | "response.incomplete") => {
                self.response = event.response.map(|response| response.get().to_owned());
            }
            Some("response.failed") => {
                let failed = event.response.map_or(data, RawValue::get);
                return Err(Trouble::Api(ApiError::of_event(failed)));
            }
            Some("error") => return Err(Trouble::Api(ApiError::of_event(data))),
            // Pieces and ends of what the last event has whole, and what is not known: the API may add events.
            _ => {}
        }
        Ok(())
    }

    fn start(
        &mut self,
        output_index: u64,
        name: Loose<'_>,
        told: &mut Vec<StreamEvent>,
    ) -> Result<(), Trouble> {
        if self.calls.len() == MAX_PARTS {
            return Err(Trouble::TooManyParts);
        }
        let name = name.into_text().unwrap_or_default().into_owned();
        told.push(StreamEvent::CallStarted {
            index: self.calls.len(),
            name: name.clone(),
        });
        self.calls.push(OpenCall {
            output_index,
            name,
            is_open: true,
        });
        Ok(())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.response.is_some()
    }

    pub(super) fn finish(self) -> Result<String, String> {
        let open = self.calls.iter().find(|call| call.is_open);
        let Some(response) = self.response else {
            return Err(match open {
                Some(call) => within_call(&call.name),
                None => "before the end of the response".to_owned(),
            });
        };
        // Some servers leave the items out of the last event.
        let mut whole = match Growing::read(&response) {
            Ok(whole) if !self.items.is_empty() => whole,
            _ => return Ok(response),
        };
        if whole
            .get("output")
            .is_none_or(|output| output == "[]" || output == "null")
        {
            if let Some(call) = open {
                return Err(within_call(&call.name));
            }
            whole.set("output", list(self.items));
            return Ok(whole.write());
        }
        Ok(response)
    }
}
