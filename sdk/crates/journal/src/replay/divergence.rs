//! In what a replay is not what is recorded.

use std::fmt;

use toolwright::id::{InvocationId, SessionId};
use toolwright::spec::{Determinism, Effect};

use super::RecordedCall;
use toolwright::text::differing;

/// In what a call of a replay is not what is recorded.
///
/// `Display` has a line for the call, and below it, indented, what was recorded and what there is now, cut to
/// where they begin to differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// The number of the request's record in the journal; `None` of a call that is not recorded.
    pub seq: Option<u64>,
    /// The id that the call has in the journal; that of now if it is not recorded.
    pub invocation: InvocationId,
    /// The session of the call.
    pub session: SessionId,
    /// The tool's name.
    pub tool: String,
    /// The tool's version, if it declares one.
    pub version: Option<String>,
    /// The difference.
    pub kind: DivergenceKind,
}

/// The difference of a [`Divergence`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DivergenceKind {
    /// The call ran again and gave something else. Either the tool is not what it declares, or it is
    /// another tool now.
    #[non_exhaustive]
    Output {
        /// The recorded status and output.
        recorded: String,
        /// The status and output of now.
        replayed: String,
        /// True if the tool declares itself [bounded](Determinism::Bounded), false if deterministic.
        bounded: bool,
    },
    /// The call ran again and read the clock more or less often, so that it is not bounded by it.
    #[non_exhaustive]
    ClockReadings {
        /// The number of readings when it was recorded.
        recorded: u64,
        /// The number of readings now.
        replayed: u64,
    },
    /// The arguments do not mean what they meant: the tool has other defaults, or does not accept them.
    #[non_exhaustive]
    Arguments {
        /// The canonical arguments that are recorded.
        recorded: String,
        /// Those of now, or why they are not accepted.
        replayed: String,
    },
    /// There is no such tool any more. The record has answered.
    NoTool,
    /// The tool has another version. The record has answered.
    #[non_exhaustive]
    Version {
        /// The version that is recorded.
        recorded: Option<String>,
        /// The version of the tool now.
        found: Option<String>,
    },
    /// The tool declares something else than it did, under the same version. The record has answered.
    #[non_exhaustive]
    Declaration {
        /// The recorded declarations.
        recorded: (Effect, Determinism),
        /// The declarations of the tool now.
        found: (Effect, Determinism),
    },
    /// The call is not in the record, or was made more often than it is there. It did not run.
    #[non_exhaustive]
    NotRecorded {
        /// Its canonical arguments, secrets hashed.
        arguments: String,
    },
    /// The call is in the record and was not made again.
    NotMade,
    /// The output of the call cannot be read from the record, so that it could not be answered.
    #[non_exhaustive]
    Unreadable {
        /// The reason.
        why: String,
    },
}

impl Divergence {
    pub(super) fn of(call: &RecordedCall, kind: DivergenceKind) -> Self {
        let requested = &call.requested;
        Self {
            seq: Some(call.seq),
            invocation: requested.invocation,
            session: requested.session.clone(),
            tool: requested.tool.clone(),
            version: requested.version.clone(),
            kind,
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}", self.tool)?;
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        write!(f, "` in session `{}`", self.session)?;
        if let Some(seq) = self.seq {
            write!(f, ", record {seq}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl fmt::Display for DivergenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output {
                recorded,
                replayed,
                bounded,
            } => {
                f.write_str(if *bounded {
                    "ran again with the clock and the random numbers that it had, and gave something \
                     else. It declares itself bounded, and so gets time and chance from its context alone"
                } else {
                    "ran again and gave something else. It declares itself deterministic, and so depends \
                     on nothing but its arguments: no time, chance, order of a hash map, or file"
                })?;
                both(f, recorded, replayed)
            }
            Self::ClockReadings { recorded, replayed } => write!(
                f,
                "read the clock {replayed} times, and {recorded} times when it was recorded. It declares \
                 itself bounded, and so does the same again with the same clock"
            ),
            Self::Arguments { recorded, replayed } => {
                f.write_str("its arguments do not mean what they meant")?;
                both(f, recorded, replayed)
            }
            Self::NoTool => f.write_str("there is no such tool any more; the record has answered"),
            Self::Version { recorded, found } => write!(
                f,
                "the tool has {}, and {} is recorded; the record has answered",
                version(found.as_deref()),
                version(recorded.as_deref())
            ),
            Self::Declaration { recorded, found } => {
                f.write_str("the tool declares something else under the same version; the record has answered")?;
                both(f, &declared(*recorded), &declared(*found))
            }
            Self::NotRecorded { arguments } => {
                f.write_str("is not in the record, or not so often, and did not run")?;
                let (arguments, _) = differing(arguments, "");
                write!(f, "\n  arguments: {arguments}")
            }
            Self::NotMade => f.write_str("is in the record, and was not made again"),
            Self::Unreadable { why } => {
                write!(f, "could not be answered from the record: {why}")
            }
        }
    }
}

fn both(f: &mut fmt::Formatter<'_>, recorded: &str, replayed: &str) -> fmt::Result {
    let (recorded, replayed) = differing(recorded, replayed);
    write!(f, "\n  recorded: {recorded}\n  replayed: {replayed}")
}

fn version(version: Option<&str>) -> String {
    match version {
        Some(version) => format!("the version {version}"),
        None => "no version".to_owned(),
    }
}

fn declared((effect, determinism): (Effect, Determinism)) -> String {
    format!("{}, {}", effect.as_str(), determinism.as_str())
}
