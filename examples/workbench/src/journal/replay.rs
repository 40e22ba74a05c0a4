//! `workbench journal replay`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};
use toolwright::Executor;
use toolwright_journal::{Divergence, DivergenceKind, Replay, ReplayOutcome, ReplayReport};

use super::table::table;
use super::{broken, contents_of, named, read_only};
use crate::cli::Problem;
use crate::terminal::safe;

/// The most lines of a difference that are shown.
const LINES: usize = 40;

/// The most characters of a line that are shown, from the place where a longer line begins to differ.
const WIDTH: usize = 160;

/// The time that is spent on a shorter form of a difference.
const DIFF_TIME: Duration = Duration::from_secs(2);

/// Makes the calls of a journal once more, and tells what is not as it was.
pub(crate) async fn replay(executor: &Executor, file: &Path) -> Result<ExitCode, Problem> {
    let log = read_only(file)?;
    let replay = Replay::of(&log).map_err(|error| broken(file, error))?;
    let report = replay.contents(contents_of(file)).run(executor).await;
    io::stdout()
        .lock()
        .write_all(told(&report).as_bytes())
        .map_err(Problem::Output)?;
    Ok(if report.is_faithful() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// A row for each call, what is not as it was, and the counts. Writing to a string cannot fail.
fn told(report: &ReplayReport) -> String {
    let headings = ["CALL", "RECORD", "TOOL", "REPLAY", "RESULT"];
    let numbered = report.rows.iter().enumerate();
    let cells: Vec<[String; 5]> = std::iter::once(headings.map(str::to_owned))
        .chain(numbered.map(|(number, call)| {
            let became = match call.became {
                ReplayOutcome::RanAgain => "ran again",
                ReplayOutcome::FromRecord => "from the record",
                ReplayOutcome::Unfinished => "never ended",
                ReplayOutcome::NotMade => "not made",
                _ => "not answered",
            };
            let mut differs = report.divergences.iter();
            let differs = differs.any(|divergence| divergence.seq == Some(call.seq));
            let result = match call.became {
                _ if differs => "differs",
                ReplayOutcome::RanAgain => "the same",
                _ => "",
            };
            [
                (number + 1).to_string(),
                call.seq.to_string(),
                named(&call.tool, call.version.as_deref()),
                became.to_owned(),
                result.to_owned(),
            ]
        }))
        .collect();
    let mut text = table(&cells);
    text.push('\n');
    for divergence in &report.divergences {
        diverged(&mut text, divergence);
        text.push('\n');
    }
    let counts = [
        ("calls", report.calls),
        ("ran again", report.ran_again),
        ("from the record", report.from_record),
        ("never ended", report.unfinished),
        (
            "differ",
            u64::try_from(report.divergences.len()).unwrap_or(u64::MAX),
        ),
    ];
    for (what, count) in counts {
        let _ = writeln!(text, "{what:<16} {count}");
    }
    let (recorded, replayed) = (report.recorded_run_hash(), report.run_hash());
    let _ = writeln!(text, "run, recorded    {recorded}");
    let _ = writeln!(text, "run, replayed    {replayed}");
    text
}

fn diverged(text: &mut String, divergence: &Divergence) {
    let values = match &divergence.kind {
        DivergenceKind::Output {
            recorded, replayed, ..
        }
        | DivergenceKind::Arguments {
            recorded, replayed, ..
        } => Some((recorded, replayed)),
        _ => None,
    };
    let told = safe::text(&divergence.to_string());
    let is_narrow = |text: &str| text.lines().all(|line| line.chars().count() <= WIDTH);
    let values = values.filter(|(recorded, replayed)| is_narrow(recorded) && is_narrow(replayed));
    let Some((recorded, replayed)) = values else {
        let _ = writeln!(text, "{told}");
        return;
    };
    // The values follow whole, and not only where they begin to differ.
    let line = told.lines().next().unwrap_or_default();
    let _ = writeln!(text, "{line}");
    let _ = writeln!(text, "--- recorded\n+++ replayed");
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME)
        .diff_lines(recorded.as_str(), replayed.as_str());
    let mut left = LINES;
    for change in diff.iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        let Some(fewer) = left.checked_sub(1) else {
            text.push_str("(further lines left out)\n");
            return;
        };
        left = fewer;
        let _ = writeln!(
            text,
            "{sign}{}",
            safe::line(change.value().trim_end_matches('\n'))
        );
    }
}
