//! The types of the crate `async-openai`, for Chat Completions and Responses.
//!
//! ```
//! use async_openai::types::chat::{
//!     ChatCompletionRequestUserMessage, CreateChatCompletionRequest, CreateChatCompletionResponse,
//! };
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_providers::{clients, openai};
//!
//! /// Count the words of a text.
//! #[tool(pure)]
//! fn count(text: String) -> usize {
//!     text.split_whitespace().count()
//! }
//!
//! # async fn create(_: CreateChatCompletionRequest) -> Result<CreateChatCompletionResponse, Box<dyn std::error::Error>> { Err("no server".into()) }
//! # async fn talk() -> Result<(), Box<dyn std::error::Error>> {
//! let session = Executor::new(ToolRegistry::new().with(Count))?.session("s-1");
//! let tools = openai::chat(&session);
//! let question = ChatCompletionRequestUserMessage::from("How many words has \"as you like\"?");
//! let mut request = CreateChatCompletionRequest {
//!     model: "gpt-5".to_owned(),
//!     messages: vec![question.into()],
//!     tools: Some(clients::async_openai::chat_tools(tools.list())),
//!     ..CreateChatCompletionRequest::default()
//! };
//! loop {
//!     // `client.chat().create(request.clone())`
//!     let response = create(request.clone()).await?;
//!     let reply = clients::async_openai::answer_chat(&tools, &response).await?;
//!     let done = !reply.has_calls();
//!     request.messages.extend(reply.messages);
//!     if done {
//!         println!("{}", reply.text);
//!         return Ok(());
//!     }
//! }
//! # }
//! ```

