//! Questions that tools ask, from the body to the person and back, whether the call waits in its place
//! or is suspended.

mod endings;
mod registry;
mod replies;
mod waits;

use toolwright::executor::WaitMode;
use toolwright::outcome::Suspension;
use toolwright::question::Question;
use toolwright::ticket::{Ticket, TicketEvent, TicketEvents};
use toolwright::{
    Executor, ExecutorBuilder, Session, ToolCall, ToolContext, ToolError, ToolOutcome,
    ToolRegistry, tool,
};

use crate::support::Trace;
use std::sync::Arc;

fn colours() -> Question {
    Question::choice("Which colour?", ["red", "green"]).default("green")
}

/// Paint the fence.
#[tool(register = false, read_only)]
async fn paint(ctx: &ToolContext, trace: &Trace) -> Result<String, ToolError> {
    trace.note("begins");
    let colour = ctx.ask(colours()).await?;
    trace.note("paints");
    Ok(format!("the fence is {colour}"))
}

/// Paint the fence, in white where nobody wants to say.
#[tool(register = false, read_only)]
async fn paint_anyhow(ctx: &ToolContext) -> Result<String, ToolError> {
    match ctx.ask(colours()).await {
        Ok(colour) => Ok(format!("the fence is {colour}")),
        Err(error) if error.code() == "question_declined" => {
            Ok(format!("the fence is white, since {error}"))
        }
        Err(error) => Err(error),
    }
}

/// Order a meal.
#[tool(register = false, read_only)]
async fn order(ctx: &ToolContext) -> Result<String, ToolError> {
    let replies = ctx
        .ask_all([
            Question::choices("Which toppings?", ["ham", "olives"]).other(),
            Question::text("For whom?"),
            Question::yes_no("Is it urgent?"),
        ])
        .await?;
    let replies: Vec<String> = replies.iter().map(ToString::to_string).collect();
    Ok(replies.join(" / "))
}

fn builder(mode: WaitMode) -> (ExecutorBuilder, Trace) {
    let trace = Trace::default();
    let tools = ToolRegistry::new()
        .with(Paint)
        .with(PaintAnyhow)
        .with(Order);
    let builder = Executor::builder(tools)
        .resource(trace.clone())
        .approvals(mode);
    (builder, trace)
}

fn executor(mode: WaitMode) -> (Executor, Trace) {
    let (builder, trace) = builder(mode);
    (builder.build().unwrap(), trace)
}

fn events(executor: &Executor) -> TicketEvents {
    executor.interactions().tickets().subscribe()
}

/// The next ticket that is opened.
async fn opened(events: &mut TicketEvents) -> Arc<Ticket> {
    loop {
        if let TicketEvent::Opened(tickets) = events.recv().await.unwrap() {
            assert_eq!(tickets.len(), 1);
            return Arc::clone(&tickets[0]);
        }
    }
}

async fn interrupted(session: &Session, tool: &'static str) -> Suspension {
    match session.call(ToolCall::new(tool, "{}").with_id("c-1")).await {
        ToolOutcome::Suspended(suspension) => suspension,
        other => panic!("{other:?}"),
    }
}
