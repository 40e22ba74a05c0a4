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
            Self::I8 => f.write_str("an integer from -128 to 127"),
            Self::I16 => f.write_str("an integer from -32768 to 32767"),
            Self::I32 => f.write_str("an integer from -2147483648 to 2147483647"),
            Self::U8 => f.write_str("an integer from 0 to 255"),
            Self::U16 => f.write_str("an integer from 0 to 65535"),
            Self::U32 => f.write_str("an integer from 0 to 4294967295"),
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

#[cfg(test)]
mod tests {
    use super::Asked;

    #[test]
    fn each_width_has_its_ends() {
        let told = |least: i64, most: i64| format!("an integer from {least} to {most}");
        for (asked, expected) in [
            (Asked::I8, told(i8::MIN.into(), i8::MAX.into())),
            (Asked::I16, told(i16::MIN.into(), i16::MAX.into())),
            (Asked::I32, told(i32::MIN.into(), i32::MAX.into())),
            (Asked::U8, told(0, u8::MAX.into())),
            (Asked::U16, told(0, u16::MAX.into())),
            (Asked::U32, told(0, u32::MAX.into())),
        ] {
            assert_eq!(asked.to_string(), expected);
        }
    }
}
