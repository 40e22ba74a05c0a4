//! A turn that a gate has ended.

use std::sync::{Arc, Weak};

use super::scope::TurnScope;
use crate::content::{ErrorKind, ToolError};
use crate::id::{Label, ToolName, TurnId};
use crate::util::lock::Lock;

/// The decision of a gate that ended a turn.
#[derive(Debug)]
pub(crate) struct TurnBlock {
    /// The tool whose call was blocked.
    pub(crate) tool: Label,
    pub(crate) reason: String,
}

impl TurnBlock {
    /// The code of a call that ended because its turn was blocked at another call.
    pub(crate) const CODE: &'static str = "turn_blocked";

    pub(crate) fn new(tool: &ToolName, reason: String) -> Self {
        Self {
            tool: tool.label(),
            reason,
        }
    }

    /// The error of the call that was blocked.
    pub(crate) fn error(&self) -> ToolError {
        ToolError::new(
            ErrorKind::Blocked,
            format!(
                "`{}` was blocked: {}. The app ends the run at this call, so make no more calls",
                self.tool.as_str(),
                self.reason
            ),
        )
        .into_fatal()
    }

    /// The error of another call of the turn, whose body did not begin.
    #[cold]
    pub(crate) fn refusal(&self, tool: &str) -> ToolError {
        let Self { tool: by, reason } = self;
        let by = by.as_str();
        ToolError::new(
            ErrorKind::Blocked,
            format!(
                "`{tool}` did not run: the app ended this turn when it blocked `{by}`: {reason}. Make \
                 no more calls"
            ),
        )
        .with_code(Self::CODE)
        .into_fatal()
    }

    /// The error of another call of the turn, whose body had begun.
    #[cold]
    pub(crate) fn cancelled(&self) -> ToolError {
        let Self { tool: by, reason } = self;
        let by = by.as_str();
        ToolError::new(
            ErrorKind::Cancelled,
            format!(
                "the call was cancelled, because the app ended this turn when it blocked `{by}`: {reason}"
            ),
        )
        .with_code(Self::CODE)
        .into_fatal()
    }
}

/// The number of a turn, and the session handle that counted it: two handles of one session count apart.
pub(crate) type TurnKey = (u64, TurnId);

/// The turns of a session whose calls were suspended. Such a call is resumed outside of its turn's
/// scope, and a block has to reach both.
#[derive(Debug, Default)]
pub(crate) struct SuspendedTurns(Lock<Vec<(TurnKey, Weak<TurnScope>)>>);

impl SuspendedTurns {
    /// Connects a scope with the others of its turn. It is blocked if one of them is.
    pub(crate) fn connect(&self, key: TurnKey, scope: &Arc<TurnScope>) {
        let mut all = self.0.lock();
        all.retain(|(_, other)| other.strong_count() > 0);
        if all
            .iter()
            .any(|(_, other)| other.as_ptr() == Arc::as_ptr(scope))
        {
            return;
        }
        let mut others = all.iter().filter(|(of, _)| *of == key);
        let block = others.find_map(|(_, other)| other.upgrade()?.block().cloned());
        all.push((key, Arc::downgrade(scope)));
        drop(all);
        if let Some(block) = block {
            scope.end_by(block);
        }
    }

    /// The key of a turn, which is `own` where no call of it was suspended.
    pub(crate) fn key_of(&self, scope: &Arc<TurnScope>, own: TurnKey) -> TurnKey {
        let all = self.0.lock();
        let known = all
            .iter()
            .find(|(_, other)| other.as_ptr() == Arc::as_ptr(scope));
        known.map_or(own, |(key, _)| *key)
    }

    /// Ends a turn in each of its scopes.
    pub(crate) fn block(&self, scope: &Arc<TurnScope>, own: TurnKey, block: &Arc<TurnBlock>) {
        let key = self.key_of(scope, own);
        let all = self.0.lock();
        let others = all.iter().filter(|(of, _)| *of == key);
        let others: Vec<_> = others.filter_map(|(_, other)| other.upgrade()).collect();
        drop(all);
        scope.end_by(Arc::clone(block));
        for other in others {
            other.end_by(Arc::clone(block));
        }
    }
}
