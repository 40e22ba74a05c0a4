//! Every form with the feature `macros` alone: what would announce a tool is left out.

use toolwright::{RunTool, Tool, ToolContext, ToolEnum, tool, tool_type, toolset};

/// A number.
#[tool_type]
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// Its value.
    #[arg(default = 1, range = 1..=9)]
    pub value: u32,
}

/// Double a number.
#[tool(pure)]
pub fn double(number: Number) -> u32 {
    number.value * 2
}

/// The number that is added.
#[derive(Debug)]
pub struct Summand(pub u32);

#[toolset]
impl Summand {
    /// Add to a number.
    #[tool(read_only)]
    pub async fn add(&self, number: Number) -> u32 {
        std::future::ready(number.value).await + self.0
    }
}

/// Negate a number.
#[derive(Debug, Tool)]
#[tool(pure)]
pub struct Negate {
    number: Number,
}

impl RunTool for Negate {
    type Output = i64;

    async fn run(self, _: &ToolContext) -> i64 {
        -i64::from(self.number.value)
    }
}

/// The deeds that can be done with a number.
#[derive(Debug, ToolEnum)]
pub enum Deed {
    /// Negate it.
    Negate(Negate),
}

#[cfg(test)]
#[path = "../../../behaviour/permission/same_grants/table.rs"]
mod same_grants;
#[cfg(test)]
mod schemas;

#[cfg(test)]
mod tests {
    use super::{Deed, Double, Summand};
    use toolwright::{Executor, ToolRegistry};

    #[tokio::test]
    async fn every_form_runs() {
        let registry = ToolRegistry::new()
            .with(Double)
            .with_set(Summand(2))
            .with_enum::<Deed>();
        let executor = Executor::new(registry).unwrap();
        let three = r#"{"number": {"value": 3}}"#;
        for (tool, expected) in [("double", "6"), ("add", "5"), ("negate", "-3")] {
            assert_eq!(executor.call(tool, three).await.text(), expected);
            let ten = executor.call(tool, r#"{"number": {"value": 10}}"#).await;
            assert!(!ten.is_success(), "{tool}");
        }
    }
}
