//! Here-documents inside of substitutions, as in `git commit -m "$(cat <<'EOF' .. EOF)"`.
//!
//! The tokenizer and the word reader would both have to find the end of the substitution past a text
//! that may have any quotes and parentheses. So the text is taken out first and a mark left in its place.
//! That is right only if the `<<` is one: not in single quotes, a comment or another here-document.
//! Therefore it is done only where all `<<` of the line are of this form, and where each mark is found
//! again as the whole of a here-document, and nowhere else; a line where that fails is not understood.

/// A text with its here-documents taken out.
#[derive(Debug)]
pub(super) struct Lifted {
    pub(super) text: String,
    pub(super) bodies: Vec<String>,
    /// What the marks begin with; a number, a `.` and a new line follow.
    pub(super) mark: String,
}

impl Lifted {
    /// Takes out the here-documents of the form `$(cat <<'WORD'`, new line, the text, `WORD` in a line of
    /// its own, if there are some and no others.
    pub(super) fn new(line: &str) -> Option<Self> {
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
    /// What a word becomes that is a here-document and nothing else, `"$(cat <<'EOF' .. EOF)"`, if it
    /// expands nothing.
    pub(super) fn text_of(&self, raw: &str) -> Option<String> {
        let inside = raw.strip_prefix("\"$(cat")?.strip_suffix(")\"")?;
        let (head, mark, rest) = document(inside.trim_start_matches(' ').strip_prefix("<<")?)?;
        let end = rest.trim_end_matches(['\n', ' ']);
        let body = self.body(mark)?;
        let quoted = head.contains(['\'', '"']);
        let plain = quoted || !body.contains(['$', '`', '\\']);
        // A text in which another here-document may begin is not read again.
        let known = plain && !end.contains('\n') && !body.contains("<<");
        known.then(|| body.trim_end_matches('\n').to_owned())
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

/// A word that the line does not have.
fn mark(line: &str) -> Option<String> {
    (0..100)
        .map(|number| format!("here-document-{number}-"))
        .find(|mark| !line.contains(mark))
}

/// What follows a `<<`: the delimiter as written, the text, and the rest, from the delimiter's line.
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
