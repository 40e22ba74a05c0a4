//! The declarations of `#[tool]` as constants, and the spec made of them.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;

use super::{Capability, Description, Determinism, Effect, Make, Schema, SchemaSource, ToolSpec};
use crate::id::{InvalidToolName, ToolName};

/// The declarations of `#[tool]` about a tool: name, description and the rest, constants only, so that it can stand in
/// a `static`.
///
/// A tuple, and no struct. rustc asks of every value of a struct in a constant whether anything in
/// it can change, by way of a trait; of tuples and references it sees that it cannot.
///
/// The name, the description, the parts, and the package whose tool it is.
pub(crate) type Declared = (&'static str, &'static str, &'static [Part], &'static str);

/// A declaration of a tool beyond name and description.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// The description is documentation that the macro could not read, such as an included file.
    Raw,
    /// The name that people see.
    Title(&'static str),
    /// The version of the definition.
    Version(&'static str),
    /// The other names.
    Aliases(&'static [&'static str]),
    /// The group.
    Category(&'static str),
    /// The effect; without it, at most once.
    Effect(Effect),
    /// The determinism of calls.
    Determinism(Determinism),
    /// A hint.
    Destructive(bool),
    /// A hint.
    OpenWorld(bool),
    /// A hint.
    NeedsApproval(bool),
    /// A hint.
    Streaming(bool),
    /// The required capabilities, each a `domain:action:scope`.
    Capabilities(&'static [&'static str]),
    /// Milliseconds.
    Timeout(u64),
    /// Bytes.
    Memory(u64),
    /// Units of the backend.
    Fuel(u64),
    /// Bytes.
    Output(u64),
    /// A call may run beside others of its batch although the tool has effects.
    Concurrent,
    /// A call goes on when its process is gone.
    Durable,
    /// The pool of hosts that run the tool.
    Pool(&'static str),
    /// Only its name selects the tool.
    ExplicitOnly,
    /// The names of the secret arguments.
    Secrets(&'static [&'static str]),
    /// The JSON texts of objects of arguments.
    Examples(&'static [&'static str]),
    /// For the host.
    Metadata(&'static [(&'static str, Meta)]),
    /// The note of a deprecated tool.
    Deprecated(&'static str),
}

/// The canonical name, and the aliases.
pub(crate) fn names_of(declared: &Declared) -> (&'static str, &'static [&'static str]) {
    let aliases = declared.2.iter().find_map(|part| match part {
        Part::Aliases(aliases) => Some(*aliases),
        _ => None,
    });
    (declared.0, aliases.unwrap_or_default())
}

/// The spec; its schemas are made when they are asked for.
pub(crate) fn spec_of(
    declared: &Declared,
    schemas: &'static dyn SchemaSource,
) -> Result<ToolSpec, InvalidToolName> {
    let (name, description, parts, _) = *declared;
    let mut spec = ToolSpec::new(ToolName::new(name)?, description);
    spec.output_schema = Schema::lazy(Make::Output(schemas));
    let mut examples: &[&str] = &[];
    for part in parts {
        match *part {
            Part::Raw => {
                let text = before_first_heading(description);
                spec.description = Description::Fixed(Cow::Borrowed(text));
            }
            Part::Title(title) => spec.title = Some(Cow::Borrowed(title)),
            Part::Version(version) => spec.version = Some(Cow::Borrowed(version)),
            Part::Aliases(aliases) => {
                let aliases = aliases.iter().map(|alias| ToolName::new(*alias));
                spec.aliases = aliases.collect::<Result<_, _>>()?;
            }
            Part::Category(category) => spec.category = Some(Cow::Borrowed(category)),
            Part::Effect(effect) => spec.effect = effect,
            Part::Determinism(determinism) => spec.determinism = Some(determinism),
            Part::Destructive(hint) => {
                spec.annotations = spec.annotations.with_destructive(hint);
            }
            Part::OpenWorld(hint) => {
                spec.annotations = spec.annotations.with_open_world(hint);
            }
            Part::NeedsApproval(hint) => {
                spec.annotations = spec.annotations.with_needs_approval(hint);
            }
            Part::Streaming(hint) => {
                spec.annotations = spec.annotations.with_streaming(hint);
            }
            Part::Capabilities(capabilities) => {
                let capabilities = capabilities.iter().copied();
                spec.capabilities = capabilities.map(Capability::declared).collect();
            }
            Part::Timeout(ms) => spec.bounds.timeout = Some(Duration::from_millis(ms)),
            Part::Memory(bytes) => spec.bounds.memory = Some(bytes),
            Part::Fuel(fuel) => spec.bounds.fuel = Some(fuel),
            Part::Output(bytes) => spec.bounds.output = Some(bytes),
            Part::Concurrent => spec.concurrent = true,
            Part::Durable => spec.durable = true,
            Part::Pool(pool) => spec.pool = Some(Cow::Borrowed(pool)),
            Part::ExplicitOnly => spec.explicit_only = true,
            Part::Secrets(names) => {
                spec.secrets = names.iter().copied().map(Cow::Borrowed).collect();
            }
            Part::Examples(texts) => examples = texts,
            Part::Metadata(pairs) => {
                let pairs = pairs.iter();
                spec.metadata = pairs
                    .map(|(key, value)| ((*key).to_owned(), value.value()))
                    .collect();
            }
            Part::Deprecated(note) => spec.deprecated = Some(Cow::Borrowed(note)),
        }
    }
    spec.input_schema = Schema::lazy(Make::Input(schemas, examples));
    Ok(spec)
}

/// Returns the text before the first heading; the rest is for people.
pub(crate) fn before_first_heading(text: &str) -> &str {
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
