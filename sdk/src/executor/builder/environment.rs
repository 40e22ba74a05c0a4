//! The time and chance that an app gives to its tools.

use std::sync::Arc;

use crate::context::Clock;
use crate::executor::builder::ExecutorBuilder;

impl ExecutorBuilder {
    /// Sets what tells tools the time; see [`ToolContext::clock`](crate::ToolContext::clock). Timeouts,
    /// tickets and events go by the system's clock all the same. Default:
    /// [`SystemClock`](crate::context::SystemClock).
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.environment.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the seed of the random numbers and ids of tools, so that they are the same in each run; see
    /// [`ToolContext::rng`](crate::ToolContext::rng). Default: none, so that they come from the system.
    ///
    /// A session gets a seed of this one and its id, and a call of that of its session and its number
    /// there: in two sessions of one id, the third call that is begun gets the same. Whoever knows a seed
    /// knows every number made from it, so keys and passwords must not be made from them.
    ///
    /// ```
    /// use toolwright::{Executor, ToolContext, ToolRegistry, tool};
    ///
    /// /// Draw a card.
    /// #[tool(read_only, determinism = bounded)]
    /// fn draw(ctx: &ToolContext) -> u64 {
    ///     ctx.rng().below(52)
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let mut games = Vec::new();
    /// for _ in 0..2 {
    ///     let executor = Executor::builder(ToolRegistry::new().with(Draw)).seed(2_026).build()?;
    ///     let (first, second) = (executor.call("draw", "{}").await, executor.call("draw", "{}").await);
    ///     games.push((first.text(), second.text()));
    /// }
    /// assert_eq!(games[0], games[1]);
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.environment.seed = Some(seed);
        self
    }
}
