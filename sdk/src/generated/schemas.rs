//! The schemas of a tool, from the constant parts of its definition.

use std::panic::Location;

use crate::arguments::constraint::Checks;
use crate::arguments::{
    ArgFlag, ArgumentTypes, Entry, Given, Parameter, Samples, description, is_secret, mistakes,
};
use crate::schema::{self, Property};
use crate::spec::{Drawn, Mistakes};

/// Names the examples of single arguments.
pub(super) type SamplesFn = fn(&mut Samples);

/// The parts of a definition that the schema of its arguments is made of. Those of all definitions are of this one type,
/// so that the code is compiled once.
pub(super) struct SchemaParts<'d> {
    pub(super) name: &'static str,
    /// The place where the tool was declared.
    pub(super) place: &'static Location<'static>,
    pub(super) types: ArgumentTypes<'d>,
    pub(super) parameters: fn() -> Vec<Parameter>,
    pub(super) samples: Option<SamplesFn>,
}

impl SchemaParts<'_> {
    /// Returns the schema of the arguments, with the constraints and examples in it.
    pub(super) fn input(&self) -> Drawn {
        let ArgumentTypes { entries, flat, .. } = self.types;
        let mut shown = Vec::new();
        let parameters = (self.parameters)();
        let (mut schema, unkept) = match &parameters[..] {
            [whole] if flat => schema::whole_input_schema(whole.schema),
            _ => {
                let mut defaults = self.types.defaults();
                shown = defaults.shown().to_vec();
                let mut properties: Vec<Property<'_>> = Vec::new();
                for (index, (entry, parameter)) in entries.iter().zip(&parameters).enumerate() {
                    let mut property = property(entry, parameter);
                    property.required &= !defaults.has(index);
                    // The default of a secret would show in the schema.
                    property.default = defaults.take(index).filter(|_| !is_secret(entry));
                    properties.push(property);
                }
                schema::input_schema(&properties)
            }
        };
        let mut impossible = Vec::new();
        if self.types.has_constraints {
            let mut checks = Checks::describing(&mut schema, entries);
            self.types.check(&mut checks, Given::Nothing);
            impossible = checks.impossible();
        }
        if let Some(samples) = self.samples {
            let mut found = Samples::default();
            samples(&mut found);
            found.show_in(&mut schema, entries);
        }
        let mut found = mistakes::of_types(entries, flat, &unkept);
        found.extend(impossible);
        mistakes::of_arguments(&self.types, &shown, &schema, &unkept, &mut found);
        Drawn {
            schema,
            unkept,
            mistakes: Mistakes::new(self.name, self.place, found),
        }
    }

    /// Returns true if the schema of the arguments is that of their types, with no defaults and constraints.
    fn has_only_types(&self) -> bool {
        !self.types.flat && !self.types.has_defaults && !self.types.has_constraints
    }

    pub(super) fn is_kept(&self) -> bool {
        self.has_only_types() && {
            let types = (self.parameters)().into_iter().map(|one| one.schema);
            schema::is_kept_by_types(types)
        }
    }

    pub(super) fn write_input(&self, text: &mut Vec<u8>) -> serde_json::Result<bool> {
        if !self.has_only_types() || self.samples.is_some() {
            return Ok(false);
        }
        let parameters = (self.parameters)();
        let arguments = self.types.entries.iter().zip(&parameters);
        let properties: Vec<_> = arguments
            .map(|(entry, parameter)| property(entry, parameter))
            .collect();
        schema::write_input_schema(&properties, text)?;
        Ok(true)
    }

    pub(super) fn argument_names(&self) -> Vec<&'static str> {
        self.types.names().collect()
    }

    pub(super) fn argument_aliases(&self) -> Vec<(&'static str, &'static str)> {
        let of_one = |(name, _, marks): &Entry| {
            let aliases = marks.iter().filter_map(|mark| match mark {
                ArgFlag::Aliases(aliases) => Some(*aliases),
                ArgFlag::Raw | ArgFlag::Secret => None,
            });
            let name = *name;
            aliases.flatten().map(move |alias| (*alias, name))
        };
        self.types.entries.iter().flat_map(of_one).collect()
    }
}

/// An argument without a default.
fn property(entry: &Entry, parameter: &Parameter) -> Property<'static> {
    Property {
        name: entry.0,
        description: description(entry).into(),
        schema: parameter.schema,
        required: parameter.required,
        default: None,
    }
}
