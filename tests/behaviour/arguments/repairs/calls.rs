//! The call after its repairs, and the account of them in its result.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright::arguments::{Arguments, ProblemKind, RepairKind};
use toolwright::content::ErrorKind;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::spec::Effect;
use toolwright::tools::TypedTool;
use toolwright::{
    Executor, PermissionRequest, RunTool, Tool, ToolContext, ToolRegistry, ToolResult, ToolSpec,
    tool,
};

use super::{Plan, builder, executor, strict, told};
use crate::support::{judge, place, places};

#[tokio::test]
async fn what_was_meant_runs_and_each_repair_is_told() {
    let sent = json!({
        "Title": "Move",
        "priority": "Very_High",
        "parts": "[{\"what\": \"Pack\", \"duration_minutes\": \"30\", \"subSteps\": null}]",
        "when": {"kind": "every", "days": "2"},
        "budget": "10.50",
        "no": "-3",
        "isPublic": "TRUE",
        "weights": {"a/b": "1"},
        "labels": "home",
    });
    let by_text = executor(Plan).call("plan", sent.to_string()).await;
    let by_tree = executor(Plan).call("plan", &sent).await;
    for outcome in [&by_text, &by_tree] {
        let output: Value = serde_json::from_str(&outcome.text()).unwrap();
        assert_eq!(
            output,
            json!({
                "title": "Move", "priority": "very_high", "budget": 10.5, "number": -3,
                "steps": [{"what": "Pack", "durationMinutes": 30, "subSteps": []}],
                "when": {"kind": "every", "days": [2]},
                "is_public": true, "weights": {"a/b": 1}, "labels": ["home"],
            })
        );
        assert_eq!(
            told(outcome),
            [
                "`/Title` was renamed to `title`",
                "`/budget`: \"10.50\" became 10.5",
                "`/isPublic`: \"TRUE\" became true",
                "`/isPublic` was renamed to `is_public`",
                "`/labels`: \"home\" became [\"home\"]",
                "`/no`: \"-3\" became -3",
                "`/parts`: \"[{\\\"what\\\": \\\"Pack\\\", \\\"duration_minutes\\\": \\\"30\\\", \\\"subSt… became [{\"duration_minutes\":\"30\",\"subSteps\":null,\"what\":\"Pack\"}]",
                "`/parts/0/duration_minutes`: \"30\" became 30",
                "`/parts/0/duration_minutes` was renamed to `durationMinutes`",
                "`/parts/0/subSteps`: null was left out",
                "`/priority`: \"Very_High\" became \"very_high\"",
                "`/weights/a~1b`: \"1\" became 1",
                "`/when/days`: \"2\" became [\"2\"]",
                "`/when/days/0`: \"2\" became 2",
            ]
        );
    }
}

