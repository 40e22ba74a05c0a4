//! What a judge sees of a call.

use std::fmt;
use std::sync::OnceLock;

use crate::message::{
    ArgumentProblem, Arguments, CanonicalArguments, InvalidArguments, ProblemKind,
};
use crate::spec::ToolSpec;

/// A call as those who judge it see it: which tool, with what arguments, and why.
///
/// The arguments are those that the tool has accepted, repairs included, in their
/// [canonical form](CanonicalArguments): names for aliases, defaults filled in, secrets masked. That
/// form is made when it is first asked for, and then kept: who does not ask pays nothing.
///
/// ```
/// use serde_json::json;
/// use toolwright::{Arguments, CallView, Tool, tool};
///
/// /// Delete a branch.
/// #[tool]
/// async fn delete_branch(name: String, #[arg(default = false)] force: bool) {
/// #   drop((name, force));
/// }
///
/// // For the unit test of a checker; the executor makes its own.
/// let arguments = Arguments::from(r#"{"name": "main"}"#);
/// let call = CallView::new(DeleteBranch.spec(), &arguments);
/// assert_eq!(call.arguments().unwrap().as_value(), &json!({"force": false, "name": "main"}));
/// ```
pub struct CallView<'c> {
    spec: &'c ToolSpec,
    /// None where they are not there to be seen.
    arguments: Option<&'c Arguments<'c>>,
    purpose: Option<&'c str>,
    canonical: OnceLock<Result<CanonicalArguments, InvalidArguments>>,
}

impl<'c> CallView<'c> {
    /// A call of a tool.
    pub fn new(spec: &'c ToolSpec, arguments: &'c Arguments<'c>) -> Self {
        Self {
            spec,
            arguments: Some(arguments),
            purpose: None,
            canonical: OnceLock::new(),
        }
    }

    /// A call whose arguments were not kept while it runs.
    pub(crate) fn without_arguments(spec: &'c ToolSpec) -> Self {
        Self {
            spec,
            arguments: None,
            purpose: None,
            canonical: OnceLock::new(),
        }
    }

    /// Says why the model makes the call. Default: it did not say.
    pub fn with_purpose(mut self, purpose: impl Into<Option<&'c str>>) -> Self {
        self.purpose = purpose.into();
        self
    }

    /// What the tool says of itself.
    pub fn spec(&self) -> &'c ToolSpec {
        self.spec
    }

    /// The arguments, in the form that may be shown.
    ///
    /// # Errors
    ///
    /// When they have no such form, which a tool that reads its arguments in its own way may have
    /// accepted all the same; see [`Arguments::canonical`]. And while a call runs, when they were not
    /// kept because the checker does not
    /// [look at them](crate::PermissionChecker::looks_at_arguments). A checker that goes by the
    /// arguments denies, or asks.
    pub fn arguments(&self) -> Result<&CanonicalArguments, &InvalidArguments> {
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

    /// Why the model makes the call, in its own words, where
    /// [it was asked to say](crate::ToolRegistry::ask_purpose) and did. Nothing follows from it: a
    /// model may say anything.
    pub fn purpose(&self) -> Option<&'c str> {
        self.purpose
    }
}

impl fmt::Debug for CallView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallView")
            .field("tool", self.spec.name())
            .field("arguments", &self.arguments)
            .field("purpose", &self.purpose)
            .finish_non_exhaustive()
    }
}
