//! A spec in serialised form.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{
    Capability, Description, Determinism, Effect, ResourceBounds, Schema, ToolAnnotations,
    ToolSpec, no_arguments,
};
use crate::id::ToolName;
use crate::schema::Ordered;
use crate::util::members::Members;

/// The serialised form, as it is read. [`ToolSpec::members`] has it as it is written.
#[derive(Deserialize)]
pub(super) struct SpecData {
    name: ToolName,
    #[serde(default)]
    title: Option<Cow<'static, str>>,
    description: Cow<'static, str>,
    #[serde(default)]
    version: Option<Cow<'static, str>>,
    #[serde(default)]
    category: Option<Cow<'static, str>>,
    #[serde(default)]
    aliases: Vec<ToolName>,
    #[serde(default = "no_input")]
    input_schema: Ordered,
    #[serde(default)]
    output_schema: Option<Ordered>,
    #[serde(default)]
    effect: Effect,
    #[serde(default)]
    annotations: ToolAnnotations,
    #[serde(default)]
    determinism: Option<Determinism>,
    #[serde(default)]
    capabilities: Vec<Capability>,
    #[serde(default)]
    timeout_ms: Option<u64>,
    #[serde(default)]
    max_memory_bytes: Option<u64>,
    #[serde(default)]
    max_fuel: Option<u64>,
    #[serde(default)]
    max_output_bytes: Option<u64>,
    #[serde(default)]
    concurrent: bool,
    #[serde(default)]
    durable: bool,
    #[serde(default)]
    pool: Option<Cow<'static, str>>,
    #[serde(default)]
    explicit_only: bool,
    #[serde(default)]
    secrets: Vec<Cow<'static, str>>,
    #[serde(default)]
    deprecated: Option<Cow<'static, str>>,
    #[serde(default)]
    metadata: BTreeMap<String, Value>,
}

fn no_input() -> Ordered {
    no_arguments().into()
}

/// A place for the members of a spec in serialised form.
trait SpecMembers {
    type Error;

    fn member<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error>;

    /// Adds a schema, if there is one.
    fn schema(&mut self, name: &'static str, schema: &Schema) -> Result<(), Self::Error>;

    fn member_if<T: Serialize>(
        &mut self,
        name: &'static str,
        value: Option<T>,
    ) -> Result<(), Self::Error> {
        value.map_or(Ok(()), |value| self.member(name, &value))
    }

    fn list<T: Serialize>(&mut self, name: &'static str, list: &[T]) -> Result<(), Self::Error> {
        self.member_if(name, (!list.is_empty()).then_some(list))
    }

    fn flag(&mut self, name: &'static str, flag: bool) -> Result<(), Self::Error> {
        self.member_if(name, flag.then_some(true))
    }
}

impl ToolSpec {
    fn members<M: SpecMembers>(&self, description: &str, to: &mut M) -> Result<(), M::Error> {
        to.member("name", &self.name)?;
        to.member_if("title", self.title())?;
        to.member("description", description)?;
        to.member_if("version", self.version())?;
        to.member_if("category", self.category())?;
        to.list("aliases", &self.aliases)?;
        to.schema("input_schema", &self.input_schema)?;
        to.schema("output_schema", &self.output_schema)?;
        to.member("effect", &self.effect)?;
        let annotations = self.annotations();
        to.member_if(
            "annotations",
            (!annotations.is_empty()).then_some(annotations),
        )?;
        let of_effect = Determinism::of(self.effect);
        let declared = self.determinism.filter(|declared| *declared != of_effect);
        to.member_if("determinism", declared)?;
        to.list("capabilities", &self.capabilities)?;
        let timeout = self.bounds.timeout;
        let timeout = timeout.map(|t| u64::try_from(t.as_millis()).unwrap_or(u64::MAX));
        to.member_if("timeout_ms", timeout)?;
        to.member_if("max_memory_bytes", self.bounds.memory)?;
        to.member_if("max_fuel", self.bounds.fuel)?;
        to.member_if("max_output_bytes", self.bounds.output)?;
        to.flag("concurrent", self.concurrent)?;
        to.flag("durable", self.durable)?;
        to.member_if("pool", self.pool())?;
        to.flag("explicit_only", self.explicit_only)?;
        to.list("secrets", &self.secrets)?;
        to.member_if("deprecated", self.deprecated())?;
        let metadata = &self.metadata;
        to.member_if("metadata", (!metadata.is_empty()).then_some(metadata))
    }

    /// Writes the spec as JSON, its schemas without making them where they can be written from the types.
    pub(crate) fn write(&self, text: &mut Vec<u8>) -> serde_json::Result<()> {
        let mut members = TextMembers(Members::begin(text));
        self.members(&self.description(), &mut members)?;
        members.0.end();
        Ok(())
    }
}

impl Serialize for ToolSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A computed description is made once for both.
        let description = self.description();
        let mut number = MemberCount(0);
        let Ok(()) = self.members(&description, &mut number);
        let mut written = serializer.serialize_struct("SpecData", number.0)?;
        self.members(&description, &mut SerdeMembers(&mut written))?;
        written.end()
    }
}

/// Counts the members, which some formats write first.
struct MemberCount(usize);

impl SpecMembers for MemberCount {
    type Error = Infallible;

    fn member<T: Serialize + ?Sized>(&mut self, _: &'static str, _: &T) -> Result<(), Infallible> {
        self.0 += 1;
        Ok(())
    }

    fn schema(&mut self, _: &'static str, schema: &Schema) -> Result<(), Infallible> {
        self.0 += usize::from(schema.get().is_some());
        Ok(())
    }
}

struct SerdeMembers<'s, S>(&'s mut S);

impl<S: SerializeStruct> SpecMembers for SerdeMembers<'_, S> {
    type Error = S::Error;

    fn member<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_field(name, value)
    }

    fn schema(&mut self, name: &'static str, schema: &Schema) -> Result<(), S::Error> {
        self.member_if(name, schema.get_ordered())
    }
}

struct TextMembers<'t>(Members<'t>);

impl SpecMembers for TextMembers<'_> {
    type Error = serde_json::Error;

    fn member<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> serde_json::Result<()> {
        serde_json::to_writer(self.0.plain_name(name), value)
    }

    fn schema(&mut self, name: &'static str, schema: &Schema) -> serde_json::Result<()> {
        self.0.add_if(name, |text| schema.write(text))
    }
}

impl From<SpecData> for ToolSpec {
    fn from(plain: SpecData) -> Self {
        Self {
            name: plain.name,
            title: plain.title,
            description: Description::Fixed(plain.description),
            version: plain.version,
            category: plain.category,
            aliases: plain.aliases,
            input_schema: Schema::made(Some(plain.input_schema)),
            output_schema: Schema::made(plain.output_schema),
            effect: plain.effect,
            annotations: plain.annotations,
            determinism: plain.determinism,
            capabilities: plain.capabilities,
            bounds: ResourceBounds {
                timeout: plain.timeout_ms.map(Duration::from_millis),
                memory: plain.max_memory_bytes,
                fuel: plain.max_fuel,
                output: plain.max_output_bytes,
            },
            concurrent: plain.concurrent,
            durable: plain.durable,
            pool: plain.pool,
            explicit_only: plain.explicit_only,
            secrets: plain.secrets,
            deprecated: plain.deprecated,
            metadata: plain.metadata,
        }
    }
}
