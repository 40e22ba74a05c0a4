//! The arguments of a tool as its author declared them.

use crate::spec::before_first_heading;

/// An argument as declared: name, description, and what else there is to say. A tuple, as
/// [`Declared`] is.
pub(crate) type Entry = (&'static str, &'static str, &'static [ArgFlag]);

#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum ArgFlag {
    /// The description is documentation that the macro could not read.
    Raw,
    /// Other names.
    Aliases(&'static [&'static str]),
    /// Its value is shown to nobody.
    Secret,
}

/// Returns true if a name is another name for the argument.
pub(crate) fn has_alias((_, _, marks): &Entry, name: &str) -> bool {
    marks
        .iter()
        .any(|mark| matches!(mark, ArgFlag::Aliases(aliases) if aliases.contains(&name)))
}

pub(crate) fn is_secret((_, _, marks): &Entry) -> bool {
    marks.iter().any(|mark| matches!(mark, ArgFlag::Secret))
}

pub(crate) fn description((_, text, marks): &Entry) -> &'static str {
    if marks.iter().any(|mark| matches!(mark, ArgFlag::Raw)) {
        before_first_heading(text)
    } else {
        text
    }
}