#[tokio::test]
async fn a_result_tells_of_repairs_as_data_and_of_none_without_a_word() {
    let executor = executor(Plan);
    let fine = executor
        .call("plan", r#"{"title": "x", "number": null}"#)
        .await;
    assert!(fine.is_success() && fine.result().repairs().is_empty());
    assert_eq!(fine.result().to_json().unwrap().get("repairs"), None);

    let repaired = executor
        .call("plan", r#"{"title": "x", "number": "5"}"#)
        .await;
    let data = repaired.result().to_json().unwrap();
    assert_eq!(
        data["repairs"],
        json!([{"pointer": "/number", "kind": "value", "from": "5", "to": 5}])
    );
    let back: ToolResult = serde_json::from_value(data).unwrap();
    assert_eq!(&back, repaired.result());
    assert_eq!(back.repairs()[0].kind(), RepairKind::Value);
}

#[tokio::test]
async fn a_strict_executor_repairs_nothing() {
    for (arguments, kind, at) in [
        (
            json!({"title": "x", "number": "5"}),
            ProblemKind::Type,
            "/number",
        ),
        (
            json!({"Title": "x", "title": "y"}),
            ProblemKind::Unknown,
            "/Title",
        ),
        (
            json!({"title": "x", "isPublic": true}),
            ProblemKind::Unknown,
            "/isPublic",
        ),
        (
            json!({"title": "x", "budget": null}),
            ProblemKind::Type,
            "/budget",
        ),
        (
            json!({"title": "x", "labels": "home"}),
            ProblemKind::Type,
            "/labels",
        ),
    ] {
        let refused = strict(Plan).call("plan", &arguments).await;
        assert_eq!(places(&refused), [place(kind, at)], "{arguments}");
        assert!(refused.result().repairs().is_empty());
    }
}

#[tokio::test]
async fn what_is_left_to_fix_is_told_of_the_repaired_arguments() {
    let executor = executor(Plan);
    let refused = executor
        .call(
            "plan",
            r#"{"title": "x", "number": "5", "steps": [{"what": "x", "duration_minutes": "601"}]}"#,
        )
        .await;
    assert_eq!(
        places(&refused),
        [place(ProblemKind::Constraint, "/steps/0/durationMinutes")]
    );
    assert_eq!(
        told(&refused),
        [
            "`/number`: \"5\" became 5",
            "`/steps/0/duration_minutes`: \"601\" became 601",
            "`/steps/0/duration_minutes` was renamed to `durationMinutes`",
        ]
    );
    // Nothing to repair: the report is of what was sent.
    let refused = executor.call("plan", r#"{"title": 5}"#).await;
    assert_eq!(places(&refused), [place(ProblemKind::Type, "/title")]);
    assert!(refused.result().repairs().is_empty());
}

#[tokio::test]
async fn nothing_is_guessed() {
    let executor = executor(Plan);
    for arguments in [
        r#"{"title": "x", "number": true}"#,
        r#"{"title": "x", "number": 1.5}"#,
        r#"{"title": "x", "number": "9223372036854775808"}"#,
        r#"{"title": "x", "number": "5.5"}"#,
        r#"{"title": "x", "number": [5]}"#,
        r#"{"title": "x", "number": "5", "no": 5}"#,
        r#"{"title": "x", "is_public": 1}"#,
        r#"{"title": "x", "is_public": "yes"}"#,
        r#"{"title": "x", "budget": "0.1000000000000000055511151231257827"}"#,
        r#"{"title": "x", "priority": "urgent"}"#,
        r#"{"title": "x", "labels": "[home]"}"#,
        r#"{"title": "x", "labels": "home, work"}"#,
        r#"{"title": "x", "labels": 5}"#,
        r#"{"title": "x", "ISPUBLIC": true, "isPublic": true}"#,
        r#"{"title": "x", "is_public": false, "isPublic": true}"#,
        r#"{"title": "x", "steps": "[{\"what\": \"a\", \"what\": \"b\"}]"}"#,
        r#"{"title": "x", "title": "x", "number": "5"}"#,
        r#"{"title": 5}"#,
        r#"{"title": null}"#,
        r#"{"title": "x", "weights": {"a": null}}"#,
        r#"{"title": "x", "number": "5""#,
        r#"[{"title": "x"}]"#,
    ] {
        let refused = executor.call("plan", arguments).await;
        let kind = refused.error().map(toolwright::ToolError::kind);
        assert_eq!(kind, Some(ErrorKind::InvalidArguments), "{arguments}");
    }
}

/// Sign in, and give back how.
#[tool(register = false, pure)]
fn sign_in(#[arg(secret, aliases("code"))] pin: u32, user: Option<u32>) -> String {
    format!("{pin} {user:?}")
}

#[tokio::test]
async fn a_secret_is_repaired_and_shown_to_nobody() {
    let executor = executor(SignIn);
    for (key, repairs) in [
        ("pin", &["`/pin`: a secret was repaired"][..]),
        ("code", &["`/code`: a secret was repaired"]),
        (
            "PIN",
            &[
                "`/PIN`: a secret was repaired",
                "`/PIN` was renamed to `pin`",
            ],
        ),
    ] {
        let outcome = executor.call("sign_in", json!({key: "271828"})).await;
        assert_eq!(outcome.text(), "271828 None");
        assert_eq!(told(&outcome), repairs);
        let repairs = outcome.result().repairs();
        let shown = format!("{repairs:?} {}", serde_json::to_string(repairs).unwrap());
        assert!(!shown.contains("271828"), "{shown}");
        assert!(repairs[0].is_secret() && repairs[0].from().is_none());
    }
    let whole = executor
        .call("sign_in", json!("{\"pin\": \"271828\", \"user\": \"5\"}"))
        .await;
    assert_eq!(whole.text(), "271828 Some(5)");
    let shown = format!("{:?}", whole.result().repairs());
    assert!(!shown.contains("271828"), "{shown}");
}

#[tokio::test]
async fn people_are_asked_about_what_runs() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let checker = judge(
        |_| Verdict::Allow,
        move |_, request| {
            noted.lock().unwrap().push(request.target().to_owned());
            Verdict::deny("no")
        },
    );
    let executor = builder(Delete).permission_checker(checker).build().unwrap();
    let denied = executor.call("delete", json!({"ids": "7"})).await;
    assert_eq!(denied.error().unwrap().kind(), ErrorKind::Denied);
    assert_eq!(*seen.lock().unwrap(), ["[7]"]);
    // The call was refused after its repair, and the repair is reported all the same.
    assert_eq!(
        told(&denied),
        ["`/ids`: \"7\" became [\"7\"]", "`/ids/0`: \"7\" became 7"]
    );
}

/// Delete things.
#[tool(register = false, permission = PermissionRequest::new("things", format!("{ids:?}"), "Delete"))]
fn delete(ids: Vec<u32>) -> usize {
    ids.len()
}

/// Notes what it sees of a call, and allows it.
struct Noting(Arc<Mutex<Vec<Seen>>>);

/// Canonical arguments and purpose.
type Seen = (String, Option<String>);

impl PermissionChecker for Noting {
    fn check_tool(&self, _: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, call: &CallView<'_>, _: &PermissionRequest) -> Verdict {
        let canonical = call.arguments().unwrap().to_string();
        let purpose = call.purpose().map(str::to_owned);
        self.0.lock().unwrap().push((canonical, purpose));
        Verdict::Allow
    }
}

#[tokio::test]
async fn a_judge_sees_the_repaired_arguments_and_no_purpose() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let checker = Noting(noted);
    let registry = ToolRegistry::new().with(Delete).ask_purpose();
    let executor = Executor::builder(registry)
        .permission_checker(checker)
        .build()
        .unwrap();
    for sent in [
        json!({"Ids": "[\"7\"]", "tool_use_purpose": "It is old."}),
        json!("{\"ids\": [7], \"tool_use_purpose\": \"It is old.\"}"),
    ] {
        let outcome = executor.call("delete", &sent).await;
        assert_eq!(outcome.text(), "1", "{sent}");
        assert_eq!(outcome.result().purpose(), Some("It is old."));
        let expected = (r#"{"ids":[7]}"#.to_owned(), Some("It is old.".to_owned()));
        assert_eq!(std::mem::take(&mut *seen.lock().unwrap()), [expected]);
    }
}

/// Roll dice.
#[derive(Tool)]
#[tool(pure)]
struct Roll {
    /// Number of dice.
    dice: u32,
}

impl RunTool for Roll {
    type Output = u32;

    async fn run(self, _ctx: &ToolContext) -> u32 {
        self.dice
    }
}

#[test]
fn a_host_that_parses_itself_repairs_likewise() {
    let sent = Arguments::from(r#"{"Dice": "2"}"#);
    assert!(Roll::from_arguments(&sent).is_err());
    let repaired = Roll::spec().repair(&sent).unwrap();
    assert_eq!(Roll::from_arguments(repaired.arguments()).unwrap().dice, 2);
    assert_eq!(repaired.repairs().len(), 2);
    assert_eq!(Roll::spec().effect(), Effect::Pure);
    assert!(
        Roll::spec()
            .repair(&Arguments::from(r#"{"dice": 2}"#))
            .is_none()
    );
    assert!(Roll::spec().repair(&Arguments::empty()).is_none());
}
