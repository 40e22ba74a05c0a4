//! Cutting what a call gave to the size that the model is to see.

use crate::content::{Content, EmbeddedBody, ToolError, ToolOutput, Truncation};
use crate::id::InvocationId;
use crate::results::NAME;

/// The handling of the text beyond a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It can be read by the id of its call.
    Kept(InvocationId),
    /// It was to be kept, and that was not possible.
    NotKept,
    /// Nothing is kept here.
    ForGood,
}

/// Cuts an output to a limit in bytes, all its parts together.
///
/// A part that fits stays as it is. Of the others, text and JSON are cut to what is left of the
/// limit, and in place of an image or a link comes a note if there is room for it. A last part,
/// which the limit does not count, says how much there was.
pub(crate) fn limited(mut output: ToolOutput, limit: u64, cut: Cut) -> ToolOutput {
    let total = output.size();
    if total > limit {
        let mut left = limit;
        let mut read = ReadPart::default();
        let parts = std::mem::take(&mut output.parts).into_iter();
        let kept = parts.filter_map(|part| {
            let before = part.as_text().map(length);
            let kept = fitting(part, &mut left);
            let text = kept.as_ref().and_then(Content::as_text);
            if let Some(before) = before {
                read.on(before, text.map_or(0, length));
            }
            kept
        });
        output.parts = kept.collect();
        let shown = output.size();
        let marker = marker(shown, total, read.offset, cut);
        output.parts.push(Content::text(marker));
        let kept = matches!(cut, Cut::Kept(_));
        output.extras.get_or_insert_default().truncation = Some(Truncation { shown, total, kept });
    }
    output.error = output.error.map(|error| limited_error(error, limit, cut));
    output
}

/// Returns the number of bytes of the text that are shown, where each part begins a line.
#[derive(Default)]
struct ReadPart {
    offset: u64,
    ended: bool,
}

impl ReadPart {
    fn on(&mut self, bytes: u64, shown: u64) {
        if self.ended {
            return;
        }
        self.ended = shown < bytes;
        self.offset += if self.ended { shown } else { bytes + 1 };
    }
}

/// The message is cut like the part that shows it: a result is kept and sent with both.
fn limited_error(error: ToolError, limit: u64, cut: Cut) -> ToolError {
    let total = length(error.message());
    if total <= limit {
        return error;
    }
    let mut message = start(error.message().to_owned(), limit);
    let shown = length(&message);
    if !message.is_empty() {
        message.push('\n');
    }
    message.push_str(&marker(shown, total, shown, cut));
    error.with_message(message)
}

fn marker(shown: u64, total: u64, offset: u64, cut: Cut) -> String {
    let so_far = format!("cut: {shown} of {total} bytes are shown");
    match cut {
        Cut::Kept(id) => {
            format!(
                "[{so_far}; read on by `{NAME}` with {{\"id\": \"{id}\", \"offset\": {offset}}}]"
            )
        }
        Cut::NotKept => {
            format!("[{so_far}; the rest could not be kept, so ask for less at once to see it]")
        }
        Cut::ForGood => format!("[{so_far}; ask for less at once to see the rest]"),
    }
}

/// Cuts a part, and takes its size off the rest.
fn fitting(part: Content, left: &mut u64) -> Option<Content> {
    let bytes = part.size();
    if bytes <= *left {
        *left -= bytes;
        return Some(part);
    }
    let (kind, media_type) = match part {
        Content::Text { text } => return cut(text, left),
        Content::Json { json } => return cut(json.into_string(), left),
        Content::Image(image) => ("image", Some(image.media_type)),
        Content::Audio(audio) => ("audio", Some(audio.media_type)),
        Content::ResourceLink(link) => ("link", link.media_type),
        Content::Embedded(resource) => match resource.body {
            EmbeddedBody::Text(text) => return cut(text, left),
            EmbeddedBody::Data(_) => ("resource", resource.media_type),
        },
    };
    let media_type = media_type.map_or(String::new(), |is| format!(" ({is})"));
    let note = format!("[{kind}{media_type} of {bytes} bytes left out]");
    let room = left.checked_sub(length(&note))?;
    *left = room;
    Some(Content::text(note))
}

/// The start of a text that does not fit; after it there is no room for anything.
fn cut(text: String, left: &mut u64) -> Option<Content> {
    let kept = start(text, std::mem::take(left));
    (!kept.is_empty()).then(|| Content::text(kept))
}

