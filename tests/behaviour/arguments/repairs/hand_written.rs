//! Tools whose parse is their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::arguments::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::tools::Invocation;
use toolwright::{Tool, ToolError, ToolName, ToolSpec, tool_fn};

use super::{executor, strict, told};
use crate::support::{HandMade, place, places};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    max_results: u32,
    #[serde(default)]
    tags: Vec<String>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "max_results": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["max_results"],
    })
}

fn search() -> HandMade {
    let tool = HandMade::new("search").spec(|spec| spec.with_input_schema(schema()));
    tool.parse(|arguments| {
        let search: Search = arguments.parse()?;
        if search.max_results == 99 || search.tags.len() > 3 {
            let problem = ArgumentProblem::new(ProblemKind::Constraint, "/max_results", "no");
            return Err(InvalidArguments::new(vec![problem]));
        }
        Ok(())
    })
}

#[tokio::test]
async fn a_tool_of_its_own_parse_gets_the_repaired_arguments() {
    for sent in [
        json!({"maxResults": "5", "tags": "x"}),
        json!("{\"max_results\": \"5\", \"tags\": [\"x\"]}"),
    ] {
        let outcome = executor(search()).call("search", &sent).await;
        assert_eq!(outcome.text(), r#"{"max_results":5,"tags":["x"]}"#);
        let refused = strict(search()).call("search", &sent).await;
        assert_eq!(refused.error().unwrap().kind(), ErrorKind::InvalidArguments);
    }
}

#[tokio::test]
async fn what_the_tool_says_of_the_repaired_arguments_holds() {
    let refused = executor(search())
        .call("search", json!({"max_results": "99"}))
        .await;
    assert_eq!(
        places(&refused),
        [place(ProblemKind::Constraint, "/max_results")]
    );
    assert_eq!(told(&refused), ["`/max_results`: \"99\" became 99"]);
}

#[tokio::test]
async fn what_the_tool_takes_is_not_repaired_whatever_its_schema_says() {
    let lax = HandMade::new("lax").spec(|spec| spec.with_input_schema(schema()));
    let sent = json!({"max_results": "5", "tags": null});
    let outcome = executor(lax).call("lax", &sent).await;
    assert_eq!(outcome.text(), sent.to_string());
    assert!(outcome.result().repairs().is_empty());
}

#[tokio::test]
async fn a_closure_that_reads_a_type_gets_the_repaired_arguments() {
    let spec = ToolSpec::new("search".parse::<ToolName>().unwrap(), "Search.")
        .with_input_schema(schema())
        .with_effect(toolwright::spec::Effect::Pure);
    let tool = tool_fn(spec, async |search: Search, _ctx| {
        Ok::<_, ToolError>(json!([search.max_results, search.tags]))
    });
    let outcome = executor(tool)
        .call("search", r#"{"max-results": "5", "tags": null}"#)
        .await;
    assert_eq!(outcome.text(), "[5,[]]");
    assert_eq!(told(&outcome).len(), 3);
}

/// A tool that panics at one of its own functions after so many calls of it.
struct Panics {
    spec: ToolSpec,
    specs: AtomicUsize,
    parses: AtomicUsize,
}

impl Tool for Panics {
    fn spec(&self) -> &ToolSpec {
        assert!(self.specs.fetch_sub(1, Ordering::Relaxed) != 1, "no spec");
        &self.spec
    }

    fn parse(&self, _: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        assert!(self.parses.fetch_sub(1, Ordering::Relaxed) != 1, "no parse");
        Err(InvalidArguments::new(Vec::new()))
    }
}

#[tokio::test]
async fn a_panic_on_the_way_ends_the_call_and_nothing_else() {
    let spec = HandMade::new("panics").spec(|spec| spec.with_input_schema(schema()));
    for (specs, parses, kind) in [
        (usize::MAX, 1, ErrorKind::Panicked),
        (usize::MAX, 2, ErrorKind::Panicked),
        (usize::MAX, 9, ErrorKind::InvalidArguments),
    ] {
        let tool = Arc::new(Panics {
            spec: Tool::spec(&spec).clone(),
            specs: AtomicUsize::new(specs),
            parses: AtomicUsize::new(parses),
        });
        let executor = executor(Arc::clone(&tool) as Arc<dyn Tool>);
        let outcome = executor.call("panics", json!({"max_results": "5"})).await;
        assert_eq!(outcome.error().unwrap().kind(), kind);
        // A tool that cannot say what it takes has said that it does not take this.
        tool.specs.store(1, Ordering::Relaxed);
        tool.parses.store(9, Ordering::Relaxed);
        let outcome = executor.call("panics", json!({"max_results": "5"})).await;
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::InvalidArguments);
    }
}

#[tokio::test]
async fn a_tool_without_a_schema_of_members_is_left_alone() {
    let tool = HandMade::new("t")
        .spec(|spec| spec.with_input_schema(json!({"type": "object"})))
        .parse(|arguments| {
            let object: Map<String, Value> = arguments.parse()?;
            match object.get("n") {
                Some(Value::Number(_)) => Ok(()),
                _ => Err(InvalidArguments::new(Vec::new())),
            }
        });
    let refused = executor(tool).call("t", json!({"n": "5"})).await;
    assert!(refused.result().is_error() && refused.result().repairs().is_empty());
}
