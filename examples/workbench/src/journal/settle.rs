//! `workbench settle`: calls that were cut off, and how they ended as a person found it out.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolwright::id::InvocationId;
use toolwright_journal::{FileLog, Journal, Settlement};

use super::{broken, contents_of, named, read_only};
use crate::cli::{Cli, Problem};
use crate::outside::must_be_outside;

#[derive(Debug, Clone, Args)]
pub(crate) struct Settle {
    /// The journal, which no other process writes to.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The call, as the list names it.
    #[arg(requires = "end")]
    pub(crate) call: Option<InvocationId>,

    /// The end of the call, as you found it out.
    pub(crate) end: Option<End>,

    /// The result of the call, or the reason why it failed.
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
}

/// The end of a call that was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum End {
    /// The call had its effect.
    Succeeded,
    /// The call failed.
    Failed,
    /// The call had no effect.
    NotRun,
}

/// Lists the calls whose effect nobody knows, or records how one of them ended.
pub(crate) async fn settle(cli: &Cli, settle: &Settle) -> Result<(), Problem> {
    let file = &settle.file;
    must_be_outside(cli, file)?;
    // A journal that is not there is not made.
    read_only(file)?;
    // Open for writing, also for the list: the calls of a process that lives are not cut off.
    let log = FileLog::open(file).map_err(|error| broken(file, error.into()))?;
    let opened = Journal::builder(log).contents(contents_of(file)).open();
    let (journal, _) = opened.map_err(|error| broken(file, error))?;
    let text = match (settle.call, settle.end) {
        (Some(call), Some(end)) => {
            let text = settle.text.clone().unwrap_or_default();
            let end = match end {
                End::Succeeded => Settlement::Succeeded(text),
                End::Failed => Settlement::Failed(text),
                End::NotRun => Settlement::NotRun,
            };
            let settled = journal.settle(call, end).await;
            settled.map_err(|error| broken(file, error))?;
            "settled\n".to_owned()
        }
        _ => list(&journal),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).map_err(Problem::Output)
}

/// A line for each call. Writing to a string cannot fail.
fn list(journal: &Journal) -> String {
    let mut text = String::new();
    let mut calls = journal.unsettled();
    calls.retain(toolwright_journal::UnfinishedCall::is_indeterminate);
    for call in &calls {
        let tool = named(&call.tool, call.version.as_deref());
        let _ = writeln!(text, "{}  {tool}  (record {})", call.invocation, call.seq);
    }
    if calls.is_empty() {
        text.push_str("nothing is to be settled\n");
    }
    text
}
