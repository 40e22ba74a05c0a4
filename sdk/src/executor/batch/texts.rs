//! The texts of the arguments of calls that came together.

use std::ops::Range;

/// Arguments that calls were lent, one behind the other: a copy of its own for each would be an allocation.
#[derive(Default)]
pub(crate) struct ArgumentTexts(String);

/// The place of a text among [`ArgumentTexts`].
pub(crate) type TextRange = Range<u32>;

impl ArgumentTexts {
    /// The most bytes of a text that is worth it: to copy a longer one takes longer than its allocation, and that is
    /// given back as soon as the call has begun.
    const LONGEST: usize = 512;

    /// Adds a text, of about as many as are left. `None` if it is to be copied by itself.
    #[inline]
    pub(super) fn add(&mut self, text: &str, left: usize) -> Option<TextRange> {
        if text.len() > Self::LONGEST {
            return None;
        }
        let end = u32::try_from(self.0.len() + text.len()).ok()?;
        let begin = u32::try_from(self.0.len()).ok()?;
        if self.0.capacity() == 0 {
            // Calls of a batch are mostly alike.
            self.0.reserve(text.len().saturating_mul(left));
        }
        self.0.push_str(text);
        Some(begin..end)
    }

    /// Returns the text at a place.
    ///
    /// # Panics
    ///
    /// Panics if it was given out by others, which is a bug in this crate: no text would be a call without arguments.
    #[inline]
    pub(crate) fn at(&self, range: &TextRange) -> &str {
        &self.0[range.start as usize..range.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_one_behind_the_other_and_a_long_one_is_copied_by_itself() {
        let mut texts = ArgumentTexts::default();
        let short = [r#"{"a": "ü"}"#, "", "{}"];
        let ranges = short.map(|text| texts.add(text, 3).unwrap());
        assert_eq!(texts.add(&"a".repeat(513), 1), None);
        let longest = "é".repeat(256);
        let last = texts.add(&longest, 1).unwrap();
        assert_eq!(ranges.each_ref().map(|range| texts.at(range)), short);
        assert_eq!(texts.at(&last), longest);
    }
}
