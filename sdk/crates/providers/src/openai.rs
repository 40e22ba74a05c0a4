//! `OpenAI`'s Chat Completions and Responses.

use toolwright::executor::ToolCaller;

use crate::{Api, ModelTools};

/// Returns the tools of a session for Chat Completions: `POST /v1/chat/completions`.
///
/// The loop stays the app's own code. `post` here stands for the HTTP client, which takes a body and returns one:
///
/// ```
/// use serde_json::json;
/// use toolwright::{Executor, ToolRegistry, tool};
/// use toolwright_providers::openai;
///
/// /// Count the words of a text.
/// #[tool(pure)]
/// fn count(text: String) -> usize {
///     text.split_whitespace().count()
/// }
///
/// # let answers = std::cell::RefCell::new(vec![
/// #     r#"{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Three words."}}]}"#,
/// #     r#"{"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [
/// #         {"id": "call_1", "type": "function", "function": {"name": "count", "arguments": "{\"text\": \"as you like\"}"}}]}}]}"#,
/// # ]);
/// # let post = |_: String| { let next = answers.borrow_mut().pop(); async move { next.ok_or("no more").map(str::to_owned) } };
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let session = Executor::new(ToolRegistry::new().with(Count))?.session("s-1");
/// let tools = openai::chat(&session);
/// let mut messages = vec![tools.user("How many words has \"as you like\"?")];
/// let text = loop {
///     let body = tools.request(&json!({"model": "gpt-5"}), &messages)?;
///     let reply = tools.answer(&post(body).await?).await?;
///     let done = !reply.has_calls();
///     messages.extend(reply.messages);
///     if done {
///         break reply.text;
///     }
/// };
/// assert_eq!(text, "Three words.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn chat(caller: &dyn ToolCaller) -> ModelTools<'_> {
    ModelTools::new(Api::OpenAiChat, caller)
}

/// Returns the tools of a session for Responses: `POST /v1/responses`. The loop is as for [`chat`].
///
/// With `"store": false` in the settings, ask for `"include": ["reasoning.encrypted_content"]`, so that the messages hold
/// what the model has thought.
pub fn responses(caller: &dyn ToolCaller) -> ModelTools<'_> {
    ModelTools::new(Api::OpenAiResponses, caller)
}
