//! The own scope of a call that runs by itself, made when somebody asks for it.

use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

use super::scope::{self, TurnScope};
use super::status_cell::{EarlyStatus, NextStatus};
use crate::content::{CallStatus, IllegalStep};
use crate::id::InvocationId;
use crate::schedule::ConcurrencyPermit;

/// The own scope of a call that runs by itself, and its status until there is one. Most such calls run to their end and
/// nobody asks for their scope, and to make one costs about a tenth of a short call.
#[derive(Debug)]
pub(crate) struct TaskScope {
    invocation: InvocationId,
    early: EarlyStatus,
    made: OnceLock<Arc<TurnScope>>,
}

/// The turn of a call, as far as the call is concerned by it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CallTurn<'c> {
    /// The call is a turn of its own, which has no scope.
    Single,
    /// The scope of the call, or of the turn if the call has none of its own.
    Scope(&'c Arc<TurnScope>),
    /// The scope of the turn, and of a call in it that runs by itself.
    Task(&'c Arc<TurnScope>, &'c TaskScope),
}

impl<'c> CallTurn<'c> {
    /// The scope of the call, which is made if it is yet to be.
    pub(crate) fn scope(self) -> Option<&'c Arc<TurnScope>> {
        match self {
            Self::Single => None,
            Self::Scope(scope) => Some(scope),
            Self::Task(turn, task) => Some(task.scope(turn)),
        }
    }

    /// The innermost scope that is there: whatever cancels or blocks the call by now does it here or above.
    #[inline]
    pub(crate) fn innermost(self) -> Option<&'c TurnScope> {
        match self {
            Self::Single => None,
            Self::Scope(scope) => Some(scope),
            Self::Task(turn, task) => Some(task.made.get().unwrap_or(turn)),
        }
    }

    pub(crate) fn is_single(self) -> bool {
        matches!(self, Self::Single)
    }
}

impl<'c> From<Option<&'c Arc<TurnScope>>> for CallTurn<'c> {
    fn from(scope: Option<&'c Arc<TurnScope>>) -> Self {
        scope.map_or(Self::Single, Self::Scope)
    }
}

impl TaskScope {
    /// The scope of a call that is to begin. One that needs a permit has it from the beginning.
    pub(crate) fn new(
        turn: &Arc<TurnScope>,
        invocation: InvocationId,
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Self {
        let task = Self {
            invocation,
            early: EarlyStatus::new(CallStatus::New),
            made: OnceLock::new(),
        };
        if permit.is_some() {
            task.made.get_or_init(|| task.make(turn, permit));
        }
        task
    }

    /// The scope, which is made if it is yet to be. `turn` is that of the turn, always the same.
    pub(crate) fn scope(&self, turn: &Arc<TurnScope>) -> &Arc<TurnScope> {
        self.made.get_or_init(|| self.make(turn, None))
    }

    #[cold]
    fn make(
        &self,
        turn: &Arc<TurnScope>,
        permit: Option<Arc<ConcurrencyPermit>>,
    ) -> Arc<TurnScope> {
        let scope = TurnScope::of_task(turn, self.invocation, self.early.leave(), permit);
        Arc::new(scope)
    }

    fn now(&self) -> (CallStatus, bool) {
        match self.made.get() {
            Some(scope) => scope.status(),
            None => self.early.get(),
        }
    }

    pub(crate) fn status(&self) -> CallStatus {
        self.now().0
    }

    /// Returns true if nothing more will be told of the call.
    pub(crate) fn is_closed(&self) -> bool {
        self.now().1
    }

    pub(crate) fn watch(
        &self,
        turn: &Arc<TurnScope>,
    ) -> Option<watch::Receiver<(CallStatus, bool)>> {
        self.scope(turn).watch()
    }

    fn change<E>(
        &self,
        turn: &Arc<TurnScope>,
        next: impl Fn(CallStatus) -> NextStatus<E>,
    ) -> Result<(), E> {
        if self.early.change(&next)? {
            return Ok(());
        }
        // Whoever has moved the status may be about to make the scope.
        self.scope(turn).change(next)
    }

    /// The call goes on to another status.
    pub(crate) fn step(&self, turn: &Arc<TurnScope>, next: CallStatus) -> Result<(), IllegalStep> {
        self.change(turn, scope::step(next))
    }

    /// The call has ended in a status, unless it waits in a ticket: nothing more will be told of it.
    pub(crate) fn end(
        &self,
        turn: &Arc<TurnScope>,
        last: Option<CallStatus>,
    ) -> Result<(), IllegalStep> {
        let ended = self.change(turn, scope::end(last));
        if ended.is_err() {
            self.close(turn);
        }
        ended
    }

    /// Nothing more will be told of the call. If it has not ended and does not wait in a ticket, it was
    /// stopped.
    pub(crate) fn close(&self, turn: &Arc<TurnScope>) {
        let Ok(()) = self.change(turn, scope::close());
    }
}

#[cfg(test)]
mod tests {
    use super::super::scope::tests::{ROUNDS, at_once, turn};
    use super::*;

