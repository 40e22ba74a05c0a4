//! What the journal has of a call: its request before its body runs, and its response before it returns.

use super::asked::Asked;
use super::course::Course;
use super::session::Place;
use super::witness::Witness;
use super::{ExecutorBuilder, Shared, ToolOutcome};
use crate::hash::ContentHash;
use crate::id::{CallId, InvocationId, SessionId, TicketId, ToolName, TurnId};
use crate::journal::{
    Failed, Interrupted, Journal, NormalOutput, Receipt, RecordKind, RecordedInput, Requested,
    Responded, ResumedCall, status,
};
use crate::message::{Arguments, ErrorKind, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::panic::caught;
use crate::pending::Held;
use crate::registry::Entry;
use crate::spec::{Determinism, Effect, ToolSpec};
use crate::tool::CallWorld;

/// Records one call. If the call is dropped before its end, that is recorded too, as far as it can be
/// without waiting.
pub(super) struct Recorder {
    journal: Journal,
    call: Caller,
    /// What the call runs with, if it runs.
    input: RecordedInput,
    stage: Stage,
    /// That the request is written is not known yet; and what the journal had before it.
    unconfirmed: Option<(Receipt, Stage)>,
    /// The ticket that the call waited with.
    resumes: Option<TicketId>,
    /// A hook changed what the call gave.
    altered: bool,
}

/// The call.
struct Caller {
    invocation: InvocationId,
    parent: Option<InvocationId>,
    session: SessionId,
    turn: TurnId,
    call_id: Option<CallId>,
    tool: Declared,
}

/// What the tool of a call says of itself.
struct Declared {
    name: String,
    version: Option<String>,
    effect: Effect,
    determinism: Determinism,
}

impl Declared {
    /// Of a tool that there is not, or that cannot say what it is.
    fn unknown(name: String) -> Self {
        Self {
            name,
            version: None,
            effect: Effect::default(),
            determinism: Determinism::NonDeterministic,
        }
    }

    fn of(entry: &Entry) -> Self {
        let name = entry.name.to_string();
        let Some(spec) = spec_of(entry) else {
            return Self::unknown(name);
        };
        Self {
            name,
            version: spec.version().map(str::to_owned),
            effect: spec.effect(),
            determinism: spec.determinism(),
        }
    }
}

/// What the journal has of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Nothing,
    /// A request, or that the call goes on, with the hash of what it is made with.
    Requested(ContentHash),
    /// It has ended, or waits in a ticket.
    Ended,
}

impl Recorder {
    /// Of a call that was made, where there is a journal. The arguments are those that were accepted.
    pub(super) fn of(
        shared: &Shared,
        place: &Place<'_>,
        call: &ToolCall<'_>,
        accepted: Option<&Arguments<'_>>,
    ) -> Option<Box<Self>> {
        let journal = shared.base.journal.as_ref()?;
        let found = place.catalog.snapshot.find(call.name());
        let entry = found.map(|(_, entry)| entry);
        let as_called = || call.name().chars().take(ToolName::MAX_LENGTH).collect();
        let tool = entry.map_or_else(|| Declared::unknown(as_called()), Declared::of);
        let caller = Caller::of_place(place, call.id().cloned(), tool);
        let spec = entry.and_then(spec_of);
        let input = caller.input(journal, accepted, call.arguments(), spec);
        Some(Box::new(Self::new(journal, caller, input)))
    }

    fn new(journal: &Journal, call: Caller, input: RecordedInput) -> Self {
        Self {
            journal: journal.clone(),
            call,
            input,
            stage: Stage::Nothing,
            unconfirmed: None,
            resumes: None,
            altered: false,
        }
    }

    /// What is left to write of the request, if anything.
    fn request(&mut self) -> Option<RecordKind> {
        let hash = self.input.request_hash;
        let known = match self.stage {
            Stage::Ended => return None,
            Stage::Requested(known) => Some(known),
            Stage::Nothing => None,
        };
        if known == Some(hash) {
            return None;
        }
        self.stage = Stage::Requested(hash);
        let invocation = self.call.invocation;
        let input = self.input.clone();
        // One that was resumed may have begun by way of another journal.
        let of_before = || {
            self.resumes
                .and_then(|_| self.journal.open_request(invocation))
        };
        Some(match known.or_else(of_before) {
            Some(_) => RecordKind::Resumed(Box::new(ResumedCall { invocation, input })),
            None => RecordKind::Requested(Box::new(self.call.request(input, self.resumes))),
        })
    }

