//! The schemas within an input schema, each with the place of the values that it is about.

mod place;
mod walk;

use serde_json::Value;

pub(crate) use place::{ValueStep, description, fixed_value, properties};
pub(crate) use walk::{Role, SchemaLocation, around_property, listed, places, target};

/// Arguments with one member in each map, such as they are read before anything that is missing is noticed, each with
/// the place of the map.
pub(crate) fn map_samples(root: &Value) -> Vec<(String, Value)> {
    let places = places(root);
    let entries = places.iter().filter(|place| {
        matches!(place.path.last(), Some(ValueStep::Entry)) && *place.schema != Value::Bool(false)
    });
    entries
        .map(|place| (place.path.parent().pointer(), place.path.wrap(&Value::Null)))
        .collect()
}
