//! Errors of the standard library as errors of a tool, so that `?` works into [`ToolError`].
//!
//! Each type has its own conversion: `ToolError` is an error itself, so a conversion from all errors would conflict
//! with it.

use std::error::Error;

use super::error::ToolError;

macro_rules! from {
    ($($error:ty),* $(,)?) => {
        $(
            /// The model reads the message; the log has the error itself.
            impl From<$error> for ToolError {
                fn from(error: $error) -> Self {
                    Self::from_source(error)
                }
            }
        )*
    };
}

from! {
    std::io::Error,
    std::fmt::Error,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    std::str::ParseBoolError,
    std::char::ParseCharError,
    std::num::ParseIntError,
    std::num::ParseFloatError,
    std::num::TryFromIntError,
    std::net::AddrParseError,
    std::time::SystemTimeError,
    std::env::VarError,
    serde_json::Error,
}

/// A `ToolError` in the box keeps its kind.
impl From<Box<dyn Error + Send + Sync>> for ToolError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        match error.downcast::<Self>() {
            Ok(own) => *own,
            Err(other) => Self::from_source(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use crate::ToolError;
    use crate::content::ErrorKind;

    fn read(path: &str) -> Result<u32, ToolError> {
        Ok(std::fs::read_to_string(path)?.trim().parse()?)
    }

    #[test]
    fn the_question_mark_keeps_the_source() {
        let error = read("/there/is/no/such/file").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert!(error.source().is_some());
    }

    #[test]
    fn an_error_of_ours_in_a_box_stays_what_it_is() {
        let boxed: Box<dyn Error + Send + Sync> = ToolError::denied("no").into();
        assert_eq!(ToolError::from(boxed).kind(), ErrorKind::Denied);
        let other: Box<dyn Error + Send + Sync> = "no".into();
        assert_eq!(ToolError::from(other).kind(), ErrorKind::Failed);
    }
}
