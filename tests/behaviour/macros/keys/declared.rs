//! Determinism, capabilities, limits, needs, and how a call may run.

use std::sync::Arc;

use toolwright::content::ErrorKind;
use toolwright::executor::BuildProblem;
use toolwright::permission::AllowAll;
use toolwright::spec::{Bound, Determinism, Effect};
use toolwright::tools::Typed;
use toolwright::{Executor, RunTool, Tool, ToolContext, ToolError, ToolRegistry, tool, toolset};

use super::{allowing, kind};
use crate::support::{Trace, ready_now};

/// Tell nothing.
#[tool(register = false, pure)]
fn by_effect() {}

/// Tell nothing.
#[tool(register = false, read_only, determinism = deterministic)]
fn fixed() {}

/// Tell nothing.
#[tool(register = false, pure, determinism = bounded)]
async fn bounded(_ctx: &ToolContext) {}

/// Tell nothing.
#[tool(register = false, determinism = non_deterministic)]
fn free() {}

#[test]
fn s1_08_s1_09_s1_10_determinism_is_declared_or_follows_from_the_effect() {
    let of = |tool: &dyn Tool| tool.spec().determinism();
    assert_eq!(of(&ByEffect), Determinism::Deterministic);
    assert_eq!(of(&Fixed), Determinism::Deterministic);
    assert_eq!(of(&Bounded), Determinism::Bounded);
    assert_eq!(of(&Free), Determinism::NonDeterministic);
    assert_eq!(Free.spec().effect(), Effect::AtMostOnce);
}

/// Index a folder.
#[tool(register = false,
    read_only,
    capabilities("fs:read:/data", "net:connect:[::1]:443"),
    permission = note(trace, "asked", "")
)]
fn index(trace: &Trace, folder: String) -> String {
    trace.note("ran");
    folder
}

fn note(trace: &Trace, what: &str, _: &str) -> Option<toolwright::PermissionRequest> {
    trace.note(what);
    None
}

