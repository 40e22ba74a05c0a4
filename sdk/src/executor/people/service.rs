//! The executor's way to people: its broker, and what the broker must know of tools.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::arguments::{Arguments, CanonicalArguments};
use crate::content::{ErrorKind, ToolError};
use crate::dispatch::CallDefinition;
use crate::executor::arguments::edit::restored;
use crate::executor::arguments::read::{ReadLimits, read_anew};
use crate::executor::catalog::versions::LatestTools;
use crate::executor::guard::catch_tool_panic;
use crate::executor::people::mode::WaitMode;
use crate::id::{CallIdentity, SessionId, TicketId, ToolName};
use crate::permission::{
    GrantCheckers, GrantQuery, PermissionRequest, SessionGrants, arguments_digest, check_choice,
    deciding,
};
use crate::question::{cancelled, check_answer, expired};
use crate::registry::ToolEntry;
use crate::spec::ToolSpec;
use crate::ticket::{
    Answer, AnswerRules, Decision, Draft, Grant, GrantLevel, GrantScope, KeyPurpose, KeyedDigest,
    PendingCall, PendingRequest, Settled, StoredTicket, SuspendedCall, Ticket, TicketBroker,
    TicketKey, Wait, WaitKind, WaitingTicket,
};

/// The executor's way to people.
pub(crate) struct ApprovalService {
    pub(crate) broker: TicketBroker,
    pub(crate) mode: WaitMode,
    /// The broker holds them weakly.
    pub(crate) rules: Arc<TicketRules>,
    /// True if nobody else can have put a grant.
    pub(crate) is_own_store: bool,
}

/// The rules by which the broker checks answers.
pub(crate) struct TicketRules {
    pub(crate) latest: Arc<LatestTools>,
    pub(crate) key: TicketKey,
    /// The limits of arguments that a person may give.
    pub(crate) reading: ReadLimits,
    /// The checkers that say what grants cover.
    pub(crate) checkers: Arc<GrantCheckers>,
}

/// A call as a ticket is made of it.
pub(crate) struct CallDraft<'c> {
    pub(crate) session: &'c SessionId,
    pub(crate) identity: &'c CallIdentity,
    pub(crate) arguments: &'c Arguments<'c>,
    pub(crate) purpose: Option<&'c str>,
    /// Without the arguments, which a draft writes.
    pub(crate) suspended: SuspendedCall,
    /// The claimed ticket that the call goes on from.
    pub(crate) after: Option<TicketId>,
}

impl ApprovalService {
    /// The grants of a session that is opened.
    pub(crate) fn grants(&self, session: &SessionId) -> SessionGrants {
        let generation = self.broker.generation();
        // Nobody has granted anything yet: the first call need not look.
        if self.is_own_store && generation == 0 {
            SessionGrants::new_at(session.clone(), generation)
        } else {
            SessionGrants::new(session.clone())
        }
    }

    pub(crate) fn draft(
        &self,
        tool: &ToolName,
        spec: &ToolSpec,
        call: CallDraft<'_>,
        wait: &Wait,
    ) -> Result<Draft, ToolError> {
        let rules = &self.rules;
        let definition = rules.digest(spec).ok_or_else(unwritable)?;
        let (title, version, shown) = catch_tool_panic("the tool", || {
            let canonical = call.arguments.canonical(spec);
            let title = spec.title().map(str::to_owned);
            let version = spec.version().map(str::to_owned);
            (
                title,
                version,
                canonical.ok().map(CanonicalArguments::into_value),
            )
        })?;
        Ok(Draft {
            session: call.session.clone(),
            turn: call.identity.turn,
            invocation: call.identity.invocation,
            call: PendingCall {
                tool: tool.clone(),
                version,
                title,
                call_id: call.identity.call_id.clone(),
                arguments: shown,
                purpose: call.purpose.map(str::to_owned),
            },
            wait: wait.clone(),
            definition,
            suspended: SuspendedCall {
                arguments: written(call.arguments),
                begun: wait.begun,
                ..call.suspended
            },
            after: call.after,
        })
    }
}

