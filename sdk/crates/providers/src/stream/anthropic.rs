//! Events of Anthropic's Messages.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::chat::within_call;
use super::growing::Growing;
use super::{MAX_PARTS, StreamEvent, Trouble};
use crate::ApiError;
use crate::wire::entries::{Entries, list, quoted};
use crate::wire::raw::Loose;

/// A message of which events have come.
#[derive(Debug, Default)]
pub(super) struct AnthropicStream {
    message: Option<Growing>,
    usage: Growing,
    blocks: Vec<PartialBlock>,
    calls: usize,
    is_done: bool,
}

#[derive(Debug)]
struct PartialBlock {
    index: u64,
    members: Growing,
    /// The number of the call, if it is one of the app's tools.
    call: Option<usize>,
    name: String,
    /// The pieces of `input`.
    input: String,
    is_open: bool,
}

#[derive(Deserialize)]
struct AnthropicEvent<'e> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'e>,
    #[serde(borrow, default)]
    message: Option<&'e RawValue>,
    #[serde(default)]
    index: u64,
    #[serde(borrow, default)]
    content_block: Option<&'e RawValue>,
    #[serde(borrow, default)]
    delta: Option<&'e RawValue>,
    #[serde(borrow, default)]
    usage: Option<&'e RawValue>,
}

#[derive(Deserialize)]
struct BlockStart<'e> {
    #[serde(borrow, default, rename = "type")]
    kind: Loose<'e>,
    #[serde(borrow, default)]
    name: Loose<'e>,
    #[serde(borrow, default)]
    text: Loose<'e>,
}

impl AnthropicStream {
    pub(super) fn event(&mut self, data: &str, told: &mut Vec<StreamEvent>) -> Result<(), Trouble> {
        let event: AnthropicEvent<'_> = serde_json::from_str(data)?;
        match event.kind.text() {
            Some("message_start") => {
                let message = Growing::read(event.message.map_or("{}", RawValue::get))?;
                let usage = message.get("usage");
                self.message = Some(message);
                self.usage.set_all(usage.as_deref().unwrap_or("{}"))?;
            }
            Some("content_block_start") => self.start(&event, told)?,
            Some("content_block_delta") => self.delta(&event, told)?,
            Some("content_block_stop") => {
                if let Some(block) = self.block(event.index) {
                    block.is_open = false;
                }
            }
            Some("message_delta") => {
                if let (Some(message), Some(delta)) = (&mut self.message, event.delta) {
                    message.set_all(delta.get())?;
                }
                self.usage
                    .set_all(event.usage.map_or("{}", RawValue::get))?;
            }
            Some("message_stop") => self.is_done = true,
            Some("error") => return Err(Trouble::Api(ApiError::of_event(data))),
            // `ping`, and what is not known: the API may add events.
            _ => {}
        }
        Ok(())
    }

    fn block(&mut self, index: u64) -> Option<&mut PartialBlock> {
        self.blocks.iter_mut().rfind(|block| block.index == index)
    }

    fn start(
        &mut self,
        event: &AnthropicEvent<'_>,
        told: &mut Vec<StreamEvent>,
    ) -> Result<(), Trouble> {
        if self.blocks.len() == MAX_PARTS {
            return Err(Trouble::TooManyParts);
        }
        let raw = event.content_block.map_or("{}", RawValue::get);
        let start: BlockStart<'_> = serde_json::from_str(raw)?;
        let name = start.name.into_text().unwrap_or_default();
        let mut call = None;
        match start.kind.text() {
            Some("tool_use") => {
                call = Some(self.calls);
                told.push(StreamEvent::CallStarted {
                    index: self.calls,
                    name: name.clone().into_owned(),
                });
                self.calls += 1;
            }
            Some("text") => told.extend(
                start
                    .text
                    .filled()
                    .map(|text| StreamEvent::Text(text.into())),
            ),
            _ => {}
        }
        self.blocks.push(PartialBlock {
            index: event.index,
            members: Growing::read(raw)?,
            call,
            name: name.into_owned(),
            input: String::new(),
            is_open: true,
        });
        Ok(())
    }

    fn delta(
        &mut self,
        event: &AnthropicEvent<'_>,
        told: &mut Vec<StreamEvent>,
    ) -> Result<(), Trouble> {
        let Some(block) = self.block(event.index) else {
            return Ok(());
        };
        let delta = Entries::read(event.delta.map_or("{}", RawValue::get))?;
        for (name, value) in &delta.0 {
            match &**name {
                "type" => {}
                "partial_json" => {
                    let text: String = serde_json::from_str(value)?;
                    block.input.push_str(&text);
                    if let (Some(index), false) = (block.call, text.is_empty()) {
                        told.push(StreamEvent::ArgumentsDelta { index, text });
                    }
                }
                "citation" => block.members.add_item("citations", value),
                // `text`, `thinking`, `signature`: a member of a delta continues the member of that name.
                name => {
                    block.members.add_all([(name, &**value)])?;
                    let text = serde_json::from_str::<Loose<'_>>(value)?.filled();
                    let text = text.map(std::borrow::Cow::into_owned);
                    match name {
                        "text" => told.extend(text.map(StreamEvent::Text)),
                        "thinking" => told.extend(text.map(StreamEvent::Reasoning)),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.is_done
    }

    pub(super) fn finish(self) -> Result<String, String> {
        if let Some(block) = self.blocks.iter().find(|block| block.is_open) {
            return Err(match block.call {
                Some(_) => within_call(&block.name),
                None => "within a block of the message".to_owned(),
            });
        }
        let (true, Some(mut message)) = (self.is_done, self.message) else {
            return Err("before the end of the message".to_owned());
        };
        message.set(
            "content",
            list(self.blocks.into_iter().map(PartialBlock::write)),
        );
        message.set("usage", self.usage.write());
        Ok(message.write())
    }
}

impl PartialBlock {
    fn write(mut self) -> String {
        if !self.input.trim().is_empty() {
            let is_json = serde_json::from_str::<IgnoredAny>(&self.input).is_ok();
            // A limit of tokens may end a call within its input. What is no JSON stays a text, which is then refused.
            let input = match (is_json, self.call) {
                (true, _) => self.input,
                (false, Some(_)) => quoted(&self.input),
                (false, None) => "{}".to_owned(),
            };
            self.members.set("input", input);
        }
        self.members.write()
    }
}
