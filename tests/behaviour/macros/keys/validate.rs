//! `validate = PATH`: when it runs, what it sees and what the model reads.

use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::arguments::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::permission::{DenyAll, Verdict};
use toolwright::tools::TypedTool;
use toolwright::{
    Executor, PermissionRequest, RunTool, Tool, ToolContext, ToolRegistry, tool, toolset,
};

use super::{allowing, kind};
use crate::support::{Trace, judge, place, places, problems};

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// For the tests that look at what was seen.
static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

fn seen() -> Vec<String> {
    std::mem::take(&mut *SEEN.lock().unwrap())
}

fn in_order(from: &u32, to: &u32, note: &Option<String>) -> Result<(), String> {
    SEEN.lock().unwrap().push(format!("{from} {to} {note:?}"));
    if from <= to {
        Ok(())
    } else {
        Err(format!("`from` ({from}) comes after `to` ({to})"))
    }
}

/// Cut a part out.
#[tool(register = false,
    pure,
    validate = in_order,
    permission = PermissionRequest::new("cut", "", { SEEN.lock().unwrap().push("asked".into()); "cut" })
)]
fn cut(
    #[arg(default = 1, range = 1..)] from: u32,
    trace: &Trace,
    #[arg(aliases("end"), default = 9, range = 1..=100)] to: u32,
    note: Option<String>,
) -> u32 {
    trace.note("ran");
    let _ = note;
    to - from
}

/// Cut a part out, later.
#[tool(register = false, pure, validate = in_order)]
async fn cut_later(
    #[arg(default = 1, range = 1..)] from: u32,
    #[arg(default = 9, range = 1..=100)] to: u32,
    note: Option<String>,
) -> u32 {
    tokio::task::yield_now().await;
    let _ = note;
    to - from
}

#[tokio::test]
async fn it_runs_after_each_argument_and_before_anybody_is_asked() {
    let _one = ONE_AT_A_TIME.lock().await;
    let trace = Trace::default();
    let checker = judge(|_| Verdict::Allow, |_, _| Verdict::Allow);
    let registry = ToolRegistry::new().with(Cut).with(CutLater);
    let builder = Executor::builder(registry).resource(trace.clone());
    let executor = builder.permission_checker(checker).build().unwrap();
    seen();
    let call = async |tool: &str, arguments: Value| {
        let tree = executor.call(tool, &arguments).await;
        let text = executor.call(tool, arguments.to_string()).await;
        assert_eq!(tree.text(), text.text());
        tree
    };
    assert_eq!(call("cut", json!({"from": 2, "end": 5})).await.text(), "3");
    assert_eq!(seen(), ["2 5 None", "asked", "2 5 None", "asked"]);
    assert_eq!(trace.take(), ["ran", "ran"]);
    // With the defaults filled in.
    assert_eq!(call("cut", json!({"note": "x"})).await.text(), "8");
    assert_eq!(seen()[0], "1 9 Some(\"x\")");
    assert_eq!(call("cut_later", json!({})).await.text(), "8");
    assert_eq!(seen(), ["1 9 None", "1 9 None"]);
    trace.take();

    for tool in ["cut", "cut_later"] {
        let refused = call(tool, json!({"from": 10})).await;
        assert_eq!(kind(&refused), Some(ErrorKind::InvalidArguments));
        assert_eq!(places(&refused), [place(ProblemKind::Constraint, "")]);
        assert_eq!(
            refused.text(),
            "Invalid arguments: `from` (10) comes after `to` (9)"
        );
        assert!(!seen().contains(&"asked".to_owned()));
        // It does not run if a single argument is wrong, unknown, repeated or missing.
        for wrong in [
            json!({"from": 0, "to": 5}),
            json!({"from": "x", "to": 5}),
            json!({"from": 5, "to": 2, "x": 1}),
            json!([]),
        ] {
            let refused = call(tool, wrong.clone()).await;
            assert!(
                !refused.text().contains("comes after"),
                "{}",
                refused.text()
            );
            assert_eq!(kind(&refused), Some(ErrorKind::InvalidArguments));
            assert!(seen().is_empty(), "{wrong}");
        }
        let twice = executor
            .call(tool, r#"{"from": 5, "to": 2, "from": 1}"#)
            .await;
        assert_eq!(places(&twice), [place(ProblemKind::Repeated, "/from")]);
        assert!(seen().is_empty());
    }
    assert!(trace.take().is_empty());
}

#[tokio::test]
async fn a_refused_call_is_refused_before_it_is_denied() {
    let _one = ONE_AT_A_TIME.lock().await;
    let builder = Executor::builder(ToolRegistry::new().with(Cut)).resource(Trace::default());
    let executor = builder.permission_checker(DenyAll).build().unwrap();
    let refused = executor.call("cut", r#"{"from": 10}"#).await;
    assert_eq!(kind(&refused), Some(ErrorKind::InvalidArguments));
    let denied = executor.call("cut", "").await;
    assert_eq!(kind(&denied), Some(ErrorKind::Denied));
}

struct Route {
    legs: Vec<String>,
}

impl<'de> serde::Deserialize<'de> for Route {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let legs = Vec::deserialize(deserializer)?;
        Ok(Self { legs })
    }
}

impl schemars::JsonSchema for Route {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Route".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<String>::json_schema(generator)
    }
}

fn at_pointer(route: &Route) -> Result<(), ArgumentProblem> {
    match route.legs.iter().position(String::is_empty) {
        Some(leg) => {
            Err(
                ArgumentProblem::new(ProblemKind::Missing, format!("/route/{leg}"), "has no name")
                    .with_suggestion("Oslo"),
            )
        }
        None => Ok(()),
    }
}

