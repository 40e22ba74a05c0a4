//! The tools of a session, which follow those of its executor.

use std::collections::HashSet;
use std::sync::Arc;

use crate::executor::catalog::session_checker::SessionChecker;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::{Catalogs, Tools};
use crate::executor::catalog::visibility::Narrowing;
use crate::executor::guard::catch_tool_panic;
use crate::id::ToolName;
use crate::registry::address;
use crate::tool::{Cleanup, Tool};
use crate::util::lock::Lock;

/// The tools of a session.
pub(crate) struct SessionTools {
    narrowing: Narrowing,
    /// The session's own.
    checker: Option<Arc<SessionChecker>>,
    parent: Option<Arc<SessionTools>>,
    /// True if the session can end.
    ends: bool,
    /// True if the session was opened before any change of tools.
    from_first: bool,
    seen: Lock<SeenTools>,
}

/// The tools that the session has seen.
#[derive(Default)]
struct SeenTools {
    /// With its own catalog in the place of that which is there for all.
    last: Option<Tools>,
    /// Tools that the session had and that are gone: they may hold something for it.
    gone: Vec<(ToolName, Arc<dyn Tool>)>,
}

impl SessionTools {
    pub(crate) fn new(
        narrowing: Narrowing,
        checker: Option<Arc<SessionChecker>>,
        parent: Option<Arc<SessionTools>>,
        catalogs: Option<&Catalogs>,
    ) -> Self {
        Self {
            narrowing,
            checker,
            parent,
            ends: catalogs.is_some(),
            from_first: catalogs.is_none_or(|catalogs| catalogs.version() == 0),
            seen: Lock::default(),
        }
    }

    /// The checker that the session has of its own.
    pub(crate) fn checker(&self) -> Option<&Arc<SessionChecker>> {
        self.checker.as_ref()
    }

    /// Returns true if the session may have other tools than its executor, or other verdicts on them.
    pub(crate) fn narrows(&self) -> bool {
        let parent = self.parent.as_ref();
        let has_own = !self.narrowing.is_none() || self.checker.is_some();
        has_own || parent.is_some_and(|parent| parent.narrows())
    }

    /// The session's tools, now that its executor's have this version or a later one.
    pub(crate) fn at(&self, catalogs: &Catalogs, version: u64) -> Tools {
        if let Some(last) = &self.seen.lock().last
            && last.version >= version
        {
            return last.clone();
        }
        let all = match &self.parent {
            Some(parent) => parent.at(catalogs, version),
            None => catalogs.tools(),
        };
        let all = match &self.checker {
            Some(checker) => checker.judged(all),
            None => all,
        };
        let mut own = self.of(&all);
        let mut seen = self.seen.lock();
        let before = seen.last.take();
        if let Some(before) = before {
            // Another thread has stored a newer version.
            if before.version >= all.version {
                seen.last = Some(before.clone());
                return before;
            }
            if let Some(own) = own.as_mut() {
                own.note_removed(&before.open);
            }
            if self.ends {
                let now = own.as_ref().unwrap_or(&all.open);
                let gone = gone(&before.open, now, &seen.gone);
                seen.gone.extend(gone);
            }
            let tools = with(all, own);
            seen.last = Some(tools.clone());
            drop(seen);
            // Dropping a tool runs user code, which may panic.
            let _ = catch_tool_panic("the tool", || drop(before));
            return tools;
        }
        let tools = with(all, own);
        seen.last = Some(tools.clone());
        tools
    }

    /// `None` if the session has the tools of the session above.
    fn of(&self, all: &Tools) -> Option<Catalog> {
        let narrowed = || self.narrowing.apply(&all.whole, &all.open);
        (!self.narrowing.is_none()).then(narrowed)
    }

    /// The tools that may hold something for the session, each once, those that are there first.
    pub(crate) fn to_clean_up(&self, catalogs: &Catalogs) -> Vec<(ToolName, Arc<dyn Tool>)> {
        let mut tools = Vec::new();
        let mut known = HashSet::new();
        let mut take = |name: &ToolName, tool: &Arc<dyn Tool>| {
            let of = match tool.facts().cleanup {
                Cleanup::Own => address(tool),
                Cleanup::Shared(of) => of,
                Cleanup::Nothing => return,
            };
            if known.insert(of) {
                tools.push((name.clone(), Arc::clone(tool)));
            }
        };
        let version = catalogs.version();
        let narrows = self.narrows();
        if version > 0 || narrows {
            let now = self.at(catalogs, version);
            for entry in now.open.snapshot.entries() {
                take(&entry.name, &entry.tool);
            }
        }
        if self.from_first && !narrows {
            for entry in catalogs.first.snapshot.entries() {
                take(&entry.name, &entry.tool);
            }
        }
        for (name, tool) in &self.seen.lock().gone {
            take(name, tool);
        }
        tools
    }
}

fn with(all: Tools, own: Option<Catalog>) -> Tools {
    match own {
        Some(own) => Tools {
            open: Arc::new(own),
            ..all
        },
        None => all,
    }
}

/// The tools of one catalog that another has not, without those that are known to be gone.
fn gone(
    before: &Catalog,
    now: &Catalog,
    known: &[(ToolName, Arc<dyn Tool>)],
) -> Vec<(ToolName, Arc<dyn Tool>)> {
    let mut kept = now.snapshot.tools();
    kept.extend(known.iter().map(|(_, tool)| address(tool)));
    let before = before.snapshot.entries().iter();
    before
        .filter(|entry| !kept.contains(&address(&entry.tool)))
        .map(|entry| (entry.name.clone(), Arc::clone(&entry.tool)))
        .collect()
}
