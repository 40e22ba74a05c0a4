//! `Debug` of errors as people read it where nobody formats it: `?` in `main`, `unwrap`, and tests that fail.

use std::error::Error;
use std::fmt;

/// Writes the text of an error and of its causes, a line each. A cause that the text before it tells already is
/// left out.
pub(crate) fn write_error(error: &dyn Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut told = error.to_string();
    f.write_str(&told)?;
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !told.contains(&text) {
            write!(f, "\ncaused by: {text}")?;
        }
        told = text;
        source = cause.source();
    }
    Ok(())
}

/// Implements `Debug` of an error by its text.
macro_rules! debug_as_text {
    ($error:ty) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::error_text::write_error(self, f)
            }
        }
    };
}
pub(crate) use debug_as_text;
