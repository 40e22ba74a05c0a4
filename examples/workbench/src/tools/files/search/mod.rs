//! `fs.search`.

mod lines;

use std::fmt::Write as _;
use std::path::PathBuf;

use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use regex_syntax::ParserBuilder;
use toolwright::permission::Verdict;
use toolwright::{FileAccess, ToolContext, ToolError, tool};

use self::lines::Lines;
use super::glob::matcher;
use super::{
    Access, FileError, WhileWanted, cancelled, count, io_error, resolve, shown, tell_skipped,
};
use crate::files::{Files, Kind, Options, Place, Walk};

/// The most bytes of lines that are returned: about what a model is shown of one result.
const MAX_BYTES: usize = 48 * 1024;

/// The longest line that is looked at, in bytes: it is held in memory.
const MAX_HELD: usize = 16 * 1024 * 1024;

/// The number of files between two reports of progress.
const TOLD: usize = 64;

/// Search the contents of files, line by line, with a regular expression.
///
/// The lines are given with their numbers, file by file, sorted by path. What `.gitignore` leaves
/// out, binary files and links are passed over.
///
/// # Errors
///
/// Fails if the regular expression or the glob cannot be understood, or the path cannot be read.
#[tool(
    name = "fs.search",
    title = "Search files",
    category = "files",
    read_only,
    blocking,
    permission = FileAccess::read(path).within(files.root())
)]
#[expect(clippy::too_many_arguments, reason = "a model fills them in by name")]
pub(super) fn search_files(
    /// The regular expression, in the syntax of Rust's `regex`: no look-around, no backreferences.
    #[arg(length = 1..=1000)]
    pattern: String,
    /// Path of the directory or file to search, relative to the workspace.
    #[arg(default = ".")]
    path: PathBuf,
    /// Search only files that match this glob: `*.rs` by name, `src/**/*.rs` by path below `path`.
    #[arg(length = 1..=1000)]
    glob: Option<String>,
    /// True to treat small and capital letters as the same.
    #[arg(default = false)]
    ignore_case: bool,
    /// Number of lines to show before and after each line that matches.
    #[arg(default = 0, range = 0..=20)]
    context: usize,
    /// True to search files and directories whose names begin with a dot, too.
    #[arg(default = false)]
    hidden: bool,
    /// True to search files that `.gitignore` leaves out, too.
    #[arg(default = false)]
    ignored: bool,
    /// Number of matching lines to return.
    #[arg(default = 200, range = 1..=2_000)]
    limit: usize,
    ctx: &ToolContext,
    files: &dyn Files,
) -> Result<String, ToolError> {
    let mut search = Search {
        files,
        ctx,
        searcher: searcher(context),
        regex: regex(&pattern, ignore_case)?,
        report: Report {
            room: limit,
            ..Report::default()
        },
    };
    let glob = match glob.as_deref() {
        Some(name) if !name.contains('/') => Some(matcher(&format!("**/{name}"))?),
        Some(path) => Some(matcher(path)?),
        None => None,
    };
    let start = resolve(ctx, files, &path, Access::Read)?;
    let failed = io_error(&path, "searched");
    match files.find(&start).map_err(&failed)?.kind {
        Kind::File => {
            search.file(&start);
            return search.tell();
        }
        Kind::Directory => {}
        _ => {
            return Err(FileError::Not {
                path: path.clone(),
                what: "is neither a file nor a directory",
            }
            .into());
        }
    }
    let may_read = |place: &_| Access::Read.verdict(ctx, files, place);
    let options = Options { hidden, ignored };
    let mut walk = Walk::new(files, ctx, &may_read, options, &start).map_err(&failed)?;
    for (place, kind) in walk.by_ref() {
        let is_wanted = || {
            let below = place.as_path().strip_prefix(start.as_path());
            let glob = glob.as_ref();
            glob.is_none_or(|glob| below.is_ok_and(|below| glob.is_match(below)))
        };
        if kind != Kind::File || !is_wanted() {
            continue;
        }
        if may_read(&place) != Verdict::Allow {
            search.report.skipped.forbidden += 1;
            continue;
        }
        search.file(&place);
        if search.report.is_full {
            break;
        }
    }
    let skipped = walk.skipped();
    search.report.skipped.forbidden += skipped.forbidden;
    search.report.skipped.unreadable += skipped.unreadable;
    search.tell()
}

