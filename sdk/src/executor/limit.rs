//! Cutting what a tool gives back to the size that the tool declares.

use crate::message::{Content, ToolError, ToolOutput};

/// Cuts an output to a limit in bytes, all its parts together.
///
/// A part that fits stays as it is. Of the others, text and JSON are cut to what is left of the
/// limit, and in place of an image or a link comes a note if there is room for it. A last part,
/// which the limit does not count, says how much there was.
#[cold]
pub(super) fn limited(mut output: ToolOutput, limit: u64) -> ToolOutput {
    let total = output.content().iter().map(size).sum();
    if total > limit {
        let mut left = limit;
        let kept = std::mem::take(&mut output.parts)
            .into_iter()
            .filter_map(|part| fitting(part, &mut left));
        output.parts = kept.collect();
        output.parts.push(Content::text(marker(limit, total)));
    }
    output.error = output.error.map(|error| limited_error(error, limit));
    output
}

/// The message is cut like the part that shows it: a result is kept and sent with both.
fn limited_error(error: ToolError, limit: u64) -> ToolError {
    let total = length(error.message());
    if total <= limit {
        return error;
    }
    let mut message = start(error.message().to_owned(), limit);
    if !message.is_empty() {
        message.push('\n');
    }
    message.push_str(&marker(limit, total));
    error.with_message(message)
}

fn marker(limit: u64, total: u64) -> String {
    format!("[output cut: it had {total} bytes, and the tool's limit is {limit}]")
}

/// What stays of a part, which it takes off what is left.
fn fitting(part: Content, left: &mut u64) -> Option<Content> {
    let bytes = size(&part);
    if bytes <= *left {
        *left -= bytes;
        return Some(part);
    }
    let (kind, media_type) = match part {
        Content::Text { text } => return cut(text, left),
        Content::Json { json } => return cut(json.into_string(), left),
        Content::Image(image) => ("image", Some(image.media_type)),
        Content::ResourceLink(link) => ("link", link.media_type),
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

/// The bytes of all that the model may see of a part.
fn size(part: &Content) -> u64 {
    match part {
        Content::Text { text } => length(text),
        Content::Json { json } => length(json.as_str()),
        Content::Image(image) => length(&image.data) + length(&image.media_type),
        Content::ResourceLink(link) => {
            let media_type = link.media_type.as_deref().unwrap_or_default();
            length(&link.uri) + length(&link.name) + length(media_type)
        }
    }
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
            let output = limited(ToolOutput::text(MIXED), limit);
            let expected = match limit {
                0 => "",
                1..3 => "a",
                3..6 => "a\u{e9}",
                _ => "a\u{e9}\u{20ac}",
            };
            let marker = marker(limit, 10);
            let expected: Vec<&str> = [expected, &marker]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect();
            assert_eq!(texts(&output), expected, "{limit}");
        }
        for limit in [10, 11, u64::MAX] {
            let output = limited(ToolOutput::text(MIXED), limit);
            assert_eq!(output, ToolOutput::text(MIXED), "{limit}");
        }
    }

    #[test]
    fn what_fits_after_a_large_part_stays() {
        let image = Content::image([0; 300], "image/png");
        let output = ToolOutput::from(image).with(Content::text("a caption"));
        let output = limited(output, 100);
        assert_eq!(
            texts(&output),
            [
                "[image (image/png) of 409 bytes left out]",
                "a caption",
                "[output cut: it had 418 bytes, and the tool's limit is 100]",
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
            let output = limited(output.clone(), limit);
            let (last, kept) = output.content().split_last().unwrap();
            assert!(last.as_text().unwrap().starts_with("[output cut: it had "));
            assert!(kept.iter().map(size).sum::<u64>() <= limit, "{limit}");
        }
    }

    #[test]
    fn json_stays_json_or_becomes_text() {
        let data = serde_json::json!({"name": "\u{e9}\u{e9}\u{e9}"});
        let whole = ToolOutput::json(&data).unwrap();
        let bytes = size(&whole.content()[0]);
        assert_eq!(limited(whole.clone(), bytes), whole);
        let output = limited(whole, bytes - 1);
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
        let output = limited(error.into(), 4);
        let error = output.as_error().unwrap();
        let marker = marker(4, 10);
        assert_eq!(texts(&output), ["a\u{e9}", &marker]);
        assert_eq!(error.message(), format!("a\u{e9}\n{marker}"));
        assert_eq!((error.code(), error.is_retryable()), ("gone", true));
        assert!(error.is_fatal() && std::error::Error::source(error).is_some());
    }
}