/// Arguments as text that is read as they are.
pub(crate) fn written(arguments: &Arguments<'_>) -> String {
    match (arguments.as_text(), arguments.as_tree()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(tree)) => tree.to_string(),
        (None, None) => String::new(),
    }
}

#[cold]
fn unwritable() -> ToolError {
    ToolError::internal("the call cannot wait, since its tool cannot say what it is")
}

impl CallDefinition {
    /// The definition of a tool as it is now, for calls that have so much time. `None` if the tool cannot say what it is.
    pub(crate) fn of(spec: &ToolSpec, key: &TicketKey, timeout: Option<Duration>) -> Option<Self> {
        Some(Self {
            version: spec.version().map(str::to_owned),
            effect: spec.effect(),
            durable: spec.is_durable(),
            pool: spec.pool().map(str::to_owned),
            timeout,
            digest: definition_digest(key, spec)?,
        })
    }
}

/// Returns the digest of a tool's spec as it is now.
pub(crate) fn definition_digest(key: &TicketKey, spec: &ToolSpec) -> Option<KeyedDigest> {
    let spec = catch_tool_panic("the tool", || {
        let mut told = serde_json::to_value(spec)?;
        // A description that is computed anew each time does not show if the tool has changed.
        if spec.has_computed_description()
            && let Some(members) = told.as_object_mut()
        {
            members.remove("description");
        }
        Ok::<_, serde_json::Error>(told)
    });
    let mut spec = spec.ok()?.ok()?;
    spec.sort_all_objects();
    Some(key.sign(KeyPurpose::Definition, spec.to_string().as_bytes()))
}

impl TicketRules {
    /// The tool as it is now.
    fn entry(&self, call: &PendingCall) -> Option<ToolEntry> {
        let snapshot = &self.latest.tools().whole.snapshot;
        let found = snapshot.find_version(call.tool().as_str(), call.version());
        found.map(|(_, entry)| entry.clone())
    }

    fn digest(&self, spec: &ToolSpec) -> Option<KeyedDigest> {
        definition_digest(&self.key, spec)
    }

    fn check_edit(&self, stored: &StoredTicket, edited: &Value) -> Result<(), String> {
        let call = stored.call();
        if call.begun {
            return Err("the call has begun, and its arguments stay as they are".to_owned());
        }
        let tool = stored.ticket().call().tool();
        let entry = self
            .entry(stored.ticket().call())
            .ok_or_else(|| format!("there is no tool `{tool}` here"))?;
        let before = Arguments::from(call.arguments.as_str());
        let read = catch_tool_panic("the tool", || {
            let arguments = restored(edited, &before, entry.tool.spec())?;
            let mut arguments = Arguments::from(arguments);
            read_anew(&self.reading, &entry, &mut arguments, &mut None)
                .map(drop)
                .map_err(|error| error.message().to_owned())
        });
        read.unwrap_or_else(|panicked| Err(panicked.message().to_owned()))
    }

    /// Checks that a decision for more than this call covers this call.
    fn check_choice(
        &self,
        covers: &GrantScope,
        level: GrantLevel,
        stored: &StoredTicket,
        request: usize,
    ) -> Result<(), String> {
        let asked = stored.ticket().requests().get(request);
        let asked = asked.and_then(PermissionRequest::from_pending);
        let asked = asked.ok_or("what is asked cannot be read here, so that it takes yes or no")?;
        let tool = stored.ticket().call().tool();
        let arguments = Arguments::from(stored.call().arguments.as_str());
        let checked = catch_tool_panic("the tool", || {
            // The catalog may lack the requester's tool; grants compare only its name, so an empty spec will do.
            let nominal = ToolSpec::new(tool.clone(), "");
            let entry = self.entry(stored.ticket().call());
            let spec = entry.as_ref().map_or(&nominal, |entry| entry.tool.spec());
            let digest = || arguments_digest(&self.key, spec, &arguments);
            let query = GrantQuery::new(tool, &asked).with_arguments(&digest);
            let judge = self.checkers.of(stored.ticket().session());
            check_choice(&judge, covers, level, &query)
        });
        checked.unwrap_or_else(|panicked| Err(panicked.message().to_owned()))
    }
}

