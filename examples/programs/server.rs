//! Servers: tools from elsewhere get the name of their server as a prefix. So no server takes the name of another tool,
//! and a selector can name all tools of a server.

use std::error::Error;

use serde_json::{Map, Value};
use toolwright::executor::SessionOptions;
use toolwright::permission::AllowAll;
use toolwright::registry::Selector;
use toolwright::{
    Executor, ToolCall, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec, tool,
    tool_fn,
};

/// List the issues of the app's own list.
#[tool(name = "issues.list", read_only)]
fn list() -> &'static str {
    "1: buy milk"
}

/// Makes the tools of a server from their names. In an app the closure would send the call to the server.
fn tools_of(server: &'static str, names: &[&'static str]) -> Result<ToolRegistry, Box<dyn Error>> {
    let mut registry = ToolRegistry::new();
    for &name in names {
        let spec = ToolSpec::new(ToolName::new(name)?, format!("{name} of {server}."));
        let forward = move |arguments: Map<String, Value>, _: ToolContext| async move {
            let sent = Value::Object(arguments);
            Ok::<_, ToolError>(ToolOutput::text(format!("{server} was sent {name} {sent}")))
        };
        registry.register(tool_fn(spec, forward))?;
    }
    Ok(registry)
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let tools = ToolRegistry::new()
        .with(List)
        .with_server(
            "github",
            tools_of("github", &["issues.list", "issues.close"])?,
        )
        .with_server("tracker", tools_of("tracker", &["issues.list"])?);
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .build()?;
    for patterns in [
        &["*"][..],
        &["@github"],
        &["@tracker/*", "@github/*", "!@github/issues.close"],
    ] {
        let options = SessionOptions::new().tools(Selector::new(patterns.iter().copied())?);
        let session = executor.session_with("s-1", options);
        println!("{patterns:?}");
        let tools = session.tools();
        for spec in tools.specs() {
            let server = tools.server_of(spec.name().as_str()).unwrap_or("the app");
            println!("  {} from {server}", spec.name());
        }
    }
    let session = executor.session("s-1");
    for name in ["issues.list", "github.issues.list"] {
        let outcome = session.call(ToolCall::new(name, "{}")).await;
        println!("> {name}\n{}", outcome.text());
    }
    Ok(())
}
