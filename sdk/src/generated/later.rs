//! A generated tool whose function is async: its body, its parsed call, and the future of that.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::definition::{BodyResult, Definition};
use super::invocation::{proposed, unread};
use super::method::Receiver;
use crate::arguments::{Arguments, Slots, SpecOf};
use crate::content::ToolError;
use crate::context::{BodyContext, ToolContext};
use crate::permission::PermissionRequest;
use crate::tool::{DirectRun, Invocation, Started};

/// An async body whose calls can be parsed, whatever its type.
#[doc(hidden)]
pub trait RunLater<A: Slots>: Sync {
    /// Reads arguments straight to the place where the body runs.
    ///
    /// # Errors
    ///
    /// Fails if they do not fit, with the number of those that were read before the first that does not.
    fn read(
        &'static self,
        arguments: &Arguments<'_>,
        spec: SpecOf<'_, '_>,
        definition: &'static Definition<A>,
        receiver: Receiver,
    ) -> Result<Box<dyn Invocation>, usize>;

    /// Runs the body up to its first wait.
    fn run_directly(&'static self, arguments: A, receiver: Receiver, run: &mut DirectRun<'_, '_>);
}

/// An async body. Its future borrows nothing.
#[doc(hidden)]
pub trait AsyncBody<A>: Sync + 'static {
    type Future: Future<Output = BodyResult> + Send + 'static;

    fn begin(
        &'static self,
        arguments: A,
        receiver: Receiver,
        ctx: &dyn BodyContext,
    ) -> Self::Future;
}

impl<A, F, R> AsyncBody<A> for R
where
    F: Future<Output = BodyResult> + Send + 'static,
    R: Fn(A, Receiver, &ToolContext) -> F + Sync + 'static,
{
    type Future = F;

    #[inline]
    fn begin(&'static self, arguments: A, receiver: Receiver, ctx: &dyn BodyContext) -> F {
        self(arguments, receiver, ctx.context())
    }
}

/// Takes a body that has more than arguments.
///
/// The name is what a compile error shows for a future that is not `Send`.
#[doc(hidden)]
pub const fn tool_future_must_be_send<
    A: Slots + Send,
    F: Future<Output = BodyResult> + Send + 'static,
    R: Fn(A, Receiver, &ToolContext) -> F + Sync + 'static,
>(
    body: &'static R,
) -> &'static dyn RunLater<A> {
    body
}

/// A function that takes arguments and nothing else, and the conversion of what it returns. As it is written: a closure
/// around it would be one more body for rustc to check in every tool.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct OfArguments<R, T>(pub R, pub fn(T, usize) -> BodyResult);

macro_rules! of_arguments {
    ($($function:ident($Send:tt $($T:ident $value:ident)*))*) => {
        $(
            impl<$($T,)* T, F, R> AsyncBody<($($T,)*)> for OfArguments<R, T>
            where
                T: 'static,
                F: Future<Output = T> + Send + 'static,
                R: Fn($($T),*) -> F + Sync + 'static,
            {
                type Future = Converted<F>;

                #[inline]
                fn begin(
                    &'static self,
                    ($($value,)*): ($($T,)*),
                    _: Receiver,
                    ctx: &dyn BodyContext,
                ) -> Converted<F> {
                    converted(ctx.output_hint(), (self.0)($($value),*), self.1)
                }
            }

            #[doc(hidden)]
            pub const fn $function<
                $($T: $Send + 'static,)*
                T: 'static,
                F: Future<Output = T> + $Send + 'static,
                R: Fn($($T),*) -> F + Sync + 'static,
            >(
                body: &'static OfArguments<R, T>,
            ) -> &'static dyn RunLater<($($T,)*)> {
                body
            }
        )*
    };
}

// `Send` is a parameter, because a compile error shows the line where it is written.
of_arguments! {
    tool_future_must_be_send_0(Send)
    tool_future_must_be_send_1(Send A a)
    tool_future_must_be_send_2(Send A a B b)
    tool_future_must_be_send_3(Send A a B b C c)
    tool_future_must_be_send_4(Send A a B b C c D d)
    tool_future_must_be_send_5(Send A a B b C c D d E e)
    tool_future_must_be_send_6(Send A a B b C c D d E e G g)
    tool_future_must_be_send_7(Send A a B b C c D d E e G g H h)
    tool_future_must_be_send_8(Send A a B b C c D d E e G g H h I i)
    tool_future_must_be_send_9(Send A a B b C c D d E e G g H h I i J j)
    tool_future_must_be_send_10(Send A a B b C c D d E e G g H h I i J j K k)
    tool_future_must_be_send_11(Send A a B b C c D d E e G g H h I i J j K k L l)
    tool_future_must_be_send_12(Send A a B b C c D d E e G g H h I i J j K k L l M m)
    tool_future_must_be_send_13(Send A a B b C c D d E e G g H h I i J j K k L l M m N n)
    tool_future_must_be_send_14(Send A a B b C c D d E e G g H h I i J j K k L l M m N n O o)
    tool_future_must_be_send_15(Send A a B b C c D d E e G g H h I i J j K k L l M m N n O o P p)
    tool_future_must_be_send_16(Send A a B b C c D d E e G g H h I i J j K k L l M m N n O o P p Q q)
}

