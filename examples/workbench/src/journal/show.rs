//! `workbench journal show`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use toolwright::ToolError;
use toolwright::content::{ErrorKind, ToolStatus};
use toolwright::id::{InvocationId, TicketId};
use toolwright_journal::{JournalRecords, RecordKind, record};
use unicode_width::UnicodeWidthStr as _;

use super::table::table;
use super::{broken, named, read_only};
use crate::cli::Problem;
use crate::terminal::safe;

/// The most columns that arguments take.
const ARGUMENTS: usize = 60;

/// A call of a journal.
struct Row {
    time: SystemTime,
    requested: record::Request,
    /// The number of calls around it.
    depth: usize,
    waits: Option<TicketId>,
    responded: Option<record::Response>,
}

/// Writes a row for each call, in the order of their requests. Of a journal that is not what was written,
/// those before the first such line, if there are any, and that it is not.
pub(crate) fn show(file: &Path) -> Result<ExitCode, Problem> {
    let log = read_only(file)?;
    let records = JournalRecords::of(&log).map_err(|error| broken(file, error))?;
    let mut rows: Vec<Row> = Vec::new();
    let mut known: HashMap<InvocationId, usize> = HashMap::new();
    let mut fault = None;
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                fault = Some(broken(file, error));
                break;
            }
        };
        let at = record
            .kind
            .invocation()
            .and_then(|id| known.get(&id))
            .copied();
        let row = at.and_then(|at| rows.get_mut(at));
        match (record.kind, row) {
            (RecordKind::Requested(requested), _) => {
                let parent = requested.parent.and_then(|parent| known.get(&parent));
                let depth = parent
                    .and_then(|at| rows.get(*at))
                    .map_or(0, |row| row.depth + 1);
                known.insert(requested.invocation, rows.len());
                rows.push(Row {
                    time: record.time,
                    requested: *requested,
                    depth,
                    waits: None,
                    responded: None,
                });
            }
            (RecordKind::Suspended(interrupted), Some(row)) => {
                row.waits = Some(interrupted.ticket);
            }
            (RecordKind::Resumed(resumed), Some(row)) => {
                row.waits = None;
                row.requested.input = resumed.input;
            }
            (RecordKind::Responded(responded), Some(row)) => row.responded = Some(*responded),
            _ => {}
        }
    }
    // A table without rows would say that it is a journal without calls.
    let fault = match fault {
        Some(fault) if rows.is_empty() => return Err(fault),
        fault => fault,
    };
    io::stdout()
        .lock()
        .write_all(told(&rows).as_bytes())
        .map_err(Problem::Output)?;
    fault.map_or(Ok(ExitCode::SUCCESS), Err)
}

/// A row for each call below a line of headings, and a line that counts.
fn told(rows: &[Row]) -> String {
    let headings = [
        "CALL",
        "TIME",
        "TOOL",
        "STATUS",
        "FROM",
        "REQUEST",
        "RESPONSE",
        "ARGUMENTS",
    ];
    let numbered = rows.iter().enumerate();
    let cells: Vec<[String; 8]> = std::iter::once(headings.map(str::to_owned))
        .chain(numbered.map(|(number, row)| row.cells(number + 1)))
        .collect();
    let mut text = table(&cells);
    text.push_str(&count(rows));
    text
}

fn count(rows: &[Row]) -> String {
    let mut text = match rows.len() {
        1 => "1 call".to_owned(),
        calls => format!("{calls} calls"),
    };
    for (status, ended) in [
        ("success", "succeeded"),
        ("error", "failed"),
        ("denied", "denied"),
        ("pending", "going on elsewhere"),
        ("waits", "waiting for an answer"),
        ("unfinished", "never ended"),
        ("unknown", "never ended, and perhaps had an effect"),
    ] {
        let count = rows.iter().filter(|row| row.status() == status).count();
        if count > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, ", {count} {ended}");
        }
    }
    text.push('\n');
    text
}

impl Row {
    fn status(&self) -> &'static str {
        match &self.responded {
            None if self.waits.is_some() => "waits",
            None if self.requested.effect.is_repeatable() => "unfinished",
            None => "unknown",
            Some(responded) => match (&responded.error, responded.status) {
                (Some(error), _) if is_denial(error) => "denied",
                (_, ToolStatus::Error) => "error",
                (_, ToolStatus::Pending) => "pending",
                _ => "success",
            },
        }
    }

    fn cells(&self, number: usize) -> [String; 8] {
        let requested = &self.requested;
        let mut tool = "  ".repeat(self.depth);
        tool.push_str(&named(&requested.tool, requested.version.as_deref()));
        let responded = self.responded.as_ref();
        let short =
            |hash: &dyn std::fmt::Display| hash.to_string().chars().take(12).collect::<String>();
        [
            number.to_string(),
            humantime::format_rfc3339_millis(self.time).to_string(),
            tool,
            self.status().to_owned(),
            responded.map_or_else(String::new, |responded| {
                responded.source.as_str().to_owned()
            }),
            short(&requested.input.request_hash),
            responded.map_or_else(String::new, |responded| short(&responded.response_hash)),
            shortened(&safe::line(requested.input.arguments.as_str())),
        ]
    }
}

fn is_denial(error: &ToolError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Denied | ErrorKind::CapabilityDenied | ErrorKind::Blocked
    )
}

fn shortened(text: &str) -> String {
    if text.width() <= ARGUMENTS {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if kept.width() + 2 > ARGUMENTS {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}
