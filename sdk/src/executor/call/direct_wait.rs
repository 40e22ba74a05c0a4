//! A plain call that was run directly, and whose body waits. It has no context: hosts hold thousands of these, and what
//! they borrow says all that their body is polled and stopped by.

use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::context::{CallIds, ToolContext};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::body::{BodyEnd, BodyFuture, GuardedBody};
use crate::executor::call::body_scope::BodyScope;
use crate::executor::call::direct::{ends_directly, stands};
use crate::executor::call::plain::ended;
use crate::executor::call::reached::{Begun, DirectWait, PlainCall, Reached};
use crate::executor::call::run::BegunBody;
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::origin::{CallOrigin, WaitOrigin};
use crate::executor::core::site::CallSite;
use crate::id::{CallId, InvocationId, TurnId};
use crate::schedule::BodyStage;

impl<'a> DirectWait<'a> {
    /// Takes over a call from its origin, if that is all that its end needs. Its body has yet to
    /// [wait](Self::wait).
    pub(crate) fn of(
        at: CallOrigin<'a>,
        site: &CallSite<'_>,
        tool: usize,
        call_id: Option<&CallId>,
    ) -> Option<Self> {
        let is_first = matches!(site.catalog, CatalogRef::First(_));
        Some(Self {
            at: WaitOrigin::of(at, tool).filter(|_| is_first)?,
            call_id: call_id.cloned(),
            count: site.invocation_id.count(),
            body: BegunBody::default(),
        })
    }

    fn scope(&self) -> BodyScope<'a> {
        let turn = self.at.turn().map(|turn| &*turn.scope);
        BodyScope::without_context(self.at.session(), turn, self.invocation(), self.at.tool())
    }

    fn invocation(&self) -> InvocationId {
        InvocationId::from_parts(self.at.session().prefix, self.count)
    }

    /// Has a body wait that was polled once.
    pub(crate) fn wait(
        mut self,
        body: BodyFuture<'static>,
        cx: &Context<'_>,
    ) -> Reached<Begun<'a>> {
        let mut running = GuardedBody::of(body, BodyStage::Running, self.scope());
        match running.wait(cx) {
            Poll::Pending => {
                self.body = running.begun();
                Reached::Goes(Begun::Waits(self))
            }
            Poll::Ready(fault) => {
                drop(running);
                let mut end = BodyEnd::new();
                end.fail(fault);
                self.ended(end)
            }
        }
    }

    /// Goes on with the body, and once that has ended to the end of the call, or to where it has to wait otherwise.
    pub(crate) fn go_on(&mut self, cx: &mut Context<'_>) -> Poll<Reached<Begun<'a>>> {
        let mut end = BodyEnd::new();
        let mut running = GuardedBody::resumed(mem::take(&mut self.body), self.scope());
        if running.poll(cx, &mut end).is_pending() {
            self.body = running.begun();
            return Poll::Pending;
        }
        drop(running);
        Poll::Ready(self.ended(end))
    }

    fn ended(&mut self, end: BodyEnd) -> Reached<Begun<'a>> {
        let shared = self.at.shared();
        let catalog = &shared.catalogs.first;
        let tool = self.at.tool();
        match end {
            BodyEnd {
                ran: Poll::Ready(Ok(output)),
                fault: None,
            } if stands(shared, catalog.plan(tool), &output) => {
                let ids = (self.call_id.take(), self.invocation());
                Reached::Ended(ends_directly(catalog, tool, ids, output))
            }
            mut end => {
                let mut context = self.context();
                let first = CatalogRef::First(catalog);
                let rest = PlainCall::new(shared, &first, None, ReadNotes::default());
                ended(rest, || None, &mut context, &mut end)
            }
        }
    }

    /// The context of the call, for stages that take one.
    fn context(&self) -> ToolContext {
        let turn = self.at.turn();
        let ids = CallIds {
            turn: turn.map_or_else(|| TurnId::new(self.count), |turn| turn.id),
            invocation: self.invocation(),
            call: self.call_id.as_ref(),
        };
        let session = Arc::clone(self.at.session());
        let turn = turn.map(|turn| Arc::clone(&turn.scope));
        ToolContext::new(session, turn, ids, self.at.tool(), None)
    }
}

impl Drop for DirectWait<'_> {
    fn drop(&mut self) {
        // The guard ends a body that has not ended: it may panic, and its deadline is given back.
        drop(GuardedBody::resumed(
            mem::take(&mut self.body),
            self.scope(),
        ));
    }
}