    /// Writes the request before the body runs. That of an at-most-once call is durable then.
    async fn begin(&mut self) -> Result<(), Failed> {
        self.confirm(false).await;
        let before = self.stage;
        let Some(request) = self.request() else {
            return Ok(());
        };
        let written = match self.journal.put(&[&request]) {
            Ok(mut receipt) => {
                let repeats = self.call.tool.effect != Effect::AtMostOnce;
                if repeats && !receipt.has_failed() {
                    self.unconfirmed = Some((receipt, before));
                    return Ok(());
                }
                receipt.wait().await
            }
            Err(failed) => Err(failed),
        };
        if written.is_err() {
            self.stage = before;
        }
        written
    }

    /// A request that was queued and then not written is to be written anew.
    async fn confirm(&mut self, waits: bool) {
        let Some((mut receipt, before)) = self.unconfirmed.take() else {
            return;
        };
        if receipt.has_failed() || (waits && receipt.wait().await.is_err()) {
            self.stage = before;
        }
    }

    /// Writes something that ends the call here, after what is left to write before it.
    async fn close(&mut self, kind: RecordKind) -> Result<(), Failed> {
        // Otherwise it would stand after a request that is not there.
        self.confirm(true).await;
        let before = self.stage;
        let request = self.request();
        let kinds: Vec<&RecordKind> = request.iter().chain([&kind]).collect();
        let put = self.journal.put(&kinds);
        // Whoever drops the call now need not write it once more.
        self.stage = Stage::Ended;
        let written = match put {
            Ok(receipt) => receipt.wait().await,
            Err(failed) => Err(failed),
        };
        if written.is_err() {
            self.stage = before;
        }
        written
    }

    /// Writes the response. What the call gave gets its normal form.
    async fn respond(
        &mut self,
        source: ResultSource,
        output: &mut ToolOutput,
        told: Told,
    ) -> Result<(), ToolError> {
        let normal = NormalOutput::of(output).map_err(unavailable)?;
        let response_hash = normal.hash;
        let kept = self.journal.keep(normal).await.map_err(unavailable)?;
        let responded = Responded {
            invocation: self.call.invocation,
            request_hash: self.input.request_hash,
            response_hash,
            status: status(output),
            source,
            output: kept,
            error: output.error.clone(),
            metadata: output
                .aside
                .as_ref()
                .and_then(|aside| aside.metadata.as_deref().cloned()),
            remarks: told.remarks,
            changed: self.altered,
            attended: told.attended,
            clock: told.clock,
            unrepeatable: told.unrepeatable,
        };
        let written = self.close(RecordKind::Responded(Box::new(responded))).await;
        written.map_err(unavailable)
    }

    /// Records a call that was refused before it had a course. What it ends with, and the hash of that.
    pub(super) async fn refused(
        mut self: Box<Self>,
        error: ToolError,
    ) -> (ToolError, Option<(ContentHash, bool)>) {
        let mut output = ToolOutput::from(error.clone());
        let told = Told::default();
        match self
            .respond(ResultSource::Executor, &mut output, told)
            .await
        {
            Ok(()) => (error, output.aside.and_then(|aside| aside.response)),
            Err(failed) => {
                self.stage = Stage::Ended;
                (failed, None)
            }
        }
    }
}

/// The host has dropped the call, or its runtime has stopped.
impl Drop for Recorder {
    fn drop(&mut self) {
        if self.stage == Stage::Ended {
            return;
        }
        let error = ToolError::new(ErrorKind::Cancelled, "the call was dropped before it ended")
            .with_code("dropped");
        let mut output = ToolOutput::from(error);
        let Ok(normal) = NormalOutput::of(&mut output) else {
            return;
        };
        let responded = Responded {
            invocation: self.call.invocation,
            request_hash: self.input.request_hash,
            response_hash: normal.hash,
            status: status(&output),
            source: ResultSource::Executor,
            output: crate::journal::RecordedOutput::Inline(normal.text),
            error: output.error,
            metadata: None,
            remarks: Vec::new(),
            changed: false,
            attended: false,
            clock: Vec::new(),
            unrepeatable: true,
        };
        let responded = RecordKind::Responded(Box::new(responded));
        if let Some((mut receipt, before)) = self.unconfirmed.take()
            && receipt.has_failed()
        {
            self.stage = before;
        }
        let request = self.request();
        let kinds: Vec<&RecordKind> = request.iter().chain([&responded]).collect();
        // Nobody is left to be told.
        let _ = self.journal.put(&kinds);
    }
}

