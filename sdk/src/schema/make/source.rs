//! The schemas that schemars makes of types.

use schemars::SchemaGenerator;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::Value;

use super::SchemaFn;
use super::link::Linker;
use crate::schema::refs::Definitions;

/// The schemas of `types` as schemars draws them, and the definitions that they refer to.
///
/// Constraints on a field reach its schema only where that is drawn in place, not behind a
/// reference. So each type is drawn in place, unless that would have no end or be huge, which the
/// drawing by references, made first, tells.
pub(super) fn draw(contract: &Contract, types: &[SchemaFn]) -> (Vec<Value>, Definitions) {
    let mut by_reference = generator(contract, false);
    let mut schemas: Vec<Value> = types
        .iter()
        .map(|schema| sorted(schema(&mut by_reference)))
        .collect();
    let mut linker = Linker::default();
    linker.link(&mut schemas, &by_reference.take_definitions(false));
    if linker.is_empty() {
        let definitions = linker.definitions(&schemas);
        return (schemas, definitions);
    }

    let definitions = linker.definitions(&schemas);
    let mut in_place = generator(contract, true);
    for (schema, make) in schemas.iter_mut().zip(types) {
        if !definitions.lead_to_kept(schema) {
            *schema = sorted(make(&mut in_place));
            linker.link([schema], &in_place.take_definitions(false));
        }
    }
    let definitions = linker.definitions(&schemas);
    (schemas, definitions)
}

/// By name, which is the order that each program has.
fn sorted(schema: schemars::Schema) -> Value {
    let mut schema = Value::from(schema);
    schema.sort_all_objects();
    schema
}

fn generator(contract: &Contract, inline: bool) -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = inline;
            settings.contract = contract.clone();
        })
        .into_generator()
}
