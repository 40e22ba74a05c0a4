//! The format of all tables of words: a text with blanks between the words.

/// Returns true if a list has a word.
pub(crate) fn lists(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}
