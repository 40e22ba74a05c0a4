//! `#[derive(ToolEnum)]`: a closed set of tools. A call becomes a value of the enum, and the compiler checks that a
//! `match` handles every tool.

use std::error::Error;

use toolwright::{Executor, RunTool, Tool, ToolContext, ToolEnum, ToolRegistry};

/// Add two numbers.
#[derive(Tool)]
#[tool(name = "math.add", pure)]
struct Add {
    a: i64,
    b: i64,
}

/// Divide one number by another.
#[derive(Tool)]
#[tool(name = "math.divide", pure, aliases("div"))]
struct Divide {
    a: i64,
    b: i64,
}

impl RunTool for Add {
    type Output = Result<i64, &'static str>;

    async fn run(self, _ctx: &ToolContext) -> Self::Output {
        self.a.checked_add(self.b).ok_or("the sum is too large")
    }
}

impl RunTool for Divide {
    type Output = Result<i64, &'static str>;

    async fn run(self, _ctx: &ToolContext) -> Self::Output {
        self.a.checked_div(self.b).ok_or("this cannot be divided")
    }
}

#[derive(ToolEnum)]
enum Math {
    Add(Add),
    Divide(Divide),
}

/// Shows a call as a person would write it.
fn formula(call: &Math) -> String {
    match call {
        Math::Add(Add { a, b }) => format!("{a} + {b}"),
        Math::Divide(Divide { a, b }) => format!("{a} / {b}"),
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new(ToolRegistry::new().with_enum::<Math>())?;
    for (name, arguments) in [
        ("math.add", r#"{"a": 2, "b": 3}"#),
        ("div", r#"{"a": 7, "b": 2}"#),
        ("mathDivide", r#"{"a": 1, "b": 0}"#),
        ("math.root", r#"{"a": 4}"#),
    ] {
        match Math::parse(name, arguments) {
            Ok(call) => {
                // The registered tools are the same ones, behind permissions, hooks and events.
                let name = call.spec().name().as_str();
                let outcome = executor.call(name, arguments).await;
                println!("{}: {}", formula(&call), outcome.text());
            }
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
