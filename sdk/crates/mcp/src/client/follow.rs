//! An executor whose tools go with those of a server.

use std::sync::{Arc, Weak};

use tokio::sync::watch;
use toolwright::executor::WeakExecutor;
use toolwright::{Executor, ToolRegistry};

use super::core::{ServerCore, ServerState};
use super::event::ServerEvent;
use super::list::{ListChange, ToolList};
use super::tool::tool;

/// Changes the tools of an executor until it, or the server, is gone.
pub(super) async fn follow(
    core: Weak<ServerCore>,
    mut changes: watch::Receiver<ServerState>,
    executor: WeakExecutor,
    mut known: Arc<ToolList>,
) {
    loop {
        let now = Arc::clone(&changes.borrow_and_update().tools);
        if !Arc::ptr_eq(&known, &now) {
            let (Some(core), Some(executor)) = (core.upgrade(), executor.upgrade()) else {
                return;
            };
            if let Err(error) = change(&core, &executor, &known, &now) {
                let error = error.to_string();
                tracing::warn!(
                    server = core.name,
                    error,
                    "tools of an executor could not be changed"
                );
                core.tell(&ServerEvent::NotFollowed { error });
            }
            known = now;
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

fn change(
    core: &Arc<ServerCore>,
    executor: &Executor,
    known: &ToolList,
    now: &ToolList,
) -> Result<(), toolwright::BuildError> {
    let ListChange {
        added,
        removed,
        changed,
    } = ListChange::between(known, now);
    if added.is_empty() && removed.is_empty() && changed.is_empty() {
        return Ok(());
    }
    let full = |name: &String| format!("{}.{name}", core.name);
    executor.update_tools(|registry| {
        let mut new = ToolRegistry::new();
        for name in &removed {
            registry.remove(&full(name));
        }
        // A tool that the host left out stays out, and so does one whose name another tool has.
        let replaced = changed
            .iter()
            .filter(|name| registry.remove(&full(name)).is_some());
        let replaced: Vec<&String> = replaced.collect();
        let free = added.iter().filter(|name| !registry.contains(&full(name)));
        for name in replaced.into_iter().chain(free) {
            if let Some(imported) = now.tools.get(name) {
                new.register(tool(core, imported))?;
            }
        }
        *registry = std::mem::take(registry).with_server(&core.name, new);
        Ok(())
    })
}