/// Go somewhere.
#[tool(register = false, pure, validate = at_pointer)]
fn go(route: Route) -> usize {
    route.legs.len()
}

struct Many;

impl Many {
    fn check(paths: &[PathBuf]) -> Result<(), InvalidArguments> {
        let wrong = paths
            .iter()
            .enumerate()
            .filter(|(_, path)| path.is_absolute());
        let problems: Vec<ArgumentProblem> = wrong
            .map(|(index, path)| {
                let message = format!("`{}` is absolute", path.display());
                ArgumentProblem::new(ProblemKind::Constraint, format!("/paths/{index}"), message)
            })
            .collect();
        if problems.is_empty() {
            return Ok(());
        }
        Err(InvalidArguments::new(problems).with_valid(vec!["`paths`".to_owned()]))
    }
}

/// Open files.
#[tool(register = false, pure, validate = Many::check)]
fn open(paths: Vec<PathBuf>) -> usize {
    paths.len()
}

#[tokio::test]
async fn a_problem_keeps_the_place_that_it_names() {
    let executor = allowing(ToolRegistry::new().with(Go).with(Open));
    let refused = executor.call("go", r#"{"route": ["a", "", "b"]}"#).await;
    assert_eq!(places(&refused), [place(ProblemKind::Missing, "/route/1")]);
    assert_eq!(
        refused.text(),
        "Invalid arguments: `/route/1`: has no name; did you mean `Oslo`?"
    );
    assert_eq!(executor.call("go", r#"{"route": ["a"]}"#).await.text(), "1");
    let refused = executor
        .call("open", r#"{"paths": ["/a", "b", "/c"]}"#)
        .await;
    let expected = ["/paths/0", "/paths/2"].map(|at| place(ProblemKind::Constraint, at));
    assert_eq!(places(&refused), expected);
    let invalid = refused.error().unwrap().invalid_arguments().unwrap();
    assert_eq!(invalid.valid(), ["`paths`"]);
}

/// Only displayed.
struct Reason(u8);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reason {}", self.0)
    }
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

#[derive(Tool)]
#[tool(register = false, pure, validate = Half::check)]
/// Halve a number.
struct Half {
    number: u8,
    #[arg(secret)]
    token: Option<String>,
}

impl Half {
    fn check(number: &u8, token: &Option<String>) -> Result<(), Reason> {
        COUNT.fetch_add(1, Ordering::Relaxed);
        match (number % 2, token) {
            (0, _) => Ok(()),
            _ => Err(Reason(*number)),
        }
    }
}

impl RunTool for Half {
    type Output = u8;

    async fn run(self, _ctx: &ToolContext) -> u8 {
        let _ = self.token;
        self.number / 2
    }
}

struct Shop {
    name: &'static str,
}

fn is_open(day: &str) -> Result<(), &'static str> {
    if day == "Sunday" {
        Err("closed")
    } else {
        Ok(())
    }
}

#[toolset]
impl Shop {
    /// Buy something.
    #[tool(name = "shop.buy", pure, validate = is_open)]
    fn buy(&self, day: String) -> String {
        format!("{} on {day}", self.name)
    }
}

#[tokio::test]
async fn structs_and_methods_are_validated_too() {
    let registry = ToolRegistry::new()
        .with_type::<Half>()
        .with_set(Shop { name: "Bo's" });
    let executor = allowing(registry);
    assert_eq!(executor.call("half", r#"{"number": 4}"#).await.text(), "2");
    let refused = executor.call("half", r#"{"number": 5}"#).await;
    assert_eq!(refused.text(), "Invalid arguments: reason 5");
    let invalid = Half::from_arguments(&Arguments::from(r#"{"number": 5}"#)).err();
    assert_eq!(invalid.unwrap().problems()[0].message(), "reason 5");
    assert!(Half::from_arguments(&Arguments::from(r#"{"number": 6}"#)).is_ok());
    let before = COUNT.load(Ordering::Relaxed);
    assert!(Half::from_arguments(&Arguments::from(r#"{"number": 256}"#)).is_err());
    assert_eq!(COUNT.load(Ordering::Relaxed), before);

    let closed = executor.call("shop.buy", r#"{"day": "Sunday"}"#).await;
    assert_eq!(problems(&closed)[0].message(), "closed");
    let open = executor.call("shop.buy", r#"{"day": "Monday"}"#).await;
    assert_eq!(open.text(), "Bo's on Monday");
}

fn panics(_: &u8) -> Result<(), String> {
    panic!("in validation")
}

/// Never gets that far.
#[tool(register = false, pure, validate = panics)]
fn brittle(number: u8) -> u8 {
    number
}

#[tokio::test]
async fn a_validation_that_panics_ends_its_call_and_no_other() {
    let executor = allowing(ToolRegistry::new().with(Brittle).with(Go));
    for arguments in [r#"{"number": 1}"#, r#"{"number": 2}"#] {
        let outcome = executor.call("brittle", arguments).await;
        assert_eq!(kind(&outcome), Some(ErrorKind::Panicked));
        assert!(!outcome.text().contains("validation"));
    }
    let wrong = executor.call("brittle", r#"{"number": 256}"#).await;
    assert_eq!(kind(&wrong), Some(ErrorKind::InvalidArguments));
    assert_eq!(executor.call("go", r#"{"route": []}"#).await.text(), "0");
}
