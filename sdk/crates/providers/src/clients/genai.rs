//! The types of the crate [`genai`]: any provider that it knows, by one API.
//!
//! ```
//! use genai::adapter::AdapterKind;
//! use genai::chat::{ChatMessage, ChatRequest};
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_providers::{ModelTools, clients};
//!
//! /// Count the words of a text.
//! #[tool(pure)]
//! fn count(text: String) -> usize {
//!     text.split_whitespace().count()
//! }
//!
//! # async fn talk() -> Result<(), Box<dyn std::error::Error>> {
//! let session = Executor::new(ToolRegistry::new().with(Count))?.session("s-1");
//! let client = genai::Client::new()?;
//! let model = "gpt-5";
//!
//! let tools = ModelTools::new(clients::genai::api(AdapterKind::from_model(model)?), &session);
//! let mut request = ChatRequest::from_user("How many words has \"as you like\"?")
//!     .with_tools(clients::genai::tools(tools.list()));
//! loop {
//!     let response = client.exec_chat(model, request.clone(), None).await?;
//!     let reply = clients::genai::answer(&tools, response).await?;
//!     let done = !reply.has_calls();
//!     request = request.append_messages(reply.messages);
//!     if done {
//!         println!("{}", reply.text);
//!         return Ok(());
//!     }
//! }
//! # }
//! ```

use genai::adapter::AdapterKind;
use genai::chat::{
    CacheControl, ChatMessage, ChatResponse, ContentPart, MessageContent, StopReason, StreamEnd,
    Tool, ToolResponse, Usage,
};
use serde_json::{Value, json};

use crate::turn::answers;
use crate::{Api, AssistantMessage, MessageError, ModelTools, ProviderCall, Reply, ToolList};

/// Returns the API that `genai` talks to a provider by, so that the tools have its form.
///
/// A gateway, which has models of several makers, takes the tools as a compatible server does.
pub fn api(adapter: AdapterKind) -> Api {
    match adapter {
        AdapterKind::OpenAI => Api::OpenAiChat,
        AdapterKind::OpenAIResp => Api::OpenAiResponses,
        AdapterKind::Anthropic => Api::Anthropic,
        AdapterKind::Gemini | AdapterKind::GeminiIx => Api::Gemini,
        _ => Api::Compatible,
    }
}

/// Returns the tools of a list, in its order.
///
/// `genai` has no field for [input examples](crate::ListOptions::input_examples), for
/// [deferred loading](crate::ListOptions::defer_loading) and for Gemini's
/// [`OpenAPI` subset](crate::GeminiSchema::OpenApi); do not ask for these in the list's options.
pub fn tools(list: &ToolList) -> Vec<Tool> {
    let mut tools: Vec<Tool> = list
        .definitions()
        .map(|definition| {
            let mut tool = Tool::new(definition.name).with_schema(definition.schema);
            tool.description = definition.description.map(str::to_owned);
            tool.strict = definition.strict;
            tool
        })
        .collect();
    if list.is_cached()
        && let Some(last) = tools.last_mut()
    {
        last.cache_control = Some(CacheControl::Ephemeral);
    }
    tools
}

/// Runs the calls of a response as [`ModelTools::answer`] does, and returns the messages to append.
///
/// # Errors
///
/// Fails if the response has more calls than a message may have. Nothing has run then.
pub async fn answer(
    tools: &ModelTools<'_>,
    response: ChatResponse,
) -> Result<Reply<ChatMessage>, MessageError> {
    answer_parts(
        tools,
        ResponseParts {
            content: response.content,
            reasoning: response.reasoning_content,
            stop_reason: response.stop_reason,
            usage: Some(response.usage),
        },
    )
    .await
}

/// Runs the calls of a streamed response as [`ModelTools::answer`] does, and returns the messages to append.
///
/// The end of a stream has the calls if the options of the request ask for them:
/// `ChatOptions::default().with_capture_content(true).with_capture_tool_calls(true)`.
///
/// # Errors
///
/// Fails if the response has more calls than a message may have. Nothing has run then.
pub async fn answer_stream(
    tools: &ModelTools<'_>,
    end: StreamEnd,
) -> Result<Reply<ChatMessage>, MessageError> {
    answer_parts(
        tools,
        ResponseParts {
            content: end.captured_content.unwrap_or_default(),
            reasoning: end.captured_reasoning_content,
            stop_reason: end.captured_stop_reason,
            usage: end.captured_usage,
        },
    )
    .await
}

