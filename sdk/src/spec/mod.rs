//! What a tool says of itself.

mod annotations;
mod bounds;
mod capability;
mod declarations;
mod declared;
mod determinism;
mod plain;
mod purpose;
pub(crate) mod schema;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use annotations::{Effect, ToolAnnotations};
pub use bounds::{Bound, ResourceBounds};
pub use capability::{Capability, CapabilityGrant, InvalidCapability};
use declarations::add_example;
pub(crate) use declared::{Declared, before_first_heading, names_of, spec_of};
pub use declared::{Meta, Part};
pub use determinism::Determinism;
use plain::Plain;
pub use purpose::PURPOSE_ARGUMENT;
use schema::{Promise, Unkept};
pub use schema::{SchemaError, SchemaFault, Unenforced};
pub use text::InvalidSchema;
pub(crate) use text::schema_of_text;

use crate::id::ToolName;
use crate::panic::discard;

/// What a tool says of itself: its name and description, the JSON Schemas of its input and
/// output, what it does to the world, and hints for people and policies.
///
/// `#[tool]` writes it from a function. By hand it is built from a name and a description:
///
/// ```
/// use serde_json::json;
/// use toolwright::{Effect, ToolName, ToolSpec};
///
/// let spec = ToolSpec::new(ToolName::new("clock.now")?, "Tell the time in a time zone.")
///     .with_input_schema(json!({
///         "type": "object",
///         "properties": { "zone": { "type": "string" } },
///         "required": ["zone"],
///         "additionalProperties": false,
///     }))
///     .with_effect(Effect::ReadOnly);
/// assert!(spec.annotations().is_read_only());
/// # Ok::<(), toolwright::InvalidToolName>(())
/// ```
///
/// Serialises to JSON and back; see [`ToolSpec::with_computed_description`] for the one part that
/// becomes fixed on the way.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "Plain", from = "Plain")]
pub struct ToolSpec {
    name: ToolName,
    title: Option<Cow<'static, str>>,
    description: Description,
    version: Option<Cow<'static, str>>,
    category: Option<Cow<'static, str>>,
    aliases: Vec<ToolName>,
    input_schema: Schema,
    output_schema: Schema,
    effect: Effect,
    annotations: ToolAnnotations,
    determinism: Option<Determinism>,
    capabilities: Vec<Capability>,
    bounds: ResourceBounds,
    concurrent: bool,
    explicit_only: bool,
    secrets: Vec<Cow<'static, str>>,
    deprecated: Option<Cow<'static, str>>,
    metadata: BTreeMap<String, Value>,
}

#[derive(Clone)]
enum Description {
    Fixed(Cow<'static, str>),
    Computed(Arc<dyn Fn() -> String + Send + Sync>),
}

impl fmt::Debug for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(text) => text.fmt(f),
            Self::Computed(_) => f.write_str("(computed)"),
        }
    }
}

/// A schema, made when first asked for.
#[derive(Clone)]
struct Schema {
    made: OnceLock<Option<Made>>,
    make: Make,
    /// What it promises; shared by clones, because it may hold a validator.
    promise: OnceLock<Arc<Promise>>,
}

#[derive(Clone)]
struct Made {
    schema: Value,
    /// What the types do not keep, of one that was drawn from types.
    unkept: Option<Unkept>,
}

