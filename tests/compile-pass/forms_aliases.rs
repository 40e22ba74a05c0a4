//! Types by other names.

#![deny(warnings)]

use std::sync::Arc;
use toolwright::{
    Executor, RunTool, Tool, ToolContext as Cx, ToolEnum, ToolError, ToolRegistry, toolset,
};

type Maybe<T> = Option<T>;
type Answer<T = String, E = ToolError> = Result<T, E>;
type Context = Cx;
type Text = String;
type Many<T> = Vec<T>;
type Shelf = Kept<Text>;
type Lent<'a> = &'a Context;

mod names {
    pub(crate) use std::option::Option as Perhaps;
    pub(crate) use std::result::Result as Outcome;
    pub(crate) use toolwright::{
        Tool as Instrument, tool as instrument, tool_type as kind, toolset as instruments,
    };
}
use names::Perhaps;

struct Kept<T>(T);

#[names::instruments(prefix = "shelf")]
impl Shelf {
    /// Read.
    #[toolwright::tool]
    async fn read(&self, which: Maybe<Text>, ctx: &Context, again: Option<&Context>) -> Answer {
        let _ = (ctx.is_cancelled(), again.is_some());
        Ok(which.unwrap_or_else(|| self.0.clone()))
    }

    /// Read.
    #[tool]
    fn many(
        &self,
        which: Perhaps<Many<Text>>,
        ctx: &self::Cx,
    ) -> names::Outcome<Perhaps<Text>, ToolError> {
        let _ = ctx;
        Ok(which.and_then(|which| which.into_iter().next()))
    }
}

#[toolset(part = More)]
impl crate::forms_aliases::Kept<Text> {
    /// Read.
    #[tool]
    fn more(self: &Self) -> Answer<Text> {
        Ok(self.0.clone())
    }
}

/// Read.
#[derive(names::Instrument)]
struct Get {
    #[arg(length = 1..)]
    which: Maybe<Text>,
    #[arg(range = ..9)]
    most: Perhaps<u8>,
}

impl RunTool for Get {
    type Output = Answer<Maybe<Many<Text>>>;

    async fn run(self, ctx: Lent<'_>) -> Self::Output {
        let _ = (ctx.is_cancelled(), self.most);
        Ok(self.which.map(|which| vec![which]))
    }
}

type Got = Get;

#[derive(ToolEnum)]
enum Set {
    Get(self::Got),
}

#[names::kind]
struct Page {
    number: Maybe<u8>,
    #[arg(length = 1..)]
    text: Text,
    #[arg(default, length = ..9)]
    lines: Many<Text>,
}

/// Turn.
#[names::instrument]
fn turn(page: self::Page) -> Answer<Page> {
    Ok(page)
}

fn is_tool<T: Tool>(_: T) {}

#[tokio::test]
async fn program_runs() {
    is_tool(Turn);
    let shelf = Arc::new(Kept("a".to_owned()));
    let tools = ToolRegistry::new()
        .with_set_arc(Arc::clone(&shelf))
        .with_part(More, shelf)
        .with_enum::<Set>()
        .with(Turn);
    let executor = Executor::builder(tools)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    for (tool, arguments, expected) in [
        ("shelf.read", "", "a"),
        ("shelf.read", r#"{"which": "b"}"#, "b"),
        ("shelf.many", r#"{"which": ["c"]}"#, "c"),
        ("more", "", "a"),
        ("get", r#"{"which": "d", "most": 8}"#, r#"["d"]"#),
        (
            "turn",
            r#"{"page": {"text": "e"}}"#,
            r#"{"number":null,"text":"e","lines":[]}"#,
        ),
    ] {
        assert_eq!(
            executor.call(tool, arguments).await.text(),
            expected,
            "{tool}"
        );
    }
    assert!(!executor.call("get", r#"{"which": ""}"#).await.is_success());
}
