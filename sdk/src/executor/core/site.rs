//! The place where a call runs.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::content::ToolCall;
use crate::context::{CallStack, CallTurn, SessionScope};
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::handles::Turn;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::tasks::Task;
use crate::id::{CallId, CallIdentity, InvocationId, Label, ToolName, TurnId};
use crate::record::CallSource;
use crate::registry::ToolEntry;
use crate::util::cold::cold_path;

/// The number and the entry of the tool that a call names, if it is there.
pub(crate) type NamedTool<'t> = Option<(usize, &'t ToolEntry)>;

/// The place where a call runs.
#[derive(Clone)]
pub(crate) struct CallSite<'s> {
    pub(crate) catalog: CatalogRef<'s>,
    pub(crate) session: &'s Arc<SessionScope>,
    pub(crate) turn: CallTurn<'s>,
    pub(crate) turn_id: TurnId,
    pub(crate) invocation_id: InvocationId,
    /// The calls above, if a tool makes this one.
    pub(crate) call_stack: Option<&'s Arc<CallStack>>,
    /// The source of results, if it is not the tools alone.
    pub(crate) source: Option<&'s Arc<dyn CallSource>>,
}

impl CallSite<'_> {
    /// Returns the number and the entry of the tool that a call names, and the name that reports of it have.
    pub(crate) fn find(&self, call: &ToolCall<'_>) -> (NamedTool<'_>, Label) {
        let found = self.catalog.snapshot.find(call.name());
        let label = found.map_or_else(|| name_of(call), |(_, entry)| entry.name.label());
        (found, label)
    }

    /// The identity of a call at this site.
    #[inline]
    pub(crate) fn identity(&self, call_id: Option<CallId>, tool: Label) -> CallIdentity {
        CallIdentity {
            turn: self.turn_id,
            invocation: self.invocation_id,
            parent: self.call_stack.map(|call_stack| call_stack.parent),
            call_id,
            tool,
        }
    }
}

impl SessionCore {
    /// Returns the next number of the session, for a turn or an invocation.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next_of(1)
    }

    /// Returns the first of as many numbers that follow each other.
    #[inline]
    pub(crate) fn next_of(&self, count: usize) -> u64 {
        self.count.fetch_add(count as u64, Ordering::Relaxed)
    }

    /// The tools of the session, as they are now.
    #[inline]
    pub(crate) fn catalog<'s>(&self, shared: &'s ExecutorCore) -> CatalogRef<'s> {
        match shared.catalogs.version.load(Ordering::Acquire) {
            0 if !self.narrows => CatalogRef::First(&shared.catalogs.first),
            version => {
                cold_path();
                CatalogRef::Own(self.tools.at(&shared.catalogs, version).open)
            }
        }
    }

    /// A call that is a turn of its own.
    #[inline]
    pub(crate) fn single<'s>(&'s self, shared: &'s ExecutorCore) -> CallSite<'s> {
        let number = self.next();
        CallSite {
            catalog: self.catalog(shared),
            session: &self.scope,
            turn: CallTurn::Single,
            turn_id: TurnId::new(number),
            invocation_id: InvocationId::from_parts(self.scope.prefix, number),
            call_stack: None,
            source: self.source.as_ref(),
        }
    }
}

impl Turn {
    /// Returns the site of the next call.
    pub(crate) fn place(&self) -> CallSite<'_> {
        let invocation = self.invocation(self.session.core.next());
        self.place_of(CallTurn::Scope(&self.scope), invocation)
    }

    /// Returns the id of the call that has a number in the session.
    #[inline]
    pub(crate) fn invocation(&self, number: u64) -> InvocationId {
        InvocationId::from_parts(self.session.core.scope.prefix, number)
    }

    /// Returns the site of a call that runs by itself.
    #[inline]
    pub(crate) fn place_of_task<'t>(&'t self, task: &'t Task) -> CallSite<'t> {
        let turn = CallTurn::Task(&self.scope, &task.scope);
        self.place_of(turn, task.identity.invocation)
    }

    /// Returns the site of a call that may have a scope of its own.
    pub(crate) fn place_of<'t>(
        &'t self,
        turn: CallTurn<'t>,
        invocation_id: InvocationId,
    ) -> CallSite<'t> {
        CallSite {
            catalog: match &self.catalog {
                None => CatalogRef::First(&self.shared().catalogs.first),
                Some(catalog) => CatalogRef::Own(Arc::clone(catalog)),
            },
            session: &self.session.core.scope,
            turn,
            turn_id: self.id,
            invocation_id,
            call_stack: None,
            source: self.session.core.source.as_ref(),
        }
    }
}

pub(crate) fn name_of(call: &ToolCall<'_>) -> Label {
    let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
    Label::from(Cow::Owned(name))
}
