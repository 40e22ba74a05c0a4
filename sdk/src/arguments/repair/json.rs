//! JSON text as a tree, if it says one thing.

use serde_json::{Number, Value};

use super::lenient::stripped;
use super::numbers::is_lossless;
use crate::arguments::strict::{loss, numbers, repeated};
use crate::util::nesting::{self, DEPTH};

/// The tree of a text, if it is JSON in which no object has a name twice and no number would be rounded.
pub(super) fn tree(text: &str) -> Option<Value> {
    let is_single = repeated(text).is_ok_and(|repeated| repeated.is_empty());
    let is_kept = !numbers(text).any(|number| loss(number).is_some());
    (is_single && is_kept).then(|| serde_json::from_str(text).ok())?
}

/// The object that a text is but for a code fence around it or commas after last values, and what these
/// were. No number of it has been rounded.
pub(super) fn lenient(text: &str) -> Option<(Value, Vec<&'static str>)> {
    let stripped = stripped(text)?;
    let tree = strict_container(&stripped.text, DEPTH)?;
    tree.is_object().then_some((tree, stripped.removed))
}

/// The array or object that a text is, if need be without a code fence around it and commas after last
/// values, with its numbers as they are written, in at most so many
/// levels.
pub(super) fn container(text: &str, levels: usize) -> Option<Value> {
    let strict = strict_container(text, levels);
    strict.or_else(|| strict_container(&stripped(text)?.text, levels))
}

fn strict_container(text: &str, levels: usize) -> Option<Value> {
    let text = text.trim_ascii();
    if !text.starts_with(['[', '{']) || nesting::of_text(text) > levels.min(DEPTH) {
        return None;
    }
    if !numbers(text).all(is_lossless) {
        return None;
    }
    tree(text)
}

/// Returns true if each number stands in the text as it is written again.
pub(super) fn numbers_are_as_written(text: &str) -> bool {
    numbers(text).all(|number| {
        let float = || number.parse().ok().and_then(Number::from_f64);
        !number.contains(['.', 'e', 'E']) || float().is_some_and(|f| f.to_string() == number)
    })
}
