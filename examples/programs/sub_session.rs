//! Sub-sessions: the session of an agent starts one for a helper, with fewer tools. The rules for sub-sessions add a tool
//! to every helper and keep another from all of them. A tool knows the agent that calls it, and that agent's parent.

use std::error::Error;

use toolwright::executor::SessionOptions;
use toolwright::id::RunIdentity;
use toolwright::permission::AllowAll;
use toolwright::registry::{RoleRules, Selector};
use toolwright::{Executor, Session, ToolCall, ToolContext, ToolRegistry, tool};

/// Search the web.
#[tool(name = "web.search", read_only, open_world)]
fn search(term: String) -> String {
    format!("nothing about {term}")
}

/// Send a mail.
#[tool(name = "mail.send", open_world)]
fn send(to: String) -> String {
    format!("{to} has mail")
}

/// Report the result of a task.
#[tool(name = "task.report", pure)]
fn report(text: String, ctx: &ToolContext) -> String {
    let run = ctx.run();
    let agent = run
        .and_then(|run| run.agent())
        .map_or("nobody", |agent| agent.as_str());
    let parent = run
        .and_then(|run| run.parent()?.agent())
        .map_or("nobody", |agent| agent.as_str());
    format!("{agent} reports to {parent}: {text}")
}

fn print_tools(session: &Session) {
    let names: Vec<String> = session
        .tools()
        .specs()
        .map(|spec| spec.name().to_string())
        .collect();
    println!("{} has {}", session.id(), names.join(", "));
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    // Every helper can report, and no helper sends mail, whatever its session selects.
    let helper = RoleRules::new()
        .always(Selector::new(["task.report"])?)
        .never(Selector::new(["mail.*"])?);
    let tools = ToolRegistry::new().with(Search).with(Send).with(Report);
    let executor = Executor::builder(tools)
        .permission_checker(AllowAll)
        .sub_session_rules(helper)
        .build()?;

    let lead = RunIdentity::new("run-1").with_agent("lead");
    let main = executor.session_with("main", SessionOptions::new().run(lead.clone()));
    print_tools(&main);
    let run = RunIdentity::new("run-2")
        .with_agent("scout")
        .with_parent(lead);
    let options = SessionOptions::new()
        .tools(Selector::new(["mail.send", "web.search"])?)
        .run(run);
    let scout = main.sub_session_with("scout", options);
    print_tools(&scout);
    for (name, arguments) in [
        ("mail.send", r#"{"to": "all"}"#),
        ("task.report", r#"{"text": "nothing was found"}"#),
    ] {
        println!(
            "> {name}\n{}",
            scout.call(ToolCall::new(name, arguments)).await.text()
        );
    }
    // The end of the session above is the end of those below it.
    main.cancel();
    let late = ToolCall::new("web.search", r#"{"term": "tea"}"#);
    println!("> web.search\n{}", scout.call(late).await.text());
    Ok(())
}
