//! Repairs of arguments, and their limits, seen from calls.

mod calls;
mod hand_written;
mod limits;
mod mutations;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright::arguments::Repair;
use toolwright::{Executor, ExecutorBuilder, Tool, ToolOutcome, ToolRegistry, tool, tool_type};

/// The urgency.
#[derive(Clone, Copy)]
#[tool_type]
#[serde(rename_all = "snake_case")]
enum Priority {
    Low,
    VeryHigh,
}

/// A part of the work.
#[tool_type]
#[serde(rename_all = "camelCase")]
struct Step {
    /// The action.
    what: String,
    /// The duration.
    #[arg(range = 0..=600)]
    duration_minutes: Option<u32>,
    /// Parts of this part.
    #[serde(default)]
    sub_steps: Vec<Step>,
}

/// The time of the work.
#[tool_type]
#[serde(tag = "kind", rename_all = "snake_case")]
enum When {
    Now,
    At { hour: u8, minute: Option<u8> },
    Every { days: Vec<u8> },
}

/// Plan some work, and give back what came.
#[tool(register = false, pure)]
fn plan(
    /// The title.
    title: String,
    /// The urgency.
    priority: Option<Priority>,
    /// The steps.
    #[arg(aliases("parts"))]
    steps: Option<Vec<Step>>,
    /// The time.
    when: Option<When>,
    /// The most it may cost.
    #[arg(default = 2.5)]
    budget: f64,
    /// A number of its own.
    #[arg(aliases("no"))]
    number: Option<i64>,
    /// True if people may see it.
    #[arg(default = false)]
    is_public: bool,
    /// Weights by name.
    weights: Option<BTreeMap<String, i8>>,
    /// For what it is.
    labels: Option<Vec<String>>,
) -> Value {
    json!({
        "title": title, "priority": priority, "steps": steps, "when": when, "budget": budget,
        "number": number, "is_public": is_public, "weights": weights, "labels": labels,
    })
}

fn builder(tool: impl Tool) -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(tool))
}

fn executor(tool: impl Tool) -> Executor {
    builder(tool).build().unwrap()
}

fn strict(tool: impl Tool) -> Executor {
    builder(tool).strict(true).build().unwrap()
}

/// The repairs of a call, as lines of a log.
fn told(outcome: &ToolOutcome) -> Vec<String> {
    let repairs = outcome.result().repairs().iter();
    repairs.map(Repair::to_string).collect()
}
