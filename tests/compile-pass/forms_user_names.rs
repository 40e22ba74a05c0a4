//! A user's own traits, types and methods of the names that an expansion uses.

#![deny(warnings)]
#![allow(dead_code)]

use toolwright::{ToolContext, ToolRegistry};

trait RunTool {
    fn run(&self) -> u8 {
        1
    }

    fn spec(&self) -> u8 {
        1
    }
}
trait Tool {
    fn spec(&self) -> u8 {
        2
    }

    fn parse(&self) -> u8 {
        2
    }

    fn definition() {}
}
trait Toolset {
    fn tools(&self) -> u8 {
        3
    }
}
trait ToolEnum {
    fn members() -> u8 {
        4
    }
}
trait TypedTool {
    const NAMES: u8 = 5;

    fn from_arguments() {}

    fn convert() {}
}
impl<T> RunTool for T {}
impl<T> Tool for T {}
impl<T> Toolset for T {}
impl<T> ToolEnum for T {}
impl<T> TypedTool for T {}

struct Arguments;
struct Typed;
struct Invocation;
type ToolOutput = u8;
type Output = u8;

/// Add.
#[derive(toolwright::Tool)]
#[tool(pure, validate = Add::validate, permission = Add::permission(a, *b))]
struct Add {
    a: u8,
    #[arg(default = Add::DEFAULT, range = ..=Add::MOST)]
    b: u8,
    #[arg(default)]
    output: Output,
}

impl Add {
    const DEFAULT: u8 = 1;
    const MOST: u8 = 9;
    const NAMES: u8 = 0;

    fn run(&self) -> u8 {
        self.a
    }

    fn tool(&self) {}

    fn spec() {}

    fn definition() {}

    fn convert(&self) {}

    fn from_arguments() {}

    fn validate(_: &u8, _: &u8, _: &u8) -> Result<(), String> {
        Ok(())
    }

    fn permission(_: &u8, _: u8) -> Option<toolwright::PermissionRequest> {
        None
    }
}

impl toolwright::RunTool for Add {
    type Output = u8;

    async fn run(self, _: &ToolContext) -> u8 {
        Add::run(&self) + self.b + self.output
    }
}

#[derive(toolwright::ToolEnum)]
enum Sum {
    Add(Add),
}

impl Sum {
    fn run(&self) {}

    fn spec(&self) {}

    fn members() {}

    fn parse() {}

    fn tool() {}
}

struct Counter;

impl Counter {
    fn receiver(&self) {}
}

#[toolwright::toolset]
impl Counter {
    /// Run.
    #[tool(permission = self.ask())]
    fn run(&self, __tools: u8, __this: u8) -> u8 {
        __tools + __this
    }

    /// Tell.
    #[tool]
    async fn spec(&self, __r: u8, __hint: u8, __future: u8, __output: u8) -> u8 {
        __r + __hint + __future + __output
    }

    /// Tell.
    #[tool]
    fn tool(&self) {}

    /// Tell.
    #[tool]
    fn tools() -> u8 {
        Toolset::tools(&1)
    }

    fn ask(&self) -> Option<toolwright::PermissionRequest> {
        None
    }
}

mod types {
    //! Types whose names are those of the helpers' parts, and traits of serde's and schemars' names.

    trait Deserialize {}
    trait Serialize {}
    trait JsonSchema {}
    mod serde {}
    mod schemars {}

    #[toolwright::tool_type]
    pub(super) struct Schema {
        #[arg(default = 1, range = 1.., example = 2)]
        de: u8,
        #[arg(length = 1..)]
        __d: Option<String>,
    }

    #[toolwright::tool_type]
    pub(super) enum D {
        #[allow(non_camel_case_types)]
        __v(#[arg(range = 1..)] u8),
        Error {
            #[arg(default = 3)]
            __c: u8,
        },
    }
}

/// Give it back.
#[toolwright::tool]
fn back(schema: types::Schema, d: types::D) -> (types::Schema, types::D) {
    (schema, d)
}

#[test]
fn program_runs() {
    let tools = ToolRegistry::new()
        .with_set(Counter)
        .with_enum::<Sum>()
        .with_type::<Add>()
        .with(Back);
    assert!(tools.check().is_err(), "`add` is there twice");
    assert_eq!(
        <Add as toolwright::tools::TypedTool>::spec()
            .name()
            .as_str(),
        "add"
    );
}
