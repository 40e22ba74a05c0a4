//! Runs one of the programs beside this file: `cargo run --bin program gate`. Each has a `main` of its own, and could be
//! the `main.rs` of an app. They share a binary because linking each of them takes long.

mod by_hand;
mod bytes;
mod config;
mod derive_tool;
mod events;
mod executable;
mod gate;
mod hooks;
mod journal;
mod nested_calls;
mod policy;
mod replay;
mod result_store;
mod roles;
mod selector;
mod server;
mod state;
mod sub_session;
mod tickets_over_http;
mod tool_enum;
mod tool_fn;
mod tool_fn_typed;
mod tool_function;
mod toolset;

use std::env;
use std::error::Error;
use std::process::ExitCode;

type Program = fn() -> Result<(), Box<dyn Error>>;

const PROGRAMS: [(&str, Program); 24] = [
    ("tool_function", tool_function::main),
    ("toolset", toolset::main),
    ("derive_tool", derive_tool::main),
    ("tool_enum", tool_enum::main),
    ("tool_fn", tool_fn::main),
    ("tool_fn_typed", tool_fn_typed::main),
    ("executable", executable::main),
    ("bytes", bytes::main),
    ("by_hand", by_hand::main),
    ("gate", gate::main),
    ("hooks", hooks::main),
    ("events", events::main),
    ("selector", selector::main),
    ("roles", roles::main),
    ("sub_session", sub_session::main),
    ("server", server::main),
    ("result_store", result_store::main),
    ("state", state::main),
    ("nested_calls", nested_calls::main),
    ("journal", journal::main),
    ("replay", replay::main),
    ("policy", policy::main),
    ("config", config::main),
    ("tickets_over_http", tickets_over_http::main),
];

fn main() -> ExitCode {
    let name = env::args().nth(1).unwrap_or_default();
    let Some((_, program)) = PROGRAMS.iter().find(|(known, _)| *known == name) else {
        let names = PROGRAMS.map(|(name, _)| name).join(", ");
        eprintln!("name one of the programs: {names}");
        return ExitCode::from(2);
    };
    match program() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
