//! A tool under another name.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;

use crate::arguments::{Arguments, InvalidArguments, ReadTree};
use crate::content::ToolError;
use crate::context::{ResourceKey, ToolContext};
use crate::id::{SessionId, ToolName};
use crate::spec::ToolSpec;
use crate::tool::{Attempt, DirectRun, Invocation, Tool, ToolFacts};

/// A tool under another name, and the same in all else.
pub(super) struct Renamed {
    tool: Arc<dyn Tool>,
    name: ToolName,
    aliases: Vec<ToolName>,
    spec: OnceLock<ToolSpec>,
}

impl Renamed {
    pub(super) fn new(tool: Arc<dyn Tool>, name: ToolName, aliases: Vec<ToolName>) -> Self {
        Self {
            tool,
            name,
            aliases,
            spec: OnceLock::new(),
        }
    }
}

#[async_trait]
impl Tool for Renamed {
    fn spec(&self) -> &ToolSpec {
        self.spec.get_or_init(|| {
            let spec = self.tool.spec().clone();
            spec.with_names(self.name.clone(), self.aliases.clone())
        })
    }

    fn facts(&self) -> ToolFacts {
        ToolFacts {
            names: None,
            ..self.tool.facts()
        }
    }

    fn needs(&self) -> &[ResourceKey] {
        self.tool.needs()
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        self.tool.parse(arguments)
    }

    fn attempt(&self, arguments: &Arguments<'_>) -> Attempt {
        self.tool.attempt(arguments)
    }

    fn report(&self, arguments: &Arguments<'_>, tree: Option<ReadTree<'_>>) -> InvalidArguments {
        self.tool.report(arguments, tree)
    }

    fn run_directly(&self, arguments: &Arguments<'_>, run: &mut DirectRun<'_, '_>) {
        self.tool.run_directly(arguments, run);
    }

    async fn cleanup_session(&self, session: &SessionId) -> Result<(), ToolError> {
        self.tool.cleanup_session(session).await
    }

    fn cleanup_in<'a>(
        &'a self,
        ctx: &'a ToolContext,
    ) -> Pin<Box<dyn Future<Output = Result<(), ToolError>> + Send + 'a>> {
        self.tool.cleanup_in(ctx)
    }
}
