//! Registration at link time.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Origin, RegistryError, ToolRegistry};
use crate::tool::{ByDefinition, Defined};

/// A tool that `#[tool]` announced.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Registration {
    package: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    definition: fn() -> &'static dyn Defined,
}

impl Registration {
    pub const fn new(
        package: &'static str,
        file: &'static str,
        line: u32,
        column: u32,
        definition: fn() -> &'static dyn Defined,
    ) -> Self {
        Self {
            package,
            file,
            line,
            column,
            definition,
        }
    }
}

inventory::collect!(Registration);

/// The tools of a package.
#[doc(hidden)]
pub fn discover(package: &str) -> Result<ToolRegistry, RegistryError> {
    let mut registry = ToolRegistry::new();
    let mut others = BTreeSet::new();
    for found in inventory::iter::<Registration> {
        if found.package == package {
            let origin = Origin {
                file: found.file,
                line: found.line,
                column: found.column,
            };
            let tool = ByDefinition((found.definition)());
            registry.add(Arc::new(tool), origin);
        } else {
            others.insert(found.package);
        }
    }
    registry.check()?;
    if registry.is_empty() {
        let others: Vec<&str> = others.into_iter().collect();
        let others = match &others[..] {
            [] => "no package that is linked here has any".to_owned(),
            some => format!("these packages have some: {}", some.join(", ")),
        };
        return Err(RegistryError::nothing(format!(
            "the package `{package}` has no tools that are linked here ({others}); \
             `#[tool]` on a free function makes one, and a binary sees those of its own \
             library only if it uses the library"
        )));
    }
    Ok(registry)
}

/// The tools that the calling package made with `#[tool]`, found at link time.
///
/// Gives a `Result<ToolRegistry, RegistryError>`. Tools of other packages are not in it, so no
/// dependency adds a tool that the app did not name.
///
/// # Errors
///
/// When there are none, and when two have one name.
///
/// ```standalone_crate
/// use toolwright::tool;
///
/// /// Say hello.
/// #[tool(pure)]
/// fn hello(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let registry = toolwright::discover!()?;
/// assert!(registry.contains("hello"));
/// # Ok::<(), toolwright::RegistryError>(())
/// ```
#[macro_export]
macro_rules! discover {
    () => {
        $crate::__private::discover(::core::env!("CARGO_PKG_NAME"))
    };
}
