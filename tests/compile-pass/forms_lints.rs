//! The code that the expansions of every form add is free of lints, whatever an author's crate denies.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused,
    rust_2018_idioms,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_import_braces,
    unused_macro_rules,
    variant_size_differences,
    absolute_paths_not_starting_with_crate,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    redundant_imports,
    redundant_lifetimes,
    unit_bindings,
    unnameable_types,
    nonstandard_style
)]

use std::sync::Arc;
use toolwright::{
    PermissionRequest, RunTool, Tool, ToolContext, ToolEnum, ToolError, ToolRegistry, tool_type,
    toolset,
};

/// Notes.
#[derive(Debug)]
pub struct Notes<T = String>(Arc<T>);

#[toolset(prefix = "notes")]
impl<T> Notes<T>
where
    T: AsRef<str> + Send + Sync + 'static,
{
    /// Read.
    ///
    /// # Errors
    ///
    /// Never.
    #[tool(
        read_only,
        aliases("get"),
        timeout = "10s",
        needs(Vec<u8>),
        validate = judge,
        permission = self.ask(name),
        examples({name: "a"})
    )]
    pub async fn read(
        &self,
        /// The name.
        #[arg(default = "a", length = 1.., pattern = "[ab]", one_of("a", "b"), example = "a")]
        name: String,
        #[arg(range = ..=9, secret)] most: Option<u32>,
        ctx: &ToolContext,
        bytes: Option<&std::sync::Mutex<Vec<u8>>>,
    ) -> Result<Vec<Page>, ToolError> {
        drop((name, most, ctx, bytes));
        Ok(Vec::new())
    }

    fn ask(&self, name: &str) -> Option<PermissionRequest> {
        (name == self.0.as_ref().as_ref()).then(|| PermissionRequest::new("a", "b", "c"))
    }

    /// Count.
    #[tool(blocking)]
    fn count() -> usize {
        0
    }
}

fn judge(_: &str, _: &Option<u32>) -> Result<(), String> {
    Ok(())
}

#[toolset(part = Reading)]
impl Notes {
    /// Wait.
    #[tool]
    async fn wait(&self) {}
}

#[toolset(part = writing)]
impl Notes {
    /// Write.
    #[tool]
    fn write(&self, text: String) -> usize {
        text.len()
    }
}

/// A page.
#[tool_type]
#[derive(Debug, Clone)]
pub struct Page {
    /// The page number.
    #[arg(default = 1, range = 1.., example = 2)]
    pub number: u32,
    /// The text.
    #[arg(default = Some(String::new()).unwrap_or_default(), length = ..9, name = "what", aliases("text"))]
    pub text: String,
    #[arg(length = 1.., example = "a")]
    title: Option<String>,
}

/// A kind.
#[tool_type]
#[derive(Debug, Clone)]
#[serde(tag = "kind")]
pub(crate) enum Kind {
    /// The first kind.
    One {
        /// The number.
        #[arg(default = 1, range = 1..)]
        number: u8,
    },
    Other,
}

/// Read.
#[derive(Debug, Tool)]
#[tool(needs(Vec<u8>), validate = judge_read, permission = None::<PermissionRequest>.filter(|_| ctx.is_cancelled()))]
pub struct Read {
    /// The number.
    #[arg(default = 1, range = 1.., example = 2)]
    pub number: u32,
    kind: Option<Kind>,
}

fn judge_read(number: &u32, kind: &Option<Kind>) -> Result<(), String> {
    match kind {
        Some(Kind::One { number: 0 }) => Err(format!("{number}")),
        _ => Ok(()),
    }
}

impl RunTool for Read {
    type Output = Result<Page, ToolError>;

    async fn run(self, ctx: &ToolContext) -> Self::Output {
        drop((self.number, self.kind, ctx.is_cancelled()));
        Err(ToolError::failed("no"))
    }
}

/// Wait.
#[derive(Debug, Clone, Copy, Tool)]
struct Wait;

impl RunTool for Wait {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

/// The deeds.
#[derive(Debug, ToolEnum)]
pub enum Deed {
    /// Read.
    Read(Read),
    #[allow(private_interfaces)]
    /// Wait.
    Wait(Wait),
}

#[test]
fn program_runs() {
    let notes = || Arc::new(Notes(Arc::new(String::new())));
    let tools = ToolRegistry::new()
        .with_set_arc(notes())
        .with_part(Reading, notes())
        .with_part(writing, notes())
        .with_enum::<Deed>();
    assert_eq!(tools.len(), 5, "{tools:?}");
}
