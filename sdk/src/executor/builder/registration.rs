//! Tools that are made with the registries they need.

use std::error::Error;

use crate::executor::build_error::{BuildProblem, RegistrationError};
use crate::executor::builder::ExecutorBuilder;
use crate::permission::PermissionRegistry;
use crate::question::UserInteractionRegistry;
use crate::registry::ToolRegistry;

/// The parts of an executor that a tool may be made with: see [`ExecutorBuilder::register_tools`].
///
/// A tool keeps what it needs. All of it works from the tool's first call on; before the executor is
/// built its methods answer with an error.
#[derive(Debug)]
#[non_exhaustive]
pub struct ToolSetup {
    /// Takes the tools that are for the app alone: see [`ToolRegistry::with_unadvertised`].
    pub tools: ToolRegistry,
    /// The questions that wait for somebody.
    pub interactions: UserInteractionRegistry,
    /// The requests that wait for approval, and the grants.
    pub permissions: PermissionRegistry,
}

/// The result of a closure that makes tools.
type MadeTools = Result<ToolRegistry, Box<dyn Error + Send + Sync>>;

impl ExecutorBuilder {
    /// Makes tools with the registries that they need, without anything global: what the closure
    /// returns is for models, and what it puts into [`ToolSetup::tools`] is for the app alone.
    ///
    /// The closure runs at once. If it fails, the executor is not built, and the error tells why.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolCall, ToolContext, ToolError, ToolRegistry, toolset};
    /// use toolwright::question::{Question, UserInteractionRegistry};
    /// use toolwright::ticket::Answer;
    ///
    /// struct Surveys {
    ///     interactions: UserInteractionRegistry,
    /// }
    ///
    /// #[toolset]
    /// impl Surveys {
    ///     /// Ask the user how they like it.
    ///     #[tool(name = "survey.ask", read_only)]
    ///     async fn ask(&self, ctx: &ToolContext) -> Result<String, ToolError> {
    ///         let question = Question::choice("How do you like it?", ["much", "little"]);
    ///         let receiver = self.interactions.register(ctx, question).await?;
    ///         Ok(receiver.recv().await?.into_text())
    ///     }
    /// }
    ///
    /// /// Count the surveys.
    /// #[tool(read_only)]
    /// fn count_surveys() -> u32 {
    ///     1
    /// }
    ///
    /// let executor = Executor::builder(ToolRegistry::new())
    ///     .register_tools(|registries| {
    ///         registries.tools.register(CountSurveys)?;
    ///         let interactions = registries.interactions.clone();
    ///         Ok(ToolRegistry::new().with_set(Surveys { interactions }))
    ///     })
    ///     .build()?;
    /// let tools = executor.tools();
    /// let shown: Vec<&str> = tools.specs().map(|spec| spec.name().as_str()).collect();
    /// assert_eq!(shown, ["survey.ask"]);
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn register_tools(self, make: impl FnOnce(&mut ToolSetup) -> MadeTools) -> Self {
        let mut registries = self.registries();
        let exposed = make(&mut registries);
        self.take_over(registries, exposed)
    }

    /// As [`register_tools`](Self::register_tools), for tools whose making waits for something, such as
    /// a connection.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let builder = Executor::builder(ToolRegistry::new())
    ///     .register_tools_async(async |_registries| Err("the database does not answer".into()))
    ///     .await;
    /// let error = builder.build().unwrap_err();
    /// assert!(error.to_string().contains("the database does not answer"));
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub async fn register_tools_async(
        self,
        make: impl AsyncFnOnce(&mut ToolSetup) -> MadeTools,
    ) -> Self {
        let mut registries = self.registries();
        let exposed = make(&mut registries).await;
        self.take_over(registries, exposed)
    }

    fn registries(&self) -> ToolSetup {
        ToolSetup {
            tools: ToolRegistry::new(),
            interactions: self.interactions.clone(),
            permissions: self.approvals.clone(),
        }
    }

    fn take_over(mut self, registries: ToolSetup, exposed: MadeTools) -> Self {
        let mut hidden = registries.tools;
        hidden.unadvertise_all();
        self.registry.absorb(hidden);
        match exposed {
            Ok(exposed) => self.registry.absorb(exposed),
            Err(error) => {
                let error = RegistrationError(error.into());
                self.problems.push(BuildProblem::Registration(error));
            }
        }
        self
    }
}
