//! A definition with a call of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use toolwright::arguments::Repair;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn};

/// A definition, and what a model sent to it.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// The name of the case; `null` if the file gives none.
    #[serde(default)]
    pub id: Value,
    tool: Definition,
    /// As it stands in the file, so that no number is read and written on the way.
    arguments: Box<RawValue>,
}

#[derive(Debug, Deserialize)]
struct Definition {
    name: String,
    #[serde(default)]
    description: String,
    parameters: Value,
}

/// The outcome of a case.
#[derive(Debug, Serialize)]
pub struct Ran<'c> {
    /// The name of the case.
    pub id: &'c Value,
    /// The arguments as they were sent.
    pub sent: &'c RawValue,
    /// The arguments that the tool got; `None` if the call was refused.
    pub ran: Option<Value>,
    /// The repairs that were made.
    pub repairs: Vec<Repair>,
    /// The reason of the refusal, in the words that the model reads.
    pub refused: Option<String>,
}

impl Case {
    /// Calls the tool, which gives back what it gets.
    ///
    /// # Errors
    ///
    /// Fails if the definition cannot be a tool.
    pub async fn run(&self) -> Result<Ran<'_>, Box<dyn std::error::Error>> {
        // A name that is none of ours is no matter here: what is looked at is the arguments.
        let name = ToolName::new(self.tool.name.clone()).or_else(|_| ToolName::new("tool"))?;
        let spec = ToolSpec::new(name.clone(), self.tool.description.clone())
            .with_input_schema(self.tool.parameters.clone())
            .with_effect(Effect::Pure);
        let echo = tool_fn(spec, async |arguments: Value, _: ToolContext| {
            Ok::<_, ToolError>(arguments)
        });
        let executor = Executor::new(ToolRegistry::new().with(echo))?;
        // Some hosts send the arguments as a text that holds JSON.
        let text = serde_json::from_str::<String>(self.arguments.get());
        let text = text.unwrap_or_else(|_| self.arguments.get().to_owned());
        let outcome = executor.call(name.as_str(), text).await;
        let repairs = outcome.result().repairs().to_vec();
        let (ran, refused) = match outcome.error() {
            Some(error) => (None, Some(error.message().to_owned())),
            None => (Some(serde_json::from_str(&outcome.text())?), None),
        };
        Ok(Ran {
            id: &self.id,
            sent: &self.arguments,
            ran,
            repairs,
            refused,
        })
    }
}
