//! Tools of a crate of an earlier edition than the macros'. The package `edition-2018` is made of this file too.

#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::sync::Mutex;

use serde::Serialize;
use toolwright::registry::RegistryError;
use toolwright::{
    discover, tool, tool_type, toolset, PermissionRequest, RunTool, Tool, ToolContext, ToolEnum,
    ToolError, ToolRegistry,
};

/// A resource of the app.
#[derive(Debug)]
pub struct Words(pub Vec<String>);

/// A choice of words.
#[tool_type]
#[derive(Debug, Clone)]
pub struct Choice {
    /// The start of the words.
    #[arg(length = 1..=9, example = "ab")]
    pub start: Option<String>,
    /// Number of words.
    #[arg(default = 10, range = 1..)]
    pub most: usize,
    /// The order of the words.
    #[serde(default)]
    pub order: Order,
}

/// An order.
#[tool_type]
#[derive(Debug, Clone, Copy, Default)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Order {
    /// As they came.
    #[default]
    Nothing,
    /// By a place.
    Letter {
        /// The place, counted from 1.
        #[arg(default = 1, range = 1..=99)]
        place: usize,
    },
}

fn chosen<'w>(words: &'w Words, choice: &Choice) -> Vec<&'w str> {
    let start = choice.start.as_deref().unwrap_or_default();
    let all = words.0.iter().map(String::as_str);
    let mut words: Vec<&str> = all.filter(|word| word.starts_with(start)).collect();
    if let Order::Letter { place } = choice.order {
        words.sort_by_key(|word| word.chars().nth(place - 1));
    }
    words.truncate(choice.most);
    words
}

/// Choose words.
///
/// # Errors
///
/// Fails if there are none.
#[tool(name = "words.choose", read_only, permission = None::<PermissionRequest>)]
pub async fn choose(
    choice: Choice,
    words: &Words,
    ctx: &ToolContext,
) -> Result<Vec<String>, ToolError> {
    let found = std::future::ready(chosen(words, &choice)).await;
    if found.is_empty() || ctx.is_cancelled() {
        return Err(ToolError::failed("there are none"));
    }
    Ok(found.into_iter().map(str::to_owned).collect())
}

/// Count the words. The names are keywords in later editions.
#[tool(read_only, validate = judge)]
pub fn gen(#[arg(default = 1, range = 1..)] gen: usize, words: &Words) -> impl Serialize {
    words.0.len() * gen
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn judge(gen: &usize) -> Result<(), String> {
    match gen {
        13 => Err(format!("{gen} is unlucky")),
        _ => Ok(()),
    }
}

/// A store of values.
#[derive(Debug, Default)]
pub struct Store<T>(Mutex<Vec<T>>);

#[toolset(prefix = "store")]
impl<T: From<String> + Display + Send + 'static> Store<T> {
    /// Keep a word.
    #[tool(permission = self.ask(word))]
    pub async fn keep(&self, #[arg(length = 1..)] word: String) -> usize {
        let word = std::future::ready(word).await;
        self.0.lock().map_or(0, |mut kept| {
            kept.push(word.into());
            kept.len()
        })
    }

    fn ask(&self, word: &str) -> PermissionRequest {
        let _ = &self.0;
        PermissionRequest::new("keep", word, "keep a word")
    }
}

#[toolset(part = Reading)]
impl<T: Display + Send + 'static> Store<T> {
    /// Read what is kept.
    #[tool(name = "store.read", read_only, blocking)]
    pub fn read(&self) -> Option<String> {
        let kept = self.0.lock().ok()?;
        kept.iter()
            .map(|word| format!("{word} "))
            .reduce(|all, word| all + &word)
    }
}

/// Repeat a word.
#[derive(Debug, Tool)]
#[tool(pure)]
pub struct Repeat {
    /// The word to repeat.
    #[arg(length = 1..)]
    gen: String,
    #[arg(default = 2, range = 1..=9)]
    times: usize,
}

impl RunTool for Repeat {
    type Output = Result<String, ToolError>;

    async fn run(self, _ctx: &ToolContext) -> Self::Output {
        Ok(self.gen.repeat(self.times))
    }
}

/// The deeds that can be done with words.
#[derive(Debug, ToolEnum)]
pub enum Deed {
    /// Repeat one.
    Repeat(Repeat),
}

/// All that is announced.
///
/// # Errors
///
/// Fails if there is nothing.
pub fn discovered() -> Result<ToolRegistry, RegistryError> {
    discover!(crate)
}
