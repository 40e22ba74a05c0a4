//! The end of a call that has waited.

use std::sync::Arc;

use super::ToolOutcome;
use super::asked::Asked;
use super::course::Course;
use super::nested::{cannot_wait, would_suspend};
use super::people::Waiting;
use super::places::ended;
use super::witness::told;
use crate::interaction::cancelled;
use crate::message::{Content, ResultSource, ToolError, ToolOutput, ToolResult};
use crate::pending::{Draft, WaitKind};
use crate::tool::TurnScope;

impl Course {
    /// A ticket to be.
    pub(super) fn draft(&self, asked: &Asked) -> Result<Draft, ToolError> {
        // Nobody is asked about what does not run any more.
        if self.is_cancelled() {
            return Err(cancelled());
        }
        let mode = self.shared.base.people.mode;
        if would_suspend(mode, self.within.as_deref()) {
            return Err(cannot_wait(&self.entry().name, asked.kind, &asked.requests));
        }
        let call = Waiting {
            session: &self.session.id,
            turn: self.turn_id,
            invocation: self.invocation_id,
            call_id: self.call_id.as_ref(),
            metadata: self.metadata.as_deref(),
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
            repairs: self.notes.repairs.as_deref().map_or(&[], Vec::as_slice),
            edited: self.edited,
            earlier: self.answered.clone(),
            hooked: self.hooked,
            rewritten: self.rewritten,
        };
        self.shared
            .base
            .people
            .draft(&self.entry().name, self.spec()?, call, asked)
    }

    fn is_cancelled(&self) -> bool {
        let of_turn = |turn: &Arc<TurnScope>| turn.cancellation.is_cancelled();
        self.session.cancellation.is_cancelled() || self.turn.as_ref().is_some_and(of_turn)
    }

    pub(super) fn end(
        mut self: Box<Self>,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        self.step(ended(&output));
        let remarks = self.remarks();
        let witness = self.let_go();
        let mut result = self.result(source, output);
        for remark in remarks {
            result.push(Content::text(remark));
        }
        told(witness, ToolOutcome::of(result))
    }

    pub(super) fn result(self: Box<Self>, source: ResultSource, output: ToolOutput) -> ToolResult {
        let label = self.entry().name.label();
        let mut result = ToolResult::new(self.call_id, self.invocation_id, label, source, output);
        result.note(self.notes.purpose, self.notes.repairs);
        if self.edited {
            result.note_edit();
        }
        match self.begun {
            Some(begun) => result.with_duration(begun.elapsed()),
            None => result,
        }
    }

    /// What the model should know of what people did.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.edited || self.rewritten {
            let spec = self.spec().ok();
            let canonical = spec.and_then(|spec| self.arguments.canonical(spec).ok());
            let who = match (self.edited, self.rewritten) {
                (true, true) => "The user and the app",
                (_, true) => "The app",
                (_, false) => "The user",
            };
            remarks.push(match canonical {
                Some(arguments) => {
                    format!("{who} changed the arguments of this call to: {arguments}")
                }
                None => format!("{who} changed the arguments of this call."),
            });
            let said = self.said.as_ref();
            remarks.extend(said.map(|said| format!("The user said why: {said}")));
        }
        for (kind, _, answer) in &self.answered {
            let said_yes = *kind == WaitKind::Approval && !answer.is_refusal();
            let Some(reason) = answer.reason().filter(|_| said_yes) else {
                continue;
            };
            let remark = format!("The user allowed this call and said: {reason}");
            // One reason may be given for all that was asked.
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}
