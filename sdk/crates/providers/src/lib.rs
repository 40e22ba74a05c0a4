//! Tools of [toolwright](https://docs.rs/toolwright) in the forms of the model APIs, both ways: `OpenAI`'s Chat Completions
//! and Responses, Anthropic's Messages, Gemini, Ollama and other compatible servers.

// The files:
//
// - `api`: the APIs
// - `json`: JSON in its order

#![allow(dead_code, reason = "the parts come one after another")]

mod api;
mod json;

pub use api::Api;
