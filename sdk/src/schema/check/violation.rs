//! A thing that a schema says against a value, and its place.

use serde_json::Value;

use crate::util::pointer::push_key;

/// Something that a schema says against a value.
#[derive(Debug)]
pub(crate) struct Violation<'s> {
    /// The place, as a JSON pointer into the value.
    pub(crate) pointer: String,
    /// The schema that the value breaks; `None` if it is not known.
    pub(crate) node: Option<&'s Value>,
    /// The schema that the references of `node` lead into.
    pub(crate) root: &'s Value,
    pub(crate) kind: ViolationKind<'s>,
}

/// The kinds of [`Violation`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "json-schema"),
    expect(dead_code, reason = "some of them only a validator finds")
)]
pub(crate) enum ViolationKind<'s> {
    /// The object lacks a name.
    Missing(String),
    /// The object has names that it must not have.
    Unknown(Vec<String>),
    /// The value that tells branches apart is none of these, or missing.
    Tag(Vec<&'s str>),
    /// The only name in the object is that of no branch; the second is near to it.
    Branch(String, &'s str),
    /// The value is of another type.
    Type,
    /// The value is none of those that are listed.
    NotListed,
    /// The value is one that is excluded.
    Excluded,
    /// No part of the list, or too few or many, are as some must be.
    Contains,
    /// A name in the object is not as names must be.
    Name(String),
    /// The list has something twice.
    Repeated,
    /// The number of members.
    Count,
    /// The value fits several alternatives and may fit one.
    Several,
    /// It takes too much to match the value with a pattern.
    Pattern,
    /// The number may have been rounded.
    Rounded,
    /// Nothing is allowed here.
    Never,
    /// The value fits none of several alternatives.
    Union,
    /// Anything else.
    Other,
    /// Something, somewhere in the value.
    Somewhere,
    /// It takes too much to find out.
    TooMuch,
    /// Nobody can judge the value.
    Unjudged,
}

impl Violation<'_> {
    /// Returns the place of what is wrong: of the name too, if it is about one.
    pub(crate) fn place(&self) -> String {
        let mut place = self.pointer.clone();
        match &self.kind {
            ViolationKind::Missing(name)
            | ViolationKind::Name(name)
            | ViolationKind::Branch(name, _) => push_key(&mut place, name),
            ViolationKind::Unknown(names) => {
                if let [name] = &names[..] {
                    push_key(&mut place, name);
                }
            }
            _ => {}
        }
        place
    }
}

impl ViolationKind<'_> {
    /// Returns true if it is about names, types and alternatives, which a type judges when it is read.
    pub(crate) fn is_of_form(&self) -> bool {
        matches!(
            self,
            Self::Missing(_)
                | Self::Unknown(_)
                | Self::Tag(_)
                | Self::Branch(..)
                | Self::Type
                | Self::NotListed
                | Self::Union
                | Self::Several
        )
    }
}
