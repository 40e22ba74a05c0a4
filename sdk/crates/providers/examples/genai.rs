//! A model that the crate `genai` talks to, with tools of ours.
//!
//! `cargo run -p model-clients --features clients --example genai -- ollama::qwen3 "How many words has 'as you like'?"`
//!
//! Built here without TLS; a program that needs it has `genai` with its default features.

use std::env;
use std::error::Error;

use genai::chat::ChatRequest;
use genai::{Client, ModelSpec};
use toolwright::{Executor, Session, ToolRegistry, tool};
use toolwright_providers::{ModelTools, clients};

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

/// Asks a model, runs its calls until it calls no more, and returns its text.
pub(crate) async fn ask(
    session: &Session,
    model: impl Into<ModelSpec>,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let client = Client::builder().build()?;
    let target = client.resolve_service_target(model).await?;
    let tools = ModelTools::new(clients::genai::api(target.model.adapter_kind), session);
    let mut request =
        ChatRequest::from_user(question).with_tools(clients::genai::tools(tools.list()));
    loop {
        let response = client
            .exec_chat(target.clone(), request.clone(), None)
            .await?;
        let reply = clients::genai::answer(&tools, response).await?;
        if !reply.has_calls() {
            return Ok(reply.text);
        }
        request = request.append_messages(reply.messages);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(model), Some(question)) = (arguments.next(), arguments.next()) else {
        return Err("give a model and a question".into());
    };
    println!("{}", ask(&session()?, model, &question).await?);
    Ok(())
}
