//! Writing JSON. A number that JSON does not have is an error with its place, and no `null`.

use std::cell::Cell;
use std::fmt;

use serde::ser::{self, Serialize};
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::util::pointer::push_key;

/// The reason why a value cannot be written as JSON.
pub(crate) enum Unwritable {
    Json(serde_json::Error),
    NotFinite(Box<NotFinite>),
}

/// A number that is not finite, and its place.
#[derive(Debug, thiserror::Error)]
#[error("the number{} is {}, which JSON does not have", self.place(), self.name())]
pub(crate) struct NotFinite {
    number: f64,
    /// The keys and indexes that lead to the number, the last one first.
    place: Vec<String>,
}

impl NotFinite {
    fn name(&self) -> &'static str {
        match self.number {
            number if number.is_nan() => "NaN",
            number if number > 0.0 => "infinity",
            _ => "minus infinity",
        }
    }

    /// The place in words, empty for the value as a whole.
    fn place(&self) -> String {
        let mut place = String::new();
        for step in self.place.iter().rev() {
            push_key(&mut place, step);
        }
        if place.is_empty() {
            place
        } else {
            format!(" at `{place}`")
        }
    }
}

/// Writes a value, with room for so many bytes.
#[inline]
pub(crate) fn written<T: Serialize + ?Sized>(
    value: &T,
    capacity: usize,
) -> Result<String, Unwritable> {
    let mut bytes = Vec::with_capacity(capacity);
    let has_nulls = Cell::new(false);
    let formatter = NotingNulls(&has_nulls);
    let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
    value.serialize(&mut serializer).map_err(Unwritable::Json)?;
    if has_nulls.get()
        && let Err(NotFiniteFound(Some(number))) = value.serialize(FiniteCheck)
    {
        return Err(Unwritable::NotFinite(number));
    }
    String::from_utf8(bytes).map_err(|error| Unwritable::Json(ser::Error::custom(error)))
}

/// Writes compact JSON, and notes that it has a `null`: what is not finite is written so, too.
struct NotingNulls<'n>(&'n Cell<bool>);

impl Formatter for NotingNulls<'_> {
    fn write_null<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.0.set(true);
        writer.write_all(b"null")
    }
}

/// The first number that is not finite. `None` for an error of the value, which was written before.
#[derive(Debug, thiserror::Error)]
#[error("not finite")]
struct NotFiniteFound(Option<Box<NotFinite>>);

impl NotFiniteFound {
    #[cold]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a step is a name, a text or an index"
    )]
    fn within(mut self, step: impl ToString) -> Self {
        if let Some(found) = &mut self.0 {
            found.place.push(step.to_string());
        }
        self
    }
}

impl ser::Error for NotFiniteFound {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(None)
    }
}

fn look(number: f64) -> Result<(), NotFiniteFound> {
    if number.is_finite() {
        return Ok(());
    }
    let place = Vec::new();
    Err(NotFiniteFound(Some(Box::new(NotFinite { number, place }))))
}

/// Walks through a value, and looks at its numbers alone.
struct FiniteCheck;

/// Methods of [`FiniteCheck`] for values without a number that could be infinite.
macro_rules! passes {
    ($($method:ident($($type:ty),*))*) => {
        $(
            fn $method(self, $(_: $type),*) -> Result<(), NotFiniteFound> {
                Ok(())
            }
        )*
    };
}

/// Methods of [`FiniteCheck`] for values with others inside.
macro_rules! opens {
    ($($method:ident($($type:ty),*))*) => {
        $(
            fn $method(self, $(_: $type),*) -> Result<Inside, NotFiniteFound> {
                Ok(Inside::default())
            }
        )*
    };
}

/// The same for variants with several fields, which are an object with the variant's name around them.
macro_rules! opens_variant {
    ($($method:ident)*) => {
        $(
            fn $method(
                self,
                _: &'static str,
                _: u32,
                variant: &'static str,
                _: usize,
            ) -> Result<Inside, NotFiniteFound> {
                let variant = Some(variant);
                Ok(Inside { variant, ..Inside::default() })
            }
        )*
    };
}

impl ser::Serializer for FiniteCheck {
    type Ok = ();
    type Error = NotFiniteFound;
    type SerializeSeq = Inside;
    type SerializeTuple = Inside;
    type SerializeTupleStruct = Inside;
    type SerializeTupleVariant = Inside;
    type SerializeMap = Inside;
    type SerializeStruct = Inside;
    type SerializeStructVariant = Inside;

