//! A call that is handed over.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::DispatchError;
use crate::id::{CallId, InvocationId, SessionId, ToolName, TurnId};
use crate::spec::Effect;
use crate::ticket::{KeyPurpose, KeyedDigest, TicketKey, canonical};

/// A call on its way to a [`ToolHost`](crate::executor::ToolHost): allowed, approved where it had to be, and signed.
///
/// Serialises to JSON and back. It holds the arguments of the call, secrets too; `Debug` does not show them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct DispatchedCall {
    claims: CallClaims,
    signature: KeyedDigest,
}

/// All that is signed of a call.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallClaims {
    pub(crate) invocation: InvocationId,
    pub(crate) session: SessionId,
    pub(crate) turn: TurnId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call_id: Option<CallId>,
    pub(crate) tool: ToolName,
    pub(crate) definition: CallDefinition,
    /// JSON, as the tool accepted it.
    pub(crate) arguments: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) deadline: Option<SystemTime>,
}

/// The parts of a tool's definition that a dispatcher goes by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallDefinition {
    /// The version of the tool, if it declares one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The effect: a body that runs [once at most](Effect::AtMostOnce) gets one attempt.
    pub effect: Effect,
    /// True if the call is to outlive its process.
    pub durable: bool,
    /// The pool of hosts that can run the tool. `None` if any can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// The longest time that one attempt may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The digest of the whole definition: a host with another one does not run the call.
    pub digest: KeyedDigest,
}

impl CallDefinition {
    /// Returns true if the body may run again after it was cut off.
    pub fn is_repeatable(&self) -> bool {
        self.effect != Effect::AtMostOnce
    }
}

impl DispatchedCall {
    pub(crate) fn sign(claims: CallClaims, key: &TicketKey) -> Result<Self, DispatchError> {
        let signature = key.sign(KeyPurpose::Dispatch, &bytes(&claims)?);
        Ok(Self { claims, signature })
    }

    /// Returns what was signed, if it was signed with this key.
    pub(crate) fn verify(&self, key: &TicketKey) -> Result<&CallClaims, DispatchError> {
        let is_signed = key.verify(KeyPurpose::Dispatch, &bytes(&self.claims)?, &self.signature);
        is_signed.then_some(&self.claims).ok_or_else(|| {
            DispatchError::refused(
                "it is not signed with the key of this host: give both executors the same `Approvals::ticket_key`",
            )
        })
    }

    /// Our id of the call, and the key under which it runs once.
    pub fn invocation(&self) -> InvocationId {
        self.claims.invocation
    }

    /// The session of the call.
    pub fn session(&self) -> &SessionId {
        &self.claims.session
    }

    /// The canonical name of the tool.
    pub fn tool(&self) -> &ToolName {
        &self.claims.tool
    }

    /// The parts of the tool's definition that a dispatcher goes by.
    pub fn definition(&self) -> &CallDefinition {
        &self.claims.definition
    }

    /// The time after which the call does not run any more, if there is one.
    pub fn deadline(&self) -> Option<SystemTime> {
        self.claims.deadline
    }
}

fn bytes(claims: &CallClaims) -> Result<Vec<u8>, DispatchError> {
    canonical(claims).map_err(|error| DispatchError::refused(format!("it has no JSON: {error}")))
}

impl fmt::Debug for DispatchedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DispatchedCall")
            .field("invocation", &self.claims.invocation)
            .field("session", &self.claims.session)
            .field("tool", &self.claims.tool)
            .field("definition", &self.claims.definition)
            .finish_non_exhaustive()
    }
}
