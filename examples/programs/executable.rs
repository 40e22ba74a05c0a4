//! `from_executable`: a value that gives its name, description and schema as text becomes a tool from text to text. That
//! fits plugins and scripts that are found at run time.

use std::error::Error;
use std::pin::Pin;

use serde_json::{Map, Value};
use toolwright::spec::Effect;
use toolwright::tools::{TextTool, from_executable};
use toolwright::{Executor, ToolContext, ToolRegistry, ToolSpec};

/// A template for a text, with one blank.
struct Template {
    name: &'static str,
    description: &'static str,
    text: &'static str,
}

impl TextTool for Template {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn input_schema(&self) -> &'static str {
        r#"{"type": "object", "properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]}"#
    }

    // The three texts do not tell what the tool may change. Without this, each call asks for permission.
    fn refine(&self, spec: ToolSpec) -> ToolSpec {
        spec.with_effect(Effect::Pure)
    }

    fn execute(
        &self,
        _context: ToolContext,
        input: Map<String, Value>,
    ) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send + '_>> {
        Box::pin(async move {
            let name = input.get("name").and_then(Value::as_str);
            let name = name.ok_or("there is no name")?;
            Ok(self.text.replace("{}", name))
        })
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let mut tools = ToolRegistry::new();
    for template in [
        Template {
            name: "letter.thank",
            description: "Thank somebody.",
            text: "Dear {}, thank you.",
        },
        Template {
            name: "letter.remind",
            description: "Remind somebody.",
            text: "Dear {}, please answer.",
        },
    ] {
        tools.register(from_executable(template)?)?;
    }
    // A broken text is an error here, not in a call.
    let broken = Template {
        name: "no name",
        description: "",
        text: "",
    };
    if let Err(error) = from_executable(broken) {
        println!("{error}");
    }

    let executor = Executor::new(tools)?;
    for (name, arguments) in [
        ("letter.thank", r#"{"name": "Ada"}"#),
        ("letter.remind", r#"{"name": ""}"#),
    ] {
        println!("> {name} {arguments}");
        println!("{}", executor.call(name, arguments).await.text());
    }
    Ok(())
}
