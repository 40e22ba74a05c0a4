//! Hooks: the one before a call limits searches and changes arguments; the one after it takes mail addresses out of the
//! result.

use std::error::Error;

use serde_json::json;
use toolwright::hook::{AfterCall, AfterDecision, AfterTool, BeforeDecision, BeforeTool, HookCall};
use toolwright::state::StateCommand;
use toolwright::{Executor, ToolCall, ToolError, ToolOutput, ToolRegistry, async_trait, tool};

/// Search the address book.
#[tool(name = "people.search", read_only)]
fn search(name: String) -> String {
    format!("{name}, {name}@example.org")
}

/// The number of searches of a session.
#[derive(Clone, Default)]
struct Searches(u32);

/// Lets a session search so many times, and looks names up in small letters.
struct AtMost(u32);

#[async_trait]
impl BeforeTool for AtMost {
    async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        if call
            .state::<Searches>()
            .is_some_and(|made| made.0 >= self.0)
        {
            return Ok(BeforeDecision::veto(
                "that was enough; answer with what you have",
            ));
        }
        let counted = StateCommand::update(|made: &mut Searches| made.0 += 1);
        let name = call
            .arguments()
            .ok()
            .and_then(|all| all.get("name")?.as_str().map(str::to_lowercase));
        let decision = match name {
            Some(name) => BeforeDecision::rewrite(json!({ "name": name })),
            None => BeforeDecision::proceed(),
        };
        Ok(decision.with_command(counted))
    }
}

/// Leaves no mail address in a result.
struct NoAddresses;

#[async_trait]
impl AfterTool for NoAddresses {
    async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        let [part] = call.output().content() else {
            return Ok(AfterDecision::keep());
        };
        let words = part.as_text().unwrap_or_default().split(' ');
        let shown: Vec<&str> = words
            .map(|word| {
                if word.contains('@') {
                    "<address>"
                } else {
                    word
                }
            })
            .collect();
        Ok(AfterDecision::replace(ToolOutput::text(shown.join(" "))))
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::builder(ToolRegistry::new().with(Search))
        .before(AtMost(2))
        .after(NoAddresses)
        .build()?;
    let session = executor.session("chat-7");
    for name in ["ada", "GRACE", "alan"] {
        let call = ToolCall::new("people.search", json!({ "name": name }));
        println!("> {name}\n{}", session.call(call).await.text());
    }
    Ok(())
}
