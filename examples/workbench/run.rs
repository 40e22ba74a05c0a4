//! `workbench call` and `workbench run`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use toolwright::{CallId, Content, ErrorKind, Executor, Repair, ToolCall, ToolError, ToolResult};

use crate::calls;
use crate::cli::Problem;

/// How many calls ended how.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    succeeded: usize,
    failed: usize,
    denied: usize,
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
struct Line<'r> {
    id: Option<&'r CallId>,
    tool: Option<&'r str>,
    status: Status,
    content: &'r [Content],
    #[serde(skip_serializing_if = "<[Repair]>::is_empty")]
    repairs: &'r [Repair],
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'r str>,
}

/// Calls one tool and prints what a model would read.
pub(crate) async fn one(
    executor: &Executor,
    name: &str,
    arguments: Option<String>,
) -> Result<Tally, Problem> {
    let arguments = match arguments.as_deref() {
        None => String::new(),
        Some("-") => {
            let mut text = String::new();
            let read = io::stdin().lock().read_to_string(&mut text);
            read.map_err(|error| Problem::Input {
                path: "standard input".into(),
                error,
            })?;
            text
        }
        Some(text) => text.to_owned(),
    };
    let session = executor.session("workbench");
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
    Ok(tally)
}

/// Runs the calls of a file in their order, and tells of each as it ends.
pub(crate) async fn all(executor: &Executor, calls: &Path) -> Result<Tally, Problem> {
    let standard_input = calls == Path::new("-");
    let unreadable = |error| Problem::Input {
        path: if standard_input {
            "standard input".into()
        } else {
            calls.to_owned()
        },
        error,
    };
    let mut lines: Box<dyn BufRead> = if standard_input {
        Box::new(BufReader::new(io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(calls).map_err(unreadable)?))
    };
    let session = executor.session("workbench");
    let mut tally = Tally::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            break;
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let status = match calls::parse(line) {
            Ok(call) => {
                let result = session.call(call).await.into_result();
                let status = Status::of(&result);
                write_line(&Line {
                    id: result.call_id(),
                    tool: Some(result.tool()),
                    status,
                    content: result.content(),
                    repairs: result.repairs(),
                    code: result.error().map(ToolError::code),
                })?;
                status
            }
            Err(not_a_call) => {
                let text = format!("line {number} is not a call: {not_a_call}");
                write_line(&Line {
                    id: None,
                    tool: None,
                    status: Status::Error,
                    content: &[Content::text(text)],
                    repairs: &[],
                    code: Some("not_a_call"),
                })?;
                Status::Error
            }
        };
        tally.count(status);
    }
    let Tally {
        succeeded,
        failed,
        denied,
    } = &tally;
    // `eprintln!` panics where nobody reads it.
    let _ = writeln!(
        io::stderr(),
        "{succeeded} succeeded, {failed} failed, {denied} denied"
    );
    Ok(tally)
}

fn write_line(line: &Line<'_>) -> Result<(), Problem> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Problem::Output)
}
