//! The place in the arguments to which a schema applies.

use serde_json::{Map, Value, json};

use crate::util::pointer::push_key;

/// The way from the arguments as a whole to a value within them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Path<'s>(Vec<ValueStep<'s>>);

/// A step into a value.
#[derive(Debug, Clone)]
pub(crate) enum ValueStep<'s> {
    /// To a property, beside which others have a value that is fixed, such as the tag of an enum.
    Property {
        name: &'s str,
        fixed: Vec<(&'s str, &'s Value)>,
    },
    /// To an element of a tuple.
    Index(usize),
    /// To any element of a list.
    Element,
    /// To the value of any key of a map.
    Entry,
}

impl<'s> Path<'s> {
    pub(crate) fn with(&self, step: ValueStep<'s>) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }

    /// The way to the value that this one is directly in; the whole for itself.
    pub(crate) fn parent(&self) -> Self {
        let parent = self.0.split_last().map_or(&[][..], |(_, before)| before);
        Self(parent.to_vec())
    }

    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn last(&self) -> Option<&ValueStep<'s>> {
        self.0.last()
    }

    /// The name, if this is an argument and not a part of one.
    pub(crate) fn argument(&self) -> Option<&'s str> {
        match self.0[..] {
            [ValueStep::Property { name, .. }] => Some(name),
            _ => None,
        }
    }

    /// JSON pointer with `*` for what may be any.
    pub(crate) fn pointer(&self) -> String {
        self.pointer_by("*", "*")
    }

    /// JSON pointer to the value in what [`Path::wrap`] makes.
    pub(crate) fn sample_pointer(&self) -> String {
        self.pointer_by("0", SAMPLE_KEY)
    }

    fn pointer_by(&self, element: &str, key: &str) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            match step {
                ValueStep::Property { name, .. } => push_key(&mut pointer, name),
                ValueStep::Index(index) => push_key(&mut pointer, &index.to_string()),
                ValueStep::Element => push_key(&mut pointer, element),
                ValueStep::Entry => push_key(&mut pointer, key),
            }
        }
        pointer
    }

    /// Arguments with nothing in them but this value, and what is fixed on the way to it.
    pub(crate) fn wrap(&self, value: &Value) -> Value {
        self.0
            .iter()
            .rev()
            .fold(value.clone(), |value, step| match step {
                ValueStep::Property { name, fixed } => {
                    let fixed = fixed.iter().map(|(name, value)| (*name, (*value).clone()));
                    let all = fixed.chain([(*name, value)]);
                    Value::Object(all.map(|(name, value)| (name.to_owned(), value)).collect())
                }
                ValueStep::Index(index) => {
                    let mut elements = vec![Value::Null; *index];
                    elements.push(value);
                    Value::Array(elements)
                }
                ValueStep::Element => json!([value]),
                ValueStep::Entry => json!({ SAMPLE_KEY: value }),
            })
    }
}

/// The key of a map in samples: a text that many other types of keys can be read from.
const SAMPLE_KEY: &str = "1";

/// The only value that a schema allows, if it names one.
pub(crate) fn fixed_value(schema: &Value) -> Option<&Value> {
    if let Some(only) = schema.get("const") {
        return Some(only);
    }
    match schema.get("enum")?.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// The properties that a schema names.
pub(crate) fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// The description in a schema, if there is one.
pub(crate) fn description(schema: &Value) -> Option<&str> {
    let text = schema.get("description")?.as_str()?.trim();
    (!text.is_empty()).then_some(text)
}
