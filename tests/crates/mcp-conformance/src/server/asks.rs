//! Tools that ask the client for something: a text of its model, an answer of its user.

use serde_json::{Value, json};
use toolwright::{ToolContext, ToolError, tool};
use toolwright_mcp::rmcp::model::InputRequest;
use toolwright_mcp::server::ask_client;

/// A request of the protocol, from its JSON.
pub(crate) fn request(method: &str, params: &Value) -> Result<InputRequest, ToolError> {
    Ok(serde_json::from_value(
        json!({"method": method, "params": params}),
    )?)
}

/// An elicitation by a form.
pub(crate) fn form(
    message: &str,
    properties: &Value,
    required: &[&str],
) -> Result<InputRequest, ToolError> {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    request(
        "elicitation/create",
        &json!({"mode": "form", "message": message, "requestedSchema": schema}),
    )
}

/// A request to the client's model.
pub(crate) fn sampling(prompt: &str, most_tokens: u32) -> Result<InputRequest, ToolError> {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    request(
        "sampling/createMessage",
        &json!({"messages": [message], "maxTokens": most_tokens}),
    )
}

/// The text of a message that the client's model wrote.
pub(crate) fn sampled(message: &Value) -> &str {
    message["content"]["text"].as_str().unwrap_or("(no text)")
}

/// Asks the model of the client.
#[tool(read_only)]
async fn test_sampling(
    /// The prompt for the model.
    prompt: String,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    let message = ask_client(ctx, "message", sampling(&prompt, 100)?).await?;
    Ok(format!("LLM response: {}", sampled(&message)))
}

/// Asks the user of the client for a name and an address.
#[tool(read_only)]
async fn test_elicitation(
    /// The message to the user.
    message: String,
    ctx: &ToolContext,
) -> Result<String, ToolError> {
    let properties = json!({
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    });
    let reply = ask_client(
        ctx,
        "information",
        form(&message, &properties, &["username", "email"])?,
    )
    .await?;
    Ok(told("User response:", &reply))
}

/// Asks the user of the client, with a default for each kind of value.
#[tool(read_only)]
async fn test_elicitation_sep1034_defaults(ctx: &ToolContext) -> Result<String, ToolError> {
    let properties = json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    });
    let reply = ask_client(
        ctx,
        "defaults",
        form("Each answer has a default.", &properties, &[])?,
    )
    .await?;
    Ok(told("Elicitation completed:", &reply))
}

/// Asks the user of the client to choose, in each form that a choice has.
#[tool(read_only)]
async fn test_elicitation_sep1330_enums(ctx: &ToolContext) -> Result<String, ToolError> {
    let options = json!(["option1", "option2", "option3"]);
    let titled = |titles: [&str; 3]| -> Vec<Value> {
        let values = ["value1", "value2", "value3"];
        values
            .iter()
            .zip(titles)
            .map(|(value, title)| json!({"const": value, "title": title}))
            .collect()
    };
    let properties = json!({
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled(["First Option", "Second Option", "Third Option"])},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled(["First Choice", "Second Choice", "Third Choice"])}},
    });
    let reply = ask_client(ctx, "choices", form("Choose.", &properties, &[])?).await?;
    Ok(told("Elicitation completed:", &reply))
}

/// Asks the model of the client, which has to have one.
#[tool(read_only)]
async fn test_missing_capability(ctx: &ToolContext) -> Result<&'static str, ToolError> {
    ask_client(ctx, "message", sampling("Say something.", 100)?).await?;
    Ok("The client has a model")
}

/// Asks the user of the client for a value.
#[tool(read_only)]
async fn test_streaming_elicitation(ctx: &ToolContext) -> Result<String, ToolError> {
    let value = form(
        "Provide a value",
        &json!({"value": {"type": "string"}}),
        &["value"],
    )?;
    let reply = ask_client(ctx, "streaming_elicitation", value).await?;
    Ok(told("User response:", &reply))
}

fn told(what: &str, reply: &Value) -> String {
    let action = reply["action"].as_str().unwrap_or_default();
    format!("{what} action={action}, content={}", reply["content"])
}
