//! Policies, and calls that try to get around them.

mod attacks;
mod bypass_commands;
mod bypass_files;
mod bypass_grants;
mod bypass_paths;
mod grants_by_checker;
mod offered_commands;
mod rules;
mod runtime_grants;
mod sensible_lines;
