//! Arguments that must be a JSON object, whatever they are read into.

use serde::de::DeserializeOwned;

use crate::arguments::{Arguments, InvalidArguments, by_schema, rounded, valid};
use crate::spec::ToolSpec;

/// Reads the arguments of a call, which must satisfy the schema of the spec.
pub(super) fn parse<A: DeserializeOwned>(
    arguments: &Arguments<'_>,
    spec: &ToolSpec,
) -> Result<A, InvalidArguments> {
    arguments.check_form(spec)?;
    if let Some(invalid) = InvalidArguments::too_deep(arguments.view()) {
        return Err(invalid);
    }
    let rounded = rounded(arguments.view(), Some(spec));
    if !rounded.is_empty() {
        let valid = valid(spec.input_schema());
        return Err(InvalidArguments::new(rounded).with_valid(valid));
    }
    if spec.promise().is_kept() {
        return arguments.parse_open();
    }
    let tree = arguments.to_value()?;
    by_schema(&tree, spec)?;
    Arguments::from(&*tree).parse_open()
}
