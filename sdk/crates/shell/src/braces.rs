//! Words with braces, such as `src/{a,b}.rs`.
//!
//! Bash puts several words in place of one before it looks at anything else in it. Each of these is read
//! like any other word: it is a name, or a pattern of files that [`glob`](super::glob) looks up.

/// The most words that braces are expanded to.
const WORDS: usize = 64;

/// The longest word that is, in bytes: no system takes a longer path.
const LONGEST: usize = 4096;

/// The words that a word with braces becomes: lists that do not lie in each other.
/// `None` for others, and for a word that has more in it than text and patterns.
pub(super) fn words(word: &str) -> Option<Vec<String>> {
    if word.len() > LONGEST || word.contains(['$', '`', '~', '\'', '"', '\\', '(']) {
        return None;
    }
    let mut words = vec![String::new()];
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}')?;
        if before.contains('}') || inside.contains('{') || inside.contains("..") {
            return None;
        }
        if !inside.contains(',') {
            return None;
        }
        words = words
            .iter()
            .flat_map(|word| {
                inside
                    .split(',')
                    .map(move |item| format!("{word}{before}{item}"))
            })
            .collect();
        if words.len() > WORDS {
            return None;
        }
        rest = after;
    }
    if rest.contains('}') {
        return None;
    }
    for word in &mut words {
        word.push_str(rest);
    }
    Some(words)
}

#[cfg(test)]
mod tests {

    #[test]
    fn braces_become_words() {
        let words = |word: &str| super::words(word).map(|words| words.join(" "));
        assert_eq!(words("a").as_deref(), Some("a"));
        assert_eq!(words("a{b,c}d").as_deref(), Some("abd acd"));
        assert_eq!(words("{a,}{b,c}").as_deref(), Some("ab ac b c"));
        for word in [
            "{a",
            "a}",
            "{a,{b,c}}",
            "{1..3}",
            "{a}",
            "{a,b}}",
            "{a,$b}",
            "{a,~}",
        ] {
            assert_eq!(words(word), None, "{word}");
        }
        assert_eq!(words(&"{a,b}".repeat(7)), None);
    }
}
