//! Where the reader of JSON found a mistake, as people count.

/// Where in a text an error lies: which of its characters, counted from 1.
pub(crate) fn character_of(text: &str, error: &serde_json::Error) -> usize {
    // The error counts in bytes.
    let lines = text.split_inclusive('\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let end = before + error.column().max(1);
    text.char_indices().take_while(|(at, _)| *at < end).count()
}
