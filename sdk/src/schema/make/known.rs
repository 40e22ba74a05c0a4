//! The schemas of types, drawn once in a process: many tools have arguments of the same types.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use schemars::generate::Contract;
use serde_json::Value;

use super::order::{MemberOrder, Ordered};
use super::portable::{Portable, SchemaPurpose, SchemaSite};
use super::unkept::unkept;
use super::{Property, SchemaFn, output_schema, source};
use crate::schema::path::take_aliases;
use crate::schema::refs::Definitions;
use crate::schema::walk::Node;
use crate::util::lock::Lock;
use crate::util::members::Members;

/// Values that were made of types, each under the address of the type's function. Two types whose functions are one
/// piece of code have the same schema.
struct ByType<T>(Lock<BTreeMap<usize, T>>);

impl<T: Clone> ByType<T> {
    const fn new() -> Self {
        Self(Lock::new(BTreeMap::new()))
    }

    fn get_or_make(&self, schema: SchemaFn, make: impl FnOnce(SchemaFn) -> T) -> T {
        let key = (schema as *const ()).addr();
        if let Some(known) = self.0.lock().get(&key) {
            return known.clone();
        }
        // Outside of the lock, because it is the app's code.
        let value = make(schema);
        self.0.lock().entry(key).or_insert(value).clone()
    }
}

/// A type as that of an argument.
pub(super) struct ArgumentType {
    drawn: Value,
    definitions: Definitions,
    /// True if its schema is the same whatever the other arguments, and the type keeps all of it.
    is_plain: bool,
    /// True if there is a map in it, or what looks like one.
    has_maps: bool,
    /// By [`ArgumentType::form`].
    forms: [OnceLock<ArgumentForm>; 4],
}

impl ArgumentType {
    pub(super) fn of(schema: SchemaFn) -> Arc<Self> {
        static KNOWN: ByType<Arc<ArgumentType>> = ByType::new();
        KNOWN.get_or_make(schema, |schema| Arc::new(Self::draw(schema)))
    }

    fn draw(schema: SchemaFn) -> Self {
        let (mut schemas, definitions) = source::draw(&Contract::Deserialize, &[schema]);
        let drawn = schemas.pop().unwrap_or_default();
        let found = unkept(&[(None, &drawn)], &definitions);
        let is_kept = found.unenforced.is_empty() && !found.light && found.marked.is_empty();
        Self {
            // The definitions that stay have names that other arguments may take.
            is_plain: is_kept && !definitions.lead_to_kept(&drawn),
            has_maps: found.has_maps,
            drawn,
            definitions,
            forms: [const { OnceLock::new() }; 4],
        }
    }

    /// Returns true if its schema is the same whatever the other arguments, and the type keeps all of it.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Returns true if there is a map in it, or what looks like one.
    pub(super) fn has_maps(&self) -> bool {
        self.has_maps
    }

    /// Returns its schema for an argument of a plain type.
    pub(super) fn form(&self, property: &Property<'_>) -> &ArgumentForm {
        let is_described = !property.description.is_empty();
        let number = usize::from(property.required) * 2 + usize::from(is_described);
        self.forms[number].get_or_init(|| {
            let site = SchemaSite {
                optional: !property.required,
                ..SchemaSite::default()
            };
            let mut portable = Portable::new(self.definitions.clone(), SchemaPurpose::Input);
            let description = is_described.then_some(DESCRIPTION);
            let node = portable.property(self.drawn.clone(), description, site);
            ArgumentForm::new(node)
        })
    }
}

/// A description that stands for any: a type only adds to that of an argument.
const DESCRIPTION: &str = "\0";

/// The schema of a type for all arguments that have a description of their own, or for all that have none.
pub(super) struct ArgumentForm {
    /// Without a description of the argument.
    node: Node,
    /// The text that the type adds to the description of an argument.
    added: Option<String>,
    text: OnceLock<FormText>,
}

/// The members of a schema as text, those before a description and those behind it.
struct FormText {
    before: String,
    behind: String,
}

impl ArgumentForm {
    fn new(mut node: Node) -> Self {
        let described = node.get("description").and_then(Value::as_str);
        let added = described.and_then(|text| Some(text.strip_prefix(DESCRIPTION)?.to_owned()));
        if added.is_some() {
            node.remove("description");
        }
        Self {
            node,
            added,
            text: OnceLock::new(),
        }
    }

    pub(super) fn node(&self, description: &str) -> Node {
        let mut node = self.node.clone();
        if let Some(added) = &self.added {
            let description = Value::String(format!("{description}{added}"));
            node.insert("description".to_owned(), description);
        }
        node
    }

    /// Writes the schema, as it is written of its [`node`](Self::node).
    pub(super) fn write(&self, description: &str, text: &mut Vec<u8>) -> serde_json::Result<()> {
        let own = get_or_try(&self.text, || FormText::new(self.node.clone()))?;
        let mut members = Members::begin(text);
        members.extend(&own.before);
        if let Some(added) = &self.added {
            let text = members.plain_name("description");
            if added.is_empty() {
                serde_json::to_writer(text, description)?;
            } else {
                serde_json::to_writer(text, &format!("{description}{added}"))?;
            }
        }
        members.extend(&own.behind);
        members.end();
        Ok(())
    }
}

impl FormText {
    fn new(node: Node) -> serde_json::Result<Self> {
        let mut schema = Value::Object(node);
        let order = Arc::new(MemberOrder::take_from(&mut schema));
        take_aliases(&mut schema);
        let Value::Object(node) = schema else {
            return Ok(Self {
                before: String::new(),
                behind: String::new(),
            });
        };
        let (before, behind) = node
            .into_iter()
            .partition(|(keyword, _)| keyword.as_str() < "description");
        let text = |members: Node| -> serde_json::Result<String> {
            let order = Arc::clone(&order);
            let value = Value::Object(members);
            let mut text = serde_json::to_string(&Ordered { value, order })?;
            text.pop();
            text.remove(0);
            Ok(text)
        };
        Ok(Self {
            before: text(before)?,
            behind: text(behind)?,
        })
    }
}

/// The schema of a result, with its text.
pub(crate) struct OutputSchema {
    pub(crate) schema: Ordered,
    text: OnceLock<String>,
}

impl OutputSchema {
    /// Returns the schema of a result of a type, if it is an object whatever the result.
    pub(crate) fn of(schema: SchemaFn) -> Option<Arc<Self>> {
        static KNOWN: ByType<Option<Arc<OutputSchema>>> = ByType::new();
        KNOWN.get_or_make(schema, |schema| {
            let mut schema = output_schema(schema)?;
            let order = MemberOrder::take_from(&mut schema);
            Some(Arc::new(Self {
                schema: Ordered::new(schema, order),
                text: OnceLock::new(),
            }))
        })
    }

    pub(crate) fn write(&self, text: &mut Vec<u8>) -> serde_json::Result<()> {
        let own = get_or_try(&self.text, || serde_json::to_string(&self.schema))?;
        text.extend_from_slice(own.as_bytes());
        Ok(())
    }
}

fn get_or_try<T, E>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}
