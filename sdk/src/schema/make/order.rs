//! The order in which a schema is written. A [`Value`] has the order that some crate of the program
//! chose for all, by a feature of `serde_json`; a schema has the same bytes in each of them.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Number, Value};

use crate::schema::walk::{Holds, Node, holds};

/// The keyword by which `#[tool_type]` numbers the fields of a type. It is in no schema that anybody
/// sees.
const PLACE: &str = "x-toolwright-order";

/// The name that `serde_json` gives to the one member of the object that stands for a number, if it
/// keeps the text of numbers.
const NUMBER: &str = "$serde_json::private::Number";

/// The order of the members of a value and of all values in it. Members that it does not name are
/// written after those that it does, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MemberOrder {
    /// The names of an object's members, with the orders in them; by name if they are no sequence.
    members: Vec<(Box<str>, MemberOrder)>,
    /// True if the members are written in the order of this list, otherwise by name.
    is_sequence: bool,
    /// The orders of the items of a list.
    items: Vec<MemberOrder>,
}

static BY_NAME: MemberOrder = MemberOrder {
    members: Vec::new(),
    is_sequence: false,
    items: Vec::new(),
};

impl MemberOrder {
    /// Takes from a schema what `#[tool_type]` says of the order of its properties.
    pub(crate) fn take_from(schema: &mut Value) -> Self {
        match schema {
            Value::Object(node) => Self::take_from_node(node),
            _ => Self::default(),
        }
    }

    fn take_from_node(node: &mut Node) -> Self {
        node.remove(PLACE);
        let mut order = Self::default();
        for (keyword, value) in node.iter_mut() {
            let inner = match (holds(keyword, value), value) {
                (Some(Holds::One), schema) => Self::take_from(schema),
                (Some(Holds::List), Value::Array(list)) => Self {
                    items: list.iter_mut().map(Self::take_from).collect(),
                    ..Self::default()
                },
                (Some(Holds::ByName), Value::Object(map)) if keyword == "properties" => {
                    Self::of_properties(map)
                }
                (Some(Holds::ByName), Value::Object(map)) => {
                    let members = map.iter_mut();
                    let members = members.map(|(name, inner)| (&**name, Self::take_from(inner)));
                    let members = members.filter(|(_, order)| order.says_something());
                    let mut inner = Self {
                        members: members.map(|(name, order)| (name.into(), order)).collect(),
                        ..Self::default()
                    };
                    inner.sort();
                    inner
                }
                _ => continue,
            };
            if inner.says_something() {
                order.members.push((keyword.as_str().into(), inner));
            }
        }
        order.sort();
        order
    }

    fn sort(&mut self) {
        self.members
            .sort_unstable_by(|one, other| one.0.cmp(&other.0));
    }

    /// First what has no place, as the tag of a variant, by name; then each type's fields.
    fn of_properties(properties: &mut Node) -> Self {
        let place = |schema: &Value| schema.get(PLACE).and_then(Value::as_str).map(str::to_owned);
        let mut placed: Vec<(Option<String>, Box<str>, Self)> = properties
            .iter_mut()
            .map(|(name, schema)| (place(schema), name.as_str().into(), Self::take_from(schema)))
            .collect();
        placed.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
        let is_sequence = !placed.is_sorted_by(|one, other| one.1 <= other.1);
        let members = placed.into_iter().map(|(_, name, order)| (name, order));
        Self {
            members: members
                .filter(|(_, order)| is_sequence || order.says_something())
                .collect(),
            is_sequence,
            items: Vec::new(),
        }
    }

    fn says_something(&self) -> bool {
        self.is_sequence || !self.members.is_empty() || self.items.iter().any(Self::says_something)
    }

    /// Puts the properties of an object schema into this order.
    pub(crate) fn with_properties<'n>(mut self, names: impl Iterator<Item = &'n str>) -> Self {
        let at = self
            .members
            .iter()
            .position(|(name, _)| &**name == "properties");
        let mut before = at.map_or_else(Self::default, |at| self.members.swap_remove(at).1);
        let in_order = names.map(|name| {
            let at = before
                .members
                .iter()
                .position(|(other, _)| &**other == name);
            let order = at.map_or_else(Self::default, |at| before.members.swap_remove(at).1);
            (Box::from(name), order)
        });
        let properties = Self {
            members: in_order.collect(),
            is_sequence: true,
            items: Vec::new(),
        };
        self.members.push(("properties".into(), properties));
        self.sort();
        self
    }

    fn of_member(&self, name: &str) -> &Self {
        if self.is_sequence {
            return &BY_NAME;
        }
        let found = self
            .members
            .binary_search_by(|(other, _)| (**other).cmp(name));
        found.map_or(&BY_NAME, |at| &self.members[at].1)
    }
}

