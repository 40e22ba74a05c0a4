//! Servers that speak `OpenAI`'s Chat Completions: Ollama, vLLM, llama.cpp, LM Studio and others.

use toolwright::executor::ToolCaller;

use crate::{Api, ModelTools};

/// Returns the tools of a session for such a server: each by its own schema, never strict.
pub fn chat(caller: &dyn ToolCaller) -> ModelTools<'_> {
    ModelTools::new(Api::Compatible, caller)
}
