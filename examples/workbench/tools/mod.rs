//! The tools, each a plain function.

mod files;
mod text;
