//! Types that can be returned, by whatever name.

#![deny(warnings)]

use serde::Serialize;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use toolwright::{Content, Executor, ToolError, ToolOutput, ToolRegistry, tool};

struct Workspace {
    root: String,
    names: Vec<String>,
}

type Fallible<T, E = ToolError> = Result<T, E>;
type Answer = Fallible<Vec<u8>>;

struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("refused")
    }
}

#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
}

macro_rules! tools {
    ($($name:ident($($parameter:ident: $type:ty)?) -> $returned:ty { $value:expr })*) => {
        $(
            /// Return something.
            #[tool(read_only)]
            async fn $name($($parameter: $type)?) -> $returned {
                $value
            }
        )*
    };
}

tools! {
    unit() -> () { () }
    text() -> String { String::from("a") }
    fixed() -> &'static str { "a" }
    copied() -> Cow<'static, str> { Cow::Borrowed("a") }
    borrowed(workspace: &Workspace) -> &str { &workspace.root }
    borrowed_or_not(workspace: &Workspace) -> Option<&String> { workspace.names.first() }
    borrowed_result(workspace: &Workspace) -> Result<&[String], Refused> { Ok(&workspace.names) }
    title_page(workspace: &Workspace) -> Page<'_> { Page { title: &workspace.root } }
    anything() -> impl Serialize { [1, 2] }
    anything_or_not() -> Result<impl Serialize, Refused> { Ok::<u8, Refused>(1) }
    tuple() -> (u8, bool) { (1, true) }
    output() -> ToolOutput { ToolOutput::text("a") }
    contents() -> Vec<Content> { vec![Content::text("a")] }
    an_answer() -> Answer { Ok(vec![1]) }
    can_fail() -> Fallible<String> { Ok(String::new()) }
    displayed() -> Fallible<(), Refused> { Err(Refused) }
    boxed() -> Result<u8, Box<dyn Error + Send + Sync>> { Ok(1) }
    message() -> Result<u8, String> { Err(String::from("no")) }
    fixed_message() -> Result<u8, &'static str> { Err("no") }
    infallible() -> Result<u8, std::convert::Infallible> { Ok(1) }
    nested() -> Result<Option<u8>, String> { Some(Ok(1)).transpose() }
}

/// Return nothing.
#[tool(read_only)]
fn nothing() {}

/// Return something borrowed.
#[tool(read_only)]
fn first(workspace: &Workspace) -> Option<&str> {
    workspace.names.first().map(String::as_str)
}

#[tokio::test]
async fn program_runs() {
    let tools = ToolRegistry::new()
        .with(Borrowed)
        .with(BorrowedResult)
        .with(First)
        .with(TitlePage);
    let executor = Executor::builder(tools)
        .resource(Workspace {
            root: "/root".to_owned(),
            names: vec!["a".to_owned()],
        })
        .build()
        .unwrap();
    for (tool, text) in [
        ("borrowed", "/root"),
        ("borrowed_result", r#"["a"]"#),
        ("first", "a"),
        ("title_page", r#"{"title":"/root"}"#),
    ] {
        assert_eq!(executor.call(tool, "{}").await.text(), text, "{tool}");
    }
}
