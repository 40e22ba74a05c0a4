//! The preview that a request shows to the person who allows it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::util::character::is_deceptive;
use crate::util::panic::catch_panic;

/// A preview of a request for the person who decides: a text, a diff, or a command, beyond its one line.
///
/// It is for people alone. No policy judges it, and it is no part of what was allowed: an app that
/// shows the diff of one write has allowed the write of that file, as the request says.
///
/// ```
/// use toolwright::PermissionRequest;
/// use toolwright::permission::RequestPreview;
///
/// let request = PermissionRequest::new("deploy", "production", "Deploy to production")
///     .with_preview(RequestPreview::plain("3 services, 12 hosts"));
/// assert!(request.preview().is_some_and(|shown| shown.text().contains("12 hosts")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SerializedPreview")]
pub struct RequestPreview {
    kind: RequestPreviewKind,
    text: String,
    /// The bytes that are left out at the end.
    #[serde(skip_serializing_if = "is_zero")]
    omitted: usize,
}

/// The kind of text that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RequestPreviewKind {
    /// Plain text.
    Text,
    /// A unified diff, as `diff -u` writes it.
    Diff,
    /// A command or a script.
    Command,
}

/// As it is read: nothing that is read is longer than what is written.
#[derive(Deserialize)]
struct SerializedPreview {
    kind: RequestPreviewKind,
    text: String,
    #[serde(default)]
    omitted: usize,
}

impl From<SerializedPreview> for RequestPreview {
    fn from(written: SerializedPreview) -> Self {
        let mut preview = Self::new(written.kind, written.text);
        preview.omitted = preview.omitted.saturating_add(written.omitted);
        preview
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_zero(omitted: &usize) -> bool {
    *omitted == 0
}

impl RequestPreview {
    /// The most bytes that are kept of a text: 1 MiB. A host that lets nobody allow what was not shown
    /// whole refuses what is longer.
    pub const LONGEST: usize = 1024 * 1024;

    /// Plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(RequestPreviewKind::Text, text.into())
    }

    /// A unified diff, as `diff -u` writes it.
    pub fn diff(diff: impl Into<String>) -> Self {
        Self::new(RequestPreviewKind::Diff, diff.into())
    }

    /// A command or a script.
    pub fn command(command: impl Into<String>) -> Self {
        Self::new(RequestPreviewKind::Command, command.into())
    }

    fn new(kind: RequestPreviewKind, mut text: String) -> Self {
        let all = text.len();
        if all > Self::LONGEST {
            let mut end = Self::LONGEST;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        Self {
            kind,
            omitted: all - text.len(),
            text,
        }
    }

    /// Returns the kind of text.
    pub fn kind(&self) -> RequestPreviewKind {
        self.kind
    }

    /// The text as it was given, cut at [`LONGEST`](Self::LONGEST). It may hold any characters, also
    /// those that move the cursor or turn the direction of writing: where people read it, show
    /// [`lines`](Self::lines).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of bytes that are left out at the end. A host that shows the text says so if it is not 0.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The lines as they may be shown: what moves the cursor or turns the direction of writing is
    /// written out (`\u{1b}`), but for tabs. The last line tells how much is left out, if any is.
    ///
    /// ```
    /// use toolwright::permission::RequestPreview;
    ///
    /// let preview = RequestPreview::command("echo hi\n# \u{1b}[2K harmless");
    /// let lines: Vec<String> = preview.lines().collect();
    /// assert_eq!(lines, ["echo hi", r"# \u{1b}[2K harmless"]);
    /// ```
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let marker = (self.omitted > 0).then(|| format!("… {} more bytes", self.omitted));
        self.text.lines().map(printable).chain(marker)
    }
}

/// A line in which every character stands for itself.
fn printable(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        if is_deceptive(c) && c != '\t' {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The preview of a request: made already, or made when somebody is asked.
#[derive(Clone)]
pub(super) enum PreviewSource {
    Ready(Box<RequestPreview>),
    Later(Arc<dyn Fn() -> RequestPreview + Send + Sync>),
}

impl PreviewSource {
    /// The preview. One that cannot be made says so: the request is asked all the same.
    pub(super) fn get(&self) -> RequestPreview {
        match self {
            Self::Ready(preview) => (**preview).clone(),
            Self::Later(make) => catch_panic(|| make()).unwrap_or_else(|_| {
                RequestPreview::plain("There is no preview: the tool panicked when it made it.")
            }),
        }
    }

    /// A preview that is made already, with the same text.
    pub(super) fn made(&self) -> Self {
        Self::Ready(Box::new(self.get()))
    }

    /// Returns true if there is something to write down.
    #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(super) fn is_unwritten(shown: &Option<Self>) -> bool {
        !matches!(shown, Some(Self::Ready(_)))
    }
}

impl Serialize for PreviewSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Ready(preview) => preview.serialize(serializer),
            Self::Later(_) => serializer.serialize_none(),
        }
    }
}

impl<'de> Deserialize<'de> for PreviewSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(deserializer).map(Self::Ready)
    }
}

impl fmt::Debug for PreviewSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(preview) => preview.fmt(f),
            Self::Later(_) => f.write_str("Later"),
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::*;

    #[test]
    fn a_long_preview_is_cut_at_a_character_and_says_so() {
        let text = "é".repeat(RequestPreview::LONGEST);
        let preview = RequestPreview::diff(format!("x{text}"));
        assert_eq!(preview.text().len(), RequestPreview::LONGEST - 1);
        assert_eq!(preview.omitted(), RequestPreview::LONGEST + 2);
        assert_eq!(
            preview.lines().last().unwrap(),
            format!("… {} more bytes", RequestPreview::LONGEST + 2)
        );
        let read: RequestPreview =
            serde_json::from_str(&serde_json::to_string(&preview).unwrap()).unwrap();
        assert_eq!(read, preview);
    }

    #[test]
    fn what_is_read_is_cut_too() {
        let text = "x".repeat(RequestPreview::LONGEST + 1);
        let read: RequestPreview =
            serde_json::from_value(serde_json::json!({"kind": "text", "text": text})).unwrap();
        assert_eq!(read.omitted(), 1);
    }

    #[test]
    fn no_line_moves_the_cursor() {
        let preview = RequestPreview::plain("a\tb\r\u{202e}c\r\n\u{7}");
        let lines: Vec<String> = preview.lines().collect();
        assert_eq!(lines, ["a\tb\\u{d}\\u{202e}c", "\\u{7}"]);
    }

    #[test]
    fn a_preview_that_panics_is_none() {
        let shown = PreviewSource::Later(Arc::new(|| panic!("no")));
        assert!(shown.get().text().contains("panicked"));
    }
}
