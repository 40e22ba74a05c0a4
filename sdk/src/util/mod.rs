//! Helpers that know nothing of tools.

pub(crate) mod character;
pub(crate) mod cold;
pub(crate) mod derived;
pub(crate) mod documented;
pub(crate) mod error_text;
pub(crate) mod files;
pub(crate) mod future;
pub(crate) mod hash;
pub(crate) mod hex;
pub(crate) mod lock;
pub(crate) mod lookup;
pub(crate) mod members;
pub(crate) mod nesting;
pub(crate) mod panic;
pub(crate) mod pointer;
pub(crate) mod port;
pub(crate) mod store_error;
pub(crate) mod suggestion;
