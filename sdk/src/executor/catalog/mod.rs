//! The tools as calls find them: what is known of each before it is called, which of them a session has, and how
//! they change.

pub(crate) mod builder;
pub(crate) mod capabilities;
pub(crate) mod foreknown;
pub(crate) mod inspect;
pub(crate) mod output_check;
pub(crate) mod session_checker;
pub(crate) mod session_tools;
pub(crate) mod tools;
pub(crate) mod versions;
pub(crate) mod visibility;
