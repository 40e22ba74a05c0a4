//! Futures behind a pointer.

use std::future::Future;
use std::pin::Pin;

/// A boxed future that may move between threads.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
