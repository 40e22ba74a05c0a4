//! A registry without findings, as a test.

use crate::registry::{Lint, ToolRegistry};

/// Checks that [`ToolRegistry::lint`] has nothing to say, for a test of the app's own tools.
///
/// ```
/// use toolwright::{ToolRegistry, testing, tool};
///
/// /// Turn a text into upper case.
/// #[tool(name = "text.upper", pure)]
/// fn upper(
///     /// The text to turn.
///     text: String,
/// ) -> String {
///     text.to_uppercase()
/// }
///
/// testing::assert_no_lints(&ToolRegistry::new().with(Upper));
/// ```
///
/// # Panics
///
/// Panics if there is a finding; the message has a line for each.
#[track_caller]
pub fn assert_no_lints(registry: &ToolRegistry) {
    assert_no_lints_but(registry, |_| false);
}

/// [`assert_no_lints`], without the findings that are fine in this app.
///
/// ```
/// use toolwright::{testing, tool, ToolRegistry};
/// use toolwright::registry::LintKind;
///
/// /// Turn a text into upper case.
/// #[tool(name = "text.upper", pure)]
/// fn upper(text: String) -> String {
///     text.to_uppercase()
/// }
///
/// testing::assert_no_lints_but(&ToolRegistry::new().with(Upper), |lint| {
///     lint.kind() == LintKind::UndocumentedArgument && lint.tool() == "text.upper"
/// });
/// ```
///
/// # Panics
///
/// Panics if there is another finding; the message has a line for each.
#[track_caller]
pub fn assert_no_lints_but(registry: &ToolRegistry, is_fine: impl Fn(&Lint) -> bool) {
    let lints: Vec<String> = registry
        .lint()
        .iter()
        .filter(|lint| !is_fine(lint))
        .map(Lint::to_string)
        .collect();
    assert!(lints.is_empty(), "{}", lints.join("\n"));
}
