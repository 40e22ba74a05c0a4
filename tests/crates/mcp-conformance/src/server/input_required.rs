//! Tools whose calls need several requests: what is asked is in a result, and the answers in the next request.

use serde_json::{Value, json};
use toolwright::{ToolContext, ToolError, tool};
use toolwright_mcp::rmcp::model::InputRequest;
use toolwright_mcp::server::{ask_client, ask_client_all, client_capabilities};

use crate::asks::{form, request, sampled, sampling};

const ASKED_NAME: &str = "user_name";

fn ask_name() -> Result<InputRequest, ToolError> {
    form(
        "What is your name?",
        &json!({"name": {"type": "string"}}),
        &["name"],
    )
}

fn list_roots() -> Result<InputRequest, ToolError> {
    request("roots/list", &json!({}))
}

fn roots(result: &Value) -> String {
    let roots = result["roots"].as_array().into_iter().flatten();
    let addresses: Vec<&str> = roots.filter_map(|root| root["uri"].as_str()).collect();
    addresses.join(", ")
}

/// An answer of the user, out of a form with one field.
fn answer<'a>(reply: &'a Value, field: &str) -> &'a str {
    reply["content"][field].as_str().unwrap_or("nobody")
}

/// Asks the user for a name.
#[tool(read_only)]
async fn test_input_required_result_elicitation(ctx: &ToolContext) -> Result<String, ToolError> {
    let reply = ask_client(ctx, ASKED_NAME, ask_name()?).await?;
    Ok(format!("Hello, {}!", answer(&reply, "name")))
}

/// Asks the model of the client for a capital.
#[tool(read_only)]
async fn test_input_required_result_sampling(ctx: &ToolContext) -> Result<String, ToolError> {
    let question = sampling("What is the capital of France?", 100)?;
    let message = ask_client(ctx, "capital_question", question).await?;
    Ok(format!("Sampling response: {}", sampled(&message)))
}

/// Asks the client for its roots.
#[tool(read_only)]
async fn test_input_required_result_list_roots(ctx: &ToolContext) -> Result<String, ToolError> {
    let result = ask_client(ctx, "client_roots", list_roots()?).await?;
    Ok(format!("Client roots: {}", roots(&result)))
}

async fn confirmed(ctx: &ToolContext) -> Result<&'static str, ToolError> {
    let confirm = form(
        "Please confirm",
        &json!({"ok": {"type": "boolean"}}),
        &["ok"],
    )?;
    let reply = ask_client(ctx, "confirm", confirm).await?;
    match reply["content"]["ok"].as_bool() {
        Some(true) => Ok("Confirmed: state-ok"),
        _ => Err(ToolError::failed("it was not confirmed")),
    }
}

/// Asks for a confirmation, and goes on with its state.
#[tool(read_only)]
async fn test_input_required_result_request_state(
    ctx: &ToolContext,
) -> Result<&'static str, ToolError> {
    confirmed(ctx).await
}

/// Asks for a confirmation, and goes on with its state alone.
#[tool(read_only)]
async fn test_input_required_result_tampered_state(
    ctx: &ToolContext,
) -> Result<&'static str, ToolError> {
    confirmed(ctx).await
}

/// Asks the user, the model and the client at once.
#[tool(read_only)]
async fn test_input_required_result_multiple_inputs(
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    let requests = [
        (ASKED_NAME, ask_name()?),
        ("greeting", sampling("Generate a greeting", 50)?),
        ("client_roots", list_roots()?),
    ];
    let answers = ask_client_all(ctx, requests).await?;
    let [name, greeting, client_roots] = &answers[..] else {
        return Err(ToolError::failed("three requests have three answers"));
    };
    let (greeting, name) = (sampled(greeting), answer(name, "name"));
    Ok(format!("{greeting}, {name}, at {}", roots(client_roots)))
}

/// Asks the user twice, one question after the other.
#[tool(read_only)]
async fn test_input_required_result_multi_round(ctx: &ToolContext) -> Result<String, ToolError> {
    let step1 = form(
        "Step 1: What is your name?",
        &json!({"name": {"type": "string"}}),
        &["name"],
    )?;
    let name = ask_client(ctx, "step1", step1).await?;
    let step2 = form(
        "Step 2: What is your favorite color?",
        &json!({"color": {"type": "string"}}),
        &["color"],
    )?;
    let color = ask_client(ctx, "step2", step2).await?;
    Ok(format!(
        "{} likes {}",
        answer(&name, "name"),
        answer(&color, "color")
    ))
}

/// Asks for what the client can give, and for nothing else.
#[tool(read_only)]
async fn test_input_required_result_capabilities(ctx: &ToolContext) -> Result<String, ToolError> {
    let client = client_capabilities(ctx);
    let mut requests = Vec::new();
    if client.elicitation.is_some() {
        requests.push((ASKED_NAME, ask_name()?));
    }
    if client.sampling.is_some() {
        requests.push(("greeting", sampling("Generate a greeting", 50)?));
    }
    let answers = ask_client_all(ctx, requests).await?;
    Ok(format!("The client gave {} answers", answers.len()))
}
