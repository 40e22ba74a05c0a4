//! The errors of programs that gave no answer about a call.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use toolwright::ToolError;
use toolwright::arguments::InvalidArguments;
use toolwright::content::ErrorKind;

/// The reason why a program gave no answer about a call, for the operator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HookFailure {
    #[error("the arguments have no form that may be shown")]
    Unseen(#[source] InvalidArguments),
    #[error("the call cannot be written as JSON")]
    Unwritten(#[source] serde_json::Error),
    #[error("the program cannot be started")]
    Start(#[source] io::Error),
    #[error("the call cannot be written to the program's standard input")]
    Input(#[source] io::Error),
    #[error("it cannot be told how the program ended")]
    End(#[source] io::Error),
    #[error("the program took longer than {0:?}, and was killed")]
    TimedOut(Duration),
    #[error("the program ended with {0}, which is neither 0 (go on) nor 2 (no){1}")]
    Ended(ExitStatus, StandardError),
    #[error("the program said no by exit code 2, and no reason on standard error")]
    NoReason,
    #[error("the program said no by exit code 2, and on standard error what is not UTF-8")]
    NotText,
}

/// The text of a program on standard error.
#[derive(Debug)]
pub(crate) struct StandardError(pub(crate) String);

impl fmt::Display for StandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, "; its standard error: {}", self.0)
    }
}

/// The name of the hook that has a fault.
#[derive(Debug, thiserror::Error)]
#[error("the command hook `{hook}`")]
struct OfHook {
    hook: String,
    source: HookFailure,
}

impl HookFailure {
    /// Returns the error of the call, which does not go on: nobody has approved of it. `what` is a clause that says
    /// what became of the call.
    #[cold]
    pub(crate) fn into_error(self, what: &str, hook: &str) -> ToolError {
        let (kind, code, why) = match &self {
            Self::TimedOut(limit) => (
                ErrorKind::TimedOut,
                "hook_timed_out",
                format!("took longer than {limit:?}"),
            ),
            _ => (ErrorKind::Internal, "hook_failed", "failed".to_owned()),
        };
        let message = format!(
            "{what}, because a check of the app {why}: this is a fault of the app, not of the call"
        );
        let hook = hook.to_owned();
        ToolError::new(kind, message)
            .with_code(code)
            .with_source(OfHook { hook, source: self })
    }
}
