//! Findings, and tools without any, a file for each subject.

mod arguments;
mod examples;
mod similar;
mod tools;
mod typing;

use serde_json::{Value, json};

use super::{Lint, LintKind};
use crate::arguments::{Arguments, InvalidArguments};
use crate::context::ResourceKey;
use crate::id::ToolName;
use crate::registry::ToolRegistry;
use crate::spec::ToolSpec;
use crate::tool::{Invocation, Started, Tool};

/// A tool that takes nothing that `parse` refuses; nobody runs it.
struct Shown {
    spec: ToolSpec,
    needs: Vec<ResourceKey>,
    parse: fn(&Arguments<'_>) -> Result<(), InvalidArguments>,
}

impl Shown {
    fn new(name: &'static str, description: impl Into<String>) -> Self {
        Self {
            spec: ToolSpec::new(ToolName::new(name).unwrap(), description.into()),
            needs: Vec::new(),
            parse: |_| Ok(()),
        }
    }

    fn schema(mut self, schema: Value) -> Self {
        self.spec = self.spec.with_input_schema(schema);
        self
    }
}

impl Tool for Shown {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs(&self) -> &[ResourceKey] {
        &self.needs
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        (self.parse)(arguments)?;
        Ok(Box::new(Never))
    }
}

struct Never;

impl Invocation for Never {
    fn start(self: Box<Self>, _ctx: &crate::ToolContext) -> Started<'_> {
        unreachable!("nothing is run")
    }
}

/// The findings about tools, in one registry.
fn lint(tools: impl IntoIterator<Item = Shown>) -> Vec<Lint> {
    let registry = tools
        .into_iter()
        .fold(ToolRegistry::new(), |all, tool| all.with(tool));
    registry.check().unwrap();
    registry.lint()
}

/// Kind and place of what is found in a schema of an object with these properties.
fn in_properties(properties: &Value) -> Vec<(LintKind, String)> {
    in_schema(json!({"type": "object", "properties": properties}))
}

/// Kind and place of what is found in a schema.
fn in_schema(schema: Value) -> Vec<(LintKind, String)> {
    places(lint([Shown::new("tool", "Do something.").schema(schema)]))
}

fn places(lints: Vec<Lint>) -> Vec<(LintKind, String)> {
    let place = |lint: Lint| (lint.kind(), lint.pointer().to_owned());
    lints.into_iter().map(place).collect()
}

fn at(kind: LintKind, pointer: &str) -> (LintKind, String) {
    (kind, pointer.to_owned())
}
