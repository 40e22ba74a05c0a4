//! The parts of an imported server that its host, its tools and the task of its connection share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;
use toolwright::CancellationToken;

use super::calls::lock;
use super::connection::Connection;
use super::drift::{Drift, Fingerprint};
use super::event::{ServerEvent, ServerStatus};
use super::list::{ListChange, ToolList};
use super::options::ImportOptions;

/// An imported server.
pub(super) struct ServerCore {
    pub(super) name: String,
    pub(super) options: ImportOptions,
    pub(super) state: watch::Sender<ServerState>,
    pub(super) approved: Mutex<BTreeMap<String, Fingerprint>>,
    /// The tools that the host has got last.
    pub(super) handed_out: Mutex<Arc<ToolList>>,
    closed: CancellationToken,
}

pub(super) struct ServerState {
    pub(super) status: ServerStatus,
    pub(super) connection: Option<Arc<Connection>>,
    pub(super) tools: Arc<ToolList>,
}

impl ServerCore {
    pub(super) fn new(
        name: String,
        options: ImportOptions,
        connection: Arc<Connection>,
        tools: ToolList,
        closed: CancellationToken,
    ) -> Self {
        let tools = Arc::new(tools);
        let approved = options.pins.0.clone();
        let state = ServerState {
            status: ServerStatus::Connected,
            connection: Some(connection),
            tools: Arc::clone(&tools),
        };
        let core = Self {
            name,
            options,
            state: watch::Sender::new(state),
            approved: Mutex::new(approved),
            handed_out: Mutex::new(Arc::clone(&tools)),
            closed,
        };
        core.approve_new(&tools);
        core
    }

    /// Takes the tools that were not seen before as they are.
    fn approve_new(&self, tools: &ToolList) {
        let mut approved = lock(&self.approved);
        for (name, tool) in &tools.tools {
            approved.entry(name.clone()).or_insert(tool.fingerprint);
        }
    }

    /// Takes the tools as the server lists them now.
    pub(super) fn listed(&self, tools: ToolList) {
        self.approve_new(&tools);
        let tools = Arc::new(tools);
        let before = Arc::clone(&self.state.borrow().tools);
        let drifted: Vec<Drift> = self.drifts(&tools);
        self.state
            .send_modify(|state| state.tools = Arc::clone(&tools));
        let change = ListChange::between(&before, &tools);
        for name in &change.changed {
            if let Some(drift) = drifted.iter().find(|drift| drift.tool == *name) {
                tracing::warn!(
                    server = self.name,
                    tool = name,
                    "the definition of a tool has changed"
                );
                self.tell(&ServerEvent::Drifted(drift.clone()));
            }
        }
        let ListChange {
            added,
            removed,
            changed,
        } = change;
        if !(added.is_empty() && removed.is_empty() && changed.is_empty()) {
            self.tell(&ServerEvent::ToolsChanged {
                added,
                removed,
                changed,
            });
        }
    }

    pub(super) fn tell(&self, event: &ServerEvent) {
        if let Some(observer) = &self.options.observer {
            observer(event);
        }
    }

    pub(super) fn drifts(&self, tools: &ToolList) -> Vec<Drift> {
        let approved = lock(&self.approved);
        let drifted = tools.tools.iter().filter_map(|(name, tool)| {
            let approved = *approved.get(name)?;
            (approved != tool.fingerprint).then(|| Drift {
                tool: name.clone(),
                approved,
                current: tool.fingerprint,
            })
        });
        drifted.collect()
    }

    /// The drift of a tool, if its definition as the server has it now is not the approved one.
    pub(super) fn drift_of(&self, tool: &str) -> Option<Drift> {
        let current = self.state.borrow().tools.tools.get(tool)?.fingerprint;
        let approved = *lock(&self.approved).get(tool)?;
        (approved != current).then(|| Drift {
            tool: tool.to_owned(),
            approved,
            current,
        })
    }

    pub(super) fn tools(&self) -> Arc<ToolList> {
        Arc::clone(&self.state.borrow().tools)
    }

    pub(super) fn close(&self) {
        self.closed.cancel();
        self.state.send_modify(|state| {
            if let Some(connection) = state.connection.take() {
                connection.close();
            }
            state.status = ServerStatus::Closed;
        });
    }
}

impl Drop for ServerCore {
    fn drop(&mut self) {
        self.closed.cancel();
    }
}

impl ServerCore {
    pub(super) fn connected(&self, connection: Arc<Connection>, tools: ToolList) {
        let is_open = self.change_open(|state| {
            state.connection = Some(connection);
            state.status = ServerStatus::Connected;
        });
        if is_open {
            self.tell(&ServerEvent::Connected);
            self.listed(tools);
        }
    }

    pub(super) fn disconnected(&self, attempts: u32, error: String) {
        let is_open = self.change_open(|state| {
            state.connection = None;
            let error = error.clone();
            state.status = ServerStatus::Reconnecting { attempts, error };
        });
        if is_open {
            tracing::warn!(server = self.name, error, "an MCP server is not connected");
            self.tell(&ServerEvent::Disconnected { error });
        }
    }

    /// Changes the state, unless the host has closed the server.
    fn change_open(&self, change: impl FnOnce(&mut ServerState)) -> bool {
        self.state.send_if_modified(|state| {
            let is_open = state.status != ServerStatus::Closed;
            if is_open {
                change(state);
            }
            is_open
        })
    }
}
