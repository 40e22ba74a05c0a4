//! The end of a session.

use std::fmt;
use std::sync::Arc;

use crate::content::ToolError;
use crate::context::{CallExtras, CallIds, ToolContext};
use crate::executor::core::handles::Session;
use crate::executor::guard::{catch_tool_panic, catch_tool_panic_awaited};
use crate::id::{InvocationId, ToolName, TurnId};
use crate::spec::ToolSpec;
use crate::ticket::TicketError;
use crate::util::store_error::StoreError;

impl Session {
    /// Ends the session: cancels the calls in it and below it, closes its tickets, drops its grants,
    /// its state and its stored results, and has every tool clean up
    /// ([`Tool::cleanup_session`](crate::Tool::cleanup_session)).
    ///
    /// # Errors
    ///
    /// Fails if a tool could not clean up, or if the store of tickets or of results fails. The error lists each
    /// failure; the other tools and stores were cleaned up all the same.
    pub async fn end(self) -> Result<(), SessionEndError> {
        self.cancel();
        self.core.scope.state.close();
        let broker = &self.executor.base.people.broker;
        let tickets = broker.end_session(self.id()).await.err();
        self.executor.approvals.forget(self.id());
        let results = self.executor.planner.excess.end_session(self.id()).await;
        let mut failed = Vec::new();
        let tools = self.core.tools.to_clean_up(&self.executor.catalogs);
        for (name, tool) in &tools {
            let ctx = catch_tool_panic("the tool", || self.ended_context(tool.spec()));
            let cleanup = match &ctx {
                Ok(ctx) => catch_tool_panic("the tool", || tool.cleanup_in(ctx)),
                Err(panicked) => Err(panicked.clone()),
            };
            let ended = match cleanup {
                Ok(cleanup) => catch_tool_panic_awaited("the tool", cleanup).await,
                Err(panicked) => Err(panicked),
            };
            if let Err(error) = ended {
                failed.push((name.clone(), error));
            }
        }
        if failed.is_empty() && tickets.is_none() && results.is_none() {
            Ok(())
        } else {
            Err(SessionEndError {
                failed,
                tickets,
                results: results.map(Arc::new),
            })
        }
    }

    /// Returns the context for the cleanup of a tool when the session ends.
    fn ended_context(&self, spec: &ToolSpec) -> ToolContext {
        let scope = &self.core.scope;
        let number = self.core.next();
        let ids = CallIds {
            turn: TurnId::new(number),
            invocation: InvocationId::from_parts(scope.prefix, number),
            call: None,
        };
        let extras = CallExtras {
            specs: Some(Arc::new(spec.clone())),
            ..CallExtras::default()
        };
        ToolContext::new(Arc::clone(scope), None, ids, 0, Some(Arc::new(extras)))
    }
}

/// The parts that could not be cleaned up at the end of a session.
#[derive(Clone)]
pub struct SessionEndError {
    failed: Vec<(ToolName, ToolError)>,
    tickets: Option<TicketError>,
    results: Option<Arc<StoreError>>,
}

crate::util::error_text::debug_as_text!(SessionEndError);

impl SessionEndError {
    /// The tools that could not clean up, each with its error.
    pub fn failed(&self) -> impl ExactSizeIterator<Item = (&ToolName, &ToolError)> {
        self.failed.iter().map(|(tool, error)| (tool, error))
    }

    /// The error of the store, if the tickets and grants of the session could not be removed. They may still be there.
    pub fn tickets(&self) -> Option<&TicketError> {
        self.tickets.as_ref()
    }

    /// The error of the store, if the [stored results](crate::ExecutorBuilder::result_store) could not be removed.
    /// They may still be there.
    pub fn results(&self) -> Option<&StoreError> {
        self.results.as_deref()
    }
}

impl fmt::Display for SessionEndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what was held for the session could not be let go of:")?;
        if let Some(error) = &self.tickets {
            write!(f, "\n- tickets and grants: {error}")?;
        }
        if let Some(error) = &self.results {
            write!(f, "\n- results: {error}")?;
        }
        for (tool, error) in &self.failed {
            write!(f, "\n- `{tool}`: {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SessionEndError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match (&self.tickets, &self.results) {
            (Some(error), _) => Some(error),
            (None, Some(error)) => Some(error),
            (None, None) => None,
        }
    }
}
