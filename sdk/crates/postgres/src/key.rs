//! Keys of rows.

use toolwright::content::ContentHash;
use toolwright::id::SessionId;

/// The bytes of an id of 32 hexadecimal digits, in the order of the ids.
pub(crate) fn id(id: impl std::fmt::Display) -> [u8; 16] {
    // Every id has such digits.
    u128::from_str_radix(&id.to_string(), 16)
        .unwrap_or_default()
        .to_be_bytes()
}

/// A session by its hash: its id is any text.
pub(crate) fn session(id: &SessionId) -> [u8; 32] {
    name(id.as_str())
}

pub(crate) fn name(name: &str) -> [u8; 32] {
    *ContentHash::of(name).as_bytes()
}

/// The number of an advisory lock. Those of a database are one space, which other programs use too.
pub(crate) fn lock(schema: &str, kind: &str, name: &str) -> i64 {
    let hash = ContentHash::of(format!("toolwright\0{schema}\0{kind}\0{name}"));
    let mut number = [0; 8];
    number.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_be_bytes(number)
}

/// Numbers of PostgreSQL have a sign.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
