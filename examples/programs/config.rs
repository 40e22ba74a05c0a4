//! Configuration as data: one file, `toolwright.toml`, gives an executor its policy and features, and its sessions their
//! tools and roles. A mistake in it is an error that names the line.

use std::error::Error;

use toolwright::{Executor, Session, ToolCall, ToolRegistry, tool};
use toolwright_config::Config;

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

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let config = Config::read(concat!(env!("CARGO_MANIFEST_DIR"), "/toolwright.toml"))?;
    let tools = ToolRegistry::new().with(Read).with(Write).with(Remove);
    let executor = config.apply(Executor::builder(tools)).build()?;

    let editor = executor.session_with("editor", config.session());
    show(
        &editor,
        &[
            ("page.read", "front"),
            ("page.write", "sports"),
            ("page.write", "front"),
            ("page.remove", "sports"),
        ],
    )
    .await;

    let reader = config
        .role("reader")
        .ok_or("the file has no role `reader`")?;
    let reader = executor.session_with("reader", reader);
    show(&reader, &[("page.write", "sports")]).await;

    let mistake = Config::from_toml("[tools]\nselcted = [\"page.*\"]\n", ".");
    if let Err(error) = mistake {
        println!("{error}");
    }
    Ok(())
}

async fn show(session: &Session, calls: &[(&str, &str)]) {
    println!("# {}", session.id());
    for (tool, page) in calls {
        let arguments = serde_json::json!({ "page": page });
        let outcome = session.call(ToolCall::new(*tool, arguments)).await;
        println!("{tool} {page}: {}", outcome.text());
    }
}
