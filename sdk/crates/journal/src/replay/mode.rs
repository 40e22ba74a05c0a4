//! The choice for a recorded call: it runs again, or it is answered from the record.

use toolwright::ToolSpec;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::spec::Determinism;

use super::{DivergenceKind, RecordedCall};

/// The way in which a recorded call is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplayMode {
    /// It runs again, with the world that it had.
    Bounded,
    /// It runs again, with another world.
    Again,
    /// It is answered from the record, if that tells how it ended.
    Record,
}

/// Returns how a call is replayed with the present tool, and the difference of the tool from the recorded one.
pub(crate) fn mode(
    call: &RecordedCall,
    spec: Option<&ToolSpec>,
) -> (ReplayMode, Option<DivergenceKind>) {
    let Some(responded) = &call.responded else {
        return (ReplayMode::Record, None);
    };
    if call.found_no_tool() {
        return (ReplayMode::Record, None);
    }
    let requested = &call.requested;
    let Some(spec) = spec else {
        return (ReplayMode::Record, Some(DivergenceKind::NoTool));
    };
    if requested.version.as_deref() != spec.version() {
        let divergence = DivergenceKind::Version {
            recorded: requested.version.clone(),
            found: spec.version().map(str::to_owned),
        };
        return (ReplayMode::Record, Some(divergence));
    }
    if (requested.effect, requested.determinism) != (spec.effect(), spec.determinism()) {
        let divergence = DivergenceKind::Declaration {
            recorded: (requested.effect, requested.determinism),
            found: (spec.effect(), spec.determinism()),
        };
        return (ReplayMode::Record, Some(divergence));
    }
    let error = responded.error.as_ref().map(toolwright::ToolError::kind);
    let is_its_own = responded.source == ResultSource::Tool && !error.is_some_and(is_of_others);
    let is_whole = !call.input().sealed && !responded.unrepeatable;
    let is_left_alone = !call.was_changed() && !responded.changed && !responded.attended;
    let may_run = spec.effect().is_read_only() && is_its_own && is_whole && is_left_alone;
    let mode = match spec.determinism() {
        Determinism::Deterministic if may_run => ReplayMode::Again,
        Determinism::Bounded if may_run && call.input().seed.is_some() => ReplayMode::Bounded,
        _ => ReplayMode::Record,
    };
    (mode, None)
}

/// Returns true if a tool fails this way because of somebody else, who is not asked in a replay.
fn is_of_others(error: ErrorKind) -> bool {
    matches!(
        error,
        ErrorKind::Denied
            | ErrorKind::CapabilityDenied
            | ErrorKind::Blocked
            | ErrorKind::Cancelled
            | ErrorKind::TimedOut
            | ErrorKind::Unavailable
    )
}