    fn call(turn: &Arc<TurnScope>) -> TaskScope {
        TaskScope::new(turn, InvocationId::from_parts(1, 2), None)
    }

    #[test]
    fn a_scope_that_is_made_later_has_the_status_that_the_call_has_come_to() {
        let turn = turn();
        let (runs, ended) = (call(&turn), call(&turn));
        for task in [&runs, &ended] {
            task.step(&turn, CallStatus::Running).unwrap();
        }
        ended.end(&turn, Some(CallStatus::Succeeded)).unwrap();
        assert!(runs.made.get().is_none() && ended.made.get().is_none());
        let watch = |task: &TaskScope| *task.watch(&turn).unwrap().borrow();
        assert_eq!(watch(&runs), (CallStatus::Running, false));
        assert_eq!(watch(&ended), (CallStatus::Succeeded, true));
        // The scope tells all that follows.
        assert!(runs.step(&turn, CallStatus::New).is_err());
        runs.end(&turn, Some(CallStatus::Failed)).unwrap();
        assert_eq!(watch(&runs), (CallStatus::Failed, true));
        assert_eq!(runs.status(), CallStatus::Failed);
        assert!(runs.is_closed() && runs.end(&turn, None).is_ok());
        assert_eq!(ended.status(), CallStatus::Succeeded);
    }

    #[test]
    fn an_illegal_end_closes_the_call_with_and_without_a_scope() {
        let turn = turn();
        for is_made in [false, true] {
            let task = call(&turn);
            if is_made {
                task.scope(&turn);
            }
            assert!(task.end(&turn, Some(CallStatus::New)).is_err());
            assert_eq!(task.now(), (CallStatus::Cancelled, true));
        }
    }

    #[test]
    fn trap_a_step_that_comes_while_the_scope_is_made_is_not_lost() {
        for _ in 0..ROUNDS {
            let turn = turn();
            let task = call(&turn);
            let step = || task.step(&turn, CallStatus::Running);
            let scope = at_once(|| step().unwrap(), || task.scope(&turn));
            assert_eq!(scope.status(), (CallStatus::Running, false));
            assert_eq!(task.now(), scope.status());
        }
    }

    #[test]
    fn trap_a_cancellation_is_seen_by_whoever_looked_before_there_was_a_scope() {
        for _ in 0..ROUNDS {
            let turn = turn();
            let task = call(&turn);
            let seen = CallTurn::Task(&turn, &task);
            let before = at_once(|| task.scope(&turn).cancel(), || seen.innermost());
            assert!(before.is_some());
            assert!(seen.innermost().is_some_and(TurnScope::was_told_to_cancel));
            assert!(!turn.was_told_to_cancel());
        }
    }
}
