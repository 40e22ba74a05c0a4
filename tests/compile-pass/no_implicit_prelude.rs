#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings)]

/// Read a text file.
#[::toolwright::tool(
    name = "fs.read",
    read_only,
    timeout = "1m30s",
    metadata(team = "files"),
    permission = ::core::option::Option::None::<::toolwright::PermissionRequest>
)]
pub async fn read_file(
    #[arg(
        default = "a",
        length = 1..3,
        pattern = "^[a-z]+$",
        format = "hostname",
        one_of("a", "bc")
    )]
    path: ::std::string::String,
    #[arg(default, range = 0..=4)] from: u8,
    limit: ::core::option::Option<u8>,
    context: ::core::option::Option<&::toolwright::ToolContext>,
) -> ::core::result::Result<::std::string::String, ::std::io::Error> {
    let _ = (from, limit, context);
    ::core::result::Result::Ok(path)
}

/// Count.
#[::toolwright::tool(pure)]
fn count(context: &::toolwright::ToolContext) -> u8 {
    let _ = context;
    1
}

#[::core::prelude::v1::test]
fn program_runs() {
    let tools = ::toolwright::ToolRegistry::new().with(ReadFile).with(Count);
    ::core::assert_eq!(tools.len(), 2);
}
