//! Roles: rules about the tools of a session that hold whatever the session selects. A role always has some tools, never
//! has others, and has some only if the session names them.

use std::error::Error;

use toolwright::executor::SessionOptions;
use toolwright::permission::AllowAll;
use toolwright::registry::{RoleRules, Selector};
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

/// Ask the editor in chief.
#[tool(name = "chief.ask", read_only)]
fn ask(question: String) -> String {
    format!("the chief thinks about {question}")
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let tools = ToolRegistry::new()
        .with(Read)
        .with(Write)
        .with(Remove)
        .with(Ask);
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .build()?;

    let reader = RoleRules::new().never(Selector::new(["page.write", "page.remove"])?);
    let editor = RoleRules::new()
        .always(Selector::new(["chief.ask"])?)
        .explicit_only(Selector::new(["page.remove"])?);
    for (name, role, patterns) in [
        ("reader", &reader, &["*", "page.remove"][..]),
        ("editor", &editor, &["page.*"]),
        ("cleaner", &editor, &["page.read", "page.remove"]),
    ] {
        let options = SessionOptions::new()
            .role(role.clone())
            .tools(Selector::new(patterns.iter().copied())?);
        let session = executor.session_with(name, options);
        let names: Vec<String> = session
            .tools()
            .specs()
            .map(|spec| spec.name().to_string())
            .collect();
        println!("{name} selects {patterns:?} and has {}", names.join(", "));
        // The host can tell its users why a tool is missing. The model reads only that there is no such tool.
        for (tool, why) in session.availability().withheld() {
            println!("  {tool}: {why}");
        }
        let call = ToolCall::new("page.remove", r#"{"page": "home"}"#);
        println!("  > page.remove: {}", session.call(call).await.text());
    }
    Ok(())
}