/// As many whole characters as fit.
fn start(mut text: String, bytes: u64) -> String {
    let mut end = usize::try_from(bytes).map_or(text.len(), |bytes| bytes.min(text.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    // The rest may be most of what the tool wrote.
    text.shrink_to_fit();
    text
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text of four characters of one to four bytes: 10 bytes.
    const MIXED: &str = "a\u{e9}\u{20ac}\u{1f980}";

    fn texts(output: &ToolOutput) -> Vec<&str> {
        let parts = output.content().iter();
        parts.filter_map(Content::as_text).collect()
    }

    #[test]
    fn a_cut_is_at_a_character_boundary_whatever_the_limit() {
        assert_eq!(MIXED.len(), 10);
        for limit in 0..10 {
            let output = limited(ToolOutput::text(MIXED), limit, Cut::ForGood);
            let expected = match limit {
                0 => "",
                1..3 => "a",
                3..6 => "a\u{e9}",
                _ => "a\u{e9}\u{20ac}",
            };
            let marker = marker(length(expected), 10, 0, Cut::ForGood);
            let expected: Vec<&str> = [expected, &marker]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect();
            assert_eq!(texts(&output), expected, "{limit}");
        }
        for limit in [10, 11, u64::MAX] {
            let output = limited(ToolOutput::text(MIXED), limit, Cut::ForGood);
            assert_eq!(output, ToolOutput::text(MIXED), "{limit}");
        }
    }

    #[test]
    fn what_fits_after_a_large_part_stays() {
        let image = Content::image([0; 300], "image/png");
        let output = ToolOutput::from(image).with(Content::text("a caption"));
        let output = limited(output, 100, Cut::ForGood);
        assert_eq!(
            texts(&output),
            [
                "[image (image/png) of 409 bytes left out]",
                "a caption",
                "[cut: 50 of 418 bytes are shown; ask for less at once to see the rest]",
            ]
        );
    }

    #[test]
    fn many_parts_are_no_way_around_the_limit() {
        let parts = (0..1000).map(|n| match n % 4 {
            0 => Content::text("x".repeat(7)),
            1 => Content::json(&[n]).unwrap(),
            2 => Content::image([0; 30], "image/png"),
            _ => Content::resource_link("file:///somewhere/far/away", "far"),
        });
        let output: ToolOutput = parts.collect();
        for limit in [0, 1, 50, 1000] {
            let output = limited(output.clone(), limit, Cut::ForGood);
            let (last, kept) = output.content().split_last().unwrap();
            assert!(last.as_text().unwrap().starts_with("[cut: "));
            assert!(
                kept.iter().map(Content::size).sum::<u64>() <= limit,
                "{limit}"
            );
        }
    }

    #[test]
    fn json_stays_json_or_becomes_text() {
        let data = serde_json::json!({"name": "\u{e9}\u{e9}\u{e9}"});
        let whole = ToolOutput::json(&data).unwrap();
        let bytes = whole.content()[0].size();
        assert_eq!(limited(whole.clone(), bytes, Cut::ForGood), whole);
        let output = limited(whole, bytes - 1, Cut::ForGood);
        assert!(matches!(output.content()[0], Content::Text { .. }));
        assert_eq!(texts(&output)[0], "{\"name\":\"\u{e9}\u{e9}\u{e9}\"");
    }

    #[test]
    fn an_error_is_cut_with_its_message_and_stays_what_it_is() {
        let error = ToolError::not_found(MIXED)
            .with_code("gone")
            .with_retryable(true)
            .with_source("for the log")
            .into_fatal();
        let output = limited(error.into(), 4, Cut::ForGood);
        let error = output.as_error().unwrap();
        let marker = marker(3, 10, 3, Cut::ForGood);
        assert_eq!(texts(&output), ["a\u{e9}", &marker]);
        assert_eq!(error.message(), format!("a\u{e9}\n{marker}"));
        assert_eq!((error.code(), error.is_retryable()), ("gone", true));
        assert!(error.is_fatal() && std::error::Error::source(error).is_some());
    }

    #[test]
    fn what_is_kept_is_read_on_where_the_text_that_is_shown_ends() {
        let id = InvocationId::from_parts(0, 7);
        let offset = |output: ToolOutput, limit| {
            let output = limited(output, limit, Cut::Kept(id));
            let marker = texts(&output)
                .last()
                .copied()
                .unwrap_or_default()
                .to_owned();
            let (_, rest) = marker.split_once("\"offset\": ").unwrap();
            rest.trim_end_matches("}]").parse::<u64>().unwrap()
        };
        assert_eq!(offset(ToolOutput::text(MIXED), 4), 3);
        let lines = |parts: &[&str]| parts.iter().map(|part| Content::text(*part)).collect();
        // "abc\ndefg": the first line and its end are there.
        assert_eq!(offset(lines(&["abc", "defg"]), 5), 6);
        // Text that is shown after the cut does not count.
        assert_eq!(offset(lines(&["abcdef", "gh", "i"]), 2), 2);
    }

    #[test]
    fn the_host_is_told_of_the_cut() {
        let output = limited(ToolOutput::text(MIXED), 4, Cut::NotKept);
        let truncation = output.extras.unwrap().truncation.unwrap();
        let expected = Truncation {
            shown: 3,
            total: 10,
            kept: false,
        };
        assert_eq!(truncation, expected);
    }
}
