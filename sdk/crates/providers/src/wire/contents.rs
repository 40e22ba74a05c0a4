//! Texts and calls, as they are collected from the parts of a message.

use std::borrow::Cow;

use super::call::{CallReader, Found, ProviderCall};
use super::raw::Loose;
use super::stop::StopReason;

/// The texts and calls of a message so far.
pub(super) struct Contents<'m> {
    pub(super) text: Cow<'m, str>,
    reader: CallReader<'m>,
    /// The places of the calls among the parts.
    pub(super) places: Vec<usize>,
    /// True if the API would not take the message back as it came.
    pub(super) must_write: bool,
    pub(super) is_refused: bool,
    /// True if the last part that was added is a call.
    ends_in_call: bool,
}

impl<'m> Contents<'m> {
    pub(super) fn new(reader: CallReader<'m>) -> Self {
        Self {
            text: Cow::Borrowed(""),
            reader,
            places: Vec::new(),
            must_write: false,
            is_refused: false,
            ends_in_call: false,
        }
    }

    /// Adds a text. Returns true if it has a character.
    pub(super) fn text(&mut self, part: Loose<'m>) -> bool {
        let Some(part) = part.filled() else {
            return false;
        };
        if self.text.is_empty() {
            self.text = part;
        } else {
            self.text.to_mut().push_str(&part);
        }
        self.ends_in_call = false;
        true
    }

    /// Adds the text of a refusal.
    pub(super) fn refusal(&mut self, part: Loose<'m>) {
        self.is_refused |= self.text(part);
    }

    /// Notes that a part is neither text nor call.
    pub(super) fn other(&mut self) {
        self.ends_in_call = false;
    }

    /// Adds a call.
    pub(super) fn call(&mut self, place: usize, found: Found<'m>) -> &mut ProviderCall<'m> {
        self.places.push(place);
        self.ends_in_call = true;
        let call = self.reader.add(found);
        self.must_write |= call.must_write;
        call
    }

    /// Adds what stands in place of a call, and is none: its kind with its article.
    pub(super) fn broken_call(&mut self, place: usize, kind: &str) {
        self.places.push(place);
        self.ends_in_call = true;
        self.must_write = true;
        self.reader.add_broken(kind);
    }

    pub(super) fn has_calls(&self) -> bool {
        !self.places.is_empty()
    }

    /// Returns the calls. The last is refused, if the message ends in it and may have been cut off there.
    pub(super) fn take_calls(&mut self, stop: &StopReason) -> Vec<ProviderCall<'m>> {
        let mut calls = self.reader.take_calls();
        if let (true, true, Some(last)) = (stop.may_cut_off(), self.ends_in_call, calls.last_mut())
        {
            last.cut_off(stop);
        }
        calls
    }
}
