//! Calls that are meant to show a judge something else than the body gets.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::{Executor, PermissionRequest, ToolRegistry, ToolSpec, tool};

type Seen = Arc<Mutex<Vec<Value>>>;

/// Keeps what is asked for and all arguments, and allows it.
struct Keeps(Seen);

impl PermissionChecker for Keeps {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        let arguments = call.arguments().map(|all| all.as_value().clone());
        let arguments = arguments.unwrap_or(Value::Null);
        let seen = json!({"target": request.target(), "arguments": arguments});
        self.0.lock().unwrap().push(seen);
        Verdict::Allow
    }
}

/// The arguments that the body got.
struct Ran(Seen);

/// Remove a file.
#[tool(
    name = "remove",
    register = false,
    permission = PermissionRequest::new("remove", path.clone(), "Remove a file.")
)]
fn remove(
    #[arg(aliases("file", "p"))] path: String,
    #[arg(default = "all")] scope: String,
    #[arg(default)] force: bool,
    keep: Option<Vec<u8>>,
    #[arg(secret)] token: Option<String>,
    ran: &Ran,
) {
    let token = token.map_or(0, |token| token.len());
    let all = json!({"path": path, "scope": scope, "force": force, "keep": keep, "token": token});
    ran.0.lock().unwrap().push(all);
}

#[tokio::test]
async fn a_judge_sees_what_the_body_gets_or_nothing_runs() {
    let (seen, ran) = (Seen::default(), Seen::default());
    let executor = Executor::builder(ToolRegistry::new().with(Remove).ask_purpose())
        .resource(Ran(ran.clone()))
        .permission_checker(Keeps(seen.clone()))
        .build()
        .unwrap();
    let mut all_ran = 0;
    for arguments in [
        r#"{"path": "a"}"#,
        r#"{"file": "a", "force": true}"#,
        r#"{"file": "a", "path": "b"}"#,
        r#"{"path": "b", "p": "a"}"#,
        r#"{"path": "a", "path": "b"}"#,
        r#"{"path": "a", "p\u0061th": "b"}"#,
        r#"{"p\u0061th": "b"}"#,
        r#"{"Path": "a"}"#,
        r#"{"Path": "a", "path": "b"}"#,
        r#"{"PATH": "a", "Path": "b"}"#,
        r#"{"File": "a"}"#,
        r#"{"File": "a", "path": "b"}"#,
        r#"{"FILE": "a", "Path": "b"}"#,
        r#"{"pa_th": "a", "file": null}"#,
        r#"{"path": "b", "file": null}"#,
        r#"{"path": null, "file": "b"}"#,
        // The Kelvin sign, which is a k in lower case, and a full-width p.
        r#"{"path": "a", "\u212aeep": [1]}"#,
        r#"{"\uff50ath": "a"}"#,
        r#"{"path\u0000": "a"}"#,
        r#"{"path": "a", "scope": null, "force": null, "keep": null}"#,
        r#"{"path": "a", "Scope": null}"#,
        r#"{"path": "a", "scope": "one", "Scope": null}"#,
        r#"{"path": "a", "force": "True", "keep": "7"}"#,
        r#"{"path": "a", "keep": "[1, 2.0]"}"#,
        r#"{"path": "a", "keep": "[1, 2", "force": "x"}"#,
        r#"{"path": "a", "token": "hunter2"}"#,
        r#"{"path": "a", "Token": "hunter2"}"#,
        r#"{"path": "a", "token": {"$secret": "x"}}"#,
        r#"{"path": {"$secret": "x"}}"#,
        r#"{"path": "a", "tool_use_purpose": "to tidy up"}"#,
        r#"{"path": "a", "tool_use_purpos\u0065": {"path": "b"}}"#,
        r#"{"path": "a", "toolUsePurpose": "to tidy up"}"#,
        r#"{"tool_use_purpose": {"path": "b"}, "tool_use_purpose": "x", "path": "a"}"#,
        r#"{"arguments": {"path": "b"}, "path": "a"}"#,
        r#""{\"path\": \"a\"}""#,
        r#""{\"path\": \"a\", \"path\": \"b\"}""#,
        r#""{\"path\": \"a\", \"tool_use_purpose\": \"x\"}""#,
        r#""{\"path\": \"a\", \"tool_use_purpose\": \"x\", \"tool_use_purpose\": \"y\"}""#,
    ] {
        for tree in [false, true] {
            let outcome = match serde_json::from_str::<Value>(arguments) {
                Ok(value) if tree => executor.call("remove", &value).await,
                _ => executor.call("remove", arguments).await,
            };
            let (seen, ran) = (
                std::mem::take(&mut *seen.lock().unwrap()),
                std::mem::take(&mut *ran.lock().unwrap()),
            );
            let shown = format!("{arguments}: {} {outcome:?}", outcome.text());
            assert!(!shown.replace(arguments, "").contains("hunter2"), "{shown}");
            assert_eq!(seen.len(), ran.len(), "{shown}");
            assert_eq!(outcome.is_success(), !ran.is_empty(), "{shown}");
            let (Some(seen), Some(ran)) = (seen.first(), ran.first()) else {
                continue;
            };
            all_ran += 1;
            let told = &seen["arguments"];
            assert_eq!(seen["target"], ran["path"], "{shown}");
            for name in ["path", "scope", "force", "keep"] {
                assert_eq!(told[name], ran[name], "{name} of {shown}: {told}");
            }
            let has_token = ran["token"] != 0;
            assert_eq!(
                told.get("token").is_some_and(|t| !t.is_null()),
                has_token,
                "{shown}"
            );
            assert!(!told.to_string().contains("hunter2"), "{shown}");
            let known = ["path", "scope", "force", "keep", "token"];
            let named = told.as_object().unwrap();
            assert!(
                named.keys().all(|name| known.contains(&&**name)),
                "{shown}: {told}"
            );
        }
    }
    assert!(all_ran > 20, "{all_ran}");
}