/// What a response tells besides.
#[derive(Default)]
struct Told {
    remarks: Vec<String>,
    attended: bool,
    clock: Vec<i64>,
    unrepeatable: bool,
}

impl Caller {
    fn of_place(place: &Place<'_>, call_id: Option<CallId>, tool: Declared) -> Self {
        Self {
            invocation: place.invocation_id,
            parent: place.within.map(|within| within.parent),
            session: place.session.id.clone(),
            turn: place.turn_id,
            call_id,
            tool,
        }
    }

    fn of_course(course: &Course) -> Self {
        Self {
            invocation: course.invocation_id,
            parent: course.within.as_ref().map(|within| within.parent),
            session: course.session.id.clone(),
            turn: course.turn_id,
            call_id: course.call_id.clone(),
            tool: Declared::of(course.entry()),
        }
    }

    fn request(&self, input: RecordedInput, resumes: Option<TicketId>) -> Requested {
        Requested {
            invocation: self.invocation,
            parent: self.parent,
            session: self.session.clone(),
            turn: self.turn,
            call_id: self.call_id.clone(),
            tool: self.tool.name.clone(),
            version: self.tool.version.clone(),
            effect: self.tool.effect,
            determinism: self.tool.determinism,
            input,
            resumes,
        }
    }

    /// Arguments that have no canonical form are not shown either.
    fn input(
        &self,
        journal: &Journal,
        accepted: Option<&Arguments<'_>>,
        sent: &Arguments<'_>,
        spec: Option<&ToolSpec>,
    ) -> RecordedInput {
        let (tool, key) = (self.tool.name.as_str(), journal.key());
        let read = accepted.zip(spec).and_then(|(arguments, spec)| {
            // The schema is the tool's.
            let read = caught(|| RecordedInput::accepted(arguments, tool, spec, key));
            read.ok()?.ok()
        });
        read.unwrap_or_else(|| RecordedInput::unread(sent, tool, self.tool.version.as_deref(), key))
    }
}

fn spec_of(entry: &Entry) -> Option<&ToolSpec> {
    caught(|| entry.tool.spec()).ok()
}

