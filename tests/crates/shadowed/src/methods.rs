//! `#[toolset]` on blocks of methods.

#[allow(unused_imports, reason = "they are there to be in the way")]
use crate::*;

use crate::functions::Shelf;

/// A list that a lock guards.
#[derive(::core::fmt::Debug)]
pub struct List<T, const ROOM: ::core::primitive::usize> {
    /// The entries of the list.
    pub entries: ::std::sync::Mutex<::std::vec::Vec<T>>,
}

#[::toolwright::toolset(prefix = "list")]
impl<T, const ROOM: ::core::primitive::usize> List<T, ROOM>
where
    T: ::core::convert::From<::std::string::String>
        + ::core::fmt::Display
        + ::core::marker::Send
        + 'static,
{
    /// Put something onto the list.
    ///
    /// # Errors
    ///
    /// Fails if there is no room.
    #[tool(
        idempotent,
        aliases("add"),
        validate = judge,
        examples({entry: "milk"}),
        permission = self.ask(entry)
    )]
    pub async fn put(
        &self,
        /// The entry.
        #[arg(length = 1..=9, example = "eggs")]
        entry: ::std::string::String,
        #[arg(default = 1, range = 1..=2)] times: ::core::primitive::usize,
    ) -> ::core::result::Result<::core::primitive::usize, ::toolwright::ToolError> {
        ::core::future::ready(()).await;
        let mut entries = self
            .entries
            .lock()
            .map_err(|_| ::toolwright::ToolError::failed("lost"))?;
        if entries.len() + times > ROOM {
            return ::core::result::Result::Err(::toolwright::ToolError::failed("full"));
        }
        for _ in 0..times {
            entries.push(::core::convert::From::from(::core::clone::Clone::clone(
                &entry,
            )));
        }
        ::core::result::Result::Ok(entries.len())
    }

    fn ask(&self, entry: &::core::primitive::str) -> ::toolwright::PermissionRequest {
        let _ = &self.entries;
        ::toolwright::PermissionRequest::new("list.put", entry, "put")
    }

    /// Tell how much fits onto a list.
    #[::toolwright::tool(pure, name = "room")]
    #[must_use]
    pub fn space() -> ::core::primitive::usize {
        ROOM
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "arguments are judged by reference"
)]
fn judge(
    entry: &::core::primitive::str,
    times: &::core::primitive::usize,
) -> ::core::result::Result<(), ::std::string::String> {
    if *times > entry.len() {
        return ::core::result::Result::Err(::core::convert::From::from("too short"));
    }
    ::core::result::Result::Ok(())
}

#[::toolwright::toolset(part = Reading)]
impl<T, const ROOM: ::core::primitive::usize> List<T, ROOM>
where
    T: ::core::fmt::Display + ::core::marker::Send + 'static,
{
    /// Read the list.
    #[tool(name = "list.read", read_only, blocking, timeout = "5s", needs(Shelf))]
    pub fn read(
        &self,
        context: &::toolwright::ToolContext,
    ) -> ::core::option::Option<::std::vec::Vec<::std::string::String>> {
        use ::std::iter::Iterator as _;

        let entries = self.entries.lock().ok()?;
        ::core::option::Option::filter(
            ::core::option::Option::Some(
                entries
                    .iter()
                    .map(::std::string::ToString::to_string)
                    .collect(),
            ),
            |_| !context.is_cancelled(),
        )
    }
}
