//! A spec in serialised form.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Not;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Capability, Description, Determinism, Effect, ResourceBounds, Schema, ToolAnnotations,
    ToolSpec, no_arguments,
};
use crate::id::ToolName;
use crate::schema::Ordered;

/// The serialised form.
#[derive(Serialize, Deserialize)]
pub(super) struct SpecData {
    name: ToolName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<Cow<'static, str>>,
    description: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    category: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<ToolName>,
    #[serde(default = "no_input")]
    input_schema: Ordered,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_schema: Option<Ordered>,
    #[serde(default)]
    effect: Effect,
    #[serde(default, skip_serializing_if = "ToolAnnotations::is_empty")]
    annotations: ToolAnnotations,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    determinism: Option<Determinism>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    capabilities: Vec<Capability>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_memory_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_fuel: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_output_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Not::not")]
    concurrent: bool,
    #[serde(default, skip_serializing_if = "Not::not")]
    durable: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pool: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Not::not")]
    explicit_only: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    secrets: Vec<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deprecated: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    metadata: BTreeMap<String, Value>,
}

fn no_input() -> Ordered {
    no_arguments().into()
}

impl From<ToolSpec> for SpecData {
    fn from(spec: ToolSpec) -> Self {
        Self {
            annotations: spec.annotations(),
            input_schema: spec.input_schema.get_ordered().cloned().unwrap_or_default(),
            output_schema: spec.output_schema.get_ordered().cloned(),
            description: spec.description().into_owned().into(),
            name: spec.name,
            title: spec.title,
            version: spec.version,
            category: spec.category,
            aliases: spec.aliases,
            effect: spec.effect,
            determinism: spec
                .determinism
                .filter(|declared| *declared != Determinism::of(spec.effect)),
            capabilities: spec.capabilities,
            timeout_ms: spec
                .bounds
                .timeout
                .map(|t| u64::try_from(t.as_millis()).unwrap_or(u64::MAX)),
            max_memory_bytes: spec.bounds.memory,
            max_fuel: spec.bounds.fuel,
            max_output_bytes: spec.bounds.output,
            concurrent: spec.concurrent,
            durable: spec.durable,
            pool: spec.pool,
            explicit_only: spec.explicit_only,
            secrets: spec.secrets,
            deprecated: spec.deprecated,
            metadata: spec.metadata,
        }
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
