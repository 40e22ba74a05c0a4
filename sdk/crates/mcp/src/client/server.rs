//! An imported server as its host holds it.

use std::fmt;
use std::sync::Arc;

use rmcp::model::ServerPeerInfo;
use toolwright::{Executor, ToolRegistry};

use super::calls::lock;
use super::core::ServerCore;
use super::drift::{Drift, Fingerprint, Pins};
use super::event::ServerStatus;
use super::follow::follow;
use super::list::SkippedTool;
use super::tool::tool;

/// A server whose tools are imported, by [`import`](crate::import). A clone stands for the same server.
///
/// The connection stands for as long as a clone or one of the tools is held, or until [`close`](Self::close). When it
/// ends, a new one is made in the background, and the tools answer meanwhile that the server is not available.
#[derive(Clone)]
pub struct ImportedServer {
    pub(super) core: Arc<ServerCore>,
}

impl ImportedServer {
    /// The name that the server has here.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// The server's tools as they are now, by the server's own names, for
    /// [`ToolRegistry::with_server`] with the name of this import.
    pub fn registry(&self) -> ToolRegistry {
        let tools = self.core.tools();
        *lock(&self.core.handed_out) = Arc::clone(&tools);
        let all = tools.tools.values();
        all.fold(ToolRegistry::new(), |registry, imported| {
            registry.with(tool(&self.core, imported))
        })
    }

    /// The tools that are not imported, each with the reason: a name that is no tool's name, a schema that cannot be
    /// enforced, a definition that is too large.
    pub fn skipped(&self) -> Vec<SkippedTool> {
        self.core.tools().skipped.clone()
    }

    /// The state of the connection.
    pub fn status(&self) -> ServerStatus {
        self.core.state.borrow().status.clone()
    }

    /// The version of the protocol, the name, version and instructions that the server told. `None` while there is no
    /// connection.
    pub fn info(&self) -> Option<Arc<ServerPeerInfo>> {
        let state = self.core.state.borrow();
        state.connection.as_ref()?.service.peer().peer_info()
    }

    /// The tools whose definition is another than the one that was approved: by
    /// [`ImportOptions::pinned`](super::ImportOptions::pinned), or else as it was when the tool was seen first.
    ///
    /// Each call of such a tool asks for permission, in a request of the kind
    /// [`TOOL_CHANGED`](toolwright::permission::TOOL_CHANGED) that no grant for the tool covers, until the definition is
    /// [accepted](Self::accept). A grant for just this request covers this definition and no later one.
    pub fn drift(&self) -> Vec<Drift> {
        self.core.drifts(&self.core.tools())
    }

    /// Approves the definition of a tool from now on. The fingerprint is that of the definition that somebody has looked
    /// at: [`Drift::current`]. Returns false, and changes nothing, if the server has another by now.
    pub fn accept(&self, tool: &str, definition: Fingerprint) -> bool {
        let tools = self.core.tools();
        let is_current = tools
            .tools
            .get(tool)
            .is_some_and(|tool| tool.fingerprint == definition);
        if is_current {
            lock(&self.core.approved).insert(tool.to_owned(), definition);
        }
        is_current
    }

    /// The approved definitions, to be given to a later import; see [`ImportOptions::pinned`](super::ImportOptions::pinned).
    pub fn pins(&self) -> Pins {
        Pins(lock(&self.core.approved).clone())
    }

    /// Changes the tools of the executor whenever the server's tools change, from now on: tools that are new are added
    /// under the name of this import, those that are gone are removed, and those with another definition are replaced.
    /// Tools that the host has left out are not added again. The executor tells of the change as of any other, and its
    /// running turns go on with the tools that they began with.
    ///
    /// It ends with the executor, or with the server. It must be called within a Tokio runtime.
    pub fn follow(&self, executor: &Executor) {
        let known = Arc::clone(&lock(&self.core.handed_out));
        tokio::spawn(follow(
            Arc::downgrade(&self.core),
            self.core.state.subscribe(),
            executor.downgrade(),
            known,
        ));
    }

    /// Waits until the server, whose state or tools may change meanwhile, is as the function wants it.
    ///
    /// ```
    /// # async fn wait(files: toolwright_mcp::client::ImportedServer) {
    /// use toolwright_mcp::client::ServerStatus;
    ///
    /// files.until(|files| files.status() == ServerStatus::Connected).await;
    /// # }
    /// ```
    pub async fn until(&self, mut wanted: impl FnMut(&Self) -> bool) {
        let mut changes = self.core.state.subscribe();
        while !wanted(self) {
            // The sender is held by this server.
            let _ = changes.changed().await;
        }
    }

    /// Ends the connection. Calls that run, and those that come, end as unavailable.
    pub fn close(&self) {
        self.core.close();
    }
}

impl fmt::Debug for ImportedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImportedServer")
            .field("name", &self.core.name)
            .field("status", &self.status())
            .field("tools", &self.core.tools().tools.keys())
            .finish_non_exhaustive()
    }
}
