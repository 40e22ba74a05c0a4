//! Schemas that are made when they are first asked for, with what they promise.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::declarations::add_example;
use super::mistakes::Mistakes;
use crate::schema::{
    MemberOrder, Ordered, OutputSchema, Promise, ScalarMembers, Unkept, has_aliases, take_aliases,
};
use crate::util::derived::Derived;

/// A schema, made when first asked for.
#[derive(Clone)]
pub(super) struct Schema {
    made: OnceLock<Option<Box<Made>>>,
    pub(super) make: Make,
    /// True if types keep all of it, so that it need not be made for a promise.
    kept: OnceLock<bool>,
    /// The constraints that it promises, unless types keep them; shared by clones, because it may hold a validator.
    promise: OnceLock<Option<Arc<Promise>>>,
    /// Its members as they are written without a tree, if they can be.
    scalars: OnceLock<Option<Arc<ScalarMembers>>>,
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

impl Make {
    /// The other names of arguments, each with the argument's own.
    pub(super) fn aliases(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Input(source, _) => source.argument_aliases(),
            Self::Function(_) | Self::Output(_) => Vec::new(),
        }
    }

    fn made(self) -> Option<Made> {
        match self {
            Self::Function(make) => make().map(|schema| Made {
                // A tool without a schema demands nothing of its arguments.
                unkept: Some(Unkept::default()),
                ..Made::of(schema.into())
            }),
            Self::Input(source, examples) => {
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
            Self::Output(source) => {
                let output = source.output()?;
                Some(Made::of(output.schema.clone()))
            }
        }
    }
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

    /// Returns true if the types keep all that the schema of the arguments says, and nothing in it can be a mistake.
    fn is_kept(&self) -> bool;

    /// Writes the schema of arguments whose types [keep all of it](Self::is_kept). Returns false if it has to be made.
    fn write_input(&self, text: &mut Vec<u8>) -> serde_json::Result<bool>;

    /// The schema of the structured output, if there is any.
    fn output(&self) -> Option<Arc<OutputSchema>>;

    /// The names of the arguments in the order of their declaration, where that is not in the schema.
    fn argument_names(&self) -> Vec<&'static str>;

    /// The other names of arguments, which the schema does not have, each with the argument's own.
    fn argument_aliases(&self) -> Vec<(&'static str, &'static str)>;
}

impl Schema {
    pub(super) fn made(schema: Option<Ordered>) -> Self {
        Self {
            made: OnceLock::from(schema.map(|schema| Box::new(Made::of(schema)))),
            ..Self::lazy(Make::Function(|| None))
        }
    }

    pub(super) fn lazy(make: Make) -> Self {
        Self {
            made: OnceLock::new(),
            make,
            kept: OnceLock::new(),
            promise: OnceLock::new(),
            scalars: OnceLock::new(),
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
        let make = || self.make.made().map(Box::new);
        self.made.get_or_init(make).as_deref()
    }

    /// Writes it in its order. Returns false if there is none.
    pub(super) fn write(&self, text: &mut Vec<u8>) -> serde_json::Result<bool> {
        if self.made.get().is_none() {
            match self.make {
                Make::Input(source, []) if self.is_kept() && source.write_input(text)? => {
                    return Ok(true);
                }
                Make::Output(source) => {
                    let output = source.output();
                    output
                        .as_ref()
                        .map_or(Ok(()), |output| output.write(text))?;
                    return Ok(output.is_some());
                }
                Make::Input(..) | Make::Function(_) => {}
            }
        }
        let ordered = self.get_ordered();
        ordered.map_or(Ok(()), |ordered| serde_json::to_writer(text, ordered))?;
        Ok(ordered.is_some())
    }

    fn is_kept(&self) -> bool {
        match self.make {
            Make::Input(source, _) => *self.kept.get_or_init(|| source.is_kept()),
            Make::Function(_) | Make::Output(_) => false,
        }
    }

    #[inline]
    pub(super) fn promise(&self) -> &Promise {
        static KEPT: Promise = Promise::Kept;
        let own = self.promise.get_or_init(|| self.own_promise());
        own.as_deref().unwrap_or(&KEPT)
    }

    fn own_promise(&self) -> Option<Arc<Promise>> {
        if self.is_kept() {
            return None;
        }
        let promise = match self.get_made()? {
            Made {
                unkept: Some(unkept),
                ..
            } => Promise::of_types(unkept),
            Made { schema, .. } => Promise::of_schema(&schema.value),
        };
        Some(Arc::new(promise))
    }

    /// Returns its members, where the canonical form of a scalar depends on nothing but its member.
    pub(super) fn scalars(&self) -> Option<&ScalarMembers> {
        let scalars = self.scalars.get_or_init(|| {
            let members = ScalarMembers::of(self.get()?)?;
            // A name that is an alias too may be another member.
            let is_clear = self
                .make
                .aliases()
                .iter()
                .all(|(alias, _)| !members.has(alias));
            is_clear.then(|| Arc::new(members))
        });
        scalars.as_deref()
    }

    /// Returns the mistakes in it, because of which no executor serves it.
    pub(super) fn mistakes(&self) -> Option<&Mistakes> {
        if self.is_kept() {
            return None;
        }
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
        self.scalars = OnceLock::new();
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
