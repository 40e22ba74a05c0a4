//! Tools that wait for a person, and a host that answers for one: a tool that asks a question, one that
//! has to be allowed, and one that does neither, made together with the registries that they need.

use toolwright::executor::WaitMode;
use toolwright::question::{Question, UserInteractionRegistry};
use toolwright::ticket::{
    Answer, Answers, PendingRequest, TicketBroker, TicketEvent, TicketEvents, WaitKind,
};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry, tool, toolset,
};

/// Tell which places there are.
#[tool(read_only)]
fn list_places() -> Vec<&'static str> {
    vec!["staging", "production"]
}

/// Deploy a version.
#[tool(permission = deploys(version, place))]
fn deploy(version: String, place: String) -> String {
    format!("{version} runs in {place}")
}

fn deploys(version: &str, place: &str) -> PermissionRequest {
    PermissionRequest::new("deploy", place, format!("Deploy {version} to {place}"))
}

/// Plans releases, and asks what it does not know.
struct Releases {
    interactions: UserInteractionRegistry,
}

#[toolset]
impl Releases {
    /// Plan a release.
    #[tool(name = "release.plan", read_only)]
    async fn plan(&self, ctx: &ToolContext) -> Result<String, ToolError> {
        let place = Question::choice(
            "Where to?",
            [
                ("staging", "Only we see it"),
                ("production", "Everybody sees it"),
            ],
        );
        let version = Question::text("Which version?").pattern(r"^v\d+$", "a version, as in v2");
        // Both in one ticket: a host can show them as one form. What nobody decided, nobody plans.
        let replies = ctx.ask_all([place, version]).await?;
        Ok(format!("release {} to {}", replies[1], replies[0]))
    }

    /// Write the notes of a release.
    #[tool(name = "release.notes", read_only)]
    async fn notes(&self, ctx: &ToolContext) -> Result<String, ToolError> {
        // The same by the registry that the tool was made with.
        let question = Question::yes_no("Shall the notes be short?").default(true);
        let reply = self.interactions.register(ctx, question).await?.recv();
        match reply.await {
            Ok(reply) if reply.is_yes() == Some(false) => Ok("everything, at length".to_owned()),
            Ok(_) => Ok("bug fixes".to_owned()),
            // Without an answer there is no text, and the model reads why.
            Err(error) => Err(error),
        }
    }
}

/// Says what a person would: here by a script, in an app by a dialog or a chat.
async fn host(tickets: TicketBroker, mut events: TicketEvents) {
    while let Some(event) = events.recv().await {
        let TicketEvent::Opened(opened) = event else {
            continue;
        };
        for ticket in opened {
            for request in ticket.requests() {
                println!("? {}", request.summary());
            }
            let mut subjects = ticket.requests().iter().map(PendingRequest::subject);
            let to_production = subjects.any(|subject| subject["target"] == "production");
            let answered = match (ticket.kind(), ticket.requests().len()) {
                (WaitKind::Question, 2) => {
                    let place = Answers::none().with(0, Answer::value("production"));
                    let both = place.with(1, Answer::value("v2"));
                    tickets.answer(ticket.id(), both).await.map(drop)
                }
                (WaitKind::Question, _) => {
                    tickets
                        .decline(ticket.id(), Some("there is a template for that"))
                        .await
                }
                _ if to_production => tickets.decline(ticket.id(), Some("not on a Friday")).await,
                _ => tickets.answer(ticket.id(), Answer::yes()).await.map(drop),
            };
            if let Err(error) = answered {
                println!("! {error}");
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), toolwright::BuildError> {
    let executor = Executor::builder(ToolRegistry::new())
        .register_tools(|registries| {
            let interactions = registries.interactions.clone();
            Ok(ToolRegistry::new()
                .with(ListPlaces)
                .with(Deploy)
                .with_set(Releases { interactions }))
        })
        .approvals(WaitMode::Blocking)
        .build()?;
    for spec in executor.tools().specs() {
        println!("{}: {}", spec.name(), spec.description());
    }
    let tickets = executor.interactions().tickets();
    // Before the first call, so that nothing is missed.
    let host = tokio::spawn(host(tickets.clone(), tickets.subscribe()));

    let session = executor.session("s-1");
    for (name, arguments) in [
        ("list_places", "{}"),
        ("release.plan", "{}"),
        ("release.notes", "{}"),
        ("deploy", r#"{"version": "v2", "place": "staging"}"#),
        ("deploy", r#"{"version": "v2", "place": "production"}"#),
    ] {
        println!("> {name} {arguments}");
        println!(
            "{}",
            session.call(ToolCall::new(name, arguments)).await.text()
        );
    }
    host.abort();
    Ok(())
}
