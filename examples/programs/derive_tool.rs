//! `#[derive(Tool)]`: the fields of a struct are the arguments of a tool, and its `run` does the work. An enum inside
//! gives the model several operations in one call.

use std::error::Error;

use toolwright::tools::TypedTool;
use toolwright::{Executor, RunTool, Tool, ToolContext, ToolRegistry, tool_type};

/// Change a text in several steps.
#[derive(Tool)]
#[tool(name = "text.edit", pure)]
struct EditText {
    /// The text.
    text: String,
    /// The steps, in their order.
    #[arg(length = 1..=16)]
    steps: Vec<Step>,
}

/// A step.
#[tool_type]
#[serde(tag = "do", rename_all = "snake_case")]
enum Step {
    /// Put one text in place of another, wherever it stands.
    Replace {
        /// The text to look for.
        #[arg(length = 1..)]
        old: String,
        /// The text to put there.
        new: String,
    },
    /// Write all letters as capitals.
    Shout,
}

impl RunTool for EditText {
    type Output = String;

    async fn run(self, _ctx: &ToolContext) -> String {
        self.steps
            .into_iter()
            .fold(self.text, |text, step| match step {
                Step::Replace { old, new } => text.replace(&old, &new),
                Step::Shout => text.to_uppercase(),
            })
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new(ToolRegistry::new().with_type::<EditText>())?;
    let good = r#"{"text": "a cat", "steps": [{"do": "replace", "old": "cat", "new": "dog"}, {"do": "shout"}]}"#;
    let bad = r#"{"text": "a cat", "steps": [{"do": "replace", "old": "", "new": "dog"}]}"#;
    for arguments in [good, bad] {
        println!("> text.edit {arguments}");
        println!("{}", executor.call("text.edit", arguments).await.text());
    }
    // A call can be read without running it.
    let edit = EditText::from_arguments(&good.into())?;
    println!("{} steps", edit.steps.len());
    Ok(())
}
