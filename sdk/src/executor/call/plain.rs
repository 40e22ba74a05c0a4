//! The data of a call that nobody observes and that waits for nobody. Its stages are listed in the module above.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::authorize::NeedsReview;
use crate::executor::call::state::CallState;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::CatalogRef;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::outcome::ResultDetails;
use crate::id::CallIdentity;
use crate::message::{Arguments, ToolCall, ToolError};
use crate::tool::{BoxFuture, CallWorld, Invocation, ToolContext, ToolOutcome};

/// The continuation of a call that has not ended.
pub(crate) enum Continuation<'a> {
    /// Its body may wait.
    Waits(PlainBody<'a>),
    /// A boxed future of the stages that may wait for people.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

/// A call whose body is about to run, and may wait.
pub(crate) struct PlainBody<'a> {
    pub(crate) rest: PlainCall<'a>,
    pub(crate) context: ToolContext,
    pub(crate) invocation: Box<dyn Invocation>,
}

/// The outcome, or what is yet to be waited for.
pub(crate) type PlainEnd<'a> = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>;

/// The data that the end of a call needs besides its context.
pub(crate) struct PlainCall<'a> {
    pub(crate) shared: &'a Arc<ExecutorCore>,
    rare: Option<Box<RareFields<'a>>>,
}

/// Fields that most calls do not need, boxed to keep the future of a waiting call small.
struct RareFields<'a> {
    /// The catalog, if it is not the initial one.
    catalog: Option<Arc<Catalog>>,
    begun: Option<Instant>,
    notes: ReadNotes,
    /// The arguments that run, for people that the body may ask, where nothing else keeps them.
    arguments: Option<Arguments<'a>>,
}

impl<'a> PlainCall<'a> {
    #[inline]
    pub(crate) fn new(
        shared: &'a Arc<ExecutorCore>,
        catalog: &CatalogRef<'_>,
        begun: Option<Instant>,
        notes: ReadNotes,
        arguments: Option<Arguments<'a>>,
    ) -> Self {
        let is_plain = matches!(catalog, CatalogRef::First(_))
            && begun.is_none()
            && notes.purpose.is_none()
            && notes.repairs.is_none()
            && arguments.is_none();
        if is_plain {
            return Self { shared, rare: None };
        }
        let rare = RareFields {
            catalog: match catalog {
                CatalogRef::First(_) => None,
                CatalogRef::Own(catalog) => Some(Arc::clone(catalog)),
            },
            begun,
            notes,
            arguments,
        };
        Self {
            shared,
            rare: Some(Box::new(rare)),
        }
    }

    #[inline]
    pub(crate) fn catalog(&self) -> &Arc<Catalog> {
        let own = self.rare.as_ref().and_then(|rare| rare.catalog.as_ref());
        own.unwrap_or_else(|| self.shared.catalogs.first())
    }

    #[inline]
    pub(crate) fn details(self) -> Option<ResultDetails> {
        self.rare.map(|rare| ResultDetails {
            notes: rare.notes,
            begun: rare.begun,
            ..ResultDetails::default()
        })
    }

    /// The state of a call whose body has waited for people, or has ended because it has to.
    ///
    /// # Errors
    ///
    /// When nothing has kept the arguments: a fault of ours.
    pub(crate) fn into_state(
        self,
        context: &ToolContext,
        tool: CallIdentity,
    ) -> (Box<CallState>, Result<(), ToolError>) {
        let rare = self.rare.map(|rare| *rare);
        let (catalog, begun, notes, arguments) = match rare {
            Some(rare) => (rare.catalog, rare.begun, rare.notes, rare.arguments),
            None => (None, None, ReadNotes::default(), None),
        };
        let first = || CatalogRef::First(self.shared.catalogs.first());
        let site = CallSite {
            catalog: catalog.map_or_else(first, CatalogRef::Own),
            session: &context.session,
            turn: context.turn.as_ref(),
            turn_id: tool.turn,
            invocation_id: tool.invocation,
            within: context.call.within(),
            source: None,
        };
        let number = context.call.number;
        let mut call_state = Box::new(CallState::new(
            self.shared,
            &site,
            tool,
            begun,
            number,
            notes,
        ));
        call_state.metadata = context.call.metadata().cloned();
        call_state.world = context.call.world().cloned();
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

/// A call that was read, and that may perhaps not run as it is.
pub(crate) struct Reviewed {
    pub(crate) begun: Option<Instant>,
    pub(crate) notes: ReadNotes,
    pub(crate) number: usize,
    pub(crate) world: Option<Arc<CallWorld>>,
    pub(crate) invocation: Box<dyn Invocation>,
    pub(crate) review: Box<NeedsReview>,
}

impl Reviewed {
    /// The state of the call, which goes on with [`CallState::review`].
    pub(crate) fn into_state(
        self,
        shared: &Arc<ExecutorCore>,
        site: &CallSite<'_>,
        call: &ToolCall<'_>,
    ) -> (Box<CallState>, Box<dyn Invocation>, NeedsReview) {
        let Self {
            begun,
            notes,
            number,
            world,
            invocation,
            review,
        } = self;
        let mut call_state = Box::new(CallState::of(shared, site, call, begun, number, notes));
        call_state.world = world;
        (call_state, invocation, *review)
    }
}
