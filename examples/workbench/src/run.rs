//! `workbench call` and `workbench run`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use toolwright::arguments::Repair;
use toolwright::content::ErrorKind;
use toolwright::id::{CallId, SessionId, TicketId};
use toolwright::outcome::Suspension as Waiting;
use toolwright::ticket::PendingCall;
use toolwright::{Content, Executor, Session, ToolCall, ToolError, ToolOutcome};

use crate::calls::{self, NotACall, Said};
use crate::chat;
use crate::cli::{Cli, Problem};
use crate::interrupt::Interrupt;
use crate::process::Processes;
use crate::prompt::Prompter;
use crate::source::{Source, standard_input};
use crate::suspend::{Announcer, Remembered, Suspension};
use crate::terminal::{self, safe};
use crate::trust;
use crate::watch::{Printed, Watch};

/// The counts of calls by their ends.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    succeeded: usize,
    failed: usize,
    denied: usize,
    pending: usize,
    /// The exit code that a signal asks for.
    interrupted: Option<u8>,
}

impl Tally {
    pub(crate) fn count(&mut self, status: Status) {
        *match status {
            Status::Success => &mut self.succeeded,
            Status::Error => &mut self.failed,
            Status::Denied => &mut self.denied,
            Status::Pending => &mut self.pending,
        } += 1;
    }

    /// Notes the signal that ended it, if one did.
    pub(crate) fn end(&mut self, interrupted: Option<u8>) {
        self.interrupted = interrupted;
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self {
                interrupted: Some(code),
                ..
            } => ExitCode::from(*code),
            Self { pending: 1.., .. } => ExitCode::from(4),
            Self { denied: 1.., .. } => ExitCode::from(3),
            Self { failed: 1.., .. } => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Success,
    Error,
    Denied,
    Pending,
}

impl Status {
    pub(crate) fn of(outcome: &ToolOutcome) -> Self {
        match outcome.result().error() {
            _ if outcome.suspension().is_some() => Self::Pending,
            None => Self::Success,
            Some(error) if error.kind() == ErrorKind::Denied => Self::Denied,
            Some(_) => Self::Error,
        }
    }
}

/// A line of the output of `workbench run`.
#[derive(Serialize)]
struct Answer<'r> {
    id: Option<&'r CallId>,
    tool: Option<&'r str>,
    status: Status,
    content: &'r [Content],
    #[serde(skip_serializing_if = "<[Repair]>::is_empty")]
    repairs: &'r [Repair],
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'r str>,
    /// The ticket of a call that waits for somebody.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticket: Option<TicketId>,
    /// Likewise: whoever answers knows what they allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'r Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asks: Vec<Asks<'r>>,
    /// The scopes that `always` and `never` may name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trust: Vec<&'r str>,
}

/// A request of a call.
#[derive(Serialize)]
struct Asks<'r> {
    summary: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'r str>,
}

/// The parts that calls run in.
pub(crate) struct Bench<'b> {
    pub(crate) cli: &'b Cli,
    pub(crate) executor: &'b Executor,
    pub(crate) processes: &'b Processes,
    pub(crate) suspension: Option<&'b Suspension>,
    /// The display of running calls, if somebody sees it.
    pub(crate) watch: Option<&'b Watch>,
}

/// A session that a signal cancels, and whoever asks the person at the terminal.
pub(crate) struct Open {
    pub(crate) session: Session,
    pub(crate) interrupt: Interrupt,
    prompter: Option<Prompter>,
    _announcer: Option<Announcer>,
    watch: Option<Watch>,
}

impl Bench<'_> {
    /// Opens the session of a run.
    fn open(&self) -> Result<Open, Problem> {
        self.open_as(self.session_id())
    }

    /// The session of this process.
    pub(crate) fn session_id(&self) -> SessionId {
        match self.suspension {
            Some(suspension) => suspension.session(),
            None => SessionId::from("workbench"),
        }
    }

    /// Has it be told how to answer the calls that wait in a state.
    pub(crate) fn announce(&self, is_attended: bool) -> Option<Announcer> {
        let suspension = self
            .suspension
            .filter(|suspension| suspension.may_prompt())?;
        let remembered = Remembered::of(self.cli, suspension);
        Some(Announcer::start(
            self.executor.tickets(),
            remembered,
            !is_attended,
        ))
    }

    /// Listens to signals that end a turn, and not the session.
    pub(crate) fn listen_for_turns(&self) -> Result<Interrupt, Problem> {
        Interrupt::listen_for_turns(self.kill()).map_err(Problem::Signals)
    }

    /// Returns what an exit at once has to do before.
    fn kill(&self) -> impl FnOnce() + Send + 'static {
        let processes = self.processes.clone();
        let board = self.watch.map(|watch| Arc::clone(watch.board()));
        move || {
            processes.kill_all();
            terminal::leave();
            if let Some(board) = board {
                board.abandon();
            }
        }
    }

    pub(crate) fn open_as(&self, id: SessionId) -> Result<Open, Problem> {
        let session = self.executor.session(id);
        let interrupt = Interrupt::listen(session.clone(), self.kill());
        let interrupt = interrupt.map_err(Problem::Signals)?;
        let may_prompt = self.suspension.is_none_or(Suspension::may_prompt);
        let attended = may_prompt && terminal::is_attended();
        let prompter = attended.then(|| {
            let board = self.watch.map(|watch| Arc::clone(watch.board()));
            Prompter::start(self.executor.tickets(), interrupt.clone(), board)
        });
        Ok(Open {
            session,
            interrupt,
            _announcer: self.announce(attended),
            prompter,
            watch: self.watch.cloned(),
        })
    }
}

