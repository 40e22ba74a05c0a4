//! `Tool` and `Invocation` by hand, for a tool that no macro fits. `parse` reads the arguments and makes an invocation,
//! and the executor runs it.

use std::error::Error;

use serde::Deserialize;
use serde_json::json;
use toolwright::arguments::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind};
use toolwright::spec::Effect;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, Tool, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec,
};

/// Throws dice of one size.
struct Dice {
    spec: ToolSpec,
    sides: u32,
}

impl Dice {
    fn new(sides: u32) -> Result<Self, Box<dyn Error>> {
        let name = ToolName::new(format!("dice.d{sides}"))?;
        let count = json!({"type": "integer", "minimum": 1, "maximum": 10});
        let spec = ToolSpec::new(name, format!("Throw dice with {sides} sides."))
            .with_effect(Effect::ReadOnly)
            .with_input_schema(
                json!({"type": "object", "properties": {"count": count}, "required": ["count"]}),
            );
        Ok(Self { spec, sides })
    }
}

/// The arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    count: u32,
}

impl Tool for Dice {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        let Given { count } = arguments.parse()?;
        if !(1..=10).contains(&count) {
            let problem =
                ArgumentProblem::new(ProblemKind::Constraint, "/count", "must be 1 to 10");
            return Err(InvalidArguments::new(vec![problem]));
        }
        let sides = self.sides;
        Ok(Box::new(Throw { count, sides }))
    }
}

/// A call of the tool that can run.
struct Throw {
    count: u32,
    sides: u32,
}

impl Invocation for Throw {
    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        // A generator of the call's own, with a seed that a replay and a test can set.
        let mut rng = ctx.rng();
        let throws = (0..self.count).map(|_| rng.below(u64::from(self.sides)) + 1);
        let throws = ToolOutput::json(&throws.collect::<Vec<_>>());
        Started::Done(throws.map_err(ToolError::from))
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let tools = ToolRegistry::new().with(Dice::new(6)?).with(Dice::new(20)?);
    let executor = Executor::builder(tools).seed(7).build()?;
    for (name, arguments) in [
        ("dice.d6", r#"{"count": 5}"#),
        ("dice.d20", r#"{"count": 2}"#),
        ("dice.d6", r#"{"count": 11}"#),
        ("dice.d6", r#"{"dice": 2}"#),
    ] {
        println!("> {name} {arguments}");
        println!("{}", executor.call(name, arguments).await.text());
    }
    Ok(())
}
