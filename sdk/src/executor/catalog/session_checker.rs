//! Checkers that sessions have of their own, and what is worked out once for each.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use crate::executor::catalog::foreknown::Verdicts;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::Tools;
use crate::executor::guard::catch_tool_panic;
use crate::permission::{AnyChecker, PermissionEvaluator};
use crate::util::lock::Lock;

/// The checkers of sessions, each once for as long as a session or the host has it, so that sessions with
/// one checker share its verdicts.
#[derive(Default)]
pub(crate) struct SessionCheckers(Lock<KnownCheckers>);

#[derive(Default)]
struct KnownCheckers {
    by_address: HashMap<usize, Arc<SessionChecker>>,
    /// The number of checkers at which unused ones are removed before another is added.
    most: usize,
}

impl SessionCheckers {
    /// A session's own checker, which has the settings of the executor's.
    pub(crate) fn of(
        &self,
        checker: AnyChecker,
        executors: &PermissionEvaluator,
    ) -> Arc<SessionChecker> {
        let mut known = self.0.lock();
        let address = checker.address();
        if let Some(found) = known.by_address.get(&address) {
            return Arc::clone(found);
        }
        let left = if known.by_address.len() < known.most {
            Vec::new()
        } else {
            known.take_unused()
        };
        let judge = Arc::new(executors.with_checker(checker.clone()));
        let made = Arc::new(SessionChecker {
            checker,
            judge,
            latest: Lock::default(),
        });
        known.by_address.insert(address, Arc::clone(&made));
        drop(known);
        // Dropping a checker runs code of the app, which may panic.
        let _ = catch_tool_panic("the permission checker", || drop(left));
        made
    }
}

impl KnownCheckers {
    /// Takes out those that only this has. As many again may come before the next look, so that all looks
    /// together cost no more than what was put in.
    fn take_unused(&mut self) -> Vec<Arc<SessionChecker>> {
        let unused: Vec<usize> = self
            .by_address
            .iter()
            .filter(|(_, checker)| !checker.is_used())
            .map(|(address, _)| *address)
            .collect();
        let taken = unused.iter();
        let taken = taken.filter_map(|address| self.by_address.remove(address));
        let taken = taken.collect();
        self.most = 2 * self.by_address.len() + 1;
        taken
    }
}

/// A checker that sessions have of their own.
pub(crate) struct SessionChecker {
    checker: AnyChecker,
    pub(crate) judge: Arc<PermissionEvaluator>,
    latest: Lock<LatestVerdicts>,
}

/// The verdicts on the executor's tools as they were last.
#[derive(Default)]
struct LatestVerdicts {
    whole: Weak<Catalog>,
    verdicts: Arc<OnceLock<Arc<Verdicts>>>,
    /// A catalog, and the same judged by this checker.
    open: Option<(Weak<Catalog>, Arc<Catalog>)>,
}

impl SessionChecker {
    /// Returns true if a session has it, or may get it from the host.
    fn is_used(self: &Arc<Self>) -> bool {
        // The evaluator holds it once, and so does this value.
        Arc::strong_count(self) > 1 || self.checker.is_held_besides(2)
    }

    /// The tools, judged by this checker.
    pub(crate) fn judged(&self, tools: Tools) -> Tools {
        let verdicts = self.verdicts(&tools.whole);
        let is_of = |(of, _): &&(Weak<Catalog>, Arc<Catalog>)| is_same(of, &tools.open);
        let known = self.latest.lock().open.as_ref().filter(is_of).cloned();
        if let Some((_, open)) = known {
            return Tools { open, ..tools };
        }
        let open = Arc::new(tools.open.judged_by(&verdicts));
        let of = Arc::downgrade(&tools.open);
        let before = self.latest.lock().open.replace((of, Arc::clone(&open)));
        // Dropping its tools runs their code, which may panic.
        let _ = catch_tool_panic("the tool", || drop(before));
        Tools { open, ..tools }
    }

    fn verdicts(&self, whole: &Arc<Catalog>) -> Arc<Verdicts> {
        let cell = {
            let mut latest = self.latest.lock();
            if !is_same(&latest.whole, whole) {
                latest.whole = Arc::downgrade(whole);
                latest.verdicts = Arc::default();
            }
            Arc::clone(&latest.verdicts)
        };
        let verdicts = cell.get_or_init(|| Arc::new(Verdicts::new(&self.judge, &whole.snapshot)));
        Arc::clone(verdicts)
    }
}

fn is_same(known: &Weak<Catalog>, catalog: &Arc<Catalog>) -> bool {
    std::ptr::eq(known.as_ptr(), Arc::as_ptr(catalog))
}