impl AnswerRules for TicketRules {
    fn check(&self, stored: &StoredTicket, request: usize, answer: &Answer) -> Result<(), String> {
        let ticket = stored.ticket();
        if ticket.kind() != WaitKind::Approval {
            return match ticket.requests().get(request) {
                Some(asked) => check_answer(ticket.kind(), asked, ticket.resume_mode(), answer),
                None => Err("there is no such request".to_owned()),
            };
        }
        match answer.decision() {
            Decision::Edited(edited) => self.check_edit(stored, edited),
            Decision::Value(_) => Err(
                "an approval takes yes, always, no, never or edited arguments, and no value"
                    .to_owned(),
            ),
            Decision::Always(covers) => {
                self.check_choice(covers, GrantLevel::Allow, stored, request)
            }
            Decision::Never(covers) => self.check_choice(covers, GrantLevel::Deny, stored, request),
            _ => Ok(()),
        }
    }

    fn definition(&self, call: &PendingCall) -> Option<KeyedDigest> {
        let entry = self.entry(call)?;
        let spec = catch_tool_panic("the tool", || entry.tool.spec()).ok()?;
        self.digest(spec)
    }

    fn deciding<'g>(
        &self,
        grants: &[&'g Grant],
        ticket: &StoredTicket,
        request: &PendingRequest,
    ) -> Option<&'g Grant> {
        let request = PermissionRequest::from_pending(request)?;
        let entry = self.entry(ticket.ticket().call())?;
        let arguments = Arguments::from(ticket.call().arguments.as_str());
        let decided = catch_tool_panic("the tool", || {
            let spec = entry.tool.spec();
            let digest = || arguments_digest(&self.key, spec, &arguments);
            let query = GrantQuery::new(&entry.name, &request).with_arguments(&digest);
            let judge = self.checkers.of(ticket.ticket().session());
            deciding(&judge, grants.iter().copied(), &query)
        });
        // A checker that panics decides nothing, so the person is asked.
        decided.ok().flatten()
    }
}

/// Returns the error of a call whose ticket cannot be kept or read.
#[cold]
pub(crate) fn no_tickets(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ToolError {
    ToolError::unavailable("somebody has to be asked about the call, and now that is not possible")
        .with_code("tickets_unavailable")
        .with_source(error)
}

/// Waits in place until a ticket is settled.
pub(crate) async fn answers(
    mut waiting: WaitingTicket,
    people: &ApprovalService,
    cancellation: &CancellationToken,
) -> Result<Vec<Option<Answer>>, ToolError> {
    let Some(settled) = cancellation.run_until_cancelled(waiting.settled()).await else {
        return Err(cancelled());
    };
    match settled.map_err(no_tickets)? {
        Settled::Answered(answers) => {
            if !answers.iter().flatten().any(Answer::is_refusal) {
                people.broker.running(waiting.ticket());
            }
            Ok(answers)
        }
        Settled::Cancelled => Err(cancelled()),
        Settled::SessionEnded => Err(ToolError::new(
            ErrorKind::Cancelled,
            "the session ended while the call waited",
        )
        .with_code("session_ended")),
        Settled::Expired => Err(nobody_in_time(waiting.ticket())),
    }
}

#[cold]
fn nobody_in_time(ticket: &Ticket) -> ToolError {
    if ticket.kind() != WaitKind::Approval {
        return expired(ticket.kind(), &ticket.summary());
    }
    let tool = ticket.call().tool();
    let summary = ticket.summary();
    ToolError::denied(format!(
        "`{tool}` was denied ({summary}): it needs approval, and nobody gave it in time"
    ))
    .with_code("approval_expired")
}
