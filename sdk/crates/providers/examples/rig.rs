//! An agent of the crate `rig`, with tools of ours.
//!
//! `cargo run -p model-clients --features clients --example rig -- http://localhost:11434/v1 qwen3 "How many words has 'as
//! you like'?"`
//!
//! Built here without TLS; a program that needs it has `rig` with its default features.

use std::env;
use std::error::Error;
use std::sync::Arc;

use rig::agent::AgentBuilder;
use rig::driver::DynModel;
use rig::operation::Completion;
use rig::providers::openai::OpenAIConfig;
use toolwright::{Executor, Session, ToolRegistry, tool};
use toolwright_providers::{Api, ToolList, clients};

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

/// Has an agent of `rig` answer, which runs the calls itself.
pub(crate) async fn ask(
    session: Arc<Session>,
    api: Api,
    model: impl Into<DynModel<Completion>>,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let list = ToolList::new(api, &session.tools());
    let agent = AgentBuilder::new(model)
        .dynamic_tools(clients::rig::tools(&list, session))
        .build();
    let response = agent.prompt(question).max_turns(10).await?;
    Ok(response.output().clone())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(url), Some(model), Some(question)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give a URL, a model and a question".into());
    };
    let key = env::var("OPENAI_API_KEY").unwrap_or_default();
    let model = OpenAIConfig::new(key)
        .with_base_url(url)
        .client()
        .chat(model);
    let session = Arc::new(session()?);
    println!("{}", ask(session, Api::Compatible, model, &question).await?);
    Ok(())
}
