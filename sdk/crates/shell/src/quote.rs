//! Words as bash takes them for what they are.

/// Returns words as bash would take them for the same words.
///
/// ```
/// assert_eq!(toolwright_shell::quoted(&["git", "commit", "it's"]), r"git commit 'it'\''s'");
/// ```
pub fn quoted<S: AsRef<str>>(words: &[S]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            text.push(' ');
        }
        quote_in(&mut text, word.as_ref());
    }
    text
}

/// Returns what stands between double quotes, if all of a text does.
pub(crate) fn in_quotes(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// Adds one word to a text, in single quotes unless all of it stands for itself.
pub(crate) fn quote_in(text: &mut String, word: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        text.push_str(word);
    } else {
        text.push('\'');
        text.push_str(&word.replace('\'', r"'\''"));
        text.push('\'');
    }
}