impl Open {
    /// Has the terminal be what it was, and tells of the signal that ended the calls, if one did.
    pub(crate) async fn close(self) -> Option<u8> {
        if let Some(prompter) = self.prompter {
            prompter.end().await;
        }
        if let Some(watch) = self.watch {
            watch.end().await;
        }
        self.interrupt.code()
    }
}

/// Calls one tool and prints what a model would read.
pub(crate) async fn one(
    bench: &Bench<'_>,
    name: &str,
    arguments: Option<&str>,
) -> Result<Tally, Problem> {
    let arguments = match arguments {
        None => String::new(),
        Some("-") => standard_input()?,
        Some(text) => text.to_owned(),
    };
    // Not before the arguments are there: until then a signal just ends workbench.
    let open = bench.open()?;
    let outcome = open.session.call(ToolCall::new(name, arguments)).await;
    let interrupted = open.close().await;
    let status = Status::of(&outcome);
    let result = outcome.into_result();
    let watch = bench.watch;
    let mut printed = watch.and_then(|watch| watch.board().printed(result.invocation_id()));
    let mut out = io::stdout().lock();
    for part in result.content() {
        let text = match (part.as_text(), printed.take()) {
            (Some(text), Some(printed)) => match left_to_print(text, &printed, status) {
                "" => continue,
                left => Some(left),
            },
            (text, _) => text,
        };
        match text {
            Some(text) if bench.cli.raw => writeln!(out, "{text}"),
            Some(text) => writeln!(out, "{}", safe::text(text)),
            None => writeln!(out, "{}", json(part, bench.cli.raw)?),
        }
        .map_err(Problem::Output)?;
    }
    for repair in result.repairs() {
        // `eprintln!` panics where nobody reads it.
        let repair = safe::text(&repair.to_string());
        let _ = writeln!(io::stderr(), "repaired: {repair}");
    }
    let mut tally = Tally::default();
    tally.count(status);
    tally.end(interrupted);
    Ok(tally)
}

/// Returns what of a result is not on the screen already. Of a result that is not what was printed, that
/// is all of it, and a note says so.
fn left_to_print<'t>(text: &'t str, printed: &Printed, status: Status) -> &'t str {
    let (printed, left) = match printed {
        Printed::All(printed) if printed.is_empty() => return text,
        Printed::All(printed) => (printed.as_str(), text.strip_prefix(printed.as_str())),
        Printed::Parts => ("", None),
    };
    match left {
        // The end of the last line was shown too.
        Some(left) if !printed.ends_with('\n') => left.strip_prefix('\n').unwrap_or(left),
        Some(left) => left,
        None => {
            // The text of an error cannot be taken for what was printed.
            if let Status::Success = status {
                // `eprintln!` panics where nobody reads it.
                let _ = writeln!(io::stderr(), "What the model reads:");
            }
            text
        }
    }
}

/// Runs the calls of a file in their order, and reports each as it ends.
///
/// After a signal no call runs any more. Those that a file still has are reported as cancelled; from
/// standard input, or another pipe, nothing more is read, as that could take for ever.
pub(crate) async fn all(bench: &Bench<'_>, calls: &Path) -> Result<Tally, Problem> {
    let source = Source::open(calls)?;
    let ends = source.ends;
    let mut open = bench.open()?;
    let mut lines = source.lines();
    let mut tally = Tally::default();
    let mut number = 0;
    let mut is_transcript = false;
    loop {
        let line = if ends {
            lines.next().await
        } else {
            tokio::select! {
                biased;
                () = open.interrupt.come() => None,
                line = lines.next() => line,
            }
        };
        let Some(line) = line.transpose()? else {
            break;
        };
        number += 1;
        let line = line.as_deref().map(<[u8]>::trim_ascii);
        if number == 1 && line.is_some_and(chat::is_header) {
            is_transcript = true;
        } else if line != Some(b"") && !(is_transcript && line.is_some_and(calls::has_none)) {
            answer(bench, &open.session, number, line, &mut tally).await?;
        }
    }
    tally.end(open.close().await);
    let Tally {
        succeeded,
        failed,
        denied,
        pending,
        ..
    } = &tally;
    let waiting = match pending {
        0 => String::new(),
        pending => format!(", {pending} waiting for an answer"),
    };
    // `eprintln!` panics where nobody reads it.
    let _ = writeln!(
        io::stderr(),
        "{succeeded} succeeded, {failed} failed, {denied} denied{waiting}"
    );
    Ok(tally)
}

