//! The stage of the gates.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::content::{ResultSource, ToolError};
use crate::context::{ToolContext, by_grants};
use crate::event::EventKind;
use crate::executor::call::ask_gates::{GateAnswer, GatesAsked, ask_gates};
use crate::executor::call::authorize::unanswered;
use crate::executor::call::hook_run::panicked;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::hooks::Hooks;
use crate::executor::people::mode::WaitMode;
use crate::hook::{GateDecision, GateRequest, Requested};
use crate::permission::{Asking, PermissionRequest};
use crate::question::{ExternalWait, declined, unavailable};
use crate::spec::ToolSpec;
use crate::ticket::{Answer, Wait};

/// The decision of a gate.
struct Decided<'g> {
    gate: &'g str,
    what: &'static str,
    rank: u8,
    step: Stage,
}

impl CallState {
    /// Asks the gates that have not been asked. The call goes on where they say nothing.
    pub(crate) fn gates(
        &mut self,
        context: &ToolContext,
        asked: GatesAsked,
        allowed: bool,
    ) -> Option<Stage> {
        if let Some(refusal) = self.refused_by_block() {
            return Some(refusal);
        }
        self.gated = context.state.version();
        let shared = Arc::clone(&self.shared);
        let mut kept: Option<Decided<'_>> = None;
        let mut next = match asked {
            GatesAsked::All(version) if version == self.gated => return None,
            GatesAsked::UpTo(answer) => Ok(Some(*answer)),
            GatesAsked::None | GatesAsked::All(_) => self.ask_gates(&shared.hooks, 0, context),
        };
        loop {
            let GateAnswer { gate: number, said } = match next {
                Ok(Some(answer)) => answer,
                Ok(None) => break,
                Err(error) => return Some(Stage::refuse(error)),
            };
            let gate = &*shared.hooks.gates[number].name;
            let decided = match said {
                Ok(decision) => self.decided(gate, decision, context, allowed),
                Err(text) => Some(Decided {
                    gate,
                    what: "panic",
                    rank: DENY,
                    step: Stage::refuse(panicked("gate", gate, &text)),
                }),
            };
            next = self.ask_gates(&shared.hooks, number + 1, context);
            let Some(decided) = decided else { continue };
            let order = kept.as_ref().map(|kept| decided.rank.cmp(&kept.rank));
            match (order, &kept) {
                (Some(Ordering::Equal), Some(kept)) => self.report(kept, &decided),
                (Some(Ordering::Greater), _) => {}
                _ => kept = Some(decided),
            }
        }
        kept.map(|kept| kept.step)
    }

    fn ask_gates(
        &self,
        hooks: &Hooks,
        from: usize,
        context: &ToolContext,
    ) -> Result<Option<GateAnswer>, ToolError> {
        Ok(ask_gates(hooks, from, &self.check().gate_call(context)?))
    }

    /// Asks the gates again, if the session is not in the state in which they let the call go on: calls
    /// before it may have changed that.
    pub(crate) fn gates_again(&mut self, context: &ToolContext) -> Option<Stage> {
        if self.gated == context.state.version() {
            return None;
        }
        self.gates(context, GatesAsked::None, false)
    }

    /// Returns the next step after a gate's decision; `None` if its request was answered before.
    fn decided<'g>(
        &mut self,
        gate: &'g str,
        decision: GateDecision,
        context: &ToolContext,
        allowed: bool,
    ) -> Option<Decided<'g>> {
        let (what, mut rank) = (decision.as_str(), decision.rank());
        let tool = &self.entry().name;
        let step = match decision {
            GateDecision::Block { reason } => self.block_turn(reason),
            GateDecision::Deny { reason } => Stage::End(
                ResultSource::Gate,
                ToolError::denied(format!(
                    "`{tool}` was denied by a rule of the app: {reason}. Go on without this call"
                ))
                .with_code("denied_by_gate")
                .into(),
            ),
            GateDecision::SetResult(output) => Stage::End(ResultSource::Gate, output),
            GateDecision::Cached(output) => Stage::End(ResultSource::Cache, output),
            GateDecision::Suspend(request) => match self.suspend(request, context, allowed) {
                Ok(asked) => Stage::Ask(asked?),
                Err(denied) => {
                    rank = DENY;
                    Stage::refuse(denied)
                }
            },
        };
        Some(Decided {
            gate,
            what,
            rank,
            step,
        })
    }

    /// Returns the request of a gate, unless it was answered.
    fn suspend(
        &mut self,
        request: GateRequest,
        context: &ToolContext,
        allowed: bool,
    ) -> Result<Option<Wait>, ToolError> {
        match *request.0 {
            Requested::Approval(request) => self.suspend_for_approval(request, context, allowed),
            Requested::Wait(wait) => self.suspend_for(&wait, context),
        }
    }

    fn suspend_for_approval(
        &mut self,
        request: PermissionRequest,
        context: &ToolContext,
        allowed: bool,
    ) -> Result<Option<Wait>, ToolError> {
        let spec: &ToolSpec = self.spec()?;
        let asking = Asking {
            request: request.clone(),
            why: "a rule of the app asks for it".to_owned(),
        };
        let asks = by_grants(context, spec, &[request], vec![asking])?;
        let asks = unanswered(&self.entry().name, asks, context)?;
        let asked = self.wait_for_approval(&asks, allowed)?;
        if allowed {
            // The person who gave the arguments has allowed this call as a whole.
            self.answered
                .extend(asked.into_iter().flat_map(Wait::allowed));
            return Ok(None);
        }
        Ok(asked)
    }

    fn suspend_for(
        &self,
        wait: &ExternalWait,
        context: &ToolContext,
    ) -> Result<Option<Wait>, ToolError> {
        let kind = wait.kind();
        let request = wait.to_request()?;
        // Requests of two gates may have one subject and still differ, so the summaries count too.
        let answer = context.find_answer(|its, asked, _| {
            its == kind
                && asked.subject() == request.subject()
                && asked.summary() == request.summary()
        });
        match answer {
            Some(answer) if answer.is_refusal() => {
                Err(declined(kind, request.summary(), Answer::reason(&answer)))
            }
            Some(_) => Ok(None),
            None if self.shared.base.people.mode == WaitMode::Unattended => {
                Err(unavailable(kind, request.summary()))
            }
            None => Ok(Some(Wait {
                kind,
                requests: vec![request],
                resume: wait.resume_mode(),
                begun: false,
            })),
        }
    }

    /// Two gates have said something of one rank.
    #[cold]
    fn report(&self, kept: &Decided<'_>, other: &Decided<'_>) {
        self.emit(|| EventKind::Diagnostic {
            code: "gate_conflict".to_owned(),
            message: format!(
                "of the call of `{}`, the gate `{}` said {}, which holds, and the gate `{}` said {}, \
                 which has no effect",
                self.entry().name,
                kept.gate,
                kept.what,
                other.gate,
                other.what
            ),
        });
    }
}

/// The rank of a denial.
const DENY: u8 = GateDecision::DENY_RANK;
