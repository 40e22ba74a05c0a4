//! Schemas that are made when they are first asked for, with what they promise.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::declarations::add_example;
use super::schema::{Promise, Unkept};

/// A schema, made when first asked for.
#[derive(Clone)]
pub(super) struct Schema {
    made: OnceLock<Option<Made>>,
    pub(super) make: Make,
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
pub(super) enum Make {
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
    pub(super) fn made(schema: Option<Value>) -> Self {
        let unkept = None;
        let made = schema.map(|schema| Made { schema, unkept });
        Self {
            made: OnceLock::from(made),
            ..Self::lazy(Make::Function(|| None))
        }
    }

    pub(super) fn lazy(make: Make) -> Self {
        Self {
            made: OnceLock::new(),
            make,
            promise: OnceLock::new(),
        }
    }

    pub(super) fn get(&self) -> Option<&Value> {
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

    pub(super) fn promise(&self) -> &Promise {
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
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Value)) {
        self.annotate(change);
        self.promise = OnceLock::new();
    }

    /// Changes what it says without a demand.
    pub(super) fn annotate(&mut self, change: impl FnOnce(&mut Value)) {
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