#[derive(Clone, Copy)]
enum Make {
    Function(fn() -> Option<Value>),
    /// With the texts of what its keyword `examples` shows.
    Input(&'static dyn SchemaSource, &'static [&'static str]),
    Output(&'static dyn SchemaSource),
}

/// What makes the schemas of a tool.
pub(crate) trait SchemaSource: Sync {
    /// The schema of the arguments, and what the types do not keep of it.
    fn input(&self) -> (Value, Unkept);

    /// The schema of the structured output, if there is any.
    fn output(&self) -> Option<Value>;

    /// The other names of arguments, which the schema does not have, each with the argument's own.
    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)>;
}

impl Schema {
    fn made(schema: Option<Value>) -> Self {
        let unkept = None;
        let made = schema.map(|schema| Made { schema, unkept });
        Self {
            made: OnceLock::from(made),
            ..Self::lazy(Make::Function(|| None))
        }
    }

    fn lazy(make: Make) -> Self {
        Self {
            made: OnceLock::new(),
            make,
            promise: OnceLock::new(),
        }
    }

    fn get(&self) -> Option<&Value> {
        self.get_made().map(|made| &made.schema)
    }

    fn get_made(&self) -> Option<&Made> {
        let make = || match self.make {
            Make::Function(make) => make().map(|schema| Made {
                schema,
                // The schema of a tool that says nothing of its arguments demands nothing.
                unkept: Some(Unkept::default()),
            }),
            Make::Input(source, examples) => {
                let (mut schema, unkept) = source.input();
                // The macro has read the texts, so each is JSON.
                let examples = examples.iter().filter_map(|t| serde_json::from_str(t).ok());
                examples.for_each(|example| add_example(&mut schema, example));
                let unkept = Some(unkept);
                Some(Made { schema, unkept })
            }
            Make::Output(source) => source.output().map(|schema| Made {
                schema,
                unkept: None,
            }),
        };
        self.made.get_or_init(make).as_ref()
    }

    fn promise(&self) -> &Promise {
        self.promise.get_or_init(|| {
            Arc::new(match self.get_made() {
                None => Promise::Kept,
                Some(Made {
                    unkept: Some(unkept),
                    ..
                }) => Promise::of_types(unkept),
                Some(Made { schema, .. }) => Promise::of_schema(schema),
            })
        })
    }

    /// Changes what it demands of a value.
    fn change(&mut self, change: impl FnOnce(&mut Value)) {
        self.annotate(change);
        self.promise = OnceLock::new();
    }

    /// Changes what it says without a demand.
    fn annotate(&mut self, change: impl FnOnce(&mut Value)) {
        self.get_made();
        if let Some(Some(made)) = self.made.get_mut() {
            change(&mut made.schema);
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.made.get() {
            Some(made) => made.as_ref().map(|made| &made.schema).fmt(f),
            None => f.write_str("(not made yet)"),
        }
    }
}

fn no_arguments() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

impl ToolSpec {
    /// A tool without arguments that promises nothing about its effect.
    pub fn new(name: ToolName, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name,
            title: None,
            description: Description::Fixed(description.into()),
            version: None,
            category: None,
            aliases: Vec::new(),
            input_schema: Schema::lazy(Make::Function(|| Some(no_arguments()))),
            output_schema: Schema::made(None),
            effect: Effect::AtMostOnce,
            annotations: ToolAnnotations::new(),
            determinism: None,
            capabilities: Vec::new(),
            bounds: ResourceBounds::default(),
            concurrent: false,
            explicit_only: false,
            secrets: Vec::new(),
            deprecated: None,
            metadata: BTreeMap::new(),
        }
    }

    /// The spec of a tool whose own cannot be made, which the description explains.
    pub(crate) fn unnamed(why: String) -> Self {
        Self::new(ToolName::unnamed(), why)
    }

    /// Sets the name that people see.
    pub fn with_title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Makes the description anew for each listing, for instance to name what is there today.
    ///
    /// In serialised form it is the text of that moment. A closure that panics gives a text that
    /// says so.
    pub fn with_computed_description(
        mut self,
        describe: impl Fn() -> String + Send + Sync + 'static,
    ) -> Self {
        self.description = Description::Computed(Arc::new(describe));
        self
    }

    /// Sets the version of the tool's definition.
    pub fn with_version(mut self, version: impl Into<Cow<'static, str>>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Sets the group that the tool is listed under.
    pub fn with_category(mut self, category: impl Into<Cow<'static, str>>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Adds another name that calls of the tool may use.
    pub fn with_alias(mut self, alias: ToolName) -> Self {
        self.aliases.push(alias);
        self
    }

    /// Sets the JSON Schema of the arguments, kept as it is. Default: an object without
    /// properties.
    pub fn with_input_schema(mut self, schema: Value) -> Self {
        self.input_schema = Schema::made(Some(schema));
        self
    }

    /// Sets the JSON Schema of the structured output.
    pub fn with_output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Schema::made(Some(schema));
        self
    }

    /// Declares the effect. The annotations `read_only` and `idempotent` follow from it unless
    /// they are set.
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Sets the hints.
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Sets how long a call may take. Default: the executor's.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.bounds.timeout = Some(timeout);
        self
    }

    /// Adds a piece of metadata for the host; the model does not see it.
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// The canonical name.
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The name that people see.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What the model reads to decide whether to call the tool.
    pub fn description(&self) -> Cow<'_, str> {
        match &self.description {
            Description::Fixed(text) => Cow::Borrowed(text),
            Description::Computed(describe) => Cow::Owned(
                catch_unwind(AssertUnwindSafe(|| describe())).unwrap_or_else(|payload| {
                    discard(payload);
                    "(the description cannot be told now)".to_owned()
                }),
            ),
        }
    }

    /// Whether the description is made anew for each listing.
    pub fn has_computed_description(&self) -> bool {
        matches!(self.description, Description::Computed(_))
    }

    /// The version of the tool's definition.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The group that the tool is listed under.
    pub fn category(&self) -> Option<&str> {
        self.category.as_deref()
    }

    /// Other names that calls of the tool may use.
    pub fn aliases(&self) -> &[ToolName] {
        &self.aliases
    }

    /// The JSON Schema of the arguments. That of a `#[tool]` is made from the types when it is
    /// first asked for.
    pub fn input_schema(&self) -> &Value {
        static NULL: Value = Value::Null;
        self.input_schema.get().unwrap_or(&NULL)
    }

    /// What the input schema promises, and who keeps it. Found out when it is first asked for.
    #[inline]
    pub(crate) fn promise(&self) -> &Promise {
        self.input_schema.promise()
    }

    /// The other names of arguments, each with the argument's own. The input schema does not have
    /// them, and neither does a spec that was written as JSON and read back.
    pub(crate) fn argument_aliases(&self) -> Vec<(&str, &str)> {
        match self.input_schema.make {
            Make::Input(source, _) => source.argument_aliases(),
            Make::Function(_) | Make::Output(_) => Vec::new(),
        }
    }

    /// The JSON Schema of the structured output, if there is any.
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.get()
    }

    /// What the tool does to the world.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The hints: those that were set, and those that follow from the effect.
    pub fn annotations(&self) -> ToolAnnotations {
        self.annotations.or(ToolAnnotations::of(self.effect))
    }

    /// How long a call may take, if the tool says so.
    pub fn timeout(&self) -> Option<Duration> {
        self.bounds.timeout
    }

    /// The note of a deprecated tool, empty if it has none.
    pub fn deprecated(&self) -> Option<&str> {
        self.deprecated.as_deref()
    }

    /// Metadata for the host.
    pub fn metadata(&self) -> &BTreeMap<String, Value> {
        &self.metadata
    }
}
