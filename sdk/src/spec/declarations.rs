//! The parts of a spec that replay, the executor and selectors build on: determinism,
//! capabilities, bounds, flags, examples and secrets.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{Capability, Determinism, ResourceBounds, ToolSpec};

impl ToolSpec {
    /// Declares whether the tool gives the same output again. Default: what
    /// [follows from the effect](Determinism::of).
    pub fn with_determinism(mut self, determinism: Determinism) -> Self {
        self.determinism = Some(determinism);
        self
    }

    /// The determinism that the tool declares, or else the one that follows from its effect.
    pub fn determinism(&self) -> Determinism {
        self.determinism
            .unwrap_or_else(|| Determinism::of(self.effect))
    }

    /// Adds a capability that the tool requires. Default: none. Without a grant of each, its calls are denied
    /// before anything else is looked at; see
    /// [`ExecutorBuilder::grant_capability`](crate::ExecutorBuilder::grant_capability).
    pub fn with_capability(mut self, capability: Capability) -> Self {
        if !self.capabilities.contains(&capability) {
            self.capabilities.push(capability);
        }
        self
    }

    /// The capabilities that the tool requires, in the order of their declaration.
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// Sets how much memory a call may hold, in bytes. An executor without a backend that measures
    /// it refuses the tool. Default: no limit.
    pub fn with_memory_limit(mut self, bytes: u64) -> Self {
        self.bounds.memory = Some(bytes);
        self
    }

    /// Sets how much a call may compute, in the units of the backend that meters it. An executor
    /// without such a backend refuses the tool. Default: no limit.
    pub fn with_fuel_limit(mut self, fuel: u64) -> Self {
        self.bounds.fuel = Some(fuel);
        self
    }

    /// Sets how large the output of a call may be, in bytes, all its parts together. Default: the executor's
    /// [limit](crate::executor::Limits::max_output_bytes).
    ///
    /// Text over the limit is cut at a character boundary, JSON over the limit becomes text and is
    /// cut likewise, an image or a link that does not fit is left out, and a last part says how
    /// much there was; the limit does not count that last part. Errors that the tool returns are
    /// cut too; metadata is not.
    pub fn with_output_limit(mut self, bytes: u64) -> Self {
        self.bounds.output = Some(bytes);
        self
    }

    /// The limits of a call, [the timeout](ToolSpec::timeout) included.
    pub fn bounds(&self) -> ResourceBounds {
        self.bounds
    }

    /// Says whether a call may run beside others of its batch although the tool has effects.
    /// Default: no. Pure and read-only tools may in any case.
    pub fn with_concurrent(mut self, concurrent: bool) -> Self {
        self.concurrent = concurrent;
        self
    }

    /// Returns true if the tool declares that a call may run beside others of its batch although it has effects.
    pub fn is_concurrent(&self) -> bool {
        self.concurrent
    }

    /// Says whether a call is to go on when its process is gone. Default: no. Such a tool runs through the executor's
    /// [dispatcher](crate::ExecutorBuilder::dispatcher), which has to promise that.
    pub fn with_durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// Returns true if a call is to go on when its process is gone.
    pub fn is_durable(&self) -> bool {
        self.durable
    }

    /// Sets the pool of hosts that run the tool, such as those with a certain device or network. Default: none, so that
    /// the tool runs where its call stands. A tool of a pool runs through the executor's
    /// [dispatcher](crate::ExecutorBuilder::dispatcher).
    ///
    /// A pool is 1 to 64 ASCII letters, digits, `-`, `_` and `.`; with another one the executor
    /// [is not built](crate::spec::Contradiction::InvalidPool).
    pub fn with_pool(mut self, pool: impl Into<Cow<'static, str>>) -> Self {
        self.pool = Some(pool.into());
        self
    }

    /// The pool of hosts that run the tool, if it needs one.
    pub fn pool(&self) -> Option<&str> {
        self.pool.as_deref()
    }

    /// Returns true if the tool runs through the executor's dispatcher.
    pub(crate) fn is_dispatched(&self) -> bool {
        self.durable || self.pool.is_some()
    }

    /// Says whether only its name selects the tool, and a wildcard never does. Default: no.
    pub fn with_explicit_only(mut self, explicit_only: bool) -> Self {
        self.explicit_only = explicit_only;
        self
    }

    /// Returns true if only its name selects the tool, and a wildcard never does.
    pub fn is_explicit_only(&self) -> bool {
        self.explicit_only
    }

    /// Adds a whole object of arguments that shows the model how to call the tool.
    ///
    /// It is kept in the input schema, in the keyword `examples`, so
    /// [`with_input_schema`](ToolSpec::with_input_schema) comes first: the schema that it sets has
    /// the examples that it brings. A schema that is no object, other than `true`, has no place
    /// for examples and stays as it is.
    pub fn with_example(mut self, arguments: impl Into<Value>) -> Self {
        let arguments = arguments.into();
        self.input_schema
            .annotate(|schema| add_example(schema, arguments));
        self
    }

    /// Whole objects of arguments that show the model how to call the tool: those in the input
    /// schema.
    pub fn examples(&self) -> &[Value] {
        let examples = self.input_schema().get("examples");
        examples
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    /// Marks a top-level argument as secret, by its name in the input schema: its values are never
    /// shown to people, policies and logs.
    pub fn with_secret(mut self, argument: impl Into<Cow<'static, str>>) -> Self {
        let argument = argument.into();
        if !self.secrets.contains(&argument) {
            self.secrets.push(argument);
        }
        self
    }

    /// The names of the top-level arguments whose values are never shown.
    pub fn secrets(&self) -> &[Cow<'static, str>] {
        &self.secrets
    }
}

/// Adds to the keyword `examples` of a schema.
pub(super) fn add_example(schema: &mut Value, example: Value) {
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    match schema.get_mut("examples") {
        Some(Value::Array(examples)) => examples.push(example),
        // A value that is no list is not valid here, and is replaced.
        _ => {
            schema.insert("examples".to_owned(), json!([example]));
        }
    }
}