use async_openai::types::chat::{
    ChatCompletionRequestMessage, ChatCompletionRequestToolMessage, ChatCompletionTool,
    ChatCompletionTools, CreateChatCompletionResponse, CreateChatCompletionStreamResponse,
    FunctionObject,
};
use async_openai::types::responses::{
    FunctionCallOutput, FunctionCallOutputItemParam, FunctionTool, InputItem, Item, OutputItem,
    Response, Tool,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::turn::answers;
use crate::wire::{Answered, write_results};
use crate::{
    Api, AssistantMessage, Message, MessageError, MessageStream, ModelTools, Reply, StreamError,
    StreamEvent, ToolList,
};

/// Returns the tools of a list for Chat Completions, in its order.
///
/// `async-openai` holds a schema as a [`Value`](serde_json::Value), so that its properties are in the order of the alphabet
/// unless some crate of the program turns on `serde_json/preserve_order`.
pub fn chat_tools(list: &ToolList) -> Vec<ChatCompletionTools> {
    let tools = list.definitions().map(|definition| {
        ChatCompletionTools::Function(ChatCompletionTool {
            function: FunctionObject {
                name: definition.name.to_owned(),
                description: definition.description.map(str::to_owned),
                parameters: Some(definition.schema),
                strict: definition.strict,
            },
        })
    });
    tools.collect()
}

/// Returns the tools of a list for Responses, in its order. See [`chat_tools`] for the order of properties.
pub fn responses_tools(list: &ToolList) -> Vec<Tool> {
    let tools = list.definitions().map(|definition| {
        Tool::Function(FunctionTool {
            name: definition.name.to_owned(),
            description: definition.description.map(str::to_owned),
            parameters: Some(definition.schema),
            strict: definition.strict,
            ..FunctionTool::default()
        })
    });
    tools.collect()
}

/// Runs the calls of a response of Chat Completions as [`ModelTools::answer`] does, and returns the messages to append.
///
/// The model's own message loses its annotations and the data of its audio, which a request has no fields for.
///
/// # Errors
///
/// Fails if the response has no choice, or more calls than a message may have. Nothing has run then.
pub async fn answer_chat(
    tools: &ModelTools<'_>,
    response: &CreateChatCompletionResponse,
) -> Result<Reply<ChatCompletionRequestMessage>, MessageError> {
    answer_chat_text(tools, &to_text(Api::OpenAiChat, response)?).await
}

/// Runs the calls of a response of Chat Completions that is JSON text, as [`MessageStream::finish`] gives it; see
/// [`answer_chat`].
///
/// # Errors
///
/// Fails if the text is not a response, or is one of a kind that `async-openai` has no type for. Nothing has run then.
pub async fn answer_chat_text(
    tools: &ModelTools<'_>,
    response: &str,
) -> Result<Reply<ChatCompletionRequestMessage>, MessageError> {
    let api = Api::OpenAiChat;
    let message = AssistantMessage::read(api, response)?;
    let own = message.clone().into_messages();
    let own: Result<Vec<_>, _> = own.iter().map(|message| typed(api, message)).collect();
    let mut messages = own?;
    let outcomes = tools.run(message.calls()).await;
    for answered in answers(message.calls(), &outcomes) {
        messages.push(result(api, &answered).unwrap_or_else(|| {
            ChatCompletionRequestToolMessage {
                content: answered.content.text().into_owned().into(),
                tool_call_id: answered.call.id().to_owned(),
            }
            .into()
        }));
    }
    let mut reply = Reply::to(&message, outcomes);
    reply.messages = messages;
    Ok(reply)
}

/// Adds a chunk of a streamed response of Chat Completions to a stream, and returns what there is to show.
///
/// `async-openai` keeps the end of a stream to itself, so that the stream is one of [`Api::Compatible`], for which the reason
/// to stop is an end. Its [`finish`](MessageStream::finish) gives what [`answer_chat_text`] takes. In Responses the last event
/// has the whole response, for [`answer_responses`].
///
/// ```
/// use async_openai::types::chat::CreateChatCompletionStreamResponse;
/// use toolwright_providers::clients::async_openai::push_chunk;
/// use toolwright_providers::{Api, MessageStream, StreamEvent};
///
/// # fn read(chunks: Vec<CreateChatCompletionStreamResponse>) -> Result<String, Box<dyn std::error::Error>> {
/// let mut stream = MessageStream::new(Api::Compatible);
/// for chunk in chunks {
///     for event in push_chunk(&mut stream, &chunk)? {
///         if let StreamEvent::Text(text) = event {
///             print!("{text}");
///         }
///     }
/// }
/// Ok(stream.finish()?)
/// # }
/// ```
///
/// # Errors
///
/// Fails as [`MessageStream::push`] does.
pub fn push_chunk(
    stream: &mut MessageStream,
    chunk: &CreateChatCompletionStreamResponse,
) -> Result<Vec<StreamEvent>, StreamError> {
    // A chunk has texts and numbers, and was read from JSON.
    let chunk = serde_json::to_string(chunk).unwrap_or_default();
    stream.push(format!("data: {chunk}\n\n").as_bytes())
}

/// Runs the calls of a response of Responses as [`ModelTools::answer`] does, and returns the items to append.
///
/// With `store` off, ask for `reasoning.encrypted_content` among what the request includes, so that the items hold what the
/// model has thought.
///
/// # Errors
///
/// Fails if the response is that of a request that failed, or has more calls than a message may have. Nothing has run then.
pub async fn answer_responses(
    tools: &ModelTools<'_>,
    response: &Response,
) -> Result<Reply<InputItem>, MessageError> {
    let api = Api::OpenAiResponses;
    let text = to_text(api, response)?;
    let message = AssistantMessage::read(api, &text)?;
    let mut calls = message.calls().iter();
    let own = response.output.iter().cloned().map(|mut item| {
        let call = match &mut item {
            OutputItem::FunctionCall(call) => Some((&mut call.call_id, &mut call.name)),
            OutputItem::CustomToolCall(call) => Some((&mut call.call_id, &mut call.name)),
            _ => None,
        };
        if let Some((id, name)) = call
            && let Some(read) = calls.next()
        {
            read.id().clone_into(id);
            read.name_in_history().clone_into(name);
        }
        InputItem::from(item)
    });
    let mut messages: Vec<InputItem> = own.collect();
    let outcomes = tools.run(message.calls()).await;
    for answered in answers(message.calls(), &outcomes) {
        messages.push(result(api, &answered).unwrap_or_else(|| {
            let output = FunctionCallOutputItemParam {
                call_id: Some(answered.call.id().to_owned()),
                output: FunctionCallOutput::Text(answered.content.text().into_owned()),
                id: None,
                status: None,
                name: None,
                namespace: None,
                caller: None,
            };
            Item::FunctionCallOutput(output).into()
        }));
    }
    let mut reply = Reply::to(&message, outcomes);
    reply.messages = messages;
    Ok(reply)
}

fn to_text<T: Serialize>(api: Api, response: &T) -> Result<String, MessageError> {
    serde_json::to_string(response).map_err(|error| MessageError::unreadable(api, "", error))
}

fn typed<T: DeserializeOwned>(api: Api, message: &Message) -> Result<T, MessageError> {
    let text = message.as_str();
    serde_json::from_str(text).map_err(|error| MessageError::unreadable(api, text, error))
}

/// The result of a call, as the API takes it; `None` if `async-openai` has no type for it.
fn result<T: DeserializeOwned>(api: Api, answered: &Answered<'_>) -> Option<T> {
    let written = write_results(api, std::slice::from_ref(answered));
    typed(api, written.first()?).ok()
}
