//! The points that a call reaches: its end, or a wait with all that the rest of the call needs.

use std::mem;
use std::sync::Arc;
use std::time::Instant;

use crate::arguments::Arguments;
use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::run::BegunBody;
use crate::executor::catalog::tools::{Catalog, CatalogRef};
use crate::executor::core::hold::CoreHold;
use crate::executor::core::origin::{LentSource, WaitSource};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::observe::observer::CallObserver;
use crate::outcome::ToolOutcome;
use crate::tool::Invocation;
use crate::util::cold::cold_path;
use crate::util::future::BoxFuture;

/// The point that a call has reached. Each stage that may be the last makes the outcome where its caller has it: an
/// outcome is large, and to read one that was written just before waits until the writes are done.
pub(crate) enum Reached<R> {
    /// Its end.
    Ended(ToolOutcome),
    /// A wait.
    Goes(R),
}

impl<'a, R: From<BoxFuture<'a, ToolOutcome>>> Reached<R> {
    /// A wait in a boxed future.
    pub(crate) fn elsewhere(rest: BoxFuture<'a, ToolOutcome>) -> Self {
        Self::Goes(rest.into())
    }

    /// The end of a call, or a wait in a boxed future.
    pub(crate) fn of(end: PlainEnd<'a>) -> Self {
        match end {
            Ok(outcome) => Self::Ended(outcome),
            Err(rest) => Self::elsewhere(rest),
        }
    }
}

/// The continuation of a call that has begun and not ended.
pub(crate) enum Begun<'a> {
    /// Its body was polled, and waits.
    Waits(DirectWait<LentSource<'a>>),
    /// The same in a box, because it has a context of its own.
    Boxed(Box<Continuation<'a>>),
    /// A boxed future of the stages that may wait for people.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

impl<'a> From<BoxFuture<'a, ToolOutcome>> for Begun<'a> {
    fn from(rest: BoxFuture<'a, ToolOutcome>) -> Self {
        Self::Elsewhere(rest)
    }
}

/// The continuation of a call that has not ended.
pub(crate) enum Continuation<'a, C = &'a Arc<ExecutorCore>> {
    /// Its body waits.
    Waits(WaitingBody<'a, C>),
    /// A boxed future of the stages that may wait for people.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

impl<'a, C> From<BoxFuture<'a, ToolOutcome>> for Continuation<'a, C> {
    fn from(rest: BoxFuture<'a, ToolOutcome>) -> Self {
        Self::Elsewhere(rest)
    }
}

/// A call whose body is about to run, and may wait.
pub(crate) struct PlainBody<'a, C = &'a Arc<ExecutorCore>> {
    pub(crate) rest: PlainCall<'a, C>,
    pub(crate) context: ToolContext,
    pub(crate) invocation: Box<dyn Invocation>,
}

/// A call whose body has been polled, and waits.
pub(crate) struct WaitingBody<'a, C = &'a Arc<ExecutorCore>> {
    /// `None` once it has ended.
    pub(crate) held: Option<(PlainCall<'a, C>, ToolContext)>,
    pub(crate) body: BegunBody,
}

/// A call whose body was begun directly and waits.
pub(crate) struct DirectWait<S: WaitSource> {
    pub(super) source: S,
    pub(super) body: BegunBody,
}

impl<'a, C: CoreHold> WaitingBody<'a, C> {
    /// The same, to be polled by whoever comes.
    pub(crate) fn kept(mut self) -> WaitingBody<'a, C::Kept> {
        let held = self.held.take();
        WaitingBody {
            held: held.map(|(rest, context)| (rest.kept(), context)),
            body: mem::take(&mut self.body),
        }
    }
}

/// The outcome, or what is yet to be waited for.
pub(crate) type PlainEnd<'a> = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>;

/// The data that the end of a call needs besides its context.
pub(crate) struct PlainCall<'a, C = &'a Arc<ExecutorCore>> {
    pub(crate) shared: C,
    pub(crate) rare: Option<Box<RareFields<'a>>>,
    /// If somebody takes its events.
    pub(crate) observer: Option<Box<CallObserver>>,
}

/// Fields that most calls do not need, boxed to keep the future of a waiting call small.
#[derive(Default)]
pub(crate) struct RareFields<'a> {
    /// The catalog, if it is not the initial one.
    pub(crate) catalog: Option<Arc<Catalog>>,
    pub(crate) begun: Option<Instant>,
    pub(crate) notes: ReadNotes,
    /// The arguments that run, for people that the body may ask, where nothing else keeps them.
    pub(crate) arguments: Option<Arguments<'a>>,
}

impl<'a, C: CoreHold> PlainCall<'a, C> {
    /// The same, for a call that waits.
    #[inline]
    pub(crate) fn kept(self) -> PlainCall<'a, C::Kept> {
        PlainCall {
            shared: self.shared.keep(),
            rare: self.rare,
            observer: self.observer,
        }
    }

    #[inline]
    pub(crate) fn new(
        shared: C,
        catalog: &CatalogRef<'_>,
        begun: Option<Instant>,
        notes: ReadNotes,
    ) -> Self {
        let is_plain = matches!(catalog, CatalogRef::First(_))
            && begun.is_none()
            && notes.purpose.is_none()
            && notes.repairs.is_none();
        if is_plain {
            return Self {
                shared,
                rare: None,
                observer: None,
            };
        }
        cold_path();
        let rare = RareFields {
            catalog: match catalog {
                CatalogRef::First(_) => None,
                CatalogRef::Own(catalog) => Some(Arc::clone(catalog)),
            },
            begun,
            notes,
            arguments: None,
        };
        Self {
            shared,
            rare: Some(Box::new(rare)),
            observer: None,
        }
    }

    /// Keeps the arguments that run with a call that goes on elsewhere or waits.
    pub(crate) fn keep(&mut self, arguments: Option<Arguments<'a>>) {
        if arguments.is_some() {
            self.rare.get_or_insert_default().arguments = arguments;
        }
    }

    /// The arguments that run, where something keeps them.
    pub(crate) fn arguments<'c>(&'c self, context: &'c ToolContext) -> Option<&'c Arguments<'c>> {
        let kept = context.call.kept().map(|kept| &kept.arguments);
        kept.or_else(|| self.rare.as_ref()?.arguments.as_ref())
    }

    /// The model's reason for the call, if it gave one.
    pub(crate) fn purpose(&self) -> Option<&str> {
        self.rare.as_ref()?.notes.purpose.as_deref()
    }

    #[inline]
    pub(crate) fn catalog(&self) -> &Arc<Catalog> {
        let own = self.rare.as_ref().and_then(|rare| rare.catalog.as_ref());
        own.unwrap_or_else(|| &self.shared.catalogs.first)
    }
}
