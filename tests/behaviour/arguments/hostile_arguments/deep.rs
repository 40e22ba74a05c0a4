//! Trees that nest deeper than a stack is, which a host may have made, outside of an executor.

use std::mem;

use serde_json::{Map, Value, json};
use toolwright::arguments::{Arguments, ProblemKind};
use toolwright::tools::TypedTool;
use toolwright::{RunTool, Tool, ToolContext, ToolEnum, ToolName, ToolSpec, tool};

use super::{Node, on_small_stack};

const LEVELS: usize = 10_000;

/// A tree of so many levels, taken apart level by level when it is dropped.
struct Deep(Value);

impl Deep {
    fn new(key: &str) -> Self {
        let mut tree = json!({"v": 1});
        for _ in 0..LEVELS {
            let mut object = Map::new();
            object.insert("children".to_owned(), Value::Array(vec![tree]));
            tree = Value::Object(object);
        }
        let mut object = Map::new();
        object.insert(key.to_owned(), tree);
        Self(Value::Object(object))
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        let mut left = vec![mem::take(&mut self.0)];
        while let Some(value) = left.pop() {
            match value {
                Value::Array(items) => left.extend(items),
                Value::Object(members) => left.extend(members.into_iter().map(|(_, v)| v)),
                _ => {}
            }
        }
    }
}

/// Keep a tree.
#[derive(Tool)]
#[tool(pure, register = false)]
struct Keep {
    /// The tree.
    node: Option<Node>,
    /// Anything.
    any: Option<Value>,
}

impl RunTool for Keep {
    type Output = bool;

    async fn run(self, _ctx: &ToolContext) -> bool {
        self.node.is_some() || self.any.is_some()
    }
}

/// Keep a tree, by a function.
#[tool(pure, register = false)]
fn keep_tree(node: Option<Node>, any: Option<Value>) -> bool {
    node.is_some() || any.is_some()
}

/// The tools.
#[derive(ToolEnum)]
enum Tools {
    Keep(Keep),
}

#[test]
fn a_tree_deeper_than_the_stack_is_refused() {
    on_small_stack(|| async {
        for key in ["node", "any", "other"] {
            let deep = Deep::new(key);
            let arguments = Arguments::from(&deep.0);
            assert!(arguments.parse::<Value>().is_err());
            assert!(arguments.parse::<Node>().is_err());
            assert!(Keep::from_arguments(&arguments).is_err());
            assert!(Tools::parse("keep", arguments.clone()).is_err());
            let spec = Keep::spec();
            assert!(spec.repair(&arguments).is_none());
            assert!(arguments.canonical(spec).is_err());
            let run_time = ToolSpec::new(ToolName::new("keep").unwrap(), "Keep a tree.")
                .with_input_schema(spec.input_schema().clone());
            assert!(run_time.repair(&arguments).is_none());
            assert!(arguments.canonical(&run_time).is_err());
        }
    });
}

#[test]
fn a_tree_is_followed_no_deeper_than_a_text_by_a_tool_that_is_asked_alone() {
    on_small_stack(|| async {
        for key in ["node", "any", "other"] {
            let mut deep = Deep::new(key);
            // Dropped as what it is too.
            let arguments = Arguments::from(mem::take(&mut deep.0));
            let invalid = KeepTree.parse(&arguments).err().unwrap();
            let told = invalid.problems().iter();
            let told: Vec<_> = told
                .map(|problem| (problem.kind(), problem.pointer()))
                .collect();
            assert_eq!(told, [(ProblemKind::Syntax, "")], "{invalid}");
        }
    });
}
