//! Panics of code that the host brings along.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code that may panic. The error is the text of the panic, which is for the log only.
pub(crate) fn caught<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(text)
}

#[cold]
fn text(payload: Box<dyn Any + Send>) -> String {
    let text = match payload.downcast_ref::<String>() {
        Some(text) => Some(text.as_str()),
        None => payload.downcast_ref::<&str>().copied(),
    };
    let text = text.unwrap_or("a panic without a message").to_owned();
    // Its drop may panic once more, and what that leaves is kept rather than dropped again.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    text
}
