//! The stand-in for a session in the tests of an app.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::calls::outcome;
use crate::content::{ToolCall, ToolError, ToolOutput};
use crate::executor::ToolCaller;
use crate::outcome::ToolOutcome;
use crate::registry::{ToolRegistry, ToolSnapshot};

/// A [`ToolCaller`] that gives scripted answers and records what was called, for the tests of what takes one.
///
/// ```
/// use toolwright::{ToolCall, ToolError};
/// use toolwright::executor::ToolCaller;
/// use toolwright::testing::FakeToolCaller;
///
/// /// A function of the app.
/// async fn weather_or_excuse(tools: &dyn ToolCaller, city: &str) -> String {
///     let arguments = serde_json::json!({ "city": city });
///     let outcome = tools.call(ToolCall::new("weather", arguments)).await;
///     if outcome.is_success() { outcome.text() } else { "nobody knows".to_owned() }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let fake = FakeToolCaller::new()
///     .answer("weather", "sunny")
///     .answer("weather", ToolError::unavailable("the service is down"));
/// assert_eq!(weather_or_excuse(&fake, "Oslo").await, "sunny");
/// assert_eq!(weather_or_excuse(&fake, "Bern").await, "nobody knows");
///
/// let calls = fake.calls();
/// assert_eq!(calls[1].name(), "weather");
/// assert_eq!(calls[1].arguments().to_value()?["city"], "Bern");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FakeToolCaller {
    tools: Arc<ToolSnapshot>,
    script: Mutex<Script>,
}

#[derive(Default)]
struct Script {
    answers: HashMap<String, VecDeque<ToolOutput>>,
    calls: Vec<ToolCall<'static>>,
}

impl FakeToolCaller {
    /// Returns a fake without tools that answers nothing.
    pub fn new() -> Self {
        Self {
            tools: Arc::new(ToolSnapshot::new(ToolRegistry::new())),
            script: Mutex::default(),
        }
    }

    /// Sets what [`tools`](ToolCaller::tools) returns, such as `registry.freeze()?`. Their bodies never run. Default: no
    /// tools.
    pub fn with_tools(mut self, tools: ToolSnapshot) -> Self {
        self.tools = Arc::new(tools);
        self
    }

    /// Adds the answer to one call of the tool of this name, as the calls name it: an output, or a [`ToolError`]. The
    /// answers to a name are given in the order in which they were added.
    ///
    /// A call for which no answer is left ends in an error of kind
    /// [`Unavailable`](crate::content::ErrorKind::Unavailable).
    pub fn answer(mut self, tool: impl Into<String>, output: impl Into<ToolOutput>) -> Self {
        let script = self.script.get_mut();
        let answers = &mut script.unwrap_or_else(PoisonError::into_inner).answers;
        answers
            .entry(tool.into())
            .or_default()
            .push_back(output.into());
        self
    }

    /// Returns the calls that were made, in their order.
    pub fn calls(&self) -> Vec<ToolCall<'static>> {
        self.script().calls.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FakeToolCaller {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl ToolCaller for FakeToolCaller {
    fn tools(&self) -> Arc<ToolSnapshot> {
        Arc::clone(&self.tools)
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
        let mut script = self.script();
        let answers = script.answers.get_mut(call.name());
        let output = answers.and_then(VecDeque::pop_front).unwrap_or_else(|| {
            ToolError::unavailable(format!(
                "no answer to this call of `{}` is left: a test adds one by `FakeToolCaller::answer`",
                call.name()
            ))
            .into()
        });
        script.calls.push(call.clone().into_owned());
        outcome(&call, script.calls.len() as u64, output)
    }
}

impl fmt::Debug for FakeToolCaller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeToolCaller")
            .field("tools", &self.tools)
            .field("calls", &self.script().calls.len())
            .finish_non_exhaustive()
    }
}
