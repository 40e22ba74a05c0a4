//! The examples of `toolwright-providers` for the SDKs of others, against the server that plays the model.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    dead_code,
    reason = "tests and the mains of examples"
)]

#[path = "../../../../sdk/crates/providers/examples/async_openai.rs"]
mod async_openai_example;
#[path = "../../../../sdk/crates/providers/examples/genai.rs"]
mod genai_example;
#[path = "../../../../sdk/crates/providers/examples/rig.rs"]
mod rig_example;

mod async_openai;
mod genai;
mod rig;

use std::fs;

use serde_json::Value;
use toolwright::{Executor, Session, ToolName, ToolRegistry, tool};

/// The names and schemas of the tools of a real server.
fn definitions(server: &str) -> Vec<(ToolName, Value)> {
    let file = format!(
        "{}/../../data/mcp-tools/{server}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let definitions: Vec<Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let definitions = definitions.into_iter().map(|mut definition| {
        let name = definition["name"].as_str().unwrap().to_owned();
        (
            ToolName::new(name).unwrap(),
            definition["inputSchema"].take(),
        )
    });
    definitions.collect()
}

/// Repeat the word.
#[tool(pure)]
fn repeat(word: Option<String>, #[arg(default = 2)] times: usize) -> String {
    word.as_deref().unwrap_or("nothing").repeat(times)
}

/// Returns a session with a tool that is shown to `OpenAI` in another form than its own: every argument is required there,
/// and `null` stands for an absent one.
fn repeating() -> Session {
    Executor::new(ToolRegistry::new().with(Repeat))
        .unwrap()
        .session("repeating")
}