/// What a call ends with that cannot be recorded.
#[cold]
pub(super) fn unavailable(
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> ToolError {
    ToolError::unavailable(
        "the call cannot be recorded, and calls that are not recorded do not run here",
    )
    .with_code("journal_unavailable")
    .with_source(source)
    .into_fatal()
}

impl Course {
    /// Of a call that goes on after it has waited in a ticket.
    pub(super) fn recorder_of_resumed(&self, ticket: TicketId) -> Option<Box<Recorder>> {
        let journal = self.shared.base.journal.as_ref()?;
        let entry = self.entry();
        let caller = Caller::of_course(self);
        let arguments = Some(&self.arguments);
        let input = caller.input(journal, arguments, &self.arguments, spec_of(entry));
        let mut recorder = Recorder::new(journal, caller, input);
        recorder.resumes = Some(ticket);
        Some(Box::new(recorder))
    }

    /// Hashes what the call is made with, where that may have changed.
    fn hash_input(&mut self) {
        let Some(mut recorder) = self.recorder.take() else {
            return;
        };
        let may_differ = self.edited || self.rewritten || !self.answered.is_empty();
        if may_differ {
            let spec = spec_of(self.entry());
            let accepted = self.passed.then_some(&self.arguments);
            recorder.input =
                recorder
                    .call
                    .input(&recorder.journal, accepted, &self.arguments, spec);
            recorder.input.changed = self.edited || self.rewritten;
        }
        if recorder.call.tool.determinism == Determinism::Bounded {
            let seed = self.world.as_ref().map(|world| world.seed());
            recorder.input.seed = seed.map(|seed| ContentHash::from_bytes(seed.0));
        }
        if let Some(witness) = &mut self.witness {
            witness.request_hash = Some(recorder.input.request_hash);
        }
        self.recorder = Some(recorder);
    }

    /// The body is to run: what it runs with is recorded first.
    pub(super) async fn record_request(&mut self) -> Result<(), ToolError> {
        self.hash_input();
        match &mut self.recorder {
            Some(recorder) => recorder.begin().await.map_err(unavailable),
            None => Ok(()),
        }
    }

    /// The call waits in a ticket, and its future ends.
    pub(super) async fn record_interruption(
        &mut self,
        asked: &Asked,
        held: &Held,
    ) -> Result<(), ToolError> {
        self.hash_input();
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        let interrupted = Interrupted {
            invocation: recorder.call.invocation,
            ticket: held.ticket().id(),
            wait: asked.kind,
        };
        let kind = RecordKind::Interrupted(interrupted);
        recorder.close(kind).await.map_err(unavailable)
    }

    pub(super) fn note_altered(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.altered = true;
        }
    }

    /// The call has ended: its response is recorded before anybody gets it.
    pub(super) async fn record_response(
        &mut self,
        source: ResultSource,
        mut output: ToolOutput,
    ) -> (ResultSource, ToolOutput) {
        if self.recorder.is_none() {
            return (source, output);
        }
        self.hash_input();
        let told = self.told();
        let Some(mut recorder) = self.recorder.take() else {
            return (source, output);
        };
        let Err(error) = recorder.respond(source, &mut output, told).await else {
            if let Some(witness) = &mut self.witness {
                let response = output.aside.as_ref().and_then(|aside| aside.response);
                witness.response_hash = response.map(|(hash, _)| hash);
            }
            return (source, output);
        };
        let may_have_run = source == ResultSource::Tool && !self.plan().repeatable;
        let error = if may_have_run {
            error.with_note("; the tool has run, so check what it did before you repeat the call")
        } else {
            error
        };
        // A log may fail once and go on: then it has how the call ended.
        let mut failed = ToolOutput::from(error);
        let told = Told::default();
        let _ = recorder
            .respond(ResultSource::Executor, &mut failed, told)
            .await;
        recorder.stage = Stage::Ended;
        (ResultSource::Executor, failed)
    }

    fn told(&self) -> Told {
        let mut told = Told {
            remarks: self.remarks(),
            attended: self.ticket.is_some() || !self.answered.is_empty(),
            ..Told::default()
        };
        let is_bounded =
            spec_of(self.entry()).is_some_and(|spec| spec.determinism() == Determinism::Bounded);
        if is_bounded {
            match self.world.as_deref().and_then(CallWorld::readings) {
                Some(readings) => told.clock = readings,
                None => told.unrepeatable = true,
            }
        }
        told
    }
}

impl Witness {
    /// Knows the hash of what the call was made with.
    pub(super) fn note_request_of(&mut self, recorder: Option<&Recorder>) {
        self.request_hash = recorder.map(|recorder| recorder.input.request_hash);
    }

    /// Knows the hash of what the call gave.
    pub(super) fn note_response(&mut self, response: Option<(ContentHash, bool)>) {
        self.response_hash = response.map(|(hash, _)| hash);
    }
}

impl ToolOutcome {
    /// Notes what was recorded of the output.
    pub(super) fn with_response(mut self, response: Option<(ContentHash, bool)>) -> Self {
        self.result_mut().note_response(response);
        self
    }
}

impl ExecutorBuilder {
    /// Records each call in a journal: what it was made with before its body runs, and what it gave before
    /// it returns. Default: no journal, and nothing is hashed.
    ///
    /// A call that cannot be recorded does not run; one whose response cannot be recorded gives no
    /// result. Both end as [`ToolOutcome::Failed`](crate::ToolOutcome::Failed), with an error of kind
    /// [`Unavailable`](ErrorKind::Unavailable) and the code `journal_unavailable`. One that is dropped
    /// before it ends gets a response that says so (code `dropped`), which is written as far as that can be
    /// done without waiting.
    ///
    /// JSON in a result becomes [canonical](crate::CanonicalJson), so that what is returned is what was
    /// hashed.
    ///
    /// ```
    /// use toolwright::{Executor, FileLog, Journal, ToolRegistry, tool};
    ///
    /// /// Add two whole numbers.
    /// #[tool(pure)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # let folder = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let (journal, recovery) = Journal::open(FileLog::open(folder.join("run.jsonl"))?)?;
    /// for call in &recovery.unfinished {
    ///     if call.is_indeterminate() {
    ///         eprintln!("nobody knows whether {} of {} had an effect", call.invocation, call.tool);
    ///     }
    /// }
    /// let executor = Executor::builder(ToolRegistry::new().with(Add)).journal(journal).build()?;
    /// assert_eq!(executor.call("add", r#"{"a": 2, "b": 3}"#).await.text(), "5");
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    pub fn journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }
}