/// The parts that a whole response and the end of a stream have in common.
struct ResponseParts {
    content: MessageContent,
    reasoning: Option<String>,
    stop_reason: Option<StopReason>,
    usage: Option<Usage>,
}

async fn answer_parts(
    tools: &ModelTools<'_>,
    parts: ResponseParts,
) -> Result<Reply<ChatMessage>, MessageError> {
    // Calls are read from Chat Completions whichever API gave them, so that there is one reader of them. An id that is made
    // up for a call without one is such that every API takes it.
    let text = parts.to_chat_completion();
    let message = AssistantMessage::read(Api::Compatible, &text)?;
    let outcomes = tools.run(message.calls()).await;
    let answers = answers(message.calls(), &outcomes);
    let results = answers.iter().map(|answered| {
        let call = answered.call;
        ToolResponse::new(call.id(), answered.content.text()).with_fn_name(call.name_in_history())
    });
    let results: Vec<ToolResponse> = results.collect();
    let mut messages = Vec::new();
    messages.extend(assistant_message(parts, message.calls()));
    if !results.is_empty() {
        messages.push(ChatMessage::from(results));
    }
    let mut reply = Reply::to(&message, outcomes);
    reply.messages = messages;
    Ok(reply)
}

/// Returns the message for the history, unless the model answered with nothing: its content, with the ids and names of its
/// calls as their results have them, and an object of arguments in each.
fn assistant_message(parts: ResponseParts, calls: &[ProviderCall<'_>]) -> Option<ChatMessage> {
    if parts.content.is_empty() {
        return None;
    }
    let has_reasoning = parts.content.contains_reasoning_content();
    let mut message = ChatMessage::assistant(parts.content);
    let tool_calls = message.content.iter_mut().filter_map(|part| match part {
        ContentPart::ToolCall(call) => Some(call),
        _ => None,
    });
    for (call, read) in tool_calls.zip(calls) {
        read.id().clone_into(&mut call.call_id);
        read.name_in_history().clone_into(&mut call.fn_name);
        if !call.fn_arguments.is_object() {
            let object = serde_json::from_str(read.arguments()).map(Value::Object);
            call.fn_arguments = object.unwrap_or_else(|_| json!({}));
        }
    }
    // As `ChatResponse::into_assistant_message_for_tool_use` does.
    if !has_reasoning && !calls.is_empty() {
        message = message.with_reasoning_content(parts.reasoning);
    }
    Some(message)
}

impl ResponseParts {
    /// Writes the response as Chat Completions has it.
    fn to_chat_completion(&self) -> String {
        let calls = self.content.tool_calls().into_iter().map(|call| {
            let arguments = match &call.fn_arguments {
                Value::Null => String::new(),
                // The text of a call that was cut off, or that is no JSON.
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            json!({
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.fn_name, "arguments": arguments},
            })
        });
        let calls: Vec<Value> = calls.collect();
        let finish_reason = self.stop_reason.as_ref().map(|reason| match reason {
            StopReason::Completed(_) | StopReason::StopSequence(_) => "stop",
            StopReason::MaxTokens(_) => "length",
            StopReason::ToolCall(_) => "tool_calls",
            StopReason::ContentFilter(_) => "content_filter",
            StopReason::Other(reason) => reason,
        });
        let usage = self.usage.as_ref().map(|usage| {
            let details = usage.prompt_tokens_details.as_ref();
            json!({
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
                "prompt_tokens_details": {"cached_tokens": details.and_then(|details| details.cached_tokens)},
            })
        });
        let message = json!({
            "role": "assistant",
            "content": self.content.joined_texts(),
            "tool_calls": calls,
        });
        json!({
            "choices": [{"finish_reason": finish_reason, "message": message}],
            "usage": usage,
        })
        .to_string()
    }
}
