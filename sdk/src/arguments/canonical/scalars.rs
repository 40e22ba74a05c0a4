//! Canonical arguments as text, written straight from arguments that are scalars.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};

use crate::arguments::{Arguments, View};
use crate::schema::{MEMBERS, ScalarDefault, ScalarMember, is_exact};
use crate::spec::ToolSpec;

impl Arguments<'_> {
    /// Writes the [canonical](Self::canonical) arguments as text in the canonical form of RFC 8785 (JCS), where that
    /// takes no tree of them.
    ///
    /// Returns false, and writes nothing, for arguments of which this cannot be said in one pass: if one of them is
    /// an object, a list, a fraction or a whole number beyond 2^53, if the tool has secrets or its schema is not a
    /// plain list of arguments, and if there are no canonical arguments. Whoever gets false makes the tree, by
    /// [`canonical`](Self::canonical).
    ///
    /// ```
    /// use toolwright::{Tool, tool};
    /// use toolwright::arguments::Arguments;
    ///
    /// /// Search.
    /// #[tool]
    /// async fn search(query: String, #[arg(default = 10)] limit: u32) {
    /// #   drop((query, limit));
    /// }
    ///
    /// let mut text = String::new();
    /// let sent = Arguments::from(r#"{"query": "\u0078"}"#);
    /// assert!(sent.write_canonical(Search.spec(), &mut text));
    /// assert_eq!(text, r#"{"limit":10,"query":"x"}"#);
    /// ```
    pub fn write_canonical(&self, spec: &ToolSpec, out: &mut String) -> bool {
        let Some(members) = spec.scalar_arguments() else {
            return false;
        };
        let members = members.as_slice();
        let mut values = [const { Scalar::Nothing }; MEMBERS];
        let reader = ScalarReader {
            members,
            values: &mut values,
        };
        let is_read = match self.view() {
            View::Empty => true,
            View::Text(text) => {
                let mut text = serde_json::Deserializer::from_str(text);
                let read = text.deserialize_map(reader);
                read.and_then(|()| text.end()).is_ok()
            }
            View::Tree(tree) => tree.deserialize_map(reader).is_ok(),
        };
        let length = out.len();
        let is_written = is_read && write_members(members, &values, out);
        if !is_written {
            out.truncate(length);
        }
        is_written
    }
}

/// The value of a member.
#[derive(Debug)]
enum Scalar<'t> {
    /// The member is not there.
    Nothing,
    Null,
    Bool(bool),
    Whole(i64),
    Text(Cow<'t, str>),
}

/// Writes an object. Returns false if it is not certain how.
fn write_members(members: &[ScalarMember], values: &[Scalar<'_>], out: &mut String) -> bool {
    out.push('{');
    let begin = out.len();
    for (member, value) in members.iter().zip(values) {
        let default = match (value, &member.default) {
            (Scalar::Nothing, ScalarDefault::Nothing) => continue,
            (Scalar::Nothing, ScalarDefault::Text(text)) => text,
            (Scalar::Nothing, ScalarDefault::Unclear) => return false,
            (Scalar::Null, _) if member.drops_null => continue,
            _ => "",
        };
        if out.len() > begin {
            out.push(',');
        }
        out.push_str(&member.key);
        match value {
            Scalar::Nothing => out.push_str(default),
            Scalar::Null => out.push_str("null"),
            Scalar::Bool(true) => out.push_str("true"),
            Scalar::Bool(false) => out.push_str("false"),
            Scalar::Whole(number) => out.push_str(itoa::Buffer::new().format(*number)),
            Scalar::Text(text) => {
                if !push_text(text, out) {
                    return false;
                }
            }
        }
    }
    out.push('}');
    true
}

/// Writes a text, whose escapes in RFC 8785 are those of `serde_json`. Returns false if it has none.
fn push_text(text: &str, out: &mut String) -> bool {
    let is_escaped = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\');
    if text.bytes().any(is_escaped) {
        let Ok(json) = serde_json::to_string(text) else {
            return false;
        };
        out.push_str(&json);
    } else {
        out.push('"');
        out.push_str(text);
        out.push('"');
    }
    true
}

/// Reads an object whose members are known and scalars. Any other is an error.
struct ScalarReader<'p, 't> {
    members: &'p [ScalarMember],
    values: &'p mut [Scalar<'t>],
}

impl<'t> Visitor<'t> for ScalarReader<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of scalars")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        let mut next = 0;
        while let Some(found) = map.next_key_seed(MemberSeed(self.members, next))? {
            // Most models send arguments in the order of the schema, and many schemas name them by the alphabet.
            next = found + 1;
            let place = self.values.get_mut(found);
            // A reader that takes the first of two, and a reader that takes the last, would see different calls.
            let place = place.filter(|place| matches!(place, Scalar::Nothing));
            let place = place.ok_or_else(|| A::Error::custom("a name is there twice"))?;
            *place = map.next_value_seed(ScalarSeed)?;
        }
        Ok(())
    }
}

/// Finds the member of a name; most often it is the next one.
struct MemberSeed<'p>(&'p [ScalarMember], usize);

impl<'t> DeserializeSeed<'t> for MemberSeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for MemberSeed<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let Self(members, next) = self;
        let is_it = |member: &ScalarMember| member.name == name;
        if members.get(next).is_some_and(is_it) {
            return Ok(next);
        }
        let found = members.iter().position(is_it);
        found.ok_or_else(|| E::invalid_value(Unexpected::Other("another name"), &self))
    }
}

struct ScalarSeed;

impl<'t> DeserializeSeed<'t> for ScalarSeed {
    type Value = Scalar<'t>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Scalar<'t>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for ScalarSeed {
    type Value = Scalar<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a truth value, null or a whole number")
    }

    fn visit_unit<E>(self) -> Result<Scalar<'t>, E> {
        Ok(Scalar::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar<'t>, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Scalar<'t>, E> {
        let number = is_exact(number).then_some(Scalar::Whole(number));
        number.ok_or_else(|| E::custom("a large number"))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Scalar<'t>, E> {
        // A number that does not fit is not exact either.
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_borrowed_str<E>(self, text: &'t str) -> Result<Scalar<'t>, E> {
        Ok(Scalar::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar<'t>, E> {
        Ok(Scalar::Text(Cow::Owned(text.to_owned())))
    }
}
