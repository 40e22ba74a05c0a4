//! A selector chooses the tools of a session among those of the executor. The others do not exist for that session.

use std::error::Error;

use toolwright::executor::SessionOptions;
use toolwright::permission::AllowAll;
use toolwright::registry::Selector;
use toolwright::{Executor, ToolCall, ToolRegistry, tool};

/// Read a page.
#[tool(name = "page.read", read_only)]
fn read(page: String) -> String {
    format!("the text of {page}")
}

/// Write a page.
#[tool(name = "page.write")]
fn write(page: String) -> String {
    format!("{page} was written")
}

/// Remove a page.
#[tool(name = "page.remove", destructive)]
fn remove(page: String) -> String {
    format!("{page} was removed")
}

/// Restart the server.
#[tool(name = "server.restart", explicit_only)]
fn restart() -> &'static str {
    "the server restarts"
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let tools = ToolRegistry::new()
        .with(Read)
        .with(Write)
        .with(Remove)
        .with(Restart);
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .build()?;
    for patterns in [
        &["*"][..],
        &["page.*", "!page.remove"],
        &["page.raed", "server.restart"],
    ] {
        let options = SessionOptions::new().tools(Selector::new(patterns.iter().copied())?);
        let session = executor.session_with("s-1", options);
        let names: Vec<String> = session
            .tools()
            .specs()
            .map(|spec| spec.name().to_string())
            .collect();
        println!("{patterns:?}: {}", names.join(", "));
        for unmatched in session.availability().unmatched() {
            println!("  {unmatched}");
        }
        let outcome = session
            .call(ToolCall::new("page.remove", r#"{"page": "home"}"#))
            .await;
        println!("  > page.remove: {}", outcome.text());
    }
    Ok(())
}
