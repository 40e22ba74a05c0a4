//! Here-documents inside of substitutions, as in `git commit -m "$(cat <<'EOF' .. EOF)"`.
//!
//! The tokenizer and the word reader would both have to find the end of the substitution past a text
//! that may have any quotes and parentheses. So the text is taken out first and a mark left in its place.
//! This is right only if the `<<` is one: not in single quotes, a comment or another here-document.
//! Therefore it is done only where all `<<` of the line are of this form, and where each mark is found
//! again as the whole of a here-document, and nowhere else; a line where that fails is not understood.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A text with its here-documents taken out.
#[derive(Debug)]
pub(super) struct Lifted {
    pub(super) text: String,
    pub(super) bodies: Vec<String>,
    /// The beginning of the marks; a number, a `.` and a new line follow.
    pub(super) mark: String,
}

impl Lifted {
    /// Takes out the here-documents of the form `$(cat <<'WORD'`, new line, the text, `WORD` in a line of
    /// its own, if there are some and no others.
    pub(super) fn new(line: &str) -> Option<Self> {
        if !line.contains("<<") {
            return None;
        }
        let mark = mark(line)?;
        let mut text = String::with_capacity(line.len());
        let mut bodies = Vec::new();
        let mut rest = line;
        while let Some(start) = rest.find("<<") {
            let (before, after) = rest.split_at(start);
            text.push_str(before);
            if !before.trim_end_matches(' ').ends_with("$(cat") {
                return None;
            }
            let (head, body, after) = document(&after[2..])?;
            text.push_str("<<");
            text.push_str(head);
            text.push_str(&["\n", &mark, &bodies.len().to_string(), ".\n"].concat());
            bodies.push(body.to_owned());
            rest = after;
        }
        text.push_str(rest);
        (!bodies.is_empty()).then_some(Self { text, bodies, mark })
    }

    /// The here-document that a text stands for.
    pub(super) fn body(&self, text: &str) -> Option<&str> {
        let number = text.strip_prefix(&self.mark)?.strip_suffix(".\n")?;
        self.bodies
            .get(number.parse::<usize>().ok()?)
            .map(String::as_str)
    }
}

impl Lifted {
    /// Returns what a command prints that is `cat` with nothing but a here-document in which nothing is expanded;
    /// without the new lines at its end, which a substitution cuts.
    pub(super) fn printed(&self, command: &str) -> Option<&str> {
        let document = command
            .trim_matches([' ', '\t', '\n'])
            .strip_prefix("cat")?;
        let document = document.trim_start_matches(' ').strip_prefix("<<")?;
        let (head, rest) = document.split_once('\n')?;
        let head = head.trim_start_matches(' ');
        let quoted = ['\'', '"']
            .into_iter()
            .find_map(|quote| head.strip_prefix(quote)?.strip_suffix(quote));
        let mark = rest.strip_suffix(quoted.unwrap_or(head))?;
        let body = self.body(mark)?;
        let plain = quoted.is_some() || !body.contains(['$', '`', '\\']);
        plain.then(|| body.trim_end_matches('\n'))
    }

    /// Returns true if every here-document of a text is one that was taken out of the line. A text that the line
    /// puts together, by escapes or from a here-document, may have others.
    pub(super) fn has_all_of(&self, text: &str) -> bool {
        text.match_indices("<<").all(|(at, _)| {
            let rest = text.get(at + 2..).unwrap_or_default();
            rest.split_once('\n')
                .is_some_and(|(_, body)| body.starts_with(&self.mark))
        })
    }

    /// A piece of the text as it was written.
    pub(super) fn restored(&self, piece: &str) -> String {
        let mut whole = piece.to_owned();
        for (number, body) in self.bodies.iter().enumerate() {
            whole = whole.replace(&format!("{}{number}.\n", self.mark), body);
        }
        whole
    }
}

/// A word that the line does not have, and that no escape in it gives: it depends on the whole line.
fn mark(line: &str) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    let mark = format!("here-document-{:016x}-", hasher.finish());
    (!line.contains(&mark)).then_some(mark)
}

/// Returns what follows a `<<`: the delimiter as written, the text, and the rest, from the delimiter's line.
fn document(after: &str) -> Option<(&str, &str, &str)> {
    let line = after.split('\n').next()?;
    let bare = line.trim_start_matches(' ');
    let quoted = ['\'', '"']
        .into_iter()
        .find_map(|quote| bare.strip_prefix(quote)?.strip_suffix(quote));
    let word = quoted.unwrap_or(bare);
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return None;
    }
    let from = line.len() + 1;
    let mut at = from;
    loop {
        let rest = after.get(at..)?;
        let next = rest.split('\n').next()?;
        if next.starts_with(word) && next != word {
            // Inside of a substitution, some versions of bash end the document here.
            return None;
        }
        if next == word {
            let body = &after[from..at];
            // A backslash at the end of a line joins it with the next, the delimiter's too.
            if quoted.is_none() && body.contains("\\\n") {
                return None;
            }
            return Some((line, body, rest));
        }
        at += next.len() + 1;
    }
}
