//! A message as it is collected from its parts.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::call::{CallReader, Found, ProviderCall};
use super::raw::Loose;
use super::stop::StopReason;

/// A message that was read.
pub(super) struct Read<'m> {
    pub(super) contents: Contents<'m>,
    pub(super) stop_reason: StopReason,
    pub(super) usage: Option<&'m RawValue>,
}

/// The texts and calls of a message so far.
pub(super) struct Contents<'m> {
    pub(super) text: Cow<'m, str>,
    reader: CallReader<'m>,
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
        self.ends_in_call = true;
        let call = self.reader.add(found);
        call.place = place;
        self.must_write |= call.must_write;
        call
    }

    /// Adds what stands in place of a call, and is none: its kind with its article.
    pub(super) fn broken_call(&mut self, place: usize, kind: &str) {
        self.ends_in_call = true;
        self.must_write = true;
        self.reader.add_broken(kind).place = place;
    }

    pub(super) fn has_calls(&self) -> bool {
        self.reader.has_calls()
    }

    /// Refuses the calls at these places, which are not whole.
    pub(super) fn cut_off(&mut self, places: &[usize], stop: &StopReason) {
        for call in self.reader.calls_mut() {
            if places.contains(&call.place) {
                call.cut_off(stop);
            }
        }
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
