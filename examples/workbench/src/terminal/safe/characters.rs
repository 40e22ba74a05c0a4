//! Characters that show as themselves, and the columns that they take.
//!
//! Terminals do not agree with each other, nor with any table, about the width of many characters:
//! `U+0CC0` takes no column by one and one by the other. A line that is wider than it was counted goes
//! on at the left edge, where it could pass for workbench's own. So a character is shown only if it is
//! of a script or a set of symbols in use today, and is counted as wide as any terminal shows it; all
//! others are written out.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};
use unicode_width::UnicodeWidthChar as _;

/// The characters that are shown: assigned letters, marks, digits, punctuation and symbols of
/// scripts in use. Not among them are those that take no room or only look like a space, long
/// dashes and ligatures of many columns, and the brackets of our own marks.
const SHOWN: &str = r"(?x)[
    [ [\p{L}\p{Mn}\p{Mc}\p{N}\p{P}\p{S}\x20]
      && [\p{Common}\p{Inherited}\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}\p{Georgian}
          \p{Hebrew}\p{Arabic}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}
          \p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}
          \p{Ethiopic}\p{Hangul}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Han}]
    ]
    -- [ \p{Default_Ignorable_Code_Point}
         \x{17d8} \x{2800} \x{2e3a} \x{2e3b} \x{27e6} \x{27e7} \x{fdf0}-\x{fdff}
         \x{1cc00}-\x{1d3ff} ]
]";

/// The ranges of the shown characters, in their order.
static RANGES: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let class = regex_syntax::parse(SHOWN).map(regex_syntax::hir::Hir::into_kind);
    match class {
        Ok(HirKind::Class(Class::Unicode(class))) => class
            .ranges()
            .iter()
            .map(|range| (range.start(), range.end()))
            .collect(),
        // A test holds that it is such a class. Without it only ASCII would be shown.
        _ => Vec::new(),
    }
});

/// Returns true if a character shows as itself: it does not command the terminal, takes a known
/// room, does not pass for a space, and does not turn the direction of what follows.
pub(crate) fn is_shown(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let found = RANGES.binary_search_by(|(first, last)| {
        if *last < c {
            std::cmp::Ordering::Less
        } else if *first > c {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Equal
        }
    });
    found.is_ok()
}

/// The most marks upon one character. More would grow over the lines above and below.
const MARKS: usize = 4;

/// Counts the marks upon a character, as a text is gone through.
#[derive(Default)]
pub(super) struct Stack(usize);

impl Stack {
    /// Returns true if the next character of the text shows as itself.
    pub(super) fn shows(&mut self, c: char) -> bool {
        self.0 = if c.width() == Some(0) { self.0 + 1 } else { 0 };
        self.0 <= MARKS && is_shown(c)
    }
}

/// The most columns that any terminal gives to a character that is shown.
pub(super) fn width(c: char) -> usize {
    if c.is_ascii() {
        return 1;
    }
    match c.width().max(c.width_cjk()) {
        // By some tables it takes no column, by others those of its script.
        Some(0) if c >= '\u{2e80}' => 2,
        Some(0) => 1,
        Some(1) if c.is_alphanumeric() => 1,
        // A symbol may be drawn as a picture.
        _ => 2,
    }
}
