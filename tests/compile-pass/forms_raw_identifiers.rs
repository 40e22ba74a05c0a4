//! Raw identifiers, and names that are keywords elsewhere.

#![deny(warnings)]
#![allow(dead_code)]
#![allow(non_camel_case_types)]

use std::sync::Arc;
use toolwright::tools::TypedTool;
use toolwright::{
    PermissionRequest, RunTool, Tool, ToolContext, ToolEnum, ToolRegistry, tool_type, toolset,
};

struct r#struct {
    r#loop: u32,
}

#[toolset(prefix = "raw")]
impl r#struct {
    /// Match.
    #[tool(permission = self.r#where(r#type, r#in))]
    async fn r#match(&self, r#type: String, #[arg(default = 1, range = 1..)] r#in: u32) -> u32 {
        let _ = r#type;
        self.r#loop + r#in
    }

    fn r#where(&self, r#type: &str, r#in: &u32) -> PermissionRequest {
        PermissionRequest::new("match", r#type, format!("{type} {}", r#in))
    }

    /// Move.
    #[tool(name = "moved")]
    fn r#move(r#move: Option<u32>) -> Option<u32> {
        r#move
    }
}

#[toolset(part = r#trait)]
impl r#struct {
    /// Yield.
    #[tool]
    fn r#yield(&self) {}
}

/// A kind.
#[tool_type]
struct r#type {
    #[arg(default = 1, range = 1.., example = 2)]
    r#fn: u32,
    #[arg(name = "other", aliases("one"), length = 1..)]
    r#impl: String,
    r#for: Option<r#enum>,
}

/// A kind.
#[tool_type]
#[derive(Default)]
enum r#enum {
    #[default]
    r#static,
    r#const {
        #[arg(range = 1..)]
        r#mut: u32,
    },
}

/// Read.
#[derive(Tool)]
#[tool(validate = r#if, permission = PermissionRequest::new("do", r#use.r#impl.as_str(), format!("{}", r#pub)))]
struct r#do {
    #[arg(length = 1..)]
    r#pub: String,
    r#use: r#type,
}

fn r#if(r#pub: &str, r#use: &r#type) -> Result<(), String> {
    match &r#use.r#for {
        Some(r#enum::r#const { r#mut }) if pub_is(r#pub, *r#mut) => {
            Err(format!("{} {}", r#pub, r#mut))
        }
        _ => Ok(()),
    }
}

fn pub_is(text: &str, number: u32) -> bool {
    text.len() == number as usize
}

impl RunTool for r#do {
    type Output = u32;

    async fn run(self, _: &ToolContext) -> u32 {
        self.r#use.r#fn
    }
}

#[derive(ToolEnum)]
enum r#dyn {
    r#do(r#do),
}

#[test]
fn program_runs() {
    let value = Arc::new(r#struct { r#loop: 1 });
    let tools = ToolRegistry::new()
        .with_set_arc(Arc::clone(&value))
        .with_part(r#trait, value)
        .with_enum::<r#dyn>();
    for name in ["raw.match", "raw.moved", "yield", "do"] {
        assert!(tools.contains(name), "{name} in {tools:?}");
    }
    let schema = r#do::spec().input_schema();
    assert!(schema["properties"]["pub"].is_object(), "{schema}");
    let text = schema.to_string();
    for name in [
        "\"fn\"",
        "\"other\"",
        "\"for\"",
        "\"static\"",
        "\"const\"",
        "\"mut\"",
    ] {
        assert!(text.contains(name), "{name} in {text}");
    }
    let call = r#dyn::parse("do", r#"{"pub": "a", "use": {"one": "b"}}"#).unwrap();
    let r#dyn::r#do(read) = call;
    assert_eq!((read.r#use.r#fn, read.r#use.r#impl.as_str()), (1, "b"));
}
