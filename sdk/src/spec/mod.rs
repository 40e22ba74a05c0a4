//! The specification of a tool: name, schemas, annotations, capabilities and bounds.

mod annotations;
mod bounds;
mod capability;
mod contradiction;
mod data;
mod declarations;
mod declared;
mod determinism;
mod lazy;
mod mistakes;
mod purpose;
mod text;
mod version;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::schema::{Hidden, Ordered, Promise, ScalarMembers, names_secret};
pub use crate::schema::{SchemaError, SchemaFault, Unenforced};
pub use annotations::{Effect, ToolAnnotations};
pub use bounds::{Bound, ResourceBounds};
pub use capability::{Capability, CapabilityGrant, InvalidCapability};
pub use contradiction::Contradiction;
use data::SpecData;
pub(crate) use declared::{Declared, before_first_heading, names_of, spec_of};
pub use declared::{Meta, Part};
pub use determinism::Determinism;
pub(crate) use lazy::{Drawn, SchemaSource};
use lazy::{Make, Schema};
pub(crate) use mistakes::{Mistake, Mistakes};
pub use purpose::PURPOSE_ARGUMENT;
pub use text::InvalidSchema;
pub(crate) use text::schema_of_text;
pub use version::ToolId;
pub(crate) use version::compare_versions;

use crate::id::{Label, ToolName};
use crate::util::panic::discard;

/// The spec of a tool: its name and description, the JSON Schemas of its input and output, its effect on the world,
/// and hints for people and policies.
///
/// `#[tool]` writes it from a function. By hand it is built from a name and a description:
///
/// ```
/// use serde_json::json;
/// use toolwright::{ToolName, ToolSpec};
/// use toolwright::spec::Effect;
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
/// # Ok::<(), toolwright::id::InvalidToolName>(())
/// ```
///
/// Serialises to JSON and back; see [`ToolSpec::with_computed_description`] for the one part that
/// becomes fixed on the way.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "SpecData")]
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
    durable: bool,
    pool: Option<Cow<'static, str>>,
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

fn no_arguments() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

/// The facts that are kept with an input schema once they were asked for.
#[derive(PartialEq, Eq)]
enum SchemaFact {
    NamesSecret,
    ValidArguments,
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
            durable: false,
            pool: None,
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

    /// Sets the name that people see. Default: none.
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

    /// Sets the version of the tool's definition. Versions of a tool may be registered beside each other:
    /// see [`ToolRegistry::versions`](crate::ToolRegistry::versions). Default: none.
    pub fn with_version(mut self, version: impl Into<Cow<'static, str>>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Sets the group that the tool is listed under. Default: none.
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
    ///
    /// It is written by the names of its keywords and properties, since a [`Value`] has no order that is
    /// the same in each program; [`with_input_schema_text`](ToolSpec::with_input_schema_text) keeps
    /// the order of a text.
    ///
    /// A tool made at run time is held to it; see [`tool_fn`](crate::tool_fn()). A [`Tool`](crate::Tool)
    /// written by hand judges its arguments itself, and shows this.
    pub fn with_input_schema(self, schema: Value) -> Self {
        self.with_ordered_schema(schema.into())
    }

    pub(crate) fn with_ordered_schema(mut self, schema: Ordered) -> Self {
        self.input_schema = Schema::made(Some(schema));
        self
    }

    /// Takes the schemas of types, with the examples that it has; an output schema of its own stays.
    pub(crate) fn with_types(mut self, types: &'static dyn SchemaSource) -> Self {
        let examples = self.examples().to_vec();
        self.input_schema = Schema::lazy(Make::Input(types, &[]));
        for example in examples {
            self = self.with_example(example);
        }
        if self.output_schema.get().is_none() {
            self.output_schema = Schema::lazy(Make::Output(types));
        }
        self
    }

    /// Sets the JSON Schema of the structured output. Default: none.
    pub fn with_output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Schema::made(Some(schema.into()));
        self
    }

