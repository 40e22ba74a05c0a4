//! `#[arg(secret)]`: the value is in no report, whatever is wrong with the call.

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::{Executor, Tool, ToolCall, ToolRegistry, tool, tool_type, toolset};

use crate::support::{place, places};

/// A way in.
#[tool_type]
struct Login {
    user: String,
    #[arg(length = 8..)]
    password: String,
}

/// A way in of some kind.
#[tool_type]
#[serde(tag = "by", rename_all = "snake_case")]
enum Key {
    Password { text: String },
    Token { number: u32 },
}

/// Sign in.
#[tool(register = false, pure)]
fn sign_in(
    #[arg(secret, aliases("pin"), length = 4..=6)] code: Option<String>,
    #[arg(secret)] login: Option<Login>,
    #[arg(secret)] key: Option<Key>,
    #[arg(secret, one_of("hunter1", "hunter3"))] word: Option<String>,
    #[arg(secret)] map: Option<std::collections::BTreeMap<String, u8>>,
    name: Option<String>,
) -> usize {
    let login = login.map_or(0, |login| login.user.len() + login.password.len());
    let key = key.map_or(0, |key| match key {
        Key::Password { text } => text.len(),
        Key::Token { number } => number as usize,
    });
    let text = |text: Option<String>| text.map_or(0, |text| text.len());
    text(code) + login + key + text(word) + text(name) + map.map_or(0, |map| map.len())
}

/// Arguments with a mistake in a secret, and the place that is reported.
fn wrong() -> Vec<(Value, ProblemKind, &'static str)> {
    use ProblemKind::{Constraint, Type};
    vec![
        (json!({"code": 271_828}), Type, "/code"),
        (json!({"code": ["hunter2"]}), Type, "/code"),
        (json!({"code": true}), Type, "/code"),
        (json!({"code": "hunter2"}), Constraint, "/code"),
        (json!({"pin": "hunter2"}), Constraint, "/code"),
        (json!({"login": "hunter2"}), Type, "/login"),
        (
            json!({"login": {"user": "hunter2", "password": 271_828}}),
            Type,
            "/login",
        ),
        (
            json!({"login": {"user": "hunter2", "password": "hunter2"}}),
            Type,
            "/login",
        ),
        (
            json!({"login": {"user": "hunter2", "passwort": "hunter2"}}),
            Type,
            "/login",
        ),
        (
            json!({"login": {"user": "hunter2", "password": "hunter2hunter2", "hunter2": 1}}),
            Type,
            "/login",
        ),
        (json!({"key": {"by": "hunter2"}}), Type, "/key"),
        (
            json!({"key": {"by": "token", "number": "hunter2"}}),
            Type,
            "/key",
        ),
        (
            json!({"key": {"by": "token", "number": 1, "hunter2": 1}}),
            Type,
            "/key",
        ),
        (json!({"key": ["hunter2"]}), Type, "/key"),
        (json!({"word": "hunter2"}), Constraint, "/word"),
        (json!({"map": {"hunter2": 271_828}}), Type, "/map"),
        (json!({"map": {"hunter2": "hunter2"}}), Type, "/map"),
    ]
}

fn shows_the_value(text: &str) -> bool {
    text.contains("hunter2") || text.contains("271828") || text.contains("passwort")
}

#[tokio::test]
async fn a_secret_is_in_no_report() {
    let executor = Executor::new(ToolRegistry::new().with(SignIn)).unwrap();
    for (arguments, kind, at) in wrong() {
        for outcome in [
            executor.call("sign_in", &arguments).await,
            executor.call("sign_in", arguments.to_string()).await,
        ] {
            let error = outcome.error().unwrap();
            let source = std::error::Error::source(error).map(ToString::to_string);
            let invalid = error.invalid_arguments().unwrap();
            for text in [
                outcome.text(),
                format!("{outcome:?}"),
                format!("{error:?} {error} {source:?}"),
                format!("{invalid:?} {invalid}"),
                serde_json::to_string(invalid).unwrap(),
                outcome.result().to_json().unwrap().to_string(),
            ] {
                assert!(!shows_the_value(&text), "{arguments}: {text}");
            }
            let [problem] = invalid.problems() else {
                panic!("{invalid}");
            };
            assert_eq!(problem.pointer(), at, "{arguments}");
            assert_eq!(problem.kind(), kind, "{arguments}");
            assert_eq!(problem.suggestion(), None);
            assert!(problem.message().contains("which is secret"), "{problem}");
        }
    }
}

