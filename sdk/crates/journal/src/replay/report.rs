//! The report of a replay.

use std::fmt;

use toolwright::content::ContentHash;
use toolwright::id::{InvocationId, SessionId};

use super::progress::{Progress, Settled};
use super::{Divergence, DivergenceKind, RecordedCall};
use crate::verify::RunHasher;

/// A recorded call in a [replay](super::Replay).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayedCall {
    /// The number of the request's record in the journal.
    pub seq: u64,
    /// The id that the call has in the journal.
    pub invocation: InvocationId,
    /// The session of the call.
    pub session: SessionId,
    /// The tool's name.
    pub tool: String,
    /// The tool's version, if it declares one.
    pub version: Option<String>,
    /// The outcome. An output that is not as before is in the
    /// [divergence](ReplayReport::divergences) with this `seq`.
    pub became: ReplayOutcome,
}

/// The outcome of a call in a replay: see [`ReplayedCall`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReplayOutcome {
    /// It ran again.
    RanAgain,
    /// It was answered from the record, or the call that made it was.
    FromRecord,
    /// The record does not tell how it ended, and it did not run.
    Unfinished,
    /// Its output could not be read from the record.
    Unanswered,
    /// It was not made again.
    NotMade,
}

impl ReplayOutcome {
    fn of(call: &RecordedCall, settled: Option<Settled>) -> Self {
        match settled {
            Some(Settled::Again(..)) => Self::RanAgain,
            _ if call.responded.is_none() => Self::Unfinished,
            Some(Settled::Record) => Self::FromRecord,
            Some(Settled::Unanswered) => Self::Unanswered,
            None => Self::NotMade,
        }
    }
}

/// The report of a [replay](super::Replay).
///
/// `Display` is for people: a line of counts, the run hashes, and each divergence with both values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayReport {
    /// The recorded calls, in the order of their requests.
    pub rows: Vec<ReplayedCall>,
    /// The number of recorded calls.
    pub calls: u64,
    /// The number of calls that ran again.
    pub ran_again: u64,
    /// The number of calls that were answered from the record, including the calls that they made.
    pub from_record: u64,
    /// The number of calls without a response in the record, which have nothing to be compared with: their
    /// process has ended before they did, or they wait for somebody. They did not run.
    pub unfinished: u64,
    /// In what the replay is not what is recorded, in the order of the records; what is not in the record
    /// stands at the end.
    pub divergences: Vec<Divergence>,
    recorded: ContentHash,
    replayed: ContentHash,
}

impl ReplayReport {
    pub(super) fn of(calls: &[RecordedCall], progress: &Progress) -> Self {
        let mut rows = Vec::with_capacity(calls.len());
        let mut divergences = progress.divergences.clone();
        let (mut recorded, mut replayed) = (RunHasher::default(), RunHasher::default());
        for (number, call) in calls.iter().enumerate() {
            let (request, requested) = (call.request_hash(), &call.requested);
            let response = call.responded.as_ref().map(|its| its.response_hash);
            recorded.push(requested, request, response);
            let settled = progress.settled(number);
            let became = ReplayOutcome::of(call, settled);
            match (became, settled) {
                (_, Some(Settled::Again(request, response))) => {
                    replayed.push(requested, request, Some(response));
                }
                (ReplayOutcome::FromRecord, _) => replayed.push(requested, request, response),
                (ReplayOutcome::NotMade, _) => {
                    divergences.push(Divergence::of(call, DivergenceKind::NotMade));
                }
                _ => replayed.push(requested, request, None),
            }
            rows.push(ReplayedCall {
                seq: call.seq,
                invocation: requested.invocation,
                session: requested.session.clone(),
                tool: requested.tool.clone(),
                version: requested.version.clone(),
                became,
            });
        }
        for request in &progress.unknown {
            replayed.push_other(*request);
        }
        divergences.sort_by_key(|divergence| divergence.seq.unwrap_or(u64::MAX));
        let count = |became| {
            let count = rows.iter().filter(|row| row.became == became).count();
            u64::try_from(count).unwrap_or(u64::MAX)
        };
        Self {
            calls: u64::try_from(calls.len()).unwrap_or(u64::MAX),
            ran_again: count(ReplayOutcome::RanAgain),
            from_record: count(ReplayOutcome::FromRecord),
            unfinished: count(ReplayOutcome::Unfinished),
            rows,
            divergences,
            recorded: recorded.finish(),
            replayed: replayed.finish(),
        }
    }

    /// Returns true if nothing diverged and the run hash is the recorded one.
    pub fn is_faithful(&self) -> bool {
        self.divergences.is_empty() && self.recorded == self.replayed
    }

    /// The run hash of the journal, as [`verify`](crate::verify) gives it.
    pub fn recorded_run_hash(&self) -> ContentHash {
        self.recorded
    }

    /// The run hash of the replay: over what was made and given now, in the order of the records.
    pub fn run_hash(&self) -> ContentHash {
        self.replayed
    }
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} ran again, {} answered from the record",
            counted(self.calls, "call"),
            self.ran_again,
            self.from_record
        )?;
        if self.unfinished > 0 {
            write!(f, ", {} not finished in it", self.unfinished)?;
        }
        match self.divergences.len() {
            0 => f.write_str("; no divergence")?,
            count => {
                let count = u64::try_from(count).unwrap_or(u64::MAX);
                write!(f, "; {}", counted(count, "divergence"))?;
            }
        }
        if self.recorded == self.replayed {
            write!(f, "\nrun hash: {}, as recorded", self.replayed)?;
        } else {
            write!(f, "\nrun hash, recorded: {}", self.recorded)?;
            write!(f, "\nrun hash, replayed: {}", self.replayed)?;
        }
        for (number, divergence) in self.divergences.iter().enumerate() {
            write!(f, "\n\n{}. {divergence}", number + 1)?;
        }
        Ok(())
    }
}

fn counted(count: u64, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
