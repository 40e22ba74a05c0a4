//! The status of a call.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::{ErrorKind, ToolError};

/// The status of a call on its way from the model and back.
///
/// | from | to |
/// |---|---|
/// | `New` | `Running`, `Suspended`, `Succeeded`, `Failed`, `Cancelled` |
/// | `Running` | `Suspended`, `Succeeded`, `Failed`, `Cancelled` |
/// | `Suspended` | `Resuming`, `Failed`, `Cancelled` |
/// | `Resuming` | `Running`, `Suspended`, `Succeeded`, `Failed`, `Cancelled` |
/// | `Succeeded`, `Failed`, `Cancelled` | |
///
/// A call that is denied, or answered by a gate, ends without having run; one that was answered for by
/// a person may end with that answer as its result.
///
/// ```
/// use toolwright::content::CallStatus;
///
/// let status = CallStatus::New.step(CallStatus::Running)?;
/// let status = status.step(CallStatus::Succeeded)?;
/// let error = status.step(CallStatus::Running).unwrap_err();
/// assert_eq!(error.to_string(), "a call that is succeeded cannot become running");
/// # Ok::<(), toolwright::content::IllegalStep>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallStatus {
    /// It has not begun: it is read and judged, or waits for its turn.
    #[default]
    New,
    /// Its tool runs.
    Running,
    /// It waits for people.
    Suspended,
    /// People have answered, and it is about to go on.
    Resuming,
    /// Its tool did what it was asked, or somebody else gave the result.
    Succeeded,
    /// It ended with an error: of the tool, or because it was denied, refused or timed out.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl CallStatus {
    /// Returns the final status of a call that ends with this error, or with none.
    pub(crate) fn of_end(error: Option<&ToolError>) -> Self {
        match error.map(ToolError::kind) {
            None => Self::Succeeded,
            Some(ErrorKind::Cancelled) => Self::Cancelled,
            Some(_) => Self::Failed,
        }
    }

    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::New,
        Self::Running,
        Self::Suspended,
        Self::Resuming,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The name in serialised form: `new`, `running` ..
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Running => "running",
            Self::Suspended => "suspended",
            Self::Resuming => "resuming",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns true if the call has ended: no status comes after.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }

    /// Returns true if a call of this status may become one of another.
    pub const fn may_become(self, next: Self) -> bool {
        match self {
            Self::New => !matches!(next, Self::New | Self::Resuming),
            Self::Running => matches!(next, Self::Suspended) || next.is_final(),
            Self::Suspended => matches!(next, Self::Resuming | Self::Failed | Self::Cancelled),
            Self::Resuming => !matches!(next, Self::New | Self::Resuming),
            Self::Succeeded | Self::Failed | Self::Cancelled => false,
        }
    }

    /// Goes on to the next status.
    ///
    /// # Errors
    ///
    /// Fails if a call of this status does not become one of that.
    pub const fn step(self, next: Self) -> Result<Self, IllegalStep> {
        if self.may_become(next) {
            Ok(next)
        } else {
            Err(IllegalStep {
                from: self,
                to: next,
            })
        }
    }
}

impl fmt::Display for CallStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A step that a call does not take: see [`CallStatus::step`].
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a call that is {from} cannot become {to}")]
pub struct IllegalStep {
    from: CallStatus,
    to: CallStatus,
}

crate::util::error_text::debug_as_text!(IllegalStep);

impl IllegalStep {
    /// The status of the call, which it keeps.
    pub const fn from(&self) -> CallStatus {
        self.from
    }

    /// The status that it does not take.
    pub const fn to(&self) -> CallStatus {
        self.to
    }
}

#[cfg(test)]
mod tests;
