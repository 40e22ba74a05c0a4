//! A plain call that was run directly, and whose body waits. It has no context: hosts hold thousands of these, and what
//! they borrow or share says all that their body is polled and stopped by.

use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::body::{BodyEnd, BodyFuture, GuardedBody};
use crate::executor::call::body_scope::BodyScope;
use crate::executor::call::direct::{ends_directly, stands};
use crate::executor::call::plain::ended;
use crate::executor::call::reached::{DirectWait, PlainCall, Reached};
use crate::executor::call::run::BegunBody;
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::hold::CoreHold;
use crate::executor::core::origin::{WaitSite, WaitSource};
use crate::outcome::ToolOutcome;
use crate::schedule::BodyStage;
use crate::util::future::BoxFuture;

impl<S: WaitSource> DirectWait<S> {
    /// Has a body wait that was polled once. `waits` tells where the call is kept meanwhile.
    pub(crate) fn begin<'a, R>(
        source: S,
        body: BodyFuture<'static>,
        cx: &Context<'_>,
        waits: impl FnOnce(Self) -> R,
    ) -> Reached<R>
    where
        S::Hold: CoreHold<Kept: 'a>,
        R: From<BoxFuture<'a, ToolOutcome>>,
    {
        let mut running = GuardedBody::of(body, BodyStage::Running, scope(source.site()));
        match running.wait(cx) {
            Poll::Pending => {
                let body = running.begun();
                Reached::Goes(waits(Self { source, body }))
            }
            Poll::Ready(fault) => {
                drop(running);
                let mut end = BodyEnd::new();
                end.fail(fault);
                let body = BegunBody::default();
                Self { source, body }.ended(end)
            }
        }
    }

    /// Goes on with the body, and once that has ended to the end of the call, or to where it has to wait otherwise.
    pub(crate) fn go_on<'a, R>(&mut self, cx: &mut Context<'_>) -> Poll<Reached<R>>
    where
        S::Hold: CoreHold<Kept: 'a>,
        R: From<BoxFuture<'a, ToolOutcome>>,
    {
        let mut end = BodyEnd::new();
        ready!(self.poll(cx, &mut end));
        Poll::Ready(self.ended(end))
    }

    fn poll(&mut self, cx: &mut Context<'_>, end: &mut BodyEnd) -> Poll<()> {
        let begun = mem::take(&mut self.body);
        let mut running = GuardedBody::resumed(begun, scope(self.source.site()));
        let polled = running.poll(cx, end);
        if polled.is_pending() {
            self.body = running.begun();
        }
        polled
    }

    fn ended<'a, R>(&mut self, end: BodyEnd) -> Reached<R>
    where
        S::Hold: CoreHold<Kept: 'a>,
        R: From<BoxFuture<'a, ToolOutcome>>,
    {
        let WaitSite {
            shared, ids, tool, ..
        } = self.source.site();
        let catalog = &shared.catalogs.first;
        match end {
            BodyEnd {
                ran: Poll::Ready(Ok(output)),
                fault: None,
            } if stands(shared, catalog.plan(tool), &output) => {
                let invocation = ids.invocation;
                let ids = (ids.call.cloned(), invocation);
                Reached::Ended(ends_directly(catalog, tool, ids, output))
            }
            mut end => {
                let mut context = context(self.source.site());
                let first = CatalogRef::First(catalog);
                let rest = PlainCall::new(self.source.hold(), &first, None, ReadNotes::default());
                ended(rest, || None, &mut context, &mut end)
            }
        }
    }
}

impl<S: WaitSource> Drop for DirectWait<S> {
    fn drop(&mut self) {
        if !self.body.is_empty() {
            let begun = mem::take(&mut self.body);
            // The guard ends the body: it may panic, and its deadline is given back.
            drop(GuardedBody::resumed(begun, scope(self.source.site())));
        }
    }
}

fn scope(site: WaitSite<'_>) -> BodyScope<'_> {
    BodyScope::without_context(site.session, site.turn, site.ids.invocation, site.tool)
}

/// The context of a call, for stages that take one.
fn context(site: WaitSite<'_>) -> ToolContext {
    let session = Arc::clone(site.session);
    ToolContext::new(
        session,
        site.turn.scope().cloned(),
        site.ids,
        site.tool,
        None,
    )
}
