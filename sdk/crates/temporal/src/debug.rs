//! Errors as people read them where nobody formats them.

/// Implements `Debug` of an error by its text and its causes.
macro_rules! debug_as_text {
    ($error:ty) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                toolwright::text::write_error(self, f)
            }
        }
    };
}
pub(crate) use debug_as_text;