fn regex(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, ToolError> {
    let wrong = |text: String| {
        // It shows the pattern with a mark below the place that is wrong.
        ToolError::failed(format!("the pattern cannot be understood: {text}"))
    };
    // By itself first: what is built has more around it, and would be told with that.
    let parsed = ParserBuilder::new().utf8(false).build().parse(pattern);
    parsed.map_err(|error| wrong(error.to_string()).with_source(error))?;
    RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        // So that `^` and `$` stand at both ends of each line, however it ends.
        .multi_line(true)
        .crlf(true)
        .build(pattern)
        .map_err(|error| wrong(error.to_string()).with_source(error))
}

fn searcher(context: usize) -> Searcher {
    SearcherBuilder::new()
        .line_terminator(LineTerminator::crlf())
        .line_number(true)
        .before_context(context)
        .after_context(context)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_HELD))
        .build()
}

/// The findings so far.
#[derive(Debug, Default)]
struct Report {
    text: String,
    lines: usize,
    /// The matching lines that may still be taken.
    room: usize,
    searched: usize,
    binary: usize,
    skipped: crate::files::Skipped,
    /// True if there was a line without room.
    is_full: bool,
}

struct Search<'s> {
    files: &'s dyn Files,
    ctx: &'s ToolContext,
    searcher: Searcher,
    regex: RegexMatcher,
    report: Report,
}

impl Search<'_> {
    fn file(&mut self, place: &Place) {
        let Ok(file) = self.files.open(place) else {
            self.report.skipped.unreadable += 1;
            return;
        };
        let file = WhileWanted::new(file, self.ctx);
        let bytes = MAX_BYTES.saturating_sub(self.report.text.len());
        let mut lines = Lines::new(&self.regex, self.report.room, bytes);
        let end = self.searcher.search_reader(&self.regex, file, &mut lines);
        let report = &mut self.report;
        report.searched += 1;
        if report.searched.is_multiple_of(TOLD) {
            let searched = report.searched;
            self.ctx.progress(None, format_args!("{searched} files"));
        }
        if lines.is_binary {
            // Also where lines were found above the first byte that no text has.
            report.binary += 1;
            return;
        }
        if end.is_err() {
            report.skipped.unreadable += 1;
        }
        report.is_full = lines.is_full;
        report.room -= lines.matched;
        report.lines += lines.matched;
        if lines.matched > 0 {
            if !report.text.is_empty() {
                report.text.push('\n');
            }
            // Writing to a string cannot fail.
            let _ = writeln!(report.text, "{}", shown(place.as_path()));
            report.text.push_str(&lines.text);
        }
    }

    /// The text for the model.
    fn tell(self) -> Result<String, ToolError> {
        if self.ctx.is_cancelled() {
            return Err(cancelled());
        }
        let report = self.report;
        let mut text = report.text;
        if report.lines == 0 {
            let files = count(report.searched, "file", "files");
            let _ = writeln!(text, "no line matches, in {files}");
        } else {
            text.push('\n');
        }
        if report.is_full {
            let lines = count(report.lines, "matching line", "matching lines");
            let _ = writeln!(
                text,
                "(stopped after {lines}: there are more. Narrow `path`, `glob` or `pattern`)"
            );
        }
        if report.binary > 0 {
            let files = count(report.binary, "binary file", "binary files");
            let _ = writeln!(text, "({files} left out)");
        }
        tell_skipped(&mut text, report.skipped);
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }
}
