//! Hooks that are programs, as real programs.

mod answers;
mod processes;
mod told;

use std::path::Path;

use toolwright::{Executor, ToolOutput, ToolRegistry, tool};
use toolwright_command_hooks::CommandHook;

/// A hook that is a line for the shell.
fn sh(line: &str) -> CommandHook {
    CommandHook::new("sh").args(["-c", line])
}

/// Write a note.
#[tool(name = "notes.write", pure, aliases("note"), register = false)]
fn write_note(
    text: String,
    #[arg(default = 3)] copies: u32,
    #[arg(secret)] pin: Option<String>,
) -> String {
    drop(pin);
    format!("wrote {copies} times: {text}")
}

/// Read a note.
#[tool(name = "notes.read", pure, register = false)]
fn read_note() -> ToolOutput {
    ToolOutput::error("there is no note")
}

fn tools() -> ToolRegistry {
    ToolRegistry::new().with(WriteNote).with(ReadNote)
}

fn before(hook: CommandHook) -> Executor {
    Executor::builder(tools()).before(hook).build().unwrap()
}

fn after(hook: CommandHook) -> Executor {
    Executor::builder(tools()).after(hook).build().unwrap()
}

/// The number of lines of a file.
fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}
