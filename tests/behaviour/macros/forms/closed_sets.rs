//! `#[derive(ToolEnum)]`: which names lead to which tool, and what stands in front of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolwright::arguments::Arguments;
use toolwright::content::ErrorKind;
use toolwright::permission::Verdict;
use toolwright::{
    Executor, PermissionRequest, RunTool, Tool, ToolContext, ToolEnum, ToolError, ToolRegistry,
    testing,
};

use crate::support::judge;

macro_rules! tools {
    ($($(#[$keys:meta])* $name:ident = $text:literal;)*) => {
        $(
            /// Say something.
            #[derive(Debug, PartialEq, Tool)]
            $(#[$keys])*
            struct $name {
                #[arg(default = 1, range = 1..=9)]
                times: u8,
            }

            impl RunTool for $name {
                type Output = String;

                async fn run(self, _ctx: &ToolContext) -> String {
                    $text.repeat(self.times.into())
                }
            }
        )*
    };
}

tools! {
    #[tool(register = false, name = "fs.read_all", aliases("slurp.all"), pure)]
    ReadDots = "dots ";
    #[tool(register = false, name = "fs_read.all", aliases("gulp"), pure)]
    ReadUnder = "under ";
    #[tool(register = false, name = "web.get", aliases("slurpAll", "fetch-1"), pure)]
    Get = "get ";
    #[tool(register = false, name = "t2.x", pure)]
    Short = "short ";
}

#[derive(Debug, PartialEq, ToolEnum)]
enum Say {
    Dots(ReadDots),
    Under(ReadUnder),
    Get(Get),
    Short(Short),
}

fn parsed(name: &str) -> Result<&'static str, ToolError> {
    Say::parse(name, "").map(|call| call.spec().name().as_str())
}

#[test]
fn s3_09_a_spelling_that_fits_two_tools_leads_to_the_exact_one_or_to_none() {
    for (name, leads_to) in [
        ("fs.read_all", "fs.read_all"),
        ("fs_read.all", "fs_read.all"),
        ("slurp.all", "fs.read_all"),
        ("slurpAll", "web.get"),
        ("gulp", "fs_read.all"),
        ("GULP", "fs_read.all"),
        ("webGet", "web.get"),
        ("web_get", "web.get"),
        ("WEB-GET", "web.get"),
        ("fetch1", "web.get"),
        ("T2X", "t2.x"),
    ] {
        assert_eq!(parsed(name).unwrap(), leads_to, "{name}");
    }
    for name in [
        "fsReadAll",
        "fs_read_all",
        "FS.READ.ALL",
        "slurp_all",
        "SlurpAll",
    ] {
        let error = parsed(name).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{name}");
        assert_eq!(error.code(), "unknown_tool", "{name}");
        assert!(error.message().contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let error = parsed("web.gte").unwrap_err();
    assert_eq!(
        error.message(),
        "there is no tool `web.gte`; did you mean `web.get`?"
    );
    let error = parsed("something.else").unwrap_err();
    assert_eq!(error.message(), "there is no tool `something.else`");
    for none in ["", " ", ".", "--", "\u{0}", "ü", "web.get\u{301}"] {
        let found = parsed(none);
        assert!(found.is_err() || none.contains("web.get"), "{none:?}");
    }
}

#[test]
fn a_huge_name_makes_no_huge_message() {
    for name in [
        "x".repeat(10_000_000),
        "\u{1f600}".repeat(1_000_000),
        ".".repeat(1_000_000),
    ] {
        let error = parsed(&name).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.message().len() < 1_000, "{}", error.message().len());
    }
}

#[test]
fn what_is_wrong_with_the_arguments_is_told_for_the_tool_that_is_meant() {
    for arguments in [
        Arguments::from(r#"{"times": 10, "x": 1}"#),
        json!({"times": 10, "x": 1}).into(),
    ] {
        let error = Say::parse("webGet", arguments).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArguments);
        assert_eq!(
            error.invalid_arguments().unwrap().problems().len(),
            2,
            "{error}"
        );
    }
    assert_eq!(
        Say::parse("gulp", ""),
        Ok(Say::Under(ReadUnder { times: 1 }))
    );
    assert_eq!(
        Say::parse("t2.x", json!({"times": 2})),
        Ok(Say::Short(Short { times: 2 }))
    );
}

#[tokio::test]
async fn a_set_in_a_registry_answers_as_it_parses() {
    let registry = ToolRegistry::new().with_enum::<Say>();
    let executor = Executor::new(registry).unwrap();
    let ctx = testing::context().build();
    for (name, text) in [
        ("fs.read_all", "dots "),
        ("fs_read.all", "under "),
        ("slurp.all", "dots "),
        ("slurpAll", "get "),
        ("web_get", "get "),
    ] {
        let outcome = executor.call(name, "").await;
        assert_eq!(outcome.text(), text, "{name}");
        let output = Say::parse(name, "").unwrap().run(&ctx).await.unwrap();
        assert_eq!(output.content()[0].as_text(), Some(text));
    }
    // A wire name is made for one tool only.
    let wire: Vec<_> = Say::specs()
        .iter()
        .map(|spec| spec.name().as_str())
        .collect();
    assert_eq!(wire, ["fs.read_all", "fs_read.all", "t2.x", "web.get"]);
}

/// Count the runs.
#[derive(Tool)]
#[tool(
    register = false,
    name = "guarded",
    capabilities("count:run:it"),
    needs(AtomicUsize),
    permission = PermissionRequest::new("count", "", format!("count {by}"))
)]
struct Guarded {
    by: usize,
}

impl RunTool for Guarded {
    type Output = Result<usize, ToolError>;

    async fn run(self, ctx: &ToolContext) -> Self::Output {
        let runs = ctx.require::<AtomicUsize>()?;
        Ok(runs.fetch_add(self.by, Ordering::SeqCst) + self.by)
    }
}

#[derive(ToolEnum)]
enum Guards {
    Guarded(Guarded),
}

#[tokio::test]
async fn only_an_executor_asks_for_permission() {
    let runs = Arc::new(AtomicUsize::new(0));
    let denying = judge(
        |_| Verdict::Allow,
        |_, request| Verdict::deny(request.summary().to_owned()),
    );
    let builder = Executor::builder(ToolRegistry::new().with_enum::<Guards>());
    let executor = builder
        .resource_arc(Arc::clone(&runs))
        .grant_capability("count:*:*")
        .permission_checker(denying)
        .build()
        .unwrap();
    let denied = executor.call("guarded", r#"{"by": 2}"#).await;
    assert_eq!(denied.error().unwrap().kind(), ErrorKind::Denied);
    assert!(denied.text().contains("count 2"), "{}", denied.text());
    assert_eq!(runs.load(Ordering::SeqCst), 0);

    // By hand it runs, as the documentation says: nobody stands in front.
    let ctx = testing::context().resource_arc(Arc::clone(&runs)).build();
    let call = Guards::parse("guarded", r#"{"by": 2}"#).unwrap();
    assert_eq!(
        call.run(&ctx).await.unwrap().content()[0].as_text(),
        Some("2")
    );
    let bare = testing::context().build();
    let call = Guards::parse("guarded", r#"{"by": 2}"#).unwrap();
    assert_eq!(
        call.run(&bare).await.unwrap_err().kind(),
        ErrorKind::Unavailable
    );
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert!(Executor::new(ToolRegistry::new().with_enum::<Guards>()).is_err());
}
