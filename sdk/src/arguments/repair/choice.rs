//! Several things that a value may become: one of them if nothing else can have been meant.

use serde_json::Value;

use super::Repair;
use super::retype::{TypeSet, case_of, texts_of};
use super::walk::RepairWalk;
use crate::schema::{Keyword, Keywords, equal, resolved};

/// The result of the ways that were tried.
pub(super) struct RepairChoice {
    /// The number of repairs that there were before.
    mark: usize,
    found: Option<(Value, Vec<Repair>)>,
    /// Two different things came out.
    open: bool,
}

impl RepairChoice {
    pub(super) fn new(mark: usize) -> Self {
        Self {
            mark,
            found: None,
            open: false,
        }
    }

    pub(super) fn mark(&self) -> usize {
        self.mark
    }

    /// Takes back the repairs of one way, which led to a value if that fits.
    pub(super) fn tried(&mut self, value: Option<Value>, repairs: &mut Vec<Repair>) {
        let made = repairs.split_off(self.mark);
        match (value, &self.found) {
            (None, _) => {}
            (Some(value), None) => self.found = Some((value, made)),
            (Some(value), Some((found, _))) => self.open |= !equal(&value, found),
        }
    }

    /// Makes the value what came out, if that is one thing.
    pub(super) fn decide(self, value: &mut Value, repairs: &mut Vec<Repair>) -> bool {
        let (Some((found, made)), false) = (self.found, self.open) else {
            return false;
        };
        *value = found;
        repairs.extend(made);
        true
    }
}

impl<'s> RepairWalk<'s> {
    /// Returns true if a branch takes objects, by its own keywords.
    pub(super) fn takes_objects(&self, branch: &'s Value) -> bool {
        resolved(self.root, branch)
            .is_none_or(|node| TypeSet::declared(Keywords::of(node)).overlap(TypeSet::OBJECT))
    }

    /// Returns true if a branch of a union can be meant at all. What names the branches, such as `kind`,
    /// tells most of them apart without a closer look.
    pub(super) fn is_possible(&mut self, value: &Value, branch: &'s Value) -> bool {
        let Some(node) = resolved(self.root, branch) else {
            return true;
        };
        let node = Keywords::of(node);
        let types = TypeSet::declared(node);
        if !value.is_null() && types.is_only(TypeSet::NULL) {
            return false;
        }
        let Value::Object(members) = value else {
            return true;
        };
        if !types.overlap(TypeSet::OBJECT | TypeSet::ARRAY) {
            return false;
        }
        let properties = node.object(Keyword::Properties);
        for (name, property) in properties.into_iter().flatten() {
            if !self.spend(1) {
                return false;
            }
            let (Some(given), Some(property)) = (members.get(name), resolved(self.root, property))
            else {
                continue;
            };
            let property = Keywords::of(property);
            if let Value::String(text) = given
                && TypeSet::declared(property).is_only(TypeSet::STRING)
                && texts_of(property).next().is_some()
                && texts_of(property).all(|one| one != text)
                && case_of(text, property).is_none()
            {
                return false;
            }
        }
        true
    }
}
