//! The changes in a text file.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use similar::TextDiff;

use super::{count, shown};
use crate::files::{Files, Place};

/// The largest text that is edited or compared, in bytes: it is held in memory, some times over.
pub(super) const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The most bytes of a diff that are returned: about what a model is shown of one result.
const MAX_DIFF: usize = 48 * 1024;

/// The time that is spent on a shorter diff.
const DIFF_TIME: Duration = Duration::from_secs(2);

/// The content of a file.
pub(super) enum Content {
    Text(String),
    NoText,
    /// More than [`MAX_BYTES`].
    TooLarge,
}

pub(super) fn read(files: &dyn Files, place: &Place) -> io::Result<Content> {
    let mut content = Vec::new();
    let file = files.open(place)?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut content)?;
    if content.len() > MAX_BYTES {
        return Ok(Content::TooLarge);
    }
    Ok(String::from_utf8(content).map_or(Content::NoText, Content::Text))
}

/// As `diff -u` writes it, without the last line's end.
pub(super) fn unified(path: &Path, before: &str, after: &str) -> String {
    let path = shown(path);
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME)
        .diff_lines(before, after);
    let mut text = diff.unified_diff().header(&path, &path).to_string();
    text.truncate(text.trim_end_matches('\n').len());
    text
}

/// As much of a diff as a model is shown.
pub(super) fn cut(mut text: String) -> String {
    if text.len() > MAX_DIFF {
        let mut ends = (0..=MAX_DIFF).rev();
        let end = ends.find(|at| text.is_char_boundary(*at));
        let rest = text.split_off(end.unwrap_or_default());
        let more = count(rest.lines().count(), "further line", "further lines");
        // Writing to a string cannot fail.
        let _ = write!(text, "…\n(the diff goes on: {more} left out)");
    }
    text
}
