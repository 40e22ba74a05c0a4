//! Members of an object, looked up one after the other.

use std::cmp::Ordering;
use std::iter::Peekable;

use serde_json::Value;
use serde_json::map::{Iter, Map};

/// Looks up members of an object. A name is found without a search if names are asked for in the order in which the
/// object has its own: two objects have both theirs in the order of the names, unless a crate of the program makes
/// `serde_json` keep another.
pub(crate) struct MemberLookup<'m> {
    members: &'m Map<String, Value>,
    ahead: Peekable<Iter<'m>>,
}

impl<'m> MemberLookup<'m> {
    pub(crate) fn of(members: &'m Map<String, Value>) -> Self {
        Self {
            members,
            ahead: members.iter().peekable(),
        }
    }

    /// The member of a name, whatever was asked for before.
    pub(crate) fn get(&mut self, name: &str) -> Option<(&'m str, &'m Value)> {
        let found = loop {
            match self.ahead.peek().map(|(own, _)| own.as_str().cmp(name)) {
                Some(Ordering::Less) => self.ahead.next(),
                Some(Ordering::Equal) => break self.ahead.next(),
                Some(Ordering::Greater) | None => break self.members.get_key_value(name),
            };
        };
        found.map(|(own, value)| (own.as_str(), value))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_name_is_found_in_any_order() {
        let object = json!({"a": 1, "b": 2, "d": 3});
        let members = object.as_object().unwrap();
        for asked in [
            ["a", "b", "c", "d", "e"],
            ["d", "c", "b", "a", ""],
            ["b", "b", "a", "d", "d"],
        ] {
            let mut lookup = MemberLookup::of(members);
            for name in asked {
                let found = lookup.get(name);
                assert_eq!(found.map(|(_, value)| value), object.get(name), "{asked:?}");
                assert!(found.is_none_or(|(own, _)| own == name));
            }
        }
    }
}