/// A value with the order of its members, as it is written and read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ordered {
    pub(crate) value: Value,
    pub(crate) order: Arc<MemberOrder>,
}

impl Ordered {
    pub(crate) fn new(value: Value, order: MemberOrder) -> Self {
        let order = Arc::new(order);
        Self { value, order }
    }
}

/// By name.
impl From<Value> for Ordered {
    fn from(value: Value) -> Self {
        Self::new(value, MemberOrder::default())
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (value, order) = (&self.value, &*self.order);
        OrderedValue { value, order }.serialize(serializer)
    }
}

struct OrderedValue<'v> {
    value: &'v Value,
    order: &'v MemberOrder,
}

impl Serialize for OrderedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Object(members) => {
                let mut written = serializer.serialize_map(Some(members.len()))?;
                let sequence = if self.order.is_sequence {
                    &self.order.members[..]
                } else {
                    &[]
                };
                let mut named = HashSet::new();
                for (name, order) in sequence {
                    if let Some(value) = members.get(&**name) {
                        named.insert(&**name);
                        written.serialize_entry(name, &OrderedValue { value, order })?;
                    }
                }
                let mut left: Vec<(&String, &Value)> = Vec::new();
                if named.len() < members.len() {
                    left.extend(
                        members
                            .iter()
                            .filter(|(name, _)| !named.contains(name.as_str())),
                    );
                    left.sort_unstable_by_key(|(name, _)| *name);
                }
                for (name, value) in left {
                    let order = self.order.of_member(name);
                    written.serialize_entry(name, &OrderedValue { value, order })?;
                }
                written.end()
            }
            Value::Array(items) => {
                let mut written = serializer.serialize_seq(Some(items.len()))?;
                for (index, value) in items.iter().enumerate() {
                    let order = self.order.items.get(index).unwrap_or(&BY_NAME);
                    written.serialize_element(&OrderedValue { value, order })?;
                }
                written.end()
            }
            Value::Number(number) => write_number(number, serializer),
            value => value.serialize(serializer),
        }
    }
}

/// Writes a number as a reader that keeps no text of numbers would write it.
fn write_number<S: Serializer>(number: &Number, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(number) = number.as_u64() {
        return serializer.serialize_u64(number);
    }
    match (number.as_i64(), number.as_f64()) {
        (Some(0), _) => serializer.serialize_f64(-0.0),
        (Some(number), _) => serializer.serialize_i64(number),
        (None, Some(number)) => serializer.serialize_f64(number),
        (None, None) => number.serialize(serializer),
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (value, order) = deserializer.deserialize_any(Reader)?.into_parts();
        let order = Arc::new(order);
        Ok(Self { value, order })
    }
}

/// A value as it is read, in which orders are not shared yet.
struct UnsharedValue(Value, MemberOrder);

impl UnsharedValue {
    fn plain(value: impl Into<Value>) -> Self {
        Self(value.into(), MemberOrder::default())
    }

    fn into_parts(self) -> (Value, MemberOrder) {
        (self.0, self.1)
    }
}