    passes! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_none() serialize_unit() serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }

    opens! {
        serialize_seq(Option<usize>) serialize_tuple(usize) serialize_tuple_struct(&'static str, usize)
        serialize_map(Option<usize>) serialize_struct(&'static str, usize)
    }

    opens_variant! { serialize_tuple_variant serialize_struct_variant }

    fn serialize_f32(self, number: f32) -> Result<(), NotFiniteFound> {
        look(f64::from(number))
    }

    fn serialize_f64(self, number: f64) -> Result<(), NotFiniteFound> {
        look(number)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotFiniteFound> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotFiniteFound> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NotFiniteFound> {
        value.serialize(self).map_err(|found| found.within(variant))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), NotFiniteFound> {
        Ok(())
    }
}

/// A list or an object on the way: its variant, the index of its next element, its last key.
#[derive(Default)]
struct Inside {
    variant: Option<&'static str>,
    next: usize,
    key: String,
}

impl Inside {
    fn member<T: Serialize + ?Sized>(
        &self,
        step: impl ToString,
        value: &T,
    ) -> Result<(), NotFiniteFound> {
        value.serialize(FiniteCheck).map_err(|found| {
            let found = found.within(step);
            match self.variant {
                Some(variant) => found.within(variant),
                None => found,
            }
        })
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident)*) => {
        $(
            impl ser::$trait for Inside {
                type Ok = ();
                type Error = NotFiniteFound;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFiniteFound> {
                    self.next += 1;
                    self.member(self.next - 1, value)
                }

                fn end(self) -> Result<(), NotFiniteFound> {
                    Ok(())
                }
            }
        )*
    };
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($trait:ident)*) => {
        $(
            impl ser::$trait for Inside {
                type Ok = ();
                type Error = NotFiniteFound;

                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    name: &'static str,
                    value: &T,
                ) -> Result<(), NotFiniteFound> {
                    self.member(name, value)
                }

                fn end(self) -> Result<(), NotFiniteFound> {
                    Ok(())
                }
            }
        )*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Inside {
    type Ok = ();
    type Error = NotFiniteFound;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotFiniteFound> {
        // As it is written.
        self.key = match serde_json::to_value(key) {
            Ok(serde_json::Value::String(text)) => text,
            Ok(other) => other.to_string(),
            Err(_) => String::new(),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFiniteFound> {
        self.member(&self.key, value)
    }

    fn end(self) -> Result<(), NotFiniteFound> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    enum Shape {
        Unit,
        New(f64),
        Pair(f64, f64),
        Record { size: Option<f32> },
    }

    #[derive(Serialize)]
    struct Report {
        name: Option<&'static str>,
        #[serde(flatten)]
        more: BTreeMap<String, Vec<Shape>>,
    }

    fn fault<T: Serialize>(value: &T) -> String {
        match written(value, 0) {
            Err(Unwritable::NotFinite(found)) => found.to_string(),
            Err(Unwritable::Json(error)) => panic!("{error}"),
            Ok(text) => panic!("{text}"),
        }
    }

    #[test]
    fn what_is_not_finite_is_named_with_its_place() {
        assert_eq!(
            fault(&f64::NAN),
            "the number is NaN, which JSON does not have"
        );
        assert_eq!(
            fault(&-f32::INFINITY),
            "the number is minus infinity, which JSON does not have"
        );
        let report = |shape: Shape| Report {
            name: None,
            more: BTreeMap::from([("a/b~c".to_owned(), vec![Shape::Unit, shape])]),
        };
        let cases = [
            (Shape::New(f64::INFINITY), "/a~1b~0c/1/New` is infinity"),
            (Shape::Pair(1.0, f64::NAN), "/a~1b~0c/1/Pair/1` is NaN"),
            (
                Shape::Record {
                    size: Some(f32::NAN),
                },
                "/a~1b~0c/1/Record/size` is NaN",
            ),
        ];
        for (shape, expected) in cases {
            let text = fault(&report(shape));
            assert!(text.contains(expected), "{text}");
        }
        let keys = BTreeMap::from([(7_u8, (true, Some(f64::NAN)))]);
        assert!(fault(&keys).contains("`/7/1`"));
    }

    #[test]
    fn what_is_written_is_what_serde_json_writes() {
        let report = Report {
            name: None,
            more: BTreeMap::from([(
                "shapes".to_owned(),
                vec![
                    Shape::Unit,
                    Shape::New(1.5),
                    Shape::Pair(0.1, -2e300),
                    Shape::Record { size: None },
                ],
            )]),
        };
        let Ok(text) = written(&report, 3) else {
            panic!("all is finite");
        };
        assert_eq!(text, serde_json::to_string(&report).unwrap());
        assert!(matches!(
            written(&BTreeMap::from([((), 1)]), 0),
            Err(Unwritable::Json(_))
        ));
    }
}
