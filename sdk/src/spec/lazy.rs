//! Schemas that are made when they are first asked for, with what they promise.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::declarations::add_example;
use super::mistakes::Mistakes;
use crate::schema::{MemberOrder, Ordered, Promise, Unkept, has_aliases, take_aliases};
use crate::util::derived::Derived;

/// A schema, made when first asked for.
#[derive(Clone)]
pub(super) struct Schema {
    made: OnceLock<Option<Made>>,
    pub(super) make: Make,
    /// The constraints that it promises; shared by clones, because it may hold a validator.
    promise: OnceLock<Arc<Promise>>,
    /// Values that were made from it.
    pub(super) derived: Derived,
}

#[derive(Clone)]
struct Made {
    schema: Ordered,
    /// The constraints that the types do not keep, if the schema was drawn from types.
    unkept: Option<Unkept>,
    /// The mistakes in it, if the schema was drawn from types.
    mistakes: Option<Arc<Mistakes>>,
    /// The schema with the other names of properties, if there are any.
    aliased: Option<Value>,
}

impl Made {
    /// A schema as it is given, and not drawn from types.
    fn of(schema: Ordered) -> Self {
        Self {
            schema,
            unkept: None,
            mistakes: None,
            aliased: None,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Make {
    Function(fn() -> Option<Value>),
    /// With the texts of what its keyword `examples` shows.
    Input(&'static dyn SchemaSource, &'static [&'static str]),
    Output(&'static dyn SchemaSource),
}

/// The schema of arguments, as it was drawn from their types.
pub(crate) struct Drawn {
    pub(crate) schema: Value,
    /// The constraints that the types do not keep.
    pub(crate) unkept: Unkept,
    pub(crate) mistakes: Mistakes,
}

/// The source of a tool's schemas.
pub(crate) trait SchemaSource: Sync {
    /// The schema of the arguments, what the types do not keep of it, and what cannot work.
    fn input(&self) -> Drawn;

    /// The schema of the structured output, if there is any.
    fn output(&self) -> Option<Value>;

    /// The names of the arguments in the order of their declaration, where that is not in the schema.
    fn argument_names(&self) -> Vec<&'static str>;

    /// The other names of arguments, which the schema does not have, each with the argument's own.
    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)>;
}

impl Schema {
    pub(super) fn made(schema: Option<Ordered>) -> Self {
        Self {
            made: OnceLock::from(schema.map(Made::of)),
            ..Self::lazy(Make::Function(|| None))
        }
    }

    pub(super) fn lazy(make: Make) -> Self {
        Self {
            made: OnceLock::new(),
            make,
            promise: OnceLock::new(),
            derived: Derived::default(),
        }
    }

    pub(super) fn get(&self) -> Option<&Value> {
        self.get_made().map(|made| &made.schema.value)
    }

    /// Returns it with the other names of properties, by which values are checked.
    pub(super) fn checked(&self) -> Option<&Value> {
        let made = self.get_made()?;
        Some(made.aliased.as_ref().unwrap_or(&made.schema.value))
    }

    /// With the order in which it is written.
    pub(super) fn get_ordered(&self) -> Option<&Ordered> {
        self.get_made().map(|made| &made.schema)
    }

    fn get_made(&self) -> Option<&Made> {
        let make = || match self.make {
            Make::Function(make) => make().map(|schema| Made {
                // A tool without a schema demands nothing of its arguments.
                unkept: Some(Unkept::default()),
                ..Made::of(schema.into())
            }),
            Make::Input(source, examples) => {
                let Drawn {
                    mut schema,
                    unkept,
                    mistakes,
                } = source.input();
                let order = MemberOrder::take_from(&mut schema);
                // Few schemas have other names, and only those are kept twice.
                let aliased = has_aliases(&schema).then(|| schema.clone());
                if aliased.is_some() {
                    take_aliases(&mut schema);
                }
                let names = source.argument_names();
                let order = if names.is_empty() {
                    order
                } else {
                    order.with_properties(names.into_iter())
                };
                // The macro has parsed the texts, so each is JSON.
                let examples = examples.iter().filter_map(|t| serde_json::from_str(t).ok());
                examples.for_each(|example| add_example(&mut schema, example));
                Some(Made {
                    schema: Ordered::new(schema, order),
                    unkept: Some(unkept),
                    mistakes: (!mistakes.is_empty()).then(|| Arc::new(mistakes)),
                    aliased,
                })
            }
            Make::Output(source) => source.output().map(|mut schema| {
                let order = MemberOrder::take_from(&mut schema);
                Made::of(Ordered::new(schema, order))
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
                Some(Made { schema, .. }) => Promise::of_schema(&schema.value),
            })
        })
    }

    /// Returns the mistakes in it, because of which no executor serves it.
    pub(super) fn mistakes(&self) -> Option<&Mistakes> {
        self.get_made()?.mistakes.as_deref()
    }

    /// Changes what it demands of a value.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Value)) {
        self.annotate(change);
        if let Some(Some(made)) = self.made.get_mut() {
            made.aliased = None;
        }
        self.promise = OnceLock::new();
    }

    /// Changes what it says without a demand.
    pub(super) fn annotate(&mut self, change: impl FnOnce(&mut Value)) {
        self.get_made();
        self.derived = Derived::default();
        if let Some(Some(made)) = self.made.get_mut() {
            change(&mut made.schema.value);
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.made.get() {
            Some(made) => made.as_ref().map(|made| &made.schema.value).fmt(f),
            None => f.write_str("(not made yet)"),
        }
    }
}
