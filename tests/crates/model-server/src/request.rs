//! The requests that came.

use axum::http::HeaderMap;
use serde_json::Value;

use crate::wire::Wire;

/// A request of a client.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request {
    /// The API that its path names.
    pub wire: Wire,
    /// The path and the query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; `null` if it was no JSON.
    pub body: Value,
    /// The body as it was sent.
    pub text: String,
    /// True if it asks for a stream.
    pub is_streamed: bool,
    /// The status that it was answered with, 0 while there is none.
    pub status: u16,
}

impl Request {
    /// Returns a header, if it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the name of the model that is asked for.
    pub fn model(&self) -> &str {
        match self.wire {
            Wire::Gemini => {
                let after = self.path.split("/models/").nth(1).unwrap_or_default();
                after.split([':', '?']).next().unwrap_or_default()
            }
            _ => self.body["model"].as_str().unwrap_or_default(),
        }
    }

    /// Returns the key that it came with.
    pub fn key(&self) -> Option<&str> {
        match self.wire {
            Wire::Chat | Wire::Responses => self.header("authorization")?.strip_prefix("Bearer "),
            Wire::Anthropic => self.header("x-api-key"),
            Wire::Gemini => self.header("x-goog-api-key"),
        }
    }

    /// Returns the names of its tools.
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        let names: Vec<&Value> = match self.wire {
            Wire::Chat => tools.map(|tool| &tool["function"]["name"]).collect(),
            Wire::Responses | Wire::Anthropic => tools.map(|tool| &tool["name"]).collect(),
            Wire::Gemini => tools
                .flat_map(|tool| {
                    tool["functionDeclarations"]
                        .as_array()
                        .into_iter()
                        .flatten()
                })
                .map(|declaration| &declaration["name"])
                .collect(),
        };
        names.into_iter().filter_map(Value::as_str).collect()
    }

    /// Returns the entries of its history.
    pub fn history(&self) -> &[Value] {
        let entries = match self.wire {
            Wire::Chat | Wire::Anthropic => &self.body["messages"],
            Wire::Responses => &self.body["input"],
            Wire::Gemini => &self.body["contents"],
        };
        entries.as_array().map_or(&[], Vec::as_slice)
    }

    /// Returns all results of calls in its history, in their order, as the model reads them: their texts, and JSON
    /// of what is no text.
    pub fn results(&self) -> Vec<String> {
        let mut results = Vec::new();
        for entry in self.history() {
            match self.wire {
                Wire::Chat if entry["role"] == "tool" => results.push(read(&entry["content"])),
                Wire::Responses if entry["type"] == "function_call_output" => {
                    results.push(read(&entry["output"]));
                }
                Wire::Anthropic => {
                    let blocks = entry["content"].as_array().into_iter().flatten();
                    let told = blocks.filter(|block| block["type"] == "tool_result");
                    results.extend(told.map(|block| read(&block["content"])));
                }
                Wire::Gemini => {
                    let parts = entry["parts"].as_array().into_iter().flatten();
                    let told = parts.map(|part| &part["functionResponse"]["response"]);
                    results.extend(told.filter(|told| !told.is_null()).map(Value::to_string));
                }
                _ => {}
            }
        }
        results
    }
}

/// The text of a result: a text, or blocks with texts.
fn read(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().map(|block| match block["text"].as_str() {
                Some(text) => text.to_owned(),
                None => block.to_string(),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}
