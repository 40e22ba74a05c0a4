//! Invocables as tools.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolwright::context::ResumeInfo;
use toolwright::id::InvalidToolName;
use toolwright::outcome::Suspension;
use toolwright::question::ExternalWait;
use toolwright::ticket::{Answer, Answers, Decision, PendingRequest, Ticket};
use toolwright::tools::ToolFn;
use toolwright::{ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec, tool_fn};

use super::{CanonicalName, CapabilityProvider, Invocable, InvokeOutcome, InvokeRequest};

/// Makes a tool of an invocable, under the name that [`CanonicalName::to_tool_name`] gives.
///
/// It promises nothing about its effect, so that a checker treats it with caution; its arguments must satisfy the schema. The
/// cancellation of a call reaches the invocable. Where the invocable [suspends](InvokeOutcome::Suspended), the call waits for an
/// [external result](ExternalWait::external) whose data has the ticket of the invocable as `ticket`. The value of that result answers
/// the ticket of the invocable:
///
/// | value | answer |
/// |---|---|
/// | `true`, `null` | yes to each request |
/// | `false` | no to each request |
/// | an [`Answer`] in serialised form | this to each request |
/// | a list of them | one for each request |
/// | any other | the answer to a question |
///
/// # Errors
///
/// Fails if the name cannot be the name of a tool: it is too long with the name of its server.
pub fn as_tool(invocable: impl Invocable) -> Result<ToolFn, InvalidToolName> {
    Ok(tool_named(invocable.name().to_tool_name()?, invocable))
}

/// Makes a registry of the invocables that a provider has now. Those of a server can be selected by
/// [`@server`](toolwright::registry::Selector).
///
/// # Errors
///
/// Fails if a name cannot be the name of a tool.
pub fn registry_of(provider: &dyn CapabilityProvider) -> Result<ToolRegistry, InvalidToolName> {
    let mut registry = ToolRegistry::new();
    for invocable in provider.invocables() {
        registry = match invocable.name().clone() {
            CanonicalName::Mcp { server, tool } => {
                // `with_server` puts the name of the server before that of the tool.
                let tools = ToolRegistry::new().with(tool_named(tool, invocable));
                registry.with_server(&server, tools)
            }
            CanonicalName::BuiltIn(_) | CanonicalName::Agent(_) => {
                registry.with(as_tool(invocable)?)
            }
        };
    }
    Ok(registry)
}

fn tool_named(name: ToolName, invocable: impl Invocable) -> ToolFn {
    let spec = ToolSpec::new(name, invocable.description().to_owned())
        .with_input_schema(invocable.input_schema().clone());
    let invocable = Arc::new(invocable);
    tool_fn(spec, move |arguments, ctx| {
        let invocable = Arc::clone(&invocable);
        async move { run(invocable.as_ref(), arguments, &ctx).await }
    })
}

async fn run(
    invocable: &dyn Invocable,
    arguments: Map<String, Value>,
    ctx: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let mut outcome = if let Some((ticket, answers)) = ctx.resumed().and_then(last_wait) {
        let cancellation = ctx.cancellation();
        invocable.resume(&ticket, answers, cancellation).await
    } else {
        invocable.invoke(request_of(arguments, ctx)).await
    };
    loop {
        let suspension = match outcome {
            InvokeOutcome::Completed(output) => return Ok(output),
            InvokeOutcome::Suspended(suspension) => suspension,
        };
        let given = ctx.wait_for(wait_of(&suspension)?).await?;
        let answers = answers_of(Answer::value(given));
        outcome = invocable
            .resume(suspension.ticket(), answers, ctx.cancellation())
            .await;
    }
}

fn request_of(arguments: Map<String, Value>, ctx: &ToolContext) -> InvokeRequest {
    let mut request = InvokeRequest::new(arguments).with_cancellation(ctx.cancellation());
    if let Some(id) = ctx.call_id() {
        request = request.with_call_id(id.clone());
    }
    if let Some(metadata) = ctx.metadata() {
        request = request.with_metadata(metadata.clone());
    }
    request
}

/// The data of a wait for the ticket of an invocable.
#[derive(Serialize, Deserialize)]
struct WaitData {
    ticket: Ticket,
}

fn wait_of(suspension: &Suspension) -> Result<ExternalWait, ToolError> {
    let ticket = serde_json::to_value(suspension.ticket()).map_err(|error| {
        ToolError::internal("the ticket of the invocable cannot be written").with_source(error)
    })?;
    Ok(ExternalWait::external(suspension.summary())
        .why(suspension.reason())
        .data(json!({ "ticket": ticket })))
}

/// The ticket of the invocable that the call waited for last, and what was answered.
fn last_wait(resumed: &ResumeInfo) -> Option<(Ticket, Answers)> {
    let ticket = |request: &PendingRequest| {
        let data = WaitData::deserialize(request.subject()).ok()?;
        Some(data.ticket)
    };
    let answered = resumed.answers();
    let mut waits =
        answered.filter_map(|(request, answer)| Some((ticket(request)?, answer.clone())));
    let first = waits.next()?;
    let (ticket, answer) = waits.fold(first, |_, later| later);
    Some((ticket, answers_of(answer)))
}

/// The answers for the ticket of an invocable, by the answer to the call that waits for it.
fn answers_of(answer: Answer) -> Answers {
    let Decision::Value(value) = answer.decision() else {
        return Answers::all(answer);
    };
    match value {
        Value::Null | Value::Bool(true) => return Answers::all(Answer::yes()),
        Value::Bool(false) => return Answers::all(Answer::no()),
        _ => {}
    }
    if let Ok(one) = Answer::deserialize(value) {
        return Answers::all(one);
    }
    match Vec::<Answer>::deserialize(value) {
        Ok(each) => each.into_iter().collect(),
        Err(_) => Answers::all(answer),
    }
}
