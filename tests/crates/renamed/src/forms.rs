//! The other forms: methods, structs, sets of them, and types.

use std::sync::Mutex;

use tw::{RunTool, Tool, ToolContext, ToolEnum, tool_type, toolset};

/// A list of things to do.
#[derive(Debug, Default)]
pub struct Plan(Mutex<Vec<Task>>);

/// A thing to do.
#[tool_type(crate = tw)]
#[derive(Debug, Clone)]
pub struct Task {
    /// The task in words.
    #[arg(length = 1..=40)]
    pub what: String,
    /// The weight of the task.
    #[arg(default = Weight::Some)]
    pub weight: Weight,
}

/// The weight of something.
#[tool_type(crate = ::tw)]
#[derive(Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Not much.
    Some,
    /// Very much.
    Much,
}

#[toolset(crate = tw, prefix = "plan")]
impl Plan {
    /// Add something.
    #[tool(examples({"task": {"what": "sleep"}}))]
    pub fn add(&self, task: Task) -> usize {
        self.0.lock().map_or(0, |mut tasks| {
            tasks.push(task);
            tasks.len()
        })
    }
}

#[tw::toolset(crate = ::tw, part = Reading)]
impl Plan {
    /// List what there is to do.
    #[tw::tool(name = "plan.list", read_only)]
    pub async fn list(&self, least: Option<Weight>) -> Vec<Task> {
        let least = std::future::ready(least).await;
        let tasks = self.0.lock().map(|tasks| tasks.clone());
        let mut tasks = tasks.unwrap_or_default();
        tasks.retain(|task| least != Some(Weight::Much) || task.weight == Weight::Much);
        tasks
    }
}

/// Double a number.
#[derive(Debug, Tool)]
#[tool(crate = tw, pure, validate = even)]
pub struct Double {
    /// The number.
    #[arg(range = ..=100)]
    number: i32,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "fields are judged by reference"
)]
fn even(number: &i32) -> Result<(), String> {
    match number % 2 {
        0 => Ok(()),
        _ => Err(format!("{number} is odd")),
    }
}

impl RunTool for Double {
    type Output = i32;

    async fn run(self, _: &ToolContext) -> i32 {
        self.number * 2
    }
}

/// The sums that can be made.
#[derive(Debug, tw::ToolEnum)]
#[tool(crate = ::tw)]
pub enum Sum {
    /// Twice.
    Double(Double),
}

/// The names of the set.
pub fn names() -> Vec<String> {
    let specs = Sum::specs();
    specs.iter().map(|spec| spec.name().to_string()).collect()
}
