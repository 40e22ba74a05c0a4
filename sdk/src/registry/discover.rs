//! Registration at link time.

use std::collections::BTreeSet;

use super::{EmptyPackage, Origin, RegistryError, ToolRegistry};
use crate::generated::Defined;

/// A tool that `#[tool]` announced: its package, and the way to its definition. A tuple, because
/// rustc evaluates the `static` that it stands in.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub struct Registration(pub &'static str, pub fn() -> Defined);

inventory::collect!(Registration);

/// A package whose tools a call of `discover!` is about.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    package: &'static str,
    crate_name: Option<&'static str>,
}

impl Wanted {
    /// The package that calls.
    pub fn own(package: &'static str) -> Self {
        Self {
            package,
            crate_name: None,
        }
    }

    /// A dependency. Nothing tells the package of a crate, so it is taken to have its name.
    pub fn of_crate(name: &'static str) -> Self {
        let name = name.strip_prefix("r#").unwrap_or(name);
        Self::of_package(name, name)
    }

    /// A dependency whose package has another name.
    pub fn of_package(crate_name: &'static str, package: &'static str) -> Self {
        Self {
            package,
            crate_name: Some(crate_name),
        }
    }

    fn is(&self, package: &str) -> bool {
        // A dash in the name of a package is an underscore in the name of its crate.
        let folded = |name: &str| name.replace('-', "_");
        self.package == package
            || self.crate_name.is_some() && folded(self.package) == folded(package)
    }
}

/// The tools of the packages.
#[doc(hidden)]
pub fn discover(wanted: &[Wanted]) -> Result<ToolRegistry, RegistryError> {
    let mut linked = BTreeSet::new();
    let mut found = Vec::new();
    for Registration(package, definition) in inventory::iter::<Registration> {
        linked.insert(*package);
        if let Some(at) = wanted.iter().position(|w| w.is(package)) {
            found.push((at, *package, definition()));
        }
    }
    // The linker's order varies, and an error should read the same each time.
    found.sort_by_key(|(at, _, tool)| {
        let place = tool.place();
        (*at, place.file(), place.line(), place.column())
    });
    let mut registry = ToolRegistry::new();
    for (_, package, tool) in found {
        let place = tool.place();
        let origin = Origin {
            package: Some(package),
            file: place.file(),
            line: place.line(),
            column: place.column(),
        };
        registry.add(tool.into_tool(), origin);
    }
    let empty: Vec<EmptyPackage> = wanted
        .iter()
        .filter(|wanted| !linked.iter().any(|package| wanted.is(package)))
        .map(|wanted| EmptyPackage {
            package: wanted.package,
            crate_name: wanted.crate_name,
        })
        .collect();
    if !empty.is_empty() {
        registry.problems.linked.extend(linked);
    }
    registry.problems.empty = empty;
    registry.check()?;
    Ok(registry)
}

/// The tools that packages made with `#[tool]`, found at link time.
///
/// Gives a `Result<ToolRegistry, RegistryError>`. What is named is in it, and nothing else, so no
/// dependency adds a tool that the app did not name.
///
/// | call | finds the tools of |
/// |---|---|
/// | `discover!()`, `discover!(crate)` | the calling package |
/// | `discover!(kit)` | the dependency whose crate is `kit` |
/// | `discover!(crate, kit, note_kit)` | the calling package and two dependencies |
/// | `discover!(letters = "letter-kit")` | the dependency that is called `letters` here, and whose package is `letter-kit` |
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
/// # Ok::<(), toolwright::registry::RegistryError>(())
/// ```
///
/// Tools are found by package: what its library, its binaries, its tests announce, as far as they
/// are linked. A library that nothing mentions is not linked, so a binary whose tools are in the
/// library beside it writes the library's name, `discover!(my_app)`, which also finds the
/// binary's own. A dependency is linked by being named here. A dash in the name of a package is an
/// underscore in that of its crate, and both are taken as the same; a dependency that
/// Cargo.toml renames, or whose `[lib]` has a name of its own, needs the form with `=`.
///
/// This guards against accidents, and not against a dependency that builds under the name of
/// another.
///
/// # Errors
///
/// Fails if a package that was named has no tools, and if two tools have one name. The error lists everything, with
/// package, file and line of each tool, and the packages that do have tools. If two packages want the same name,
/// discover them separately and [`merge`](crate::ToolRegistry::merge) the registries by a rule.
///
/// # Platforms
///
/// The crate [`inventory`](https://docs.rs/inventory) finds the tools, by functions that run before
/// `main`: on Linux, Android, macOS, iOS, Windows, the BSDs, illumos, Haiku, Redox, QNX, `VxWorks`
/// and WebAssembly. On any other platform every package is without tools, and so this is an error
/// there: register with [`ToolRegistry::with`](crate::ToolRegistry::with), which needs nothing of
/// the kind.
///
/// On WebAssembly the linker leaves it to chance whether those functions run in a module that is
/// called more than once, as one without a `main` is. Such a module exports
/// `__wasm_call_ctors`, or a function that calls it, and its host calls that once, before all
/// else.
#[macro_export]
macro_rules! discover {
    () => {
        $crate::discover!(crate)
    };
    ($($name:tt $(= $package:literal)?),+ $(,)?) => {
        $crate::__private::discover(&[$($crate::__private::wanted!($name $(= $package)?)),+])
    };
    ($($other:tt)*) => {
        $crate::__private::wanted!($($other)*)
    };
}

/// The package that a name in a call of `discover!` stands for. Mentioning a crate is what links it.
#[doc(hidden)]
#[macro_export]
macro_rules! __wanted {
    (crate) => {
        $crate::__private::Wanted::own(::core::env!("CARGO_PKG_NAME"))
    };
    (self $($package:tt)*) => {
        ::core::compile_error!("the calling package is `crate`, as in `discover!(crate, kit)`")
    };
    ($name:ident) => {{
        use ::$name as _;
        $crate::__private::Wanted::of_crate(::core::stringify!($name))
    }};
    ($name:ident = $package:literal) => {{
        use ::$name as _;
        $crate::__private::Wanted::of_package(::core::stringify!($name), $package)
    }};
    ($($other:tt)*) => {
        ::core::compile_error!(
            "`discover!` takes the names of crates as Rust has them, without quotes and with `_` for `-`: \
             `discover!(crate, note_kit, renamed = \"its-package\")`"
        )
    };
}

#[doc(hidden)]
pub use crate::__wanted as wanted;

#[cfg(test)]
mod tests {
    use super::Wanted;

    #[test]
    fn a_dash_and_an_underscore_are_the_same_in_what_is_named() {
        let by_crate = Wanted::of_crate("note_kit");
        assert!(by_crate.is("note-kit") && by_crate.is("note_kit"));
        for other in ["note", "note-kit-2", "notekit", "Note-Kit", ""] {
            assert!(!by_crate.is(other), "{other}");
        }
        let by_package = Wanted::of_package("notes", "note_kit");
        assert!(by_package.is("note-kit") && !by_package.is("notes"));
        assert!(Wanted::of_crate("r#try").is("try"));
        // The caller's own package name is exact, so it is not folded.
        let own = Wanted::own("note-kit");
        assert!(own.is("note-kit") && !own.is("note_kit"));
    }
}
