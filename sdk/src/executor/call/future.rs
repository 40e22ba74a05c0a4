//! The future of a call. It is moved several times before it is polled, and hosts hold thousands: what a call
//! begins with and what it waits with have one room, and that is small.

use std::future::Future;
use std::marker::PhantomData;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use pin_project_lite::pin_project;

use crate::arguments::Arguments;
use crate::content::ToolCall;
use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::run::BegunBody;
use crate::executor::catalog::tools::{Catalog, CatalogRef};
use crate::executor::core::handles::Turn;
use crate::executor::core::hold::CoreHold;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::CallObserver;
use crate::outcome::ToolOutcome;
use crate::tool::Invocation;
use crate::util::cold::cold_path;
use crate::util::future::BoxFuture;

/// The input of a call that has not begun.
pub(crate) struct CallInput<'a> {
    pub(crate) shared: &'a Arc<ExecutorCore>,
    pub(crate) at: CallOrigin<'a>,
    pub(crate) call: ToolCall<'a>,
}

/// The origin of a call. Its [`CallSite`] is several times as large, and made when the call begins.
#[derive(Clone, Copy)]
pub(crate) enum CallOrigin<'a> {
    /// A turn of its own.
    Session(&'a SessionCore),
    Turn(&'a Turn),
    CallSite(&'a CallSite<'a>),
}

impl<'a> CallInput<'a> {
    #[inline]
    pub(crate) fn site(&self) -> CallSite<'a> {
        match self.at {
            CallOrigin::Session(session) => session.single(self.shared),
            CallOrigin::Turn(turn) => turn.place(),
            CallOrigin::CallSite(site) => site.clone(),
        }
    }
}

/// The first stages of a call, which are listed above this file. No closure: the call of one moves an outcome once
/// more.
pub(crate) trait Begin {
    /// Runs the call up to where it has to wait, or to its end.
    fn begin<'a>(input: &mut CallInput<'a>, cx: &mut Context<'_>) -> Reached<'a>;
}

pin_project! {
    #[project = CallFutureProjection]
    pub(crate) enum CallFuture<'a, B> {
        New {
            input: CallInput<'a>,
            begin: PhantomData<fn() -> B>,
        },
        Waits {
            body: WaitingBody<'a>,
        },
        Elsewhere {
            rest: BoxFuture<'a, ToolOutcome>,
        },
        Ended,
    }
}

impl<'a, B: Begin> CallFuture<'a, B> {
    /// Makes the future of a call that has not begun, from its first stages.
    pub(crate) fn new(input: CallInput<'a>) -> Self {
        Self::New {
            input,
            begin: PhantomData,
        }
    }
}

impl<B: Begin> Future for CallFuture<'_, B> {
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        let reached = match self.as_mut().project() {
            CallFutureProjection::New { input, .. } => B::begin(input, cx),
            CallFutureProjection::Waits { body } => ready!(body.go_on(cx)),
            CallFutureProjection::Elsewhere { rest } => return rest.as_mut().poll(cx),
            CallFutureProjection::Ended => return Poll::Pending,
        };
        // Before the outcome is taken out, so that it is moved once.
        if matches!(reached, Reached::Ended(_)) {
            self.set(Self::Ended);
        }
        match reached {
            Reached::Ended(outcome) => Poll::Ready(outcome),
            Reached::Goes(Continuation::Waits(body)) => {
                cold_path();
                // It was polled, and whoever wakes it knows the waker.
                self.set(Self::Waits { body });
                Poll::Pending
            }
            Reached::Goes(Continuation::Elsewhere(rest)) => {
                cold_path();
                self.set(Self::Elsewhere { rest });
                match self.project() {
                    CallFutureProjection::Elsewhere { rest } => rest.as_mut().poll(cx),
                    _ => Poll::Pending,
                }
            }
        }
    }
}

/// The point that a call has reached. Each stage that may be the last makes the outcome where its caller has it: an
/// outcome is large, and to read one that was written just before waits until the writes are done.
pub(crate) enum Reached<'a, C = &'a Arc<ExecutorCore>> {
    /// Its end.
    Ended(ToolOutcome),
    /// A wait.
    Goes(Continuation<'a, C>),
}

impl<'a, C> Reached<'a, C> {
    /// A wait in a boxed future.
    pub(crate) fn elsewhere(rest: BoxFuture<'a, ToolOutcome>) -> Self {
        Self::Goes(Continuation::Elsewhere(rest))
    }
}

impl<'a, C> From<PlainEnd<'a>> for Reached<'a, C> {
    fn from(end: PlainEnd<'a>) -> Self {
        match end {
            Ok(outcome) => Self::Ended(outcome),
            Err(rest) => Self::elsewhere(rest),
        }
    }
}

/// The continuation of a call that has not ended.
pub(crate) enum Continuation<'a, C = &'a Arc<ExecutorCore>> {
    /// Its body waits.
    Waits(WaitingBody<'a, C>),
    /// A boxed future of the stages that may wait for people.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

/// A call whose body is about to run, and may wait.
pub(crate) struct PlainBody<'a, C = &'a Arc<ExecutorCore>> {
    pub(crate) rest: PlainCall<'a, C>,
    pub(crate) context: ToolContext,
    pub(crate) invocation: Box<dyn Invocation>,
}

/// A call whose body has been polled, and waits.
pub(crate) struct WaitingBody<'a, C = &'a Arc<ExecutorCore>> {
    /// `None` once it has ended. A box of its own would take more, in each of the thousands of calls in flight.
    pub(crate) held: Option<(PlainCall<'a, C>, ToolContext)>,
    pub(crate) body: BegunBody,
}

impl<'a, C: CoreHold> Continuation<'a, C> {
    /// The same, to be polled by whoever comes.
    pub(crate) fn kept(self) -> Continuation<'a, C::Kept> {
        match self {
            Self::Waits(mut waits) => Continuation::Waits(WaitingBody {
                held: waits
                    .held
                    .take()
                    .map(|(rest, context)| (rest.kept(), context)),
                body: mem::take(&mut waits.body),
            }),
            Self::Elsewhere(rest) => Continuation::Elsewhere(rest),
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
