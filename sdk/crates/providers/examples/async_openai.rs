//! A model that the crate `async-openai` talks to, with tools of ours, by Chat Completions or, with `responses` at the end
//! of the line, by Responses.
//!
//! `cargo run -p model-clients --features clients --example async_openai -- http://localhost:11434/v1 qwen3 "How many words
//! has 'as you like'?"`
//!
//! Built here without TLS; a program that needs it has `async-openai` with its default features.

use std::env;
use std::error::Error;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{ChatCompletionRequestUserMessage, CreateChatCompletionRequest};
use async_openai::types::responses::{CreateResponse, EasyInputMessage, InputItem, InputParam};
use toolwright::{Executor, Session, ToolRegistry, tool};
use toolwright_providers::clients::async_openai as adapter;
use toolwright_providers::openai;

/// Count the words of a text.
#[tool(name = "text.count", pure)]
fn count(text: String) -> usize {
    text.split_whitespace().count()
}

/// Delete a note.
#[tool(name = "note.delete", destructive)]
fn delete(name: String) -> String {
    format!("{name} is gone")
}

/// Returns a session with the tools. There is no policy and nobody to ask, so that no note is deleted.
pub(crate) fn session() -> Result<Session, Box<dyn Error>> {
    let tools = ToolRegistry::new().with(Count).with(Delete);
    Ok(Executor::new(tools)?.session("example"))
}

/// Asks a model by Chat Completions, runs its calls until it calls no more, and returns its text.
pub(crate) async fn ask_chat(
    session: &Session,
    client: &Client<OpenAIConfig>,
    model: &str,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let tools = openai::chat(session);
    let mut request = CreateChatCompletionRequest {
        model: model.to_owned(),
        messages: vec![ChatCompletionRequestUserMessage::from(question).into()],
        tools: Some(adapter::chat_tools(tools.list())),
        ..CreateChatCompletionRequest::default()
    };
    loop {
        let response = client.chat().create(request.clone()).await?;
        let reply = adapter::answer_chat(&tools, &response).await?;
        if !reply.has_calls() {
            return Ok(reply.text);
        }
        request.messages.extend(reply.messages);
    }
}

/// Asks a model by Responses, without a conversation that the server keeps.
pub(crate) async fn ask_responses(
    session: &Session,
    client: &Client<OpenAIConfig>,
    model: &str,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let tools = openai::responses(session);
    let mut items = vec![InputItem::from(EasyInputMessage::from(question))];
    loop {
        let request = CreateResponse {
            model: Some(model.to_owned()),
            input: InputParam::Items(items.clone()),
            tools: Some(adapter::responses_tools(tools.list())),
            store: Some(false),
            ..CreateResponse::default()
        };
        let response = client.responses().create(request).await?;
        let reply = adapter::answer_responses(&tools, &response).await?;
        if !reply.has_calls() {
            return Ok(reply.text);
        }
        items.extend(reply.messages);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(url), Some(model), Some(question)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give a URL, a model and a question".into());
    };
    let client = Client::with_config(OpenAIConfig::new().with_api_base(url));
    let text = match arguments.next().as_deref() {
        None => ask_chat(&session()?, &client, &model, &question).await?,
        Some("responses") => ask_responses(&session()?, &client, &model, &question).await?,
        Some(other) => return Err(format!("`{other}`: leave it out, or write `responses`").into()),
    };
    println!("{text}");
    Ok(())
}
