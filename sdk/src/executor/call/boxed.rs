//! A plain call that has to wait after its body: it moves into a box, and goes on with the same stages.

use crate::content::{CallStatus, ResultSource, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::outcome::cut;
use crate::executor::call::reached::PlainCall;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::hold::CoreHold;
use crate::executor::core::site::CallSite;
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

/// Cuts the output of a plain call.
#[cold]
#[inline(never)]
pub(crate) fn cut_plain<'a, C: CoreHold<Kept: 'a>>(
    rest: PlainCall<'a, C>,
    mut context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'a, ToolOutcome> {
    let rest = rest.kept();
    Box::pin(async move {
        let tool = (&**rest.catalog(), Some(context.call.number));
        let of = (&*context.session, context.invocation_id());
        let mut output = cut(&rest.shared, tool, of, source, output).await;
        let ids = context.ids();
        rest.conclude(&mut context, ids, None, source, &mut output)
    })
}

/// Goes on with a plain call whose body has waited for people, or has ended because it has to.
#[cold]
#[inline(never)]
pub(crate) fn waited<C: CoreHold>(
    rest: PlainCall<'_, C>,
    context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'_, ToolOutcome> {
    let (mut call_state, found) = rest.into_state(context);
    let stage = match found {
        Ok(()) => call_state.ran(source, output),
        Err(error) => Stage::refuse(error),
    };
    Box::pin(call_state.drive(stage))
}

/// Ends a plain call that did not succeed and whose turn a gate has ended.
#[cold]
#[inline(never)]
pub(crate) fn blocked<C: CoreHold>(
    rest: PlainCall<'_, C>,
    context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'_, ToolOutcome> {
    let (call_state, _) = rest.into_state(context);
    Box::pin(call_state.drive(Stage::End(source, output)))
}

impl<C: CoreHold> PlainCall<'_, C> {
    /// The state of a call whose body has waited for people, or has ended because it has to.
    ///
    /// # Errors
    ///
    /// Fails if the arguments were not kept, which is a bug in this crate.
    pub(crate) fn into_state(
        self,
        mut context: ToolContext,
    ) -> (Box<CallState>, Result<(), ToolError>) {
        let ids = context.ids();
        let identity = self.identity(&mut context, ids);
        let rare = self.rare.map(|rare| *rare);
        let (catalog, begun, notes, arguments) = match rare {
            Some(rare) => (rare.catalog, rare.begun, rare.notes, rare.arguments),
            None => (None, None, ReadNotes::default(), None),
        };
        let first = || CatalogRef::First(&self.shared.catalogs.first);
        let site = CallSite {
            catalog: catalog.map_or_else(first, CatalogRef::Own),
            session: &context.session,
            turn: context.turn.as_ref().into(),
            turn_id: identity.turn,
            invocation_id: identity.invocation,
            call_stack: context.call.call_stack(),
            source: None,
        };
        let number = context.call.number;
        let mut call_state = CallState::new(&self.shared, &site, identity, begun, number, notes);
        if call_state.turn.is_none() {
            call_state.turn = site.turn_to_block(&self.shared);
        }
        call_state.status = CallStatus::Running;
        call_state.observer = self.observer;
        call_state.metadata = context.call.metadata().cloned();
        call_state.environment = context.call.environment().cloned();
        let kept = context.call.kept().map(|kept| kept.arguments.clone());
        let arguments = kept.or_else(|| Some(arguments?.into_owned()));
        let found = match arguments {
            Some(arguments) => {
                call_state.arguments = arguments;
                call_state.passed = true;
                Ok(())
            }
            None => Err(ToolError::internal("the arguments of the call are gone")),
        };
        (call_state, found)
    }
}
