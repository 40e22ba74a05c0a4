//! Names with a `*` for any run of characters.

/// A text in which `*` stands for any run of characters, the empty one and dots among them.
///
/// Kept as what stands between the stars: each piece is looked for after the one before, where it
/// comes first, and nothing is ever tried again. So a match takes time in proportion to the name,
/// whatever the pattern is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glob {
    Exact(Box<str>),
    Wild {
        start: Box<str>,
        /// Without empty ones.
        between: Vec<Box<str>>,
        end: Box<str>,
    },
}

impl Glob {
    pub(super) fn new(text: &str) -> Self {
        let Some((start, rest)) = text.split_once('*') else {
            return Self::Exact(text.into());
        };
        let (between, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        let between = between.split('*').filter(|piece| !piece.is_empty());
        Self::Wild {
            start: start.into(),
            between: between.map(Box::from).collect(),
            end: end.into(),
        }
    }

    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    pub(super) fn fits(&self, name: &str) -> bool {
        let (start, between, end) = match self {
            Self::Exact(text) => return **text == *name,
            Self::Wild {
                start,
                between,
                end,
            } => (start, between, end),
        };
        let rest = name.strip_prefix(&**start);
        let Some(mut rest) = rest.and_then(|rest| rest.strip_suffix(&**end)) else {
            return false;
        };
        for piece in between {
            match rest.split_once(&**piece) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    /// The plain definition, in time that grows with the product of the lengths.
    fn fits_by_definition(pattern: &[u8], name: &[u8]) -> bool {
        let mut row = vec![false; name.len() + 1];
        row[0] = true;
        for &byte in pattern {
            let mut next = vec![false; name.len() + 1];
            next[0] = row[0] && byte == b'*';
            for at in 0..name.len() {
                next[at + 1] = match byte {
                    b'*' => row[at + 1] || next[at],
                    _ => row[at] && name[at] == byte,
                };
            }
            row = next;
        }
        row[name.len()]
    }

    #[test]
    fn short_patterns_and_names_all_fit_as_defined() {
        let texts = |alphabet: &[u8], length: u32| -> Vec<Vec<u8>> {
            let count = alphabet.len().pow(length);
            let text = |mut number: usize| {
                let mut text = Vec::new();
                for _ in 0..length {
                    text.push(alphabet[number % alphabet.len()]);
                    number /= alphabet.len();
                }
                text
            };
            (0..count).map(text).collect()
        };
        let names: Vec<Vec<u8>> = (0..=5).flat_map(|length| texts(b"a.", length)).collect();
        let mut fitting = 0;
        for pattern in (0..=5).flat_map(|length| texts(b"a.*", length)) {
            let glob = Glob::new(std::str::from_utf8(&pattern).unwrap());
            for name in &names {
                let fits = glob.fits(std::str::from_utf8(name).unwrap());
                assert_eq!(
                    fits,
                    fits_by_definition(&pattern, name),
                    "{pattern:?} {name:?}"
                );
                fitting += usize::from(fits);
            }
        }
        assert!(fitting > 1_000, "{fitting}");
    }

    #[test]
    fn a_hostile_pattern_takes_no_longer_than_its_name() {
        // A matcher that backtracks would practically never end.
        let pattern = format!("{}b", "a*".repeat(30_000));
        let glob = Glob::new(&pattern);
        assert!(!glob.fits(&"a".repeat(60_000)));
        assert!(glob.fits(&format!("{}b", "a".repeat(30_000))));
        assert!(Glob::new(&"*".repeat(60_000)).fits(""));
    }
}
