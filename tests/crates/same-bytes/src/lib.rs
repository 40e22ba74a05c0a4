//! Tools whose schemas have an order, and numbers.

use serde_json::Value;
use toolwright::{tool, tool_type};

/// A part of a shape.
#[tool_type]
#[derive(Debug)]
pub struct Part {
    /// Its weight.
    #[arg(default = 1.5, range = 0.5..=1e3)]
    pub weight: f64,
    /// Its name.
    pub name: String,
    /// Smaller parts.
    #[arg(default)]
    pub inner: Vec<Part>,
    /// Its colour.
    pub colour: Option<String>,
}

/// What to do.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// Move it.
    Move {
        /// To the right.
        right: f64,
        /// Down.
        down: f64,
        /// How often.
        count: u32,
    },
    /// Colour it.
    Colour {
        /// In red.
        red: u8,
        /// In blue.
        blue: u8,
    },
}

/// A type that stands beside others.
#[tool_type]
#[derive(Debug)]
pub struct Beside {
    /// The second.
    pub two: f64,
    /// The first.
    pub one: u32,
}

/// A whole that holds another.
#[tool_type]
#[derive(Debug)]
pub struct Whole {
    /// The last by name.
    pub zed: u32,
    /// All of another.
    #[serde(flatten)]
    pub beside: Beside,
    /// A number of any kind.
    pub amount: Amount,
}

/// A number of any kind.
#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
pub enum Amount {
    /// In parts.
    Parts(f64),
    /// In words.
    Words(String),
}

/// Change a shape.
#[tool(register = false, pure)]
pub fn change(
    /// The last by name.
    zed: u32,
    /// What to do.
    steps: Vec<Step>,
    /// The shape.
    part: Option<Part>,
    /// How much.
    #[arg(default = 0.25, range = 0.0..1.0)]
    by: f64,
) -> String {
    format!("{zed} {} {} {by}", steps.len(), part.is_some())
}

/// Take what serde copies before it reads it.
#[tool(register = false, pure)]
pub fn copied(
    /// The whole.
    whole: Whole,
    /// Anything.
    any: Option<Value>,
) -> String {
    let Beside { two, one } = whole.beside;
    let any = any.map_or_else(String::new, |any| any.to_string());
    format!("{} {two} {one} {:?} {any}", whole.zed, whole.amount)
}

#[cfg(test)]
mod arguments;
#[cfg(test)]
mod schemas;
