//! Deprecated items are shown to the model, and warn where they are used: never in an expansion.

#![deny(warnings, deprecated)]

use toolwright::tools::{Toolset, TypedTool};
use toolwright::{RunTool, Tool, ToolContext, ToolEnum, ToolRegistry, tool, tool_type, toolset};

/// An old stamp.
#[deprecated]
struct Stamp;

struct Notes;

#[toolset(prefix = "notes")]
impl Notes {
    /// Read.
    #[tool(permission = self.ask(path))]
    #[deprecated(since = "1.0.0", note = "use `notes.show`")]
    async fn read(&self, #[arg(default = "a", length = 1..)] path: String) -> String {
        path
    }

    fn ask(&self, _: &str) -> Option<toolwright::PermissionRequest> {
        None
    }

    /// Count.
    #[deprecated]
    #[tool(blocking)]
    fn count() -> u32 {
        0
    }

    /// Take what is deprecated.
    #[allow(deprecated)]
    #[tool]
    fn stamp(&self, stamp: Option<&Stamp>) -> bool {
        stamp.is_some()
    }
}

/// Read.
#[derive(Tool)]
#[tool(validate = judge)]
#[deprecated = "use `notes.show`"]
struct Read {
    #[arg(default = "a", length = 1..)]
    #[deprecated]
    path: String,
}

#[expect(clippy::unnecessary_wraps)]
fn judge(path: &str) -> Result<(), String> {
    let _ = path;
    Ok(())
}

#[allow(deprecated)]
impl RunTool for Read {
    type Output = String;

    async fn run(self, _: &ToolContext) -> String {
        self.path
    }
}

/// Show.
#[derive(Tool)]
struct Show;

impl RunTool for Show {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

#[derive(ToolEnum)]
#[allow(deprecated)]
enum Both {
    Read(Read),
    #[deprecated]
    Show(Show),
}

/// A page to read. If it were deprecated itself, a plain `#[derive(schemars::JsonSchema)]` would warn, as it does
/// without `#[tool_type]`.
#[tool_type]
struct Page {
    #[deprecated]
    #[arg(default = 1, range = 1.., example = 2)]
    number: u32,
    #[arg(length = 1..)]
    text: Option<String>,
}

#[tool_type]
enum Kind {
    #[deprecated]
    Old {
        #[arg(default = 1, range = 1..)]
        number: u32,
    },
    New,
}

/// Turn it.
#[tool]
#[expect(deprecated)]
fn turn(
    #[arg(default = Page { number: 1, text: None })] page: Page,
    kind: Option<Kind>,
) -> Option<Page> {
    match kind {
        Some(Kind::Old { number: 0 }) => None,
        Some(Kind::Old { .. } | Kind::New) | None => Some(page),
    }
}

#[allow(deprecated)]
#[test]
fn program_runs() {
    let note = |name: &str, tools: &ToolRegistry| {
        tools
            .get(name)
            .unwrap()
            .spec()
            .deprecated()
            .map(str::to_owned)
    };
    let tools = ToolRegistry::new()
        .with_set(Notes)
        .with_enum::<Both>()
        .with(Turn);
    assert_eq!(note("notes.read", &tools).unwrap(), "use `notes.show`");
    assert_eq!(note("notes.count", &tools).unwrap(), "");
    assert_eq!(note("read", &tools).unwrap(), "use `notes.show`");
    assert_eq!(note("show", &tools), None);
    assert_eq!(note("turn", &tools), None);
    assert_eq!(Read::spec().deprecated(), Some("use `notes.show`"));
    assert_eq!(std::sync::Arc::new(Notes).tools().len(), 3);
}
