//! Words as bash takes them for what they are.

/// Returns words as bash would take them for the same words.
///
/// ```
/// assert_eq!(toolwright_shell::quoted(&["git", "commit", "it's"]), r"git commit 'it'\''s'");
/// ```
pub fn quoted<S: AsRef<str>>(words: &[S]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| quoted_word(word.as_ref()))
        .collect();
    quoted.join(" ")
}

/// Returns what stands between double quotes, if all of a text does.
pub(crate) fn in_quotes(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// Returns one word, in single quotes unless all of it stands for itself.
pub(crate) fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
