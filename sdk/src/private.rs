//! The items that an expansion of `#[tool]` names. Not part of the public interface: it changes with the macros, which
//! are pinned to this version.

pub use std::marker::PhantomData;

pub use crate::generated::*;
pub use crate::permission::IntoRequests;
#[cfg(feature = "discover")]
pub use crate::registry::discover::{Registration, Wanted, discover, wanted};
pub use crate::spec::{Determinism, Effect, Meta, Part, SchemaFault};

pub use schemars;
pub use serde;

#[cfg(feature = "discover")]
#[doc(hidden)]
pub mod registration {
    pub use inventory;
}

/// Announces a tool of a package to `discover!`.
#[cfg(feature = "discover")]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($package:literal, $tool:ty) => {
        $crate::__private::registration::inventory::submit! {
            $crate::__private::Registration(
                $package,
                <$tool as $crate::__private::FnTool>::definition,
            )
        }
    };
}

#[cfg(not(feature = "discover"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($package:literal, $tool:ty) => {};
}

pub use crate::__register as register;