impl<'de> Deserialize<'de> for UnsharedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = UnsharedValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<UnsharedValue, E> {
        let number = Number::from_i128(value);
        let number = number.ok_or_else(|| E::custom("a number is out of range"))?;
        Ok(UnsharedValue::plain(number))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<UnsharedValue, E> {
        let number = Number::from_u128(value);
        let number = number.ok_or_else(|| E::custom("a number is out of range"))?;
        Ok(UnsharedValue::plain(number))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(value))
    }

    fn visit_unit<E: Error>(self) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(()))
    }

    fn visit_none<E: Error>(self) -> Result<UnsharedValue, E> {
        Ok(UnsharedValue::plain(()))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<UnsharedValue, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        inner: D,
    ) -> Result<UnsharedValue, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut parts: S) -> Result<UnsharedValue, S::Error> {
        let (mut items, mut orders) = (Vec::new(), Vec::new());
        while let Some(UnsharedValue(item, order)) = parts.next_element()? {
            items.push(item);
            orders.push(order);
        }
        let mut order = MemberOrder::default();
        if orders.iter().any(MemberOrder::says_something) {
            order.items = orders;
        }
        Ok(UnsharedValue(Value::Array(items), order))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut parts: M) -> Result<UnsharedValue, M::Error> {
        let mut members = Map::new();
        let mut order = MemberOrder {
            is_sequence: true,
            ..MemberOrder::default()
        };
        while let Some(name) = parts.next_key::<String>()? {
            let UnsharedValue(value, inner) = parts.next_value()?;
            if let (NUMBER, true, Some(text)) = (&*name, members.is_empty(), value.as_str()) {
                let number = serde_json::from_str::<Number>(text).map_err(Error::custom)?;
                return Ok(UnsharedValue::plain(number));
            }
            // A reader takes the last of two members with one name.
            if members.contains_key(&name) {
                order.members.retain(|(other, _)| **other != *name);
            }
            order.members.push((name.as_str().into(), inner));
            members.insert(name, value);
        }
        order.is_sequence = !order.members.is_sorted_by(|one, other| one.0 <= other.0);
        if !order.is_sequence {
            order.members.retain(|(_, inner)| inner.says_something());
        }
        Ok(UnsharedValue(Value::Object(members), order))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_is_written_in_its_own_order_and_read_back() {
        for text in [
            r#"{"type":"object","properties":{"b":{"x":1,"a":[{"d":1,"c":2},3]},"a":true}}"#,
            r#"{"a":1,"b":{"z":null,"y":[]}}"#,
            r#"[{"b":-0.0,"a":-5},[[{"b":1,"a":18446744073709551615}]]]"#,
            r#""text""#,
        ] {
            let read: Ordered = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
            assert_eq!(read.value, serde_json::from_str::<Value>(text).unwrap());
        }
        let twice: Ordered = serde_json::from_str(r#"{"b":1,"a":2,"b":3}"#).unwrap();
        assert_eq!(serde_json::to_string(&twice).unwrap(), r#"{"a":2,"b":3}"#);
        assert!(serde_json::from_str::<Ordered>(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn what_has_no_order_is_written_by_name() {
        let value = json!({"b": {"d": 1, "c": [{"f": 1.5, "e": 2}]}, "a": 1});
        let written = serde_json::to_string(&Ordered {
            value,
            order: Arc::default(),
        });
        assert_eq!(
            written.unwrap(),
            r#"{"a":1,"b":{"c":[{"e":2,"f":1.5}],"d":1}}"#
        );
    }

    #[test]
    fn members_that_an_order_does_not_know_come_last_by_name() {
        let mut read: Ordered = serde_json::from_str(r#"{"c":1,"b":2,"a":3}"#).unwrap();
        read.value["z"] = json!(1);
        read.value["d"] = json!(1);
        read.value.as_object_mut().unwrap().remove("b");
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(written, r#"{"c":1,"a":3,"d":1,"z":1}"#);
    }

    #[test]
    fn places_are_taken_out_of_a_schema_wherever_it_has_some() {
        let field = |place: &str| json!({"type": "string", PLACE: place});
        let mut schema = json!({
            "properties": {"b": field("T#0000"), "a": field("T#0001"), "tag": {}, PLACE: {}},
            "$defs": {"D": {"properties": {"y": field("D#0000"), "x": field("D#0001")}}},
            "anyOf": [{PLACE: "T#1", "properties": {"a": {}, "b": {}}}, true],
        });
        let order = Arc::new(MemberOrder::take_from(&mut schema));
        let value = schema;
        let written = serde_json::to_string(&Ordered { value, order }).unwrap();
        assert_eq!(
            written,
            r#"{"$defs":{"D":{"properties":{"y":{"type":"string"},"x":{"type":"string"}}}},"#
                .to_owned()
                + r#""anyOf":[{"properties":{"a":{},"b":{}}},true],"#
                + r#""properties":{"tag":{},"x-toolwright-order":{},"b":{"type":"string"},"a":{"type":"string"}}}"#
        );
    }
}
