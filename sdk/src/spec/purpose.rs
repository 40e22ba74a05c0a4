//! The reserved argument in which a model says why it makes a call.

use serde_json::json;

use super::ToolSpec;
use crate::schema::{admit, names_property};

/// The name of the argument in which a model says why it makes a call, where it
/// [is asked to](crate::ToolRegistry::ask_purpose).
pub const PURPOSE_ARGUMENT: &str = "tool_use_purpose";

/// The description for the model.
const DESCRIPTION: &str = "Why you make this call now, in one short sentence for the person who \
    follows your work: what you want to find out or achieve with it, not what the tool does.";

impl ToolSpec {
    /// The spec as a model sees it that is asked why it makes each call.
    pub(crate) fn asking_purpose(&self) -> Self {
        let mut asking = self.clone();
        let property = json!({"type": "string", "description": DESCRIPTION});
        asking
            .input_schema
            .change(|schema| admit(schema, PURPOSE_ARGUMENT, &property));
        asking
    }

    /// Returns true if the tool has an argument of the reserved name itself.
    pub(crate) fn has_purpose_argument(&self) -> bool {
        let mut aliases = self.argument_aliases().into_iter();
        names_property(self.input_schema(), PURPOSE_ARGUMENT)
            || aliases.any(|(alias, _)| alias == PURPOSE_ARGUMENT)
            || self.secrets().iter().any(|name| name == PURPOSE_ARGUMENT)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::id::ToolName;

    #[test]
    fn what_is_asked_is_in_a_copy() {
        let spec = ToolSpec::new(ToolName::new("a").unwrap(), "A.");
        let asking = spec.asking_purpose();
        assert_eq!(spec.input_schema()["properties"], json!({}));
        assert_eq!(
            asking.input_schema()["properties"][PURPOSE_ARGUMENT]["type"],
            Value::from("string")
        );
        assert!(asking.has_purpose_argument() && !spec.has_purpose_argument());
    }
}
