//! Registries, names, versions and the tools of a session.

mod availability;
mod clashes;
mod contents;
mod names;
mod one_listing;
mod register_tools;
mod versions;
