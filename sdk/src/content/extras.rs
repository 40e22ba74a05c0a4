//! The parts that few outputs and results have.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::result::{Repairs, Truncation};
use crate::id::TicketId;
use crate::state::StateCommand;
use crate::util::hash::ContentHash;

/// The parts that few outputs and results have, in one box that goes from the output of a call to its result: both are
/// moved at each stage of their way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extras {
    /// Only of an output: the status of a result says so.
    #[serde(skip)]
    pub(crate) is_pending: bool,
    /// Only of an output.
    #[serde(skip)]
    pub(crate) commands: Vec<StateCommand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repairs: Option<Repairs>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) duration: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) purpose: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Box<Map<String, Value>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ticket: Option<TicketId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) edited: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) truncation: Option<Truncation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mismatch: Option<Box<str>>,
    /// The hash of the output in its normal form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) response_hash: Option<ContentHash>,
    /// True if the output is in that form.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) normalized: bool,
}

impl Extras {
    /// Returns a box, if there is anything.
    pub(crate) fn into_box(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }

    /// Returns what the result has of the extras of an output, in their box.
    #[cold]
    pub(crate) fn of_result(mut self: Box<Self>) -> Option<Box<Self>> {
        self.is_pending = false;
        self.commands = Vec::new();
        (*self != Self::default()).then_some(self)
    }

    /// The members alone decide if there is a value: an empty one is read as `None`.
    pub(crate) fn read<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Box<Self>>, D::Error> {
        Self::deserialize(deserializer).map(Self::into_box)
    }
}
