#![deny(warnings)]
#![allow(dead_code)]

use toolwright::tool_type;
mod inner {
    #[toolwright::tool_type]
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Line(pub u32);
}
use inner::Line;
#[tool_type]
#[derive(Debug, Clone, Default)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Lines {
    pub first: Line,
    pub(crate) more: Vec<Option<Line>>,
    map: std::collections::HashMap<String, Line>,
    own: Option<Box<Lines>>,
    s: Vec<Self>,
    pair: (Line, u32),
    arr: [Line; 3],
    alias: Maybe,
}
type Maybe = Option<Line>;
/// Doc
#[tool_type(argument)]
pub struct Lines2 {
    /** first */
    pub first: Line,
    #[serde(flatten)]
    pub rest: Lines,
    #[arg(range = 1..5, default = 3)]
    pub n: u32,
    pub b: inner::Line,
}
#[tool_type(result)]
#[serde(tag = "kind")]
pub enum Lines3 {
    A(Line2),
    B {
        line: Vec<Line>,
        #[serde(skip_serializing_if = "Option::is_none")]
        l: Option<Line>,
    },
    C,
}
#[tool_type]
#[derive(Clone, Copy)]
pub enum Sort {
    Date = 3,
    Size = 5,
}
#[tool_type]
pub struct Line2 {
    pub x: u32,
    pub sort: Sort,
}
#[tool_type]
#[serde(untagged)]
pub enum U {
    A(Line),
    B(Line2),
    S(String),
}
#[tool_type]
#[serde(tag = "t", content = "c")]
pub enum T {
    A(Line),
    B(Line2),
    S(String),
    D(Line, Line2),
}
#[tool_type]
#[serde(transparent)]
pub struct Tr {
    pub x: Line,
}
#[tool_type]
pub struct Generic<G> {
    pub x: G,
    pub l: Line,
}
#[tool_type]
pub struct Uses {
    pub x: Generic<Line>,
    pub y: Vec<Generic<u32>>,
}
#[tool_type]
pub struct A {
    pub b: Vec<B>,
}
#[tool_type]
pub struct B {
    pub a: Vec<A>,
    pub o: Option<Box<A>>,
}
#[tool_type]
pub struct Unit;
#[tool_type]
pub struct HasUnit(Unit, Line);
/// Reads.
#[toolwright::tool]
fn read(lines: Lines, l2: Lines2, a: A, u: Uses) -> Lines3 {
    let _ = (
        lines.arr,
        lines.pair,
        lines.alias,
        lines.first,
        lines.more,
        lines.map,
        lines.own,
        lines.s,
        l2.first,
        l2.rest.first,
        l2.n,
        l2.b,
        a,
        u,
    );
    Lines3::C
}
fn local() {
    #[tool_type]
    struct In {
        x: u32,
    }
    #[tool_type]
    struct Out {
        x: Vec<In>,
    }
    let _ = |o: Out| o.x.len() + o.x[0].x as usize;
}

/// Names that expansions have for what is theirs.
mod names {
    use toolwright::tool_type;
    #[tool_type]
    pub struct Field(pub u32);
    #[tool_type]
    pub struct D {
        pub a: Vec<Field>,
    }
    #[tool_type]
    pub struct S {
        pub a: Field,
    }
    #[tool_type]
    pub enum Visitor {
        A(Field),
        B { s: S },
    }
    #[tool_type]
    #[allow(non_camel_case_types)]
    pub struct tw {
        pub a: Field,
    }
}
/// Constraints, defaults and what is flattened, of fields with types of the author's.
#[tool_type(argument)]
#[allow(non_snake_case)]
pub struct Constrained {
    #[arg(length = 1..=2)]
    fields: Vec<names::Field>,
    #[arg(length = ..=3, default = vec![Line2 { x: 7, sort: Sort::Date }])]
    Defaults: Vec<Line2>,
    #[serde(flatten)]
    flat: names::S,
}
/// Reads.
#[toolwright::tool(struct_name = ConstrainedTool)]
fn constrained(d: names::D, v: names::Visitor, t: names::tw, c: Constrained) -> usize {
    let v = match v {
        names::Visitor::A(f) => f.0,
        names::Visitor::B { s } => s.a.0,
    };
    let _ = (d.a, v, t.a);
    c.fields.len() + c.Defaults.len() + c.flat.a.0 as usize
}
#[test]
fn program_runs() {
    local();
    let _ = read;
    let schema = toolwright::Tool::spec(&ConstrainedTool)
        .input_schema()
        .to_string();
    for said in [
        "\"minItems\":1",
        "\"maxItems\":2",
        "\"maxItems\":3",
        "\"x\":7",
    ] {
        assert!(schema.contains(said), "{said} is not in {schema}");
    }
    let tools = toolwright::ToolRegistry::new().with(ConstrainedTool);
    let executor = toolwright::Executor::builder(tools)
        .permission_checker(toolwright::permission::AllowAll)
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let call = |fields: &str| {
        let call = format!(
            r#"{{"d": {{"a": [1]}}, "v": {{"A": 1}}, "t": {{"a": 1}}, "c": {{"fields": {fields}, "a": 4}}}}"#
        );
        runtime
            .block_on(executor.call("constrained", &call))
            .text()
            .to_owned()
    };
    assert_eq!(call("[1, 2]"), "7");
    assert!(
        call("[1, 1, 1]").contains("/c/fields"),
        "{}",
        call("[1, 1, 1]")
    );
}
