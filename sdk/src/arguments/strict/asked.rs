//! The values that a type asks for, in words that a model can use: the types' own words name Rust types.

use std::fmt;

use serde::de::Expected;

/// The kind of value that a type asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Object,
    List,
    Text,
    Truth,
    Null,
    Number,
    Single,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let integer = |f: &mut fmt::Formatter<'_>, least: i64, most: i64| {
            write!(f, "an integer from {least} to {most}")
        };
        match self {
            Self::Object => f.write_str("an object"),
            Self::List => f.write_str("a list"),
            Self::Text => f.write_str("a text"),
            Self::Truth => f.write_str("true or false"),
            Self::Null => f.write_str("null"),
            Self::Number => f.write_str("a number"),
            Self::Single => write!(f, "a number from -{0:e} to {0:e}", f32::MAX),
            Self::I64 | Self::I128 => f.write_str("an integer"),
            Self::U64 | Self::U128 => f.write_str("an integer of at least 0"),
            Self::I8 => integer(f, i8::MIN.into(), i8::MAX.into()),
            Self::I16 => integer(f, i16::MIN.into(), i16::MAX.into()),
            Self::I32 => integer(f, i32::MIN.into(), i32::MAX.into()),
            Self::U8 => integer(f, 0, u8::MAX.into()),
            Self::U16 => integer(f, 0, u16::MAX.into()),
            Self::U32 => integer(f, 0, u32::MAX.into()),
        }
    }
}

impl Expected for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The names of the variants of an enum, as what is expected.
pub(crate) struct OneOf(pub(crate) &'static [&'static str]);

/// The most names in a message.
const TOLD: usize = 20;

impl fmt::Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.len() > 1 {
            f.write_str("one of ")?;
        }
        for (at, name) in self.0.iter().take(TOLD).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{name:?}")?;
        }
        match self.0.len() {
            0 => f.write_str("nothing"),
            all if all > TOLD => write!(f, ", .. ({all} in all)"),
            _ => Ok(()),
        }
    }
}
