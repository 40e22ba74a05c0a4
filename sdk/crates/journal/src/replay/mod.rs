//! Replay: a run of calls once more, from its journal.

mod answers;
mod calls;
mod divergence;
mod input;
mod mode;
mod progress;
mod report;
mod run;
mod source;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use calls::RecordedCall;
pub use divergence::{Divergence, DivergenceKind};
use input::{Likeness, arguments, likeness};
use progress::{Progress, Settled};
pub use report::{ReplayOutcome, ReplayReport, ReplayedCall};

use toolwright::id::SessionId;
use toolwright::record::SourcedCall;
use toolwright::{ToolOutput, ToolSpec};

use crate::log::JournalLog;
use crate::{ContentStore, JournalError, JournalKey, RecordedInput};

/// A recorded run, to be replayed: calls are answered by what their journal says of them.
///
/// [`Replay::run`] replays all of it. A host that wants to make the calls itself opens its sessions with
/// [`SessionOptions::call_source`](toolwright::executor::SessionOptions::call_source), under the ids that they
/// had, and asks for the [report](Replay::report) at the end: all sessions that are opened with one replay or a
/// clone of it, and those below them, are one run. A call is matched to a recorded one of its session and its
/// tool by its canonical arguments, or to one that the same tool call made; of equal ones to the first that is
/// left.
///
/// The declarations of the tool, now and then, decide on a call ([`Determinism`](toolwright::spec::Determinism)):
///
/// - A deterministic tool without effects ([pure or read-only](toolwright::spec::Effect)) runs again, with another
///   clock and other random numbers, and has to give the same once more.
/// - A bounded one without effects runs again with the clock and the random numbers that it had.
/// - All others are answered from the record, and so is every call that the tool itself did not answer,
///   because it was refused or stopped, that people, gates or hooks had a say in, or whose arguments hold
///   secrets. Their result comes from [`ResultSource::Replay`](toolwright::content::ResultSource::Replay).
/// - A call that is not in the record does not run, and ends in an error with the code `not_recorded`.
///
/// Permissions, capabilities, gates, hooks and people are not asked about any of them, and nothing is written to
/// the executor's recorder and result store. What a tool asks for [while it runs](toolwright::ToolContext::check) is
/// allowed unless the policy denies it. Where a tool gives something else than before, that is a
/// [`Divergence`], and the record answers, so that the run goes on as it went. State of sessions is not
/// recorded: it is what the tools that run again make of it.
///
/// ```
/// use toolwright::{Executor, tool, ToolContext, ToolRegistry};
/// use toolwright_journal::{Journal, MemoryLog, Replay};
///
/// /// Throw dice.
/// #[tool(read_only, determinism = bounded)]
/// fn throw(dice: u32, ctx: &ToolContext) -> Vec<u64> {
///     let mut rng = ctx.rng();
///     (0..dice).map(|_| rng.below(6) + 1).collect()
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let log = MemoryLog::new();
/// let (journal, _) = Journal::open(log.clone())?;
/// let tools = || Executor::builder(ToolRegistry::new().with(Throw));
/// let session = tools().call_recorder(journal).build()?.session("game");
/// let thrown = session.call(toolwright::ToolCall::new("throw", r#"{"dice": 5}"#)).await;
///
/// let replay = Replay::of(&log)?;
/// let report = replay.run(&tools().build()?).await;
/// println!("{report}");
/// assert!(report.is_faithful());
/// assert_eq!(report.run_hash(), report.recorded_run_hash());
///
/// // The same by hand: the call gives what it gave.
/// let options = toolwright::executor::SessionOptions::new().call_source(Replay::of(&log)?);
/// let session = tools().build()?.session_with("game", options);
/// let again = session.call(toolwright::ToolCall::new("throw", r#"{"dice": 5}"#)).await;
/// assert_eq!(again.text(), thrown.text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Replay {
    calls: Arc<Calls>,
    contents: Option<Arc<dyn ContentStore>>,
    key: Option<JournalKey>,
    progress: Arc<Mutex<Progress>>,
}

/// The calls of a journal.
struct Calls {
    all: Vec<RecordedCall>,
    /// Those of a place and a tool, in their order.
    of: HashMap<(CallScope, String), Vec<usize>>,
    /// Those that a call has made.
    below: HashMap<usize, Vec<usize>>,
}

/// The place of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum CallScope {
    Session(SessionId),
    /// Made by the tool of a recorded call.
    Below(usize),
}