    /// Declares the effect. The annotations `read_only` and `idempotent` follow from it unless
    /// they are set. Default: [`Effect::AtMostOnce`].
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Sets the hints. Default: those that follow from the effect.
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Sets how long a call may take, counted from when its body first waits. Default: the executor's
    /// [timeout](crate::executor::Limits::timeout).
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.bounds.timeout = Some(timeout);
        self
    }

    /// Adds a piece of metadata for the host; the model does not see it. A second value of a key takes the place of the
    /// first. Default: none.
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

    /// The same tool under other names.
    pub(crate) fn with_names(mut self, name: ToolName, aliases: Vec<ToolName>) -> Self {
        self.name = name;
        self.aliases = aliases;
        self
    }

    /// The text by which the model decides to call the tool.
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

    /// Returns true if the description is made anew for each listing.
    pub fn has_computed_description(&self) -> bool {
        matches!(self.description, Description::Computed(_))
    }

    /// The version of the tool's definition.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    pub(crate) fn version_label(&self) -> Option<Label> {
        self.version.clone().map(Label::from)
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
    ///
    /// The members of the [`Value`] are in no order that can be relied on. As text
    /// ([`ToolSnapshot::to_json`](crate::registry::ToolSnapshot::to_json), or a spec that is serialised) a schema is
    /// the same bytes in every program: arguments in the order of the signature, fields of a
    /// `#[tool_type]` in that of their declaration, what was given as text in its own, and all else by
    /// name.
    pub fn input_schema(&self) -> &Value {
        static NULL: Value = Value::Null;
        self.input_schema.get().unwrap_or(&NULL)
    }

    /// Returns the JSON Schema of the arguments as text, in the order that
    /// [`input_schema`](Self::input_schema) describes.
    pub fn input_schema_text(&self) -> String {
        let mut text = Vec::new();
        let written = self.input_schema.write(&mut text).unwrap_or_default();
        let text = String::from_utf8(text).ok().filter(|_| written);
        text.unwrap_or_else(|| self.input_schema().to_string())
    }

    /// Returns a value made from the text of the input schema, such as the schema in the form of a provider: made at
    /// the first use of its key, and kept with the schema. A clone of the spec makes its own.
    pub fn derived_from_input_schema<K, T>(&self, key: K, make: impl FnOnce(&str) -> T) -> Arc<T>
    where
        K: Eq + Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        let derived = &self.input_schema.derived;
        derived.get_or_make(key, || make(&self.input_schema_text()))
    }

    /// Returns the input schema with the other names of properties, which only types have.
    pub(crate) fn checked_schema(&self) -> &Value {
        self.input_schema.checked().unwrap_or(&Value::Null)
    }

    /// The promises of the input schema, and the code that keeps them. Computed at the first use.
    #[inline]
    pub(crate) fn promise(&self) -> &Promise {
        self.input_schema.promise()
    }

    /// Returns the declarations of the tool about its arguments that it cannot keep.
    pub(crate) fn mistakes(&self) -> Option<&Mistakes> {
        self.input_schema.mistakes()
    }

    /// Returns true if some of the arguments, or parts of them, are shown to nobody.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.secrets.is_empty() || self.schema_names_secret()
    }

    /// Returns true if the input schema says of any part that it is shown to nobody. Computed at the first use.
    pub(crate) fn schema_names_secret(&self) -> bool {
        let key = SchemaFact::NamesSecret;
        let make = || names_secret(self.input_schema());
        *self.input_schema.derived.get_or_make(key, make)
    }

    /// Returns the arguments that there are, in the words of whoever asks. Computed at the first use.
    pub(crate) fn valid_arguments(
        &self,
        make: impl FnOnce(&Value) -> Vec<String>,
    ) -> Arc<Vec<String>> {
        let key = SchemaFact::ValidArguments;
        let make = || make(self.checked_schema());
        self.input_schema.derived.get_or_make(key, make)
    }

    /// Tells which places among the arguments are secret.
    pub(crate) fn hidden(&self) -> Hidden<'_> {
        Hidden::new(self.input_schema(), self.secrets())
    }

    /// Returns the other names of arguments, each with the argument's own. The input schema does not have
    /// them, and neither does a spec that was written as JSON and read back.
    pub fn argument_aliases(&self) -> Vec<(&str, &str)> {
        self.input_schema.make.aliases()
    }

    /// Returns the arguments as members that may be scalars, if no secret is among them and the canonical form of a
    /// scalar depends on nothing but its member. Computed at the first use.
    pub(crate) fn scalar_arguments(&self) -> Option<&ScalarMembers> {
        let members = self.input_schema.scalars();
        members.filter(|_| self.secrets.is_empty())
    }

    /// The JSON Schema of the structured output, if there is any.
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.get()
    }

    /// The effect of the tool on the world.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The hints: those that were set, and those that follow from the effect.
    pub fn annotations(&self) -> ToolAnnotations {
        self.annotations.or(ToolAnnotations::of(self.effect))
    }

    /// The longest time that a call may take, if the tool sets one.
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
