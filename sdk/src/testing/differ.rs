//! Outputs as people compare them.

use std::fmt::Write;

use crate::content::{Content, EmbeddedBody, ToolError};
use crate::util::character::is_deceptive;

/// The most characters of a value that are shown.
const SHOWN: usize = 160;

/// The number of them in front of the first that differs.
const BEFORE: usize = 40;

/// Describes the end of a call in one line or more: the code of its error, `pending` or `success`, and its content.
pub fn describe_end(error: Option<&ToolError>, is_pending: bool, content: &[Content]) -> String {
    let mut text = match error {
        Some(error) => format!("error {}", error.code()),
        None if is_pending => "pending".to_owned(),
        None => "success".to_owned(),
    };
    for (number, part) in content.iter().enumerate() {
        text.push_str(if number == 0 { ": " } else { "\n" });
        match part {
            Content::Text { text: part } => text.push_str(part),
            Content::Json { json } => text.push_str(json.as_str()),
            Content::Image(image) => {
                // Writing to a text cannot fail.
                let _ = write!(text, "[{} {}]", image.media_type, image.data);
            }
            Content::Audio(audio) => {
                let _ = write!(text, "[{} {}]", audio.media_type, audio.data);
            }
            Content::Embedded(resource) => {
                let (EmbeddedBody::Text(body) | EmbeddedBody::Data(body)) = &resource.body;
                let _ = write!(text, "[{} {body}]", resource.uri);
            }
            Content::ResourceLink(link) => {
                let _ = write!(text, "[{} {}]", link.name, link.uri);
            }
        }
    }
    text
}

/// Returns two texts as people compare them: each on one line of at most 160 characters, which begins shortly before
/// the first character that differs, and without characters that move the cursor.
pub fn differing(one: &str, other: &str) -> (String, String) {
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let is_long = |text: &str| text.chars().nth(SHOWN).is_some();
    let from = if is_long(one) || is_long(other) {
        same.saturating_sub(BEFORE)
    } else {
        0
    };
    (window(one, from), window(other, from))
}

fn window(text: &str, from: usize) -> String {
    let mut shown = String::new();
    if from > 0 {
        shown.push('…');
    }
    let mut chars = text.chars().skip(from);
    for c in chars.by_ref().take(SHOWN) {
        match c {
            '\n' => shown.push('⏎'),
            // Control characters would move the reader's cursor.
            c if c.is_control() || is_deceptive(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    let left = chars.count();
    if left > 0 {
        let _ = write!(shown, "… ({left} more)");
    }
    shown
}
