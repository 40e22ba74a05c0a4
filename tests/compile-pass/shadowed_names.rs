#![allow(dead_code, non_camel_case_types)]

use toolwright::tool;

struct Option;
struct Vec;
struct Box;
struct Result;
struct String;
struct Some;
struct None;
struct Ok;
struct Err;
struct Default;
struct Serialize;
struct Tool;
struct ToolContext;
trait Send {}
trait Sync {}
trait Fn {}
trait FnOnce {}
trait Future {}
trait From {}
trait Into {}
mod core {}
mod std {}
mod serde {}
mod __tw {}

macro_rules! shadow {
    ($($name:ident)*) => { $(
        #[allow(unused_macros)]
        macro_rules! $name { ($d:tt) => { compile_error!("not meant") } }
    )* };
}
shadow!(concat unreachable env file line column panic vec format register);

/// Read a text file.
#[doc = "With numbered lines."]
#[tool(name = "fs.read", read_only, aliases("cat"), category = "files", permission = ask(path))]
async fn read_file(
    #[arg(default = "a", length = 1.., pattern = "[ab]", one_of("a", "b"))]
    path: ::std::string::String,
    #[arg(default = 1, range = 1..5)] from: u8,
    limit: ::core::option::Option<u8>,
    context: &::toolwright::ToolContext,
) -> ::core::result::Result<::std::string::String, ::std::io::Error> {
    let _ = (from, limit, context);
    ::core::result::Result::Ok(path)
}

fn ask(path: &str) -> ::core::option::Option<::toolwright::PermissionRequest> {
    let _ = path;
    ::core::option::Option::None
}

/// Count.
#[tool]
fn count(#[arg(default)] from: u8) -> u8 {
    from
}
