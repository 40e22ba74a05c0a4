//! The schemas of the tools of the zoo, made by toolwright's own macros, and schemas written by hand.

mod tools;

use toolwright::Tool;

use super::by_hand::BY_HAND;
use crate::json::Json;

/// The schema of a tool's arguments, in its order.
fn schema(tool: &dyn Tool) -> Json {
    let spec = serde_json::to_string(tool.spec()).unwrap();
    let spec: Json = serde_json::from_str(&spec).unwrap();
    spec.get("input_schema").unwrap().clone()
}

/// A name for people, and the schema.
pub(super) fn zoo() -> Vec<(String, Json)> {
    let made = tools::all().into_iter();
    let made = made.map(|(name, tool)| (name.to_owned(), schema(&*tool)));
    let by_hand = BY_HAND.into_iter();
    made.chain(by_hand.map(|(name, text)| (name.to_owned(), serde_json::from_str(text).unwrap())))
        .collect()
}
