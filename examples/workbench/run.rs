//! `workbench call` and `workbench run`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use toolwright::{
    CallId, Content, ErrorKind, Executor, Repair, Session, ToolCall, ToolError, ToolResult,
};

use crate::calls::{self, NotACall};
use crate::cli::Problem;
use crate::interrupt::Interrupt;
use crate::process::Processes;
use crate::source::{Source, standard_input};

/// How many calls ended how.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    succeeded: usize,
    failed: usize,
    denied: usize,
    /// The exit code that a signal asks for.
    interrupted: Option<u8>,
}

impl Tally {
    fn count(&mut self, status: Status) {
        *match status {
            Status::Success => &mut self.succeeded,
            Status::Error => &mut self.failed,
            Status::Denied => &mut self.denied,
        } += 1;
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self {
                interrupted: Some(code),
                ..
            } => ExitCode::from(*code),
            Self { denied: 1.., .. } => ExitCode::from(3),
            Self { failed: 1.., .. } => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Success,
    Error,
    Denied,
}

impl Status {
    fn of(result: &ToolResult) -> Self {
        match result.error() {
            None => Self::Success,
            Some(error) if error.kind() == ErrorKind::Denied => Self::Denied,
            Some(_) => Self::Error,
        }
    }
}

/// One line of the output of `workbench run`.
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
}

/// A session that a signal cancels.
fn session(executor: &Executor, processes: &Processes) -> Result<(Session, Interrupt), Problem> {
    let session = executor.session("workbench");
    let processes = processes.clone();
    let interrupt = Interrupt::listen(session.clone(), move || processes.kill_all());
    Ok((session, interrupt.map_err(Problem::Signals)?))
}

/// Calls one tool and prints what a model would read.
pub(crate) async fn one(
    executor: &Executor,
    processes: &Processes,
    name: &str,
    arguments: Option<String>,
) -> Result<Tally, Problem> {
    let arguments = match arguments.as_deref() {
        None => String::new(),
        Some("-") => standard_input()?,
        Some(text) => text.to_owned(),
    };
    // Not before the arguments are there: until then a signal just ends workbench.
    let (session, interrupt) = session(executor, processes)?;
    let result = session
        .call(ToolCall::new(name, arguments))
        .await
        .into_result();
    let mut out = io::stdout().lock();
    for part in result.content() {
        match part.as_text() {
            Some(text) => writeln!(out, "{text}"),
            None => serde_json::to_writer(&mut out, part)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out)),
        }
        .map_err(Problem::Output)?;
    }
    for repair in result.repairs() {
        // `eprintln!` panics where nobody reads it.
        let _ = writeln!(io::stderr(), "repaired: {repair}");
    }
    let mut tally = Tally::default();
    tally.count(Status::of(&result));
    tally.interrupted = interrupt.code();
    Ok(tally)
}

/// Runs the calls of a file in their order, and tells of each as it ends.
///
/// After a signal no call runs any more. Those that a file still has are told as cancelled; from
/// standard input, or another pipe, nothing more is read, as that could take for ever.
pub(crate) async fn all(
    executor: &Executor,
    processes: &Processes,
    calls: &Path,
) -> Result<Tally, Problem> {
    let source = Source::open(calls)?;
    let ends = source.ends;
    let (session, mut interrupt) = session(executor, processes)?;
    let mut lines = source.lines();
    let mut tally = Tally::default();
    let mut number = 0;
    loop {
        let line = if ends {
            lines.recv().await
        } else {
            tokio::select! {
                biased;
                () = interrupt.come() => None,
                line = lines.recv() => line,
            }
        };
        let Some(line) = line.transpose()? else {
            break;
        };
        number += 1;
        let line = line.as_deref().map(<[u8]>::trim_ascii);
        if line != Some(b"") {
            tally.count(answer(&session, number, line).await?);
        }
    }
    tally.interrupted = interrupt.code();
    let Tally {
        succeeded,
        failed,
        denied,
        ..
    } = &tally;
    // `eprintln!` panics where nobody reads it.
    let _ = writeln!(
        io::stderr(),
        "{succeeded} succeeded, {failed} failed, {denied} denied"
    );
    Ok(tally)
}

/// Runs the call of a line, and writes what came of it.
async fn answer(session: &Session, number: usize, line: Option<&[u8]>) -> Result<Status, Problem> {
    match line.ok_or(NotACall::TooLong).and_then(calls::parse) {
        Ok(call) => {
            let result = session.call(call).await.into_result();
            let status = Status::of(&result);
            write_line(&Answer {
                id: result.call_id(),
                tool: Some(result.tool()),
                status,
                content: result.content(),
                repairs: result.repairs(),
                code: result.error().map(ToolError::code),
            })?;
            Ok(status)
        }
        Err(not_a_call) => {
            let text = format!("line {number} is not a call: {not_a_call}");
            write_line(&Answer {
                id: None,
                tool: None,
                status: Status::Error,
                content: &[Content::text(text)],
                repairs: &[],
                code: Some("not_a_call"),
            })?;
            Ok(Status::Error)
        }
    }
}

fn write_line(line: &Answer<'_>) -> Result<(), Problem> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Problem::Output)
}
