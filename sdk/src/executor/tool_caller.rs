//! The interface of what runs calls, for apps that put something in its place.

use std::sync::Arc;

use async_trait::async_trait;

use crate::content::ToolCall;
use crate::executor::core::handles::{Session, Turn};
use crate::outcome::ToolOutcome;
use crate::registry::ToolSnapshot;

/// Whatever runs calls of tools: a [`Session`], a [`Turn`], an app's own wrapper around one of them, or the
/// [`FakeToolCaller`](crate::testing::FakeToolCaller) of a test.
///
/// A function of an app takes `&dyn ToolCaller`, so that it is tested without tools. The future of a call is boxed behind
/// the trait alone: `session.call(..)` is the method of [`Session`] itself.
///
/// ```
/// use toolwright::{Executor, ToolCall, ToolOutcome, ToolRegistry, async_trait, tool};
/// use toolwright::executor::ToolCaller;
/// use toolwright::registry::ToolSnapshot;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// /// Add two whole numbers.
/// #[tool(pure)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// /// Counts the calls that it passes on.
/// struct Counted<C> {
///     inner: C,
///     calls: AtomicUsize,
/// }
///
/// #[async_trait]
/// impl<C: ToolCaller> ToolCaller for Counted<C> {
///     fn tools(&self) -> Arc<ToolSnapshot> {
///         self.inner.tools()
///     }
///
///     async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
///         self.calls.fetch_add(1, Ordering::Relaxed);
///         self.inner.call(call).await
///     }
/// }
///
/// /// A function of the app.
/// async fn sum(tools: &dyn ToolCaller, terms: &[i64]) -> String {
///     let mut sum = "0".to_owned();
///     for term in terms {
///         let arguments = format!(r#"{{"a": {sum}, "b": {term}}}"#);
///         sum = tools.call(ToolCall::new("add", arguments)).await.text();
///     }
///     sum
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let session = Executor::new(ToolRegistry::new().with(Add))?.session("s-1");
/// let counted = Counted { inner: session, calls: AtomicUsize::new(0) };
/// assert_eq!(sum(&counted, &[1, 2, 3]).await, "6");
/// assert_eq!(counted.calls.into_inner(), 3);
/// # Ok::<(), toolwright::BuildError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[async_trait]
pub trait ToolCaller: Send + Sync {
    /// Returns the tools that can be called, frozen: what a model is to be told of.
    fn tools(&self) -> Arc<ToolSnapshot>;

    /// Runs one call. Dropping the future drops the tool where it stands.
    async fn call(&self, call: ToolCall<'_>) -> ToolOutcome;

    /// Runs the calls of one message, and returns their outcomes in the order of the calls.
    ///
    /// Default: [`call`](Self::call) for each, one after another, so that a wrapper misses none. A [`Session`] and a
    /// [`Turn`] run them as [`Turn::call_all`] says.
    async fn call_all(&self, calls: Vec<ToolCall<'_>>) -> Vec<ToolOutcome> {
        let mut outcomes = Vec::with_capacity(calls.len());
        for call in calls {
            outcomes.push(self.call(call).await);
        }
        outcomes
    }
}

macro_rules! callers {
    ($($type:ty),*) => {
        $(
            /// By the type's own methods.
            #[async_trait]
            impl ToolCaller for $type {
                fn tools(&self) -> Arc<ToolSnapshot> {
                    Self::tools(self)
                }

                async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
                    Self::call(self, call).await
                }

                async fn call_all(&self, calls: Vec<ToolCall<'_>>) -> Vec<ToolOutcome> {
                    Self::call_all(self, calls).await
                }
            }
        )*
    };
}

callers!(Session, Turn);

/// By what is shared.
#[async_trait]
impl<C: ToolCaller + ?Sized> ToolCaller for Arc<C> {
    fn tools(&self) -> Arc<ToolSnapshot> {
        (**self).tools()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolOutcome {
        (**self).call(call).await
    }

    async fn call_all(&self, calls: Vec<ToolCall<'_>>) -> Vec<ToolOutcome> {
        (**self).call_all(calls).await
    }
}
