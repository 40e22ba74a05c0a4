//! `workbench journal verify`.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use toolwright::content::ContentHash;
use toolwright_journal::{JournalRecords, RecordKind};

use super::{broken, contents_of, read_only};
use crate::cli::Problem;

/// Checks each line of a journal, and each output, also those beside it.
///
/// Whoever noted the head of the journal at some time learns whether all that was there then still is.
pub(crate) async fn verify(file: &Path, head: Option<ContentHash>) -> Result<ExitCode, Problem> {
    let log = read_only(file)?;
    let contents = contents_of(file);
    let mut records = JournalRecords::of(&log).map_err(|error| broken(file, error))?;
    let mut since = None;
    while let Some(record) = records.next() {
        let record = record.map_err(|error| broken(file, error))?;
        if let RecordKind::Responded(responded) = &record.kind {
            let read = responded.read_output(Some(&contents)).await;
            read.map_err(|error| broken(file, error))?;
        }
        if head.is_some() && records.head() == head {
            since = Some(records.read());
        }
    }
    let verified = toolwright_journal::verify(&log).map_err(|error| broken(file, error))?;
    let mut out = io::stdout().lock();
    let mut told = match (head, since) {
        (Some(head), None) => {
            return Err(Problem::OtherHead {
                path: file.to_owned(),
                head,
            });
        }
        (Some(_), Some(since)) if since < verified.records => writeln!(
            out,
            "{since} records are what they were, and {} came since",
            verified.records - since
        ),
        _ => writeln!(out, "{} records are what was written", verified.records),
    };
    if let Some(head) = verified.head {
        told = told.and_then(|()| writeln!(out, "head  {head}"));
    }
    told.and_then(|()| writeln!(out, "run   {}", verified.run_hash))
        .map_err(Problem::Output)?;
    Ok(ExitCode::SUCCESS)
}