impl Replay {
    /// The run of a journal. The log is read to its end now, and checked as
    /// [`verify`](crate::verify) does.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be read, or if a line is not what was written.
    pub fn of(log: &dyn JournalLog) -> Result<Self, JournalError> {
        let all = calls::read(log)?;
        let mut of: HashMap<_, Vec<usize>> = HashMap::new();
        let mut below: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, call) in all.iter().enumerate() {
            let stand = match call.above {
                Some(above) => {
                    below.entry(above).or_default().push(number);
                    CallScope::Below(above)
                }
                None => CallScope::Session(call.requested.session.clone()),
            };
            let of_tool = of.entry((stand, call.requested.tool.clone()));
            of_tool.or_default().push(number);
        }
        let progress = Progress::new(all.len());
        Ok(Self {
            calls: Arc::new(Calls { all, of, below }),
            contents: None,
            key: None,
            progress: Arc::new(Mutex::new(progress)),
        })
    }

    /// Sets where the journal's large outputs are. Default: nowhere, and a call whose output is there
    /// can only be answered by running again.
    pub fn contents(mut self, contents: impl ContentStore) -> Self {
        self.contents = Some(Arc::new(contents));
        self
    }

    /// Sets the key that the journal was written with, by which calls are told apart whose secrets
    /// differ. Default: none, and of calls that are equal but for their secrets the first one that is left is
    /// taken.
    pub fn key(mut self, key: JournalKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Returns the report up to now: calls that were not made yet are divergences.
    pub fn report(&self) -> ReplayReport {
        ReplayReport::of(&self.calls.all, &self.lock())
    }

    /// The same run from its beginning.
    fn afresh(&self) -> Self {
        Self {
            progress: Arc::new(Mutex::new(Progress::new(self.calls.all.len()))),
            ..self.clone()
        }
    }

    /// The calls that no other one has made, in the order of their requests.
    fn roots(&self) -> impl Iterator<Item = usize> {
        let calls = self.calls.all.iter().enumerate();
        calls
            .filter(|(_, call)| call.above.is_none())
            .map(|(number, _)| number)
    }

    fn call(&self, number: usize) -> Option<&RecordedCall> {
        self.calls.all.get(number)
    }

    /// Returns the key that secrets are hashed with, to be compared. Without the journal's own key the hashes
    /// are like no other, and are not looked at.
    fn own_key(&self) -> JournalKey {
        let none = || JournalKey::from_bytes([0; 32]);
        self.key.clone().unwrap_or_else(none)
    }

    /// The recorded call that is made again, which is taken by that; `None` if there is none left.
    fn find(&self, sought: &SourcedCall<'_>, input: &RecordedInput) -> Option<usize> {
        let mut progress = self.lock();
        let stand = match sought.parent {
            Some(parent) => CallScope::Below(progress.running(parent)?.number),
            None => CallScope::Session(sought.session.clone()),
        };
        let candidates = self.calls.of.get(&(stand, sought.tool.to_owned()))?;
        let version = sought.spec.and_then(ToolSpec::version);
        let ranked = candidates.iter().filter_map(|&number| {
            let call = self.calls.all.get(number)?;
            if progress.is_taken(number) {
                return None;
            }
            let its = &call.requested;
            let alike = likeness(&its.input, input, self.key.is_some());
            // The arguments that an absent tool accepts are not known.
            let alike = alike.or(sought.spec.is_none().then_some(Likeness::Unknown))?;
            Some((alike, its.version.as_deref() != version, number))
        });
        let (_, _, number) = ranked.min()?;
        progress.take(number);
        Some(number)
    }

    /// A call was replayed. One that did not run has made no calls: those below it go as it does.
    fn settle(&self, number: usize, settled: Settled) {
        let mut progress = self.lock();
        progress.settle(number, settled);
        if matches!(settled, Settled::Again(..)) {
            return;
        }
        let mut below = vec![number];
        while let Some(above) = below.pop() {
            let made = self.calls.below.get(&above);
            for &made in made.into_iter().flatten() {
                progress.settle(made, Settled::Record);
                below.push(made);
            }
        }
    }

    /// Something is not as it is recorded of a call.
    fn differs(&self, number: usize, kind: DivergenceKind) {
        if let Some(call) = self.calls.all.get(number) {
            let divergence = Divergence::of(call, kind);
            self.lock().divergences.push(divergence);
        }
    }

    /// Returns the output of a call, if it has ended.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    async fn output(&self, call: &RecordedCall) -> Result<Option<ToolOutput>, JournalError> {
        let Some(responded) = &call.responded else {
            return Ok(None);
        };
        let mut output = responded.read_output(self.contents.as_deref()).await?;
        for (key, value) in responded.metadata.iter().flatten() {
            output = output.with_metadata(key, value.clone());
        }
        Ok(Some(output))
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        // Each change of it is whole, whoever panicked beside it.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay")
            .field("calls", &self.calls.all.len())
            .finish_non_exhaustive()
    }
}
