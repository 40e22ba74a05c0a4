//! `#[derive(Tool)]` on structs, and `#[derive(ToolEnum)]` on an enum of them.

use std::path::PathBuf;

use facade::toolwright::{FileAccess, RunTool, Tool, ToolContext, ToolEnum, ToolError};

use crate::types::Span;

/// The directory of the files.
#[derive(Debug)]
pub struct Root(pub PathBuf);

/// Read a part of a file.
#[derive(Debug, Clone, Tool)]
#[tool(
    crate = facade::toolwright,
    name = "fs.read",
    read_only,
    aliases("cat"),
    timeout = "5s",
    needs(Root),
    validate = one_line,
    permission = FileAccess::read(path).within(&ctx.require::<Root>()?.0)
)]
pub struct ReadFile {
    /// The path of the file.
    #[arg(length = 1..)]
    pub path: PathBuf,
    /// The lines to read.
    #[arg(default = Span { first: 1, last: 1 })]
    pub lines: Span,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "fields are judged by reference"
)]
fn one_line(_path: &PathBuf, lines: &Span) -> Result<(), &'static str> {
    (lines.first <= lines.last)
        .then_some(())
        .ok_or("the last line comes before the first")
}

impl RunTool for ReadFile {
    type Output = Result<String, ToolError>;

    async fn run(self, ctx: &ToolContext) -> Self::Output {
        let root = std::future::ready(ctx.require::<Root>()?).await;
        let Self { path, lines } = self;
        let path = root.0.join(path);
        Ok(format!("{}:{}-{}", path.display(), lines.first, lines.last))
    }
}

/// Tell what time it is.
#[derive(Debug, Clone, Copy, Tool)]
#[tool(crate = ::facade::toolwright, pure, register = false)]
pub struct Now;

impl RunTool for Now {
    type Output = &'static str;

    async fn run(self, _ctx: &ToolContext) -> &'static str {
        "noon"
    }
}

/// The deeds that can be done here.
#[derive(Debug, Clone, ToolEnum)]
#[tool(crate = facade::toolwright)]
pub enum Deed {
    /// Read.
    Read(ReadFile),
    /// Look at the clock.
    Look(Now),
}
