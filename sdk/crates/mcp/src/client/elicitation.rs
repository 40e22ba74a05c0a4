//! Answers to servers that ask for input while a call runs.

use async_trait::async_trait;
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};
use toolwright::arguments::Arguments;
use toolwright::{Tool as _, ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

/// The answers to a server that asks for input while a call runs.
#[async_trait]
pub trait AnswerElicitation: Send + Sync + 'static {
    /// Answers a request. The context is that of the call that the server asks for; `None` if more than one call runs
    /// on the connection and the protocol does not say which is meant.
    ///
    /// The content of an accepted form has to fit the schema of the request. One that does not is not sent: the server is told that the
    /// request was cancelled, and the call ends with an error.
    ///
    /// # Errors
    ///
    /// Fails if the call is to end with an error of its own, such as that of a call which is suspended until a person
    /// answers. The server is told that the request was cancelled.
    async fn answer(
        &self,
        request: &ElicitRequestParams,
        call: Option<&ToolContext>,
    ) -> Result<ElicitResult, ToolError>;

    /// Returns true if addresses to open are answered too, and not only forms. Default: false.
    fn opens_addresses(&self) -> bool {
        false
    }
}

const UNREADABLE: &str = "the form of the server cannot be read";

/// Holds the content of an accepted form to the schema of its request. Other answers have no content.
pub(super) fn fitting(
    request: &ElicitRequestParams,
    mut answer: ElicitResult,
) -> Result<ElicitResult, ToolError> {
    let ElicitRequestParams::FormElicitationParams {
        requested_schema, ..
    } = request
    else {
        answer.content = None;
        return Ok(answer);
    };
    if answer.action != ElicitationAction::Accept {
        answer.content = None;
        return Ok(answer);
    }
    let content = answer
        .content
        .get_or_insert_with(|| Value::Object(Map::new()));
    // A tool made at run time holds its arguments to a schema, and a form is one.
    let name =
        ToolName::new("form").map_err(|error| ToolError::failed(UNREADABLE).with_source(error))?;
    let schema = serde_json::to_value(requested_schema)
        .map_err(|error| ToolError::failed(UNREADABLE).with_source(error))?;
    let spec = ToolSpec::new(name, "A form.").with_input_schema(schema);
    let form = tool_fn(spec, async |_: Map<String, Value>, _| {
        Ok::<_, ToolError>("")
    });
    // Without the report in the text that a model reads, for it repeats what a person has written.
    form.parse(&Arguments::from(&*content)).map_err(|invalid| {
        ToolError::failed(
            "the answer to the form of the server does not fit the schema of the form",
        )
        .with_code("mcp_form")
        .with_source(invalid)
    })?;
    Ok(answer)
}

/// Accepts each form with the defaults that its schema declares; declines a form that demands a field without a default.
///
/// For servers whose forms only confirm what the host has decided already. Nobody is asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct AcceptDefaults;

#[async_trait]
impl AnswerElicitation for AcceptDefaults {
    async fn answer(
        &self,
        request: &ElicitRequestParams,
        _call: Option<&ToolContext>,
    ) -> Result<ElicitResult, ToolError> {
        Ok(match defaults(request) {
            Some(content) => ElicitResult::new(ElicitationAction::Accept).with_content(content),
            None => ElicitResult::new(ElicitationAction::Decline),
        })
    }
}

/// The values of a form by its defaults; `None` if a field that is required has none.
fn defaults(request: &ElicitRequestParams) -> Option<Value> {
    let ElicitRequestParams::FormElicitationParams {
        requested_schema, ..
    } = request
    else {
        return None;
    };
    let schema = serde_json::to_value(requested_schema).ok()?;
    let fields = schema.get("properties").and_then(Value::as_object)?;
    let values: Map<String, Value> = fields
        .iter()
        .filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())))
        .collect();
    let required = schema.get("required").and_then(Value::as_array);
    let is_given = |name: &Value| name.as_str().is_some_and(|name| values.contains_key(name));
    required
        .is_none_or(|required| required.iter().all(is_given))
        .then_some(Value::Object(values))
}