#[test]
fn s1_04_s1_18_a_capability_is_asked_for_before_the_arguments_are_read() {
    let trace = Trace::default();
    let executor = |grants: &[&'static str]| {
        let builder = Executor::builder(ToolRegistry::new().with(Index));
        let builder = builder.resource(trace.clone()).permission_checker(AllowAll);
        let granting = grants
            .iter()
            .fold(builder, |builder, grant| builder.grant_capability(*grant));
        granting.build().unwrap()
    };
    let some = executor(&["fs:read:/data"]);
    for arguments in [r#"{"folder": "a"}"#, r#"{"foldr": 1}"#, "{", "[]"] {
        let outcome = ready_now(some.call("index", arguments));
        assert_eq!(kind(&outcome), Some(ErrorKind::CapabilityDenied));
        assert_eq!(
            outcome.text(),
            "`index` was denied: it requires the capability `net:connect:[::1]:443`, \
             which is not granted",
            "{arguments}"
        );
    }
    assert!(trace.take().is_empty());
    let both = executor(&["fs:*:/data", "net:connect:[::1]:443"]);
    let outcome = ready_now(both.call("index", r#"{"foldr": 1}"#));
    assert_eq!(kind(&outcome), Some(ErrorKind::InvalidArguments));
    let outcome = ready_now(both.call("index", r#"{"folder": "a"}"#));
    assert_eq!(outcome.text(), "a");
    assert_eq!(trace.take(), ["asked", "ran"]);
}

/// Repeat a letter.
#[tool(register = false, pure, limits(output = "1KiB"))]
fn repeat(count: usize, fail: bool) -> Result<String, String> {
    let text = "\u{e4}".repeat(count);
    if fail { Err(text) } else { Ok(text) }
}

#[tokio::test]
async fn an_output_limit_cuts_at_a_character_and_says_so() {
    let executor = allowing(ToolRegistry::new().with(Repeat));
    let call = async |count: usize, fail: bool| {
        let arguments = serde_json::json!({"count": count, "fail": fail});
        executor.call("repeat", arguments).await
    };
    assert_eq!(Repeat.spec().bounds().output(), Some(1024));
    assert_eq!(call(512, false).await.text(), "\u{e4}".repeat(512));
    let cut = call(513, false).await;
    let marker = "[cut: 1024 of 1026 bytes are shown; ask for less at once to see the rest]";
    assert_eq!(cut.text(), format!("{}\n{marker}", "\u{e4}".repeat(512)));
    assert!(cut.is_success());
    let failed = call(513, true).await;
    assert_eq!(failed.text(), cut.text());
    assert!(failed.result().is_error());
    assert!(call(512, true).await.text().ends_with('\u{e4}'));
}

/// Compute for long.
#[tool(
    register = false,
    pure,
    limits(memory = "64MiB", fuel = 1_000_000, output = "64KiB")
)]
fn metered() {}

#[test]
fn limits_that_nothing_measures_are_refused_at_build_all_at_once() {
    let bounds = Metered.spec().bounds();
    assert_eq!(bounds.memory(), Some(64 << 20));
    assert_eq!(bounds.fuel(), Some(1_000_000));
    assert_eq!(bounds.output(), Some(64 << 10));
    let error = Executor::new(ToolRegistry::new().with(Metered)).unwrap_err();
    let refused: Vec<Bound> = error
        .problems()
        .iter()
        .map(|problem| match problem {
            BuildProblem::UnenforceableBound { tool, bound, .. } if tool.as_str() == "metered" => {
                *bound
            }
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(refused, [Bound::Memory, Bound::Fuel]);
}

struct Root(&'static str);

trait Clock: Send + Sync {
    fn now(&self) -> u64;
}

struct Noon;

impl Clock for Noon {
    fn now(&self) -> u64 {
        12
    }
}

/// Tell where and when.
#[tool(register = false, read_only, needs(Root, dyn Clock))]
fn where_and_when(ctx: &ToolContext) -> Result<String, ToolError> {
    let root = ctx.require::<Root>()?;
    let clock = ctx.require::<dyn Clock>()?;
    Ok(format!("{} at {}", root.0, clock.now()))
}

#[tokio::test]
async fn what_a_body_takes_from_the_context_is_looked_for_at_build() {
    let builder = || Executor::builder(ToolRegistry::new().with(WhereAndWhen));
    let missing = |error: toolwright::BuildError| -> Vec<String> {
        let missing = error.problems().iter().map(|problem| match problem {
            BuildProblem::MissingResource { tool, resource, .. } => {
                assert_eq!(tool.as_str(), "where_and_when");
                (*resource).to_owned()
            }
            other => panic!("{other}"),
        });
        missing.collect()
    };
    let both = missing(builder().build().unwrap_err());
    assert_eq!(both.len(), 2);
    assert!(both[0].ends_with("Root") && both[1].starts_with("dyn "));
    let one = missing(builder().resource(Root("here")).build().unwrap_err());
    assert!(one.len() == 1 && one[0].ends_with("Clock"), "{one:?}");
    // The value behind a trait is not the trait.
    let other = builder().resource(Root("here")).resource(Noon).build();
    assert_eq!(missing(other.unwrap_err()).len(), 1);
    let clock: Arc<dyn Clock> = Arc::new(Noon);
    let executor = builder().resource(Root("here")).resource_arc(clock);
    let executor = executor.build().unwrap();
    assert_eq!(
        executor.call("where_and_when", "").await.text(),
        "here at 12"
    );
}

/// Write a page.
#[tool(register = false, idempotent, concurrent)]
fn write_page() {}

/// Deploy everything.
#[tool(register = false, destructive, explicit_only)]
fn deploy() {}

/// Render a scene.
#[tool(register = false, durable, pool = "gpu")]
fn render() {}

/// Record a song.
#[derive(Tool)]
#[tool(register = false, pool = "studio")]
struct Record {}

impl RunTool for Record {
    type Output = ();

    async fn run(self, _: &ToolContext) {}
}

struct Site;

#[toolset(prefix = "site")]
impl Site {
    /// Publish.
    #[tool(concurrent, durable, pool = "web.eu-1", explicit_only, capabilities("net:send:site"), limits(output = "1KiB"), determinism = bounded)]
    fn publish(&self, _ctx: &ToolContext) {}
}

#[test]
fn flags_are_in_the_spec_of_the_tool_that_has_them_and_of_no_other() {
    let flags = |tool: &dyn Tool| {
        let spec = tool.spec();
        (spec.is_concurrent(), spec.is_explicit_only())
    };
    let placement = |tool: &dyn Tool| {
        let spec = tool.spec();
        (spec.is_durable(), spec.pool().map(str::to_owned))
    };
    assert_eq!(flags(&WritePage), (true, false));
    assert_eq!(flags(&Deploy), (false, true));
    assert_eq!(flags(&ByEffect), (false, false));
    assert_eq!(placement(&Render), (true, Some("gpu".to_owned())));
    assert_eq!(
        placement(&Typed::<Record>::new()),
        (false, Some("studio".to_owned()))
    );
    assert_eq!(placement(&Deploy), (false, None));
    let registry = ToolRegistry::new().with_set(Site);
    let publish = registry.get("site.publish").unwrap();
    assert_eq!(flags(&**publish), (true, true));
    assert_eq!(placement(&**publish), (true, Some("web.eu-1".to_owned())));
    let spec = publish.spec();
    assert_eq!(spec.capabilities()[0].to_string(), "net:send:site");
    assert_eq!(spec.bounds().output(), Some(1024));
    assert_eq!(spec.determinism(), Determinism::Bounded);
}
