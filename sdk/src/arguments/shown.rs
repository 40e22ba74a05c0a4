//! The arguments of a call for those who only look at them.

use std::fmt;
use std::sync::OnceLock;

use super::{ArgumentProblem, Arguments, CanonicalArguments, InvalidArguments, ProblemKind};
use crate::spec::ToolSpec;

/// The arguments that a tool has accepted, in the form that may be shown. It is made when it is first asked for, and
/// then kept.
pub(crate) struct ShownArguments<'c> {
    spec: &'c ToolSpec,
    /// `None` where they were not kept, because the permission checker does not look at them.
    arguments: Option<&'c Arguments<'c>>,
    canonical: OnceLock<Result<CanonicalArguments, InvalidArguments>>,
}

impl<'c> ShownArguments<'c> {
    /// The arguments of a call. `None` if they were not kept while it runs, for a permission checker alone.
    pub(crate) fn new(spec: &'c ToolSpec, arguments: Option<&'c Arguments<'c>>) -> Self {
        Self {
            spec,
            arguments,
            canonical: OnceLock::new(),
        }
    }

    /// The spec of their tool.
    pub(crate) fn spec(&self) -> &'c ToolSpec {
        self.spec
    }

    /// The arguments as they were sent.
    pub(crate) fn as_sent(&self) -> Option<&'c Arguments<'c>> {
        self.arguments
    }

    /// The arguments in the form that may be shown.
    pub(crate) fn canonical(&self) -> Result<&CanonicalArguments, &InvalidArguments> {
        let canonical = || match self.arguments {
            Some(arguments) => arguments.canonical(self.spec),
            None => Err(InvalidArguments::new(vec![ArgumentProblem::new(
                ProblemKind::Missing,
                "",
                "the arguments were not kept, since the permission checker does not look at them",
            )])),
        };
        self.canonical.get_or_init(canonical).as_ref()
    }
}

impl fmt::Debug for ShownArguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShownArguments")
            .field("tool", self.spec.name())
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
