//! What `#[tool]` declares of a tool, as constants, and the spec made of it.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;

use super::{
    Capability, Description, Determinism, Effect, Make, ResourceBounds, Schema, SchemaSource,
    ToolAnnotations, ToolSpec,
};
use crate::id::{InvalidToolName, ToolName};

/// What `#[tool]` declares of a tool: constants only, so that it can stand in a `static`.
#[derive(Debug, Clone, Copy)]
pub struct Declared {
    name: &'static str,
    title: Option<&'static str>,
    description: Docs,
    version: Option<&'static str>,
    aliases: &'static [&'static str],
    category: Option<&'static str>,
    effect: Effect,
    destructive: Option<bool>,
    open_world: Option<bool>,
    needs_approval: Option<bool>,
    streaming: Option<bool>,
    determinism: Option<Determinism>,
    capabilities: &'static [&'static str],
    timeout_ms: Option<u64>,
    memory: Option<u64>,
    fuel: Option<u64>,
    output: Option<u64>,
    concurrent: bool,
    explicit_only: bool,
    examples: &'static [&'static str],
    secrets: &'static [&'static str],
    metadata: &'static [(&'static str, Meta)],
    deprecated: Option<&'static str>,
}

macro_rules! parts {
    ($($field:ident: $type:ty;)*) => {
        $(
            #[allow(missing_docs, reason = "a setter of the field of the same name")]
            pub const fn $field(mut self, value: $type) -> Self {
                self.$field = Some(value);
                self
            }
        )*
    };
}

impl Declared {
    /// A tool of which only name and description are declared.
    pub const fn new(name: &'static str, description: Docs) -> Self {
        Self {
            name,
            title: None,
            description,
            version: None,
            aliases: &[],
            category: None,
            effect: Effect::AtMostOnce,
            destructive: None,
            open_world: None,
            needs_approval: None,
            streaming: None,
            determinism: None,
            capabilities: &[],
            timeout_ms: None,
            memory: None,
            fuel: None,
            output: None,
            concurrent: false,
            explicit_only: false,
            examples: &[],
            secrets: &[],
            metadata: &[],
            deprecated: None,
        }
    }

    parts! {
        title: &'static str;
        version: &'static str;
        category: &'static str;
        destructive: bool;
        open_world: bool;
        needs_approval: bool;
        streaming: bool;
        determinism: Determinism;
        timeout_ms: u64;
        memory: u64;
        fuel: u64;
        output: u64;
        deprecated: &'static str;
    }

    /// Sets the other names.
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets the effect.
    pub const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Sets the capabilities, each a `domain:action:scope`.
    pub const fn capabilities(mut self, capabilities: &'static [&'static str]) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// A call may run beside others of its batch although the tool has effects.
    pub const fn concurrent(mut self) -> Self {
        self.concurrent = true;
        self
    }

    /// Only its name selects the tool.
    pub const fn explicit_only(mut self) -> Self {
        self.explicit_only = true;
        self
    }

    /// Sets the examples, each the JSON text of an object of arguments.
    pub const fn examples(mut self, examples: &'static [&'static str]) -> Self {
        self.examples = examples;
        self
    }

    /// Sets the names of the secret arguments.
    pub const fn secrets(mut self, secrets: &'static [&'static str]) -> Self {
        self.secrets = secrets;
        self
    }

    /// Sets the metadata.
    pub const fn metadata(mut self, metadata: &'static [(&'static str, Meta)]) -> Self {
        self.metadata = metadata;
        self
    }

    /// The canonical name, and the aliases.
    pub(crate) fn names(&self) -> (&'static str, &'static [&'static str]) {
        (self.name, self.aliases)
    }

    /// The spec; its schemas are made when they are asked for.
    pub(crate) fn spec(
        &self,
        schemas: &'static dyn SchemaSource,
    ) -> Result<ToolSpec, InvalidToolName> {
        let aliases = self.aliases.iter().map(|alias| ToolName::new(*alias));
        Ok(ToolSpec {
            name: ToolName::new(self.name)?,
            title: self.title.map(Cow::Borrowed),
            description: Description::Fixed(Cow::Borrowed(self.description.text())),
            version: self.version.map(Cow::Borrowed),
            category: self.category.map(Cow::Borrowed),
            aliases: aliases.collect::<Result<_, _>>()?,
            input_schema: Schema::lazy(Make::Input(schemas, self.examples)),
            output_schema: Schema::lazy(Make::Output(schemas)),
            effect: self.effect,
            annotations: ToolAnnotations::declared(
                self.destructive,
                self.open_world,
                self.needs_approval,
                self.streaming,
            ),
            determinism: self.determinism,
            capabilities: self
                .capabilities
                .iter()
                .copied()
                .map(Capability::declared)
                .collect(),
            bounds: ResourceBounds {
                timeout: self.timeout_ms.map(Duration::from_millis),
                memory: self.memory,
                fuel: self.fuel,
                output: self.output,
            },
            concurrent: self.concurrent,
            explicit_only: self.explicit_only,
            secrets: self.secrets.iter().copied().map(Cow::Borrowed).collect(),
            deprecated: self.deprecated.map(Cow::Borrowed),
            metadata: self
                .metadata
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.value()))
                .collect(),
        })
    }
}

/// Documentation of an item.
#[derive(Debug, Clone, Copy)]
pub enum Docs {
    /// The description itself.
    Text(&'static str),
    /// Documentation that the macro could not read, such as an included file; the description is
    /// what stands before its first heading.
    Raw(&'static str),
}

impl Docs {
    /// The description.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Text(text) => text,
            Self::Raw(text) => before_first_heading(text),
        }
    }
}

fn before_first_heading(text: &str) -> &str {
    let heading = |line: &str| {
        let marks = line.trim_start().trim_start_matches('#');
        marks.len() < line.trim_start().len() && (marks.is_empty() || marks.starts_with(' '))
    };
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if heading(line.trim_end()) {
            break;
        }
        end += line.len();
    }
    text[..end].trim()
}

/// A value of `metadata(..)`.
#[derive(Debug, Clone, Copy)]
pub enum Meta {
    /// Text.
    Text(&'static str),
    /// An integer.
    Integer(i64),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
}

impl Meta {
    fn value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Integer(number) => number.into(),
            Self::Float(number) => number.into(),
            Self::Bool(value) => value.into(),
        }
    }
}

#[cfg(test)]
mod tests;