impl<A: Slots + Send, B: AsyncBody<A>> RunLater<A> for B {
    fn read(
        &'static self,
        arguments: &Arguments<'_>,
        spec: SpecOf<'_, '_>,
        definition: &'static Definition<A>,
        receiver: Receiver,
    ) -> Result<Box<dyn Invocation>, usize> {
        // Made in its box, as in `read_now`.
        let mut room = Box::write(
            Box::new_uninit(),
            LaterInvocation::Parsed {
                values: None,
                receiver,
                definition,
                body: self,
            },
        );
        let LaterInvocation::Parsed { values, .. } = &mut *room else {
            return Err(0);
        };
        (definition.prepare)(arguments.view(), &definition.reader, spec, values)
            .map_err(|refusal| refusal.read)?;
        Ok(room)
    }

    fn run_directly(&'static self, arguments: A, receiver: Receiver, run: &mut DirectRun<'_, '_>) {
        let body = self.begin(arguments, receiver, run.context);
        run.poll(Box::pin(body));
    }
}

pin_project! {
    /// A parsed call, and then its future, in one box.
    #[project = LaterProjection]
    enum LaterInvocation<A: Slots, B: AsyncBody<A>> {
        Parsed {
            values: Option<A>,
            receiver: Receiver,
            definition: &'static Definition<A>,
            body: &'static B,
        },
        Running {
            #[pin]
            future: B::Future,
        },
    }
}

impl<A: Slots + Send, B: AsyncBody<A>> Invocation for LaterInvocation<A, B> {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        match self {
            Self::Parsed {
                values,
                receiver,
                definition,
                body: _,
            } => proposed(definition, values.as_ref(), receiver, ctx),
            Self::Running { .. } => Err(unread()),
        }
    }

    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        self.start_apart(ctx)
    }

    fn start_apart(mut self: Box<Self>, ctx: &ToolContext) -> Started<'static> {
        let future = match &mut *self {
            Self::Parsed {
                values,
                receiver,
                body,
                definition: _,
            } => match values.take() {
                Some(values) => body.begin(values, receiver.take(), ctx),
                None => return Started::Done(Err(unread())),
            },
            Self::Running { .. } => return Started::Done(Err(unread())),
        };
        *self = Self::Running { future };
        Started::Pending(Box::into_pin(self))
    }
}

impl<A: Slots, B: AsyncBody<A>> Future for LaterInvocation<A, B> {
    type Output = BodyResult;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BodyResult> {
        match self.project() {
            LaterProjection::Running { future } => future.poll(cx),
            LaterProjection::Parsed { .. } => Poll::Ready(Err(unread())),
        }
    }
}

/// Turns what a future gives into an output.
#[doc(hidden)]
pub fn converted<F: Future>(
    hint: usize,
    future: F,
    convert: fn(F::Output, usize) -> BodyResult,
) -> Converted<F> {
    // An `async` block would keep the future twice, as what it captures and as what it awaits.
    Converted {
        future,
        hint,
        convert,
    }
}

pin_project! {
    #[doc(hidden)]
    #[allow(missing_debug_implementations)]
    pub struct Converted<F: Future> {
        #[pin]
        future: F,
        hint: usize,
        convert: fn(F::Output, usize) -> BodyResult,
    }
}

impl<F: Future> Future for Converted<F> {
    type Output = BodyResult;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BodyResult> {
        let this = self.project();
        let returned = ready!(this.future.poll(cx));
        Poll::Ready((this.convert)(returned, *this.hint))
    }
}

/// The context, for a future that keeps it.
#[doc(hidden)]
pub fn own_context(ctx: &ToolContext) -> ToolContext {
    ctx.clone()
}

/// The size to reserve for the output of a function.
#[doc(hidden)]
pub fn output_hint(ctx: &(impl BodyContext + ?Sized)) -> usize {
    ctx.output_hint()
}
