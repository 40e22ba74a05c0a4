//! Panics: caught, and what is left of them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code that may panic. The error is what the panic said, which may hold anything: it is for
/// the log only.
#[inline]
pub(crate) fn catch_panic<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(panic_text)
}

#[cold]
fn panic_text(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(unknown) => {
                discard(unknown);
                "a panic without a message".to_owned()
            }
        },
    }
}

/// Drops what a panic left. Dropping it may panic once more, and what that leaves is kept rather
/// than dropped again.
#[cold]
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}
