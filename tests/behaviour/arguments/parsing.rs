//! From arguments to a call that is ready to run, or to a message that the model can act on.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::arguments::{Arguments, ProblemKind};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolError, ToolOutcome, ToolRegistry, testing, tool};

use crate::waiting_support::Runs;

#[derive(Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    line: u32,
    with: String,
    #[serde(default)]
    mode: Mode,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Replace,
    Insert,
}

/// Edit a file.
#[tool(
    name = "edit",
    idempotent,
    register = false,
    struct_name = EditTool
)]
fn edit(
    /// The file to edit.
    path: String,
    /// The edits, from top to bottom.
    #[arg(length = 1..=3)]
    edits: Vec<Edit>,
    runs: &Runs,
) -> Result<String, String> {
    runs.add();
    let in_order = edits.is_sorted_by_key(|edit| edit.line);
    if !in_order {
        return Err("the edits are not in the order of their lines".to_owned());
    }
    let Some(Edit { line, with, mode }) = edits.first() else {
        return Err("there is no edit".to_owned());
    };
    Ok(format!("{path}:{line} {mode:?} {with}"))
}

fn executor(runs: &Arc<Runs>) -> Executor {
    Executor::builder(ToolRegistry::new().with(EditTool))
        .permission_checker(AllowAll)
        .resource_arc(Arc::clone(runs))
        .build()
        .unwrap()
}

fn one_edit() -> Value {
    json!({"path": "a.rs", "edits": [{"line": 7, "with": "x", "mode": "insert"}]})
}

#[tokio::test]
async fn s3_11_a_typed_tool_receives_structs() {
    let executor = executor(&Arc::default());
    let tree = one_edit();
    let text = tree.to_string();
    for arguments in [Arguments::from(&tree), Arguments::from(&text)] {
        let outcome = executor.call("edit", arguments).await;
        assert_eq!(outcome.text(), "a.rs:7 Insert x");
    }
    // Defaults of serde are filled in.
    let short = json!({"path": "a.rs", "edits": [{"line": 1, "with": ""}]});
    assert_eq!(executor.call("edit", short).await.text(), "a.rs:1 Replace ");
    // By hand it is the same step.
    let by_hand: Edit = Arguments::from(r#"{"line": 2, "with": "y"}"#)
        .parse()
        .unwrap();
    let expected = Edit {
        line: 2,
        with: "y".to_owned(),
        mode: Mode::Replace,
    };
    assert_eq!(by_hand, expected);
}

#[tokio::test]
async fn s3_13_parsing_is_apart_from_running() {
    let runs = Arc::new(Runs::default());
    let registry = ToolRegistry::new().with(EditTool);
    let tool = registry.get("edit").unwrap();

    let problem = tool.parse(&Arguments::from(r#"{"path": 1, "edits": [{"line": 7}]}"#));
    let problem = problem.err().unwrap();
    let found: Vec<(&str, ProblemKind)> = problem
        .problems()
        .iter()
        .map(|problem| (problem.pointer(), problem.kind()))
        .collect();
    assert_eq!(
        found,
        [
            ("/path", ProblemKind::Type),
            ("/edits/0/with", ProblemKind::Missing)
        ]
    );

    let ready = tool.parse(&one_edit().into()).ok().unwrap();
    let context = testing::context().resource_arc(Arc::clone(&runs)).build();
    assert_eq!(ready.proposed_requests(&context).unwrap(), []);
    assert_eq!(runs.count(), 0);

    let output = ready.start(&context).await.unwrap();
    assert_eq!(output.content()[0].as_text(), Some("a.rs:7 Insert x"));
    assert_eq!(runs.count(), 1);
}

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(ToolError::kind)
}

/// The kind of the one thing that is wrong with the arguments.
fn problem(outcome: &ToolOutcome) -> Option<ProblemKind> {
    match outcome.error()?.invalid_arguments()?.problems() {
        [one] => Some(one.kind()),
        _ => None,
    }
}

#[tokio::test]
async fn s3_17_what_cannot_be_parsed_goes_back_to_the_model() {
    let runs = Arc::new(Runs::default());
    let executor = executor(&runs);
    let edits = |edits: Value| json!({"path": "a.rs", "edits": edits});
    let at = |line: u32| json!({"line": line, "with": "x"});

    let unknown_name = executor.call("edt", one_edit()).await;
    assert_eq!(kind(&unknown_name), Some(ErrorKind::NotFound));
    assert!(unknown_name.text().contains("did you mean `edit`?"));

    let not_json = executor.call("edit", "{\"path\": ").await;
    assert_eq!(problem(&not_json), Some(ProblemKind::Syntax));

    let wrong_type = executor.call("edit", edits(json!("all"))).await;
    assert_eq!(problem(&wrong_type), Some(ProblemKind::Type));
    assert!(
        wrong_type.text().contains("`/edits`"),
        "{}",
        wrong_type.text()
    );

    let constraint = executor.call("edit", edits(json!([]))).await;
    assert_eq!(problem(&constraint), Some(ProblemKind::Constraint));
    assert_eq!(runs.count(), 0);

    // Only the tool itself can find this mistake.
    let semantic = executor.call("edit", edits(json!([at(9), at(2)]))).await;
    assert_eq!(kind(&semantic), Some(ErrorKind::Failed));
    assert_eq!(semantic.result().source(), ResultSource::Tool);
    assert_eq!(
        semantic.text(),
        "the edits are not in the order of their lines"
    );

    let outcomes = [unknown_name, not_json, wrong_type, constraint, semantic];
    let texts: BTreeSet<String> = outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(texts.len(), outcomes.len(), "{texts:#?}");
    for outcome in &outcomes {
        let ToolOutcome::Completed(result) = outcome else {
            panic!("{outcome:?}");
        };
        assert!(result.is_error());
        assert!(!result.text().is_empty());
    }
}