/// Runs the calls of a line, and writes the outcome of each.
async fn answer(
    bench: &Bench<'_>,
    session: &Session,
    number: usize,
    line: Option<&[u8]>,
    tally: &mut Tally,
) -> Result<(), Problem> {
    match line.ok_or(NotACall::TooLong).and_then(calls::parse) {
        Ok(Said::One(call)) => {
            let outcome = session.call(call).await;
            tally.count(bench.tell(&outcome)?);
        }
        Ok(Said::Several(members)) => {
            let mut faults = Vec::new();
            let mut calls = Vec::new();
            for member in members {
                match member {
                    Ok(call) => {
                        calls.push(call);
                        faults.push(None);
                    }
                    Err(not_a_call) => faults.push(Some(not_a_call)),
                }
            }
            let mut outcomes = session.turn().call_all(calls).await.into_iter();
            for fault in faults {
                match fault {
                    Some(not_a_call) => tally.count(bench.tell_fault(number, &not_a_call)?),
                    None => {
                        for outcome in outcomes.by_ref().take(1) {
                            tally.count(bench.tell(&outcome)?);
                        }
                    }
                }
            }
        }
        Err(not_a_call) => tally.count(bench.tell_fault(number, &not_a_call)?),
    }
    Ok(())
}

impl Bench<'_> {
    fn tell_fault(&self, number: usize, not_a_call: &NotACall) -> Result<Status, Problem> {
        let text = format!("line {number} is not a call: {not_a_call}");
        self.write_line(&Answer {
            id: None,
            tool: None,
            status: Status::Error,
            content: &[Content::text(text)],
            repairs: &[],
            code: Some("not_a_call"),
            ticket: None,
            arguments: None,
            asks: Vec::new(),
            trust: Vec::new(),
        })?;
        Ok(Status::Error)
    }

    /// Writes the outcome of a call, and for one that waits the way to go on.
    pub(crate) fn tell(&self, outcome: &ToolOutcome) -> Result<Status, Problem> {
        match self.watch.map(Watch::board) {
            Some(board) => {
                board.ended(outcome.result().invocation_id());
                board.around(|| self.write(outcome))
            }
            None => self.write(outcome),
        }
    }

    fn write(&self, outcome: &ToolOutcome) -> Result<Status, Problem> {
        let status = Status::of(outcome);
        let result = outcome.result();
        let suspension = outcome.suspension();
        let trust = suspension.map(|waits| {
            let options = trust::options(waits.ticket()).into_iter();
            options.map(|(_, option)| option.label()).collect()
        });
        let requests = suspension.map(Waiting::requests);
        let asks = requests.unwrap_or_default().iter().map(|request| Asks {
            summary: request.summary(),
            why: request.why(),
        });
        let waiting = suspension.map(|waits| waits.ticket().call());
        self.write_line(&Answer {
            id: result.call_id(),
            tool: Some(result.tool()),
            status,
            content: result.content(),
            repairs: result.repairs(),
            code: result.error().map(ToolError::code),
            ticket: suspension.map(Waiting::id),
            arguments: waiting.and_then(PendingCall::arguments),
            asks: asks.collect(),
            trust: trust.unwrap_or_default(),
        })?;
        if let (Some(waits), Some(suspension)) = (suspension, self.suspension) {
            let ticket = waits.id();
            let folder = Remembered::of(self.cli, suspension).write_or_name(ticket);
            let _ = writeln!(
                io::stderr(),
                "{} waits: workbench resume {ticket} yes|no [--reason TEXT]{folder}",
                result.tool(),
            );
        }
        Ok(status)
    }

    fn write_line(&self, line: &Answer<'_>) -> Result<(), Problem> {
        let mut text = json(line, self.cli.raw)?;
        text.push('\n');
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(Problem::Output)
    }
}

/// JSON of one line, which reads back as the same whether it is raw or not.
fn json(value: &impl Serialize, raw: bool) -> Result<String, Problem> {
    let json = serde_json::to_string(value)?;
    Ok(if raw { json } else { safe::escaped(&json, ' ') })
}
