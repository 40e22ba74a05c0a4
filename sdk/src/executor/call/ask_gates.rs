//! The asking of the gates, whatever follows from what they say.

use crate::executor::hooks::Hooks;
use crate::hook::{GateCall, GateDecision};
use crate::util::panic::catch_panic;

/// The gates that were asked about a call before it had a state.
#[derive(Default)]
pub(crate) enum GatesAsked {
    #[default]
    None,
    /// All of them said nothing in that version of the session's state.
    All(u64),
    /// Those up to the first that said something.
    UpTo(Box<GateAnswer>),
}

/// The answer of a gate that does not simply let a call go on.
pub(crate) struct GateAnswer {
    pub(crate) gate: usize,
    /// The decision, or the text of its panic.
    pub(crate) said: Result<GateDecision, String>,
}

/// Asks the gates from a number on, until one of them says something.
pub(crate) fn ask_gates(hooks: &Hooks, from: usize, call: &GateCall<'_>) -> Option<GateAnswer> {
    let mut gates = hooks.gates.iter().enumerate().skip(from);
    gates.find_map(|(gate, hook)| {
        let said = match catch_panic(|| hook.it.decide(call)) {
            Ok(decision) => Ok(decision?),
            Err(text) => Err(text),
        };
        Some(GateAnswer { gate, said })
    })
}
