//! Enums in each of the forms that serde gives them.

use toolwright::{tool, tool_type};

use super::Seat;

/// A unit.
#[tool_type]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    /// Metres.
    Metre,
    /// Feet, of which there are 3.28 to a metre.
    Foot,
}

/// A shape, by its tag.
#[tool_type]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Internal {
    /// Nothing.
    Empty,
    Circle {
        radius: f64,
        unit: Option<Unit>,
    },
    Square {
        side: f64,
        unit: Option<Unit>,
        rounded: Option<bool>,
    },
}

/// A shape, by its key.
#[tool_type]
pub(super) enum External {
    Empty,
    Text(String),
    Pair(u8, Option<String>),
    Circle { radius: f64, name: Option<String> },
}

/// A shape, by its tag beside its content.
#[tool_type]
#[serde(tag = "type", content = "value")]
pub(super) enum Adjacent {
    Empty,
    Text(String),
    Circle { radius: f64, name: Option<String> },
}

/// A shape, by its structure.
#[tool_type]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(i32),
    Text(String),
    Circle { radius: f64, label: Option<String> },
    Square { side: f64, label: Option<String> },
    Many(Vec<Seat>),
}

/// Units.
#[tool(pure)]
pub(super) fn units(unit: Unit, other: Option<Unit>, all: Vec<Unit>) {
    let _ = (unit, other, all);
}

/// Internally tagged.
#[tool(pure)]
pub(super) fn internally(shape: Internal, others: Vec<Internal>, last: Option<Internal>) {
    let _ = (shape, others, last);
}

/// Externally tagged.
#[tool(pure)]
pub(super) fn externally(shape: External, last: Option<External>) {
    let _ = (shape, last);
}

/// Adjacently tagged.
#[tool(pure)]
pub(super) fn adjacently(shape: Adjacent, last: Option<Adjacent>) {
    let _ = (shape, last);
}

/// Untagged.
#[tool(pure)]
pub(super) fn by_structure(shape: Untagged, last: Option<Untagged>) {
    let _ = (shape, last);
}
