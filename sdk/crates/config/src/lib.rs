#![doc = include_str!("../docs/config.md")]

// The files:
//
// - `config`: the configuration, and how it reaches an executor and its sessions
// - `document`: the sections of a file
// - `hooks`: the section of hooks that are programs
// - `reader`: the values of a file, and the mistakes in them
// - `error`: all mistakes of a file

mod config;
mod document;
mod error;
mod hooks;
mod reader;

pub use config::Config;
pub use error::{ConfigError, Mistake};