#[tokio::test]
async fn a_secret_that_is_given_twice_or_not_json_is_in_no_report() {
    let executor = Executor::new(ToolRegistry::new().with(SignIn)).unwrap();
    for (text, expected) in [
        (
            r#"{"word": "hunter1", "word": "hunter2"}"#,
            vec![place(ProblemKind::Repeated, "/word")],
        ),
        (
            r#"{"code": "1234", "pin": "hunter2"}"#,
            vec![place(ProblemKind::Repeated, "/code")],
        ),
        (
            r#"{"code": "hunter2}"#,
            vec![place(ProblemKind::Syntax, "")],
        ),
        (r#"{"code": hunter2}"#, vec![place(ProblemKind::Syntax, "")]),
        (
            r#"{"map": {"hunter2": 1, "hunter2": 2}}"#,
            vec![place(ProblemKind::Type, "/map")],
        ),
    ] {
        let outcome = executor.call("sign_in", text).await;
        assert_eq!(places(&outcome), expected, "{text}");
        let all = format!("{outcome:?} {}", outcome.text());
        assert!(!shows_the_value(&all), "{all}");
    }
    // Only the argument is secret, and not the others.
    let outcome = executor.call("sign_in", r#"{"name": 271828}"#).await;
    assert!(shows_the_value(&outcome.text()), "{}", outcome.text());
}

#[tokio::test]
async fn a_secret_reaches_the_body_and_the_spec_names_it() {
    let executor = Executor::new(ToolRegistry::new().with(SignIn)).unwrap();
    let good = r#"{"pin": "1234", "word": "hunter1", "key": {"by": "token", "number": 2}}"#;
    assert_eq!(executor.call("sign_in", good).await.text(), "13");
    let spec = SignIn.spec();
    assert_eq!(spec.secrets(), ["code", "login", "key", "word", "map"]);
    let call = ToolCall::new("sign_in", r#"{"code": "hunter2"}"#);
    assert!(!shows_the_value(&format!("{call:?}")), "{call:?}");
    let call = ToolCall::new("sign_in", json!({"code": "hunter2"}));
    assert!(!shows_the_value(&format!("{call:?}")), "{call:?}");
}

struct Vault;

#[toolset]
impl Vault {
    /// Open the vault.
    #[tool(name = "vault.open", pure)]
    fn open(&self, #[arg(secret, range = 1000..=9999)] code: u32) -> bool {
        code == 2718
    }
}

#[tokio::test]
async fn a_secret_of_a_method_is_in_no_report() {
    let executor = Executor::new(ToolRegistry::new().with_set(Vault)).unwrap();
    for arguments in [r#"{"code": 271828}"#, r#"{"code": "hunter2"}"#] {
        let outcome = executor.call("vault.open", arguments).await;
        assert!(!shows_the_value(&outcome.text()), "{}", outcome.text());
        assert!(
            outcome.text().contains("from 1000 to 9999"),
            "{}",
            outcome.text()
        );
    }
    assert_eq!(
        executor
            .call("vault.open", r#"{"code": 2718}"#)
            .await
            .text(),
        "true"
    );
}

/// Look behind the door.
#[tool(register = false, pure)]
fn peek(
    #[arg(secret, default = "hunter2", length = 4..)] word: String,
    #[arg(secret, default)] number: u32,
    #[arg(default = 3)] depth: u32,
) -> String {
    format!("{} {number} {depth}", word.len())
}

#[tokio::test]
async fn the_default_of_a_secret_is_not_shown_and_is_filled_in() {
    let spec = Peek.spec();
    let schema = spec.input_schema();
    assert!(!shows_the_value(&schema.to_string()), "{schema}");
    assert!(!shows_the_value(&format!("{spec:?}")), "{spec:?}");
    let properties = &schema["properties"];
    assert_eq!(properties["word"].get("default"), None);
    assert_eq!(properties["number"].get("default"), None);
    assert_eq!(properties["depth"]["default"], 3);
    assert_eq!(properties["word"]["minLength"], 4);
    let required = schema.get("required").and_then(Value::as_array);
    assert!(required.is_none_or(Vec::is_empty), "{schema}");

    let executor = Executor::new(ToolRegistry::new().with(Peek)).unwrap();
    assert_eq!(executor.call("peek", "{}").await.text(), "7 0 3");
    let outcome = executor.call("peek", r#"{"word": "abc"}"#).await;
    assert!(!shows_the_value(&outcome.text()), "{}", outcome.text());
}

/// A field that its schema marks, in types of all kinds.
#[tool_type]
struct Marked {
    user: String,
    #[arg(aliases("passphrase"), length = 8..)]
    #[schemars(extend("writeOnly" = true))]
    password: String,
    #[schemars(extend("writeOnly" = true))]
    login: Option<Login>,
}

/// The same, read from a copy.
#[tool_type]
struct Copied {
    #[serde(flatten)]
    marked: Marked,
}

/// Sign in another way.
#[tool(register = false, pure)]
fn enter(marked: Option<Vec<Marked>>, copied: Option<Copied>) -> usize {
    let size = |marked: &Marked| {
        let login = marked.login.as_ref().map_or(0, |login| login.user.len());
        marked.user.len() + marked.password.len() + login
    };
    let all = marked.iter().flatten().map(size).sum::<usize>();
    all + copied.map_or(0, |copied| size(&copied.marked))
}

#[tokio::test]
async fn a_field_that_the_schema_marks_is_in_no_report() {
    use ProblemKind::{Constraint, Type};
    let executor = Executor::new(ToolRegistry::new().with(Enter)).unwrap();
    let right = json!({"user": "Ada", "password": "12345678"});
    for (change, kind, at) in [
        (json!({"password": "hunter2"}), Constraint, "/password"),
        (json!({"password": 271_828}), Type, "/password"),
        (json!({"login": "hunter2"}), Type, "/login"),
        (json!({"login": {"hunter2": 1}}), Type, "/login"),
        (
            json!({"login": {"user": "hunter2", "password": "hunter2", "hunter2": 1}}),
            Type,
            "/login",
        ),
        (
            json!({"user": 1, "password": "hunter2"}),
            Constraint,
            "/password",
        ),
    ] {
        let mut bad = right.clone();
        let members = bad.as_object_mut().unwrap();
        members.extend(change.as_object().unwrap().clone());
        for (arguments, top) in [
            (json!({"marked": [right, bad]}), "/marked/1"),
            (json!({"copied": bad}), "/copied"),
        ] {
            let outcome = executor.call("enter", &arguments).await;
            let error = outcome.error().unwrap();
            let invalid = error.invalid_arguments().unwrap();
            for text in [
                outcome.text(),
                format!("{invalid:?}"),
                serde_json::to_string(invalid).unwrap(),
            ] {
                assert!(!shows_the_value(&text), "{arguments}: {text}");
            }
            let at = format!("{top}{at}");
            let told = invalid.problems().iter().filter(|p| p.pointer() == at);
            let told: Vec<_> = told.map(|p| (p.kind(), p.found())).collect();
            assert_eq!(told, [(kind, None)], "{arguments}: {invalid}");
        }
    }
    for value in [json!("hunter2"), json!(271_828)] {
        for arguments in [
            json!({"marked": [{"user": "Ada", "passphrase": value}]}),
            json!({"copied": {"user": "Ada", "passphrase": value}}),
        ] {
            let outcome = executor.call("enter", &arguments).await;
            assert!(outcome.result().is_error());
            assert!(!shows_the_value(&outcome.text()), "{}", outcome.text());
        }
    }
}

/// Open a door.
#[tool(register = false, pure)]
fn open_door(login: SecretLogin, logins: Option<Vec<SecretLogin>>) -> usize {
    login.user.len() + login.password.len() + logins.map_or(0, |all| all.len())
}

/// A login with a secret part.
#[tool_type]
struct SecretLogin {
    user: String,
    #[schemars(extend("writeOnly" = true))]
    password: String,
}

/// A tool by hand that reads its arguments into a type.
#[derive(Debug)]
struct ByHand(toolwright::ToolSpec);

impl Tool for ByHand {
    fn spec(&self) -> &toolwright::ToolSpec {
        &self.0
    }

    fn parse(
        &self,
        arguments: &toolwright::arguments::Arguments<'_>,
    ) -> Result<Box<dyn toolwright::tools::Invocation>, toolwright::arguments::InvalidArguments>
    {
        #[derive(serde::Deserialize)]
        #[allow(dead_code, reason = "only read")]
        struct Read {
            code: u8,
            login: Option<Login>,
        }
        arguments.parse::<Read>()?;
        Err(toolwright::arguments::InvalidArguments::new(Vec::new()))
    }
}

#[tokio::test]
async fn what_should_have_held_a_secret_is_not_shown_either() {
    let spec = toolwright::ToolSpec::new(toolwright::ToolName::new("by_hand").unwrap(), "By hand.")
        .with_input_schema(json!({"type": "object", "properties": {
            "code": {"type": "integer"},
            "login": {"type": "object", "properties": {"password": {"writeOnly": true}}},
        }}))
        .with_secret("code");
    let registry = ToolRegistry::new()
        .with(OpenDoor)
        .with(SignIn)
        .with(ByHand(spec));
    let executor = Executor::new(registry).unwrap();
    for (tool, arguments) in [
        // JSON in a text, with a flaw.
        ("open_door", json!({"login": "{\"password\": hunter2}"})),
        ("open_door", json!({"login": "{\"password\": \"hunter2\""})),
        ("open_door", json!({"login": "hunter2"})),
        ("open_door", json!({"login": 271_828})),
        ("open_door", json!({"login": ["hunter2"]})),
        ("open_door", json!({"login": {"hunter2": 1}})),
        (
            "open_door",
            json!({"login": {"user": "", "password": ""}, "logins": ["hunter2"]}),
        ),
        ("open_door", json!("{\"login\": hunter2}")),
        ("open_door", json!(["hunter2"])),
        ("sign_in", json!("{\"code\": hunter2}")),
        ("sign_in", json!("hunter2")),
        ("by_hand", json!({"code": "hunter2"})),
        ("by_hand", json!({"code": 1, "login": "hunter2"})),
        (
            "by_hand",
            json!({"code": 1, "login": {"user": "", "password": ["hunter2"]}}),
        ),
        ("by_hand", json!("hunter2")),
    ] {
        for outcome in [
            executor.call(tool, &arguments).await,
            executor.call(tool, arguments.to_string()).await,
        ] {
            let Some(error) = outcome.error() else {
                panic!("{arguments} was taken");
            };
            let text = format!(
                "{error:?} {:?} {}",
                error.invalid_arguments(),
                outcome.text()
            );
            let is_key = arguments["login"].get("hunter2").is_some();
            assert!(is_key || !shows_the_value(&text), "{arguments}: {text}");
            assert!(
                text.contains('`') || text.contains("expected an object"),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn text_that_is_no_json_shows_no_secret() {
    let executor = Executor::new(ToolRegistry::new().with(OpenDoor).with(SignIn)).unwrap();
    for text in [
        "{\"code\": hunter2}",
        "{\"code\": \"hunter2",
        "{\"code\": \"hunter2\"",
        "{\"code\": \"x\"hunter2\"}",
        "hunter2",
        "\"hunter2",
        "[\"hunter2\"] x",
        "```json\n{\"code\": hunter2}\n```",
    ] {
        for tool in ["sign_in", "open_door"] {
            let outcome = executor.call(tool, text).await;
            let text = format!("{:?} {}", outcome.error().unwrap(), outcome.text());
            assert!(!shows_the_value(&text), "{text}");
        }
    }
}
