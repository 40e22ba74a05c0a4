//! Futures behind a pointer.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// A boxed future that may move between threads.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Boxes a future that is written as the argument: it is made in its box. `Box::pin` makes it beside its box and moves
/// it there, all of it, which for a large future costs more than the allocation.
macro_rules! boxed {
    ($future:expr) => {{
        let future = Box::write(Box::new_uninit(), $future);
        Box::into_pin(future)
    }};
}
pub(crate) use boxed;

/// Returns the output of a future that is known to wait for nothing; `None` if it waits all the same.
pub(crate) fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
