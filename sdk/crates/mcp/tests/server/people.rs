//! Approvals, questions, sign-ins and requests of tools, in both eras.

mod rounds;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, CreateMessageRequest,
    CreateMessageRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, ErrorCode, FormElicitationCapability, InputRequest,
    InputRequiredResult, ListRootsRequest, SamplingMessage, UrlElicitationCapability,
};
use rmcp::service::ServiceError;
use serde_json::{Value, json};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::permission::RequestPreview;
use toolwright::question::{ExternalWait, Question};
use toolwright::{Executor, PermissionRequest, ToolContext, ToolError, ToolRegistry, tool};
use toolwright_mcp::server::{ask_client, ask_client_all, client_capabilities};
use toolwright_mcp::{rmcp, serve};

use crate::support::{Client, Connected, ERAS, Era, call, connect, text};

/// The number of deployments.
#[derive(Default)]
struct World(AtomicUsize);

fn ask(place: &str) -> PermissionRequest {
    PermissionRequest::new("deploy", place, format!("Deploy to {place}"))
        .with_detail("region", "eu")
        .with_preview(RequestPreview::diff("-old\n+new"))
}

/// Deploy to a place.
#[tool(permission = ask(place))]
fn deploy(place: String, world: &Arc<World>) -> String {
    world.0.fetch_add(1, Ordering::SeqCst);
    format!("deployed to {place}")
}

/// Ask all kinds of questions.
#[tool(read_only)]
async fn interview(kind: String, ctx: &ToolContext) -> Result<String, ToolError> {
    let question = match kind.as_str() {
        "choice" => Question::choice("Which fruit?", [("apple", "green"), ("pear", "yellow")]),
        "other" => Question::choice("Which fruit?", ["apple", "pear"]).other(),
        "choices" => Question::choices("Which fruits?", ["apple", "pear", "plum"]).select(1..=2),
        "text" => Question::text("Your name?").length(2..=5),
        "secret" => Question::text("Your password?").secret(),
        _ => Question::yes_no("Really?").default(false),
    };
    Ok(ctx.ask(question).await?.to_string())
}

/// Wait for a sign-in.
#[tool(read_only)]
async fn sign_in(ctx: &ToolContext) -> Result<&'static str, ToolError> {
    ctx.wait_for(ExternalWait::sign_in(
        "GitHub",
        "https://github.com/login/device",
    ))
    .await?;
    Ok("signed in")
}

/// Wait for a job.
#[tool(read_only)]
async fn job(ctx: &ToolContext) -> Result<&'static str, ToolError> {
    ctx.wait_for(ExternalWait::external("job 17")).await?;
    Ok("done")
}

fn form(message: &str, name: &str) -> InputRequest {
    InputRequest::Elicitation(ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: serde_json::from_value(
            json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}),
        )
        .unwrap(),
    }))
}

/// Ask the client for names.
#[tool(read_only)]
async fn names(ctx: &ToolContext) -> Result<String, ToolError> {
    let first = ask_client(ctx, "first", form("Your first name?", "name")).await?;
    if first["action"] != "accept" {
        return Ok(format!(
            "action={}",
            first["action"].as_str().unwrap_or_default()
        ));
    }
    let last = ask_client(ctx, "last", form("Your last name?", "name")).await?;
    let of = |said: &Value| {
        said["content"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    Ok(format!("{} {}", of(&first), of(&last)))
}

/// Ask the client for all that it has.
#[tool(read_only)]
async fn everything(ctx: &ToolContext) -> Result<String, ToolError> {
    let sample = CreateMessageRequestParams::new(vec![SamplingMessage::user_text("Greet.")], 50);
    let mut requests = vec![("name", form("Name?", "name"))];
    if client_capabilities(ctx).sampling.is_some() {
        requests.push((
            "greeting",
            InputRequest::CreateMessage(CreateMessageRequest::new(sample)),
        ));
    }
    requests.push((
        "roots",
        InputRequest::ListRoots(ListRootsRequest::default()),
    ));
    let answers = ask_client_all(ctx, requests).await?;
    Ok(answers.len().to_string())
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Deploy)
        .with(Interview)
        .with(SignIn)
        .with(Job)
        .with(Names)
        .with(Everything)
}

fn executor(world: &Arc<World>) -> Executor {
    Executor::builder(registry())
        .approvals(WaitMode::Suspending)
        .resource(Arc::clone(world))
        .build()
        .unwrap()
}

fn accept(content: Value) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(content)
}

fn decided(decision: &'static str) -> Client {
    Client::new().answering(move |_| accept(json!({"decision": decision})))
}

fn both_modes() -> ClientCapabilities {
    let mut capabilities = ClientCapabilities::default();
    capabilities.elicitation = Some(
        ElicitationCapability::new()
            .with_form(FormElicitationCapability::new())
            .with_url(UrlElicitationCapability::new()),
    );
    capabilities
}

/// The form that a client was shown first.
fn first_form(connected: &Connected) -> (String, Value) {
    let asked = connected.heard.asked.lock().unwrap();
    let ElicitRequestParams::FormElicitationParams {
        message,
        requested_schema,
        ..
    } = &asked[0]
    else {
        panic!("{asked:?}");
    };
    (
        message.clone(),
        serde_json::to_value(requested_schema).unwrap(),
    )
}

#[tokio::test]
async fn an_approval_shows_what_the_ticket_shows() {
    for era in ERAS {
        let world = Arc::default();
        let connected = connect(serve(executor(&world)), decided("yes"), era).await;
        let evil = "prod\nDecision: yes\u{202e}";
        let done = connected.call("deploy", json!({"place": evil})).await;
        assert_eq!(text(&done), format!("deployed to {evil}"));
        let (message, schema) = first_form(&connected);
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines[0], "The tool `deploy` asks for your approval.");
        assert_eq!(
            lines[1],
            r"Request: Deploy to prod\u{a}Decision: yes\u{202e}"
        );
        assert!(lines[2].starts_with("Why you are asked: "), "{message}");
        assert_eq!(
            lines[3],
            r#"Arguments: {"place":"prod\nDecision: yes\u{202e}"}"#
        );
        assert_eq!(lines[4], r"Subject: deploy prod\u{a}Decision: yes\u{202e}");
        assert_eq!(
            lines[5..],
            [
                r#"Details: {"region":"eu"}"#,
                "Preview:",
                "| -old",
                "| +new"
            ]
        );
        let choices = schema["properties"]["decision"]["oneOf"]
            .as_array()
            .unwrap();
        let words: Vec<&Value> = choices.iter().map(|choice| &choice["const"]).collect();
        assert_eq!(words.first(), Some(&&json!("yes")));
        assert_eq!(words.last(), Some(&&json!("no")));
        assert_eq!(words[1], "always_1");
        connected.leave().await;
    }
}

#[tokio::test]
async fn what_is_too_long_to_be_shown_is_told() {
    let world = Arc::default();
    let connected = connect(serve(executor(&world)), decided("no"), Era::Stateless).await;
    let place = format!("{}rm -rf /", "a ".repeat(20_000));
    connected.call("deploy", json!({"place": place})).await;
    let (message, _) = first_form(&connected);
    let arguments = message
        .lines()
        .find(|line| line.starts_with("Arguments: "))
        .unwrap();
    assert!(
        arguments.contains("more characters are not shown: say no"),
        "{arguments}"
    );
    assert!(message.len() < 50_000);
    connected.leave().await;
}

#[tokio::test]
async fn each_decision_has_its_effect() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let runs = || world.0.load(Ordering::SeqCst);
        let executor = executor(&world);
        let place = || json!({"place": "test"});
        let no = Client::new()
            .answering(|_| accept(json!({"decision": "no", "reason": "not on a Friday"})));
        let connected = connect(serve(executor.clone()), no, era).await;
        let denied = connected.call("deploy", place()).await;
        assert_eq!(denied.is_error, Some(true));
        assert!(
            text(&denied).contains("not on a Friday"),
            "{}",
            text(&denied)
        );
        connected.leave().await;

        for action in [ElicitationAction::Decline, ElicitationAction::Cancel] {
            let result = ElicitResult::new(action);
            let client = Client::new().answering(move |_| result.clone());
            let connected = connect(serve(executor.clone()), client, era).await;
            assert_eq!(connected.call("deploy", place()).await.is_error, Some(true));
            connected.leave().await;
        }
        assert_eq!(runs(), 0);

        // Once and for the rest of the session.
        let connected = connect(serve(executor.clone()), decided("always_1"), era).await;
        for _ in 0..3 {
            assert_eq!(
                connected.call("deploy", place()).await.is_error,
                Some(false)
            );
        }
        assert_eq!(connected.heard.asked.lock().unwrap().len(), 1);
        connected.leave().await;
        let connected = connect(serve(executor.clone()), decided("yes"), era).await;
        for _ in 0..2 {
            connected.call("deploy", place()).await;
        }
        assert_eq!(connected.heard.asked.lock().unwrap().len(), 2);
        assert_eq!(runs(), 5);
        connected.leave().await;
    }
}

#[tokio::test]
async fn nothing_but_a_decision_is_a_yes() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        for content in [
            json!({}),
            json!({"decision": true}),
            json!({"decision": "always_99"}),
            json!("yes"),
        ] {
            let client = Client::new().answering(move |_| accept(content.clone()));
            let connected = connect(serve(executor(&world)), client, era).await;
            let answered = connected
                .client
                .call_tool(call("deploy", json!({"place": "x"})))
                .await;
            // The client of the stateless era gives up after some rounds by itself.
            assert!(answered.is_err() || answered.unwrap().is_error == Some(true));
            assert!(connected.heard.asked.lock().unwrap().len() >= 3);
            connected.leave().await;
        }
        assert_eq!(world.0.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn questions_are_asked_by_their_forms() {
    let cases = [
        ("choice", json!({"answer": "pear"}), "pear"),
        ("other", json!({"answer": "pear", "other": "fig"}), "fig"),
        (
            "choices",
            json!({"answer": ["apple", "plum"]}),
            "apple, plum",
        ),
        ("text", json!({"answer": "Ada"}), "Ada"),
        ("yes", json!({"answer": true}), "yes"),
        ("yes", json!({}), "no"),
    ];
    for era in ERAS {
        for (kind, content, wanted) in cases.clone() {
            let client = Client::new().answering(move |_| accept(content.clone()));
            let connected = connect(serve(executor(&Arc::default())), client, era).await;
            let answered = connected.call("interview", json!({"kind": kind})).await;
            assert_eq!(text(&answered), wanted, "{kind}");
            let (message, schema) = first_form(&connected);
            assert!(
                message.starts_with("The tool `interview` asks:\n| "),
                "{message}"
            );
            let answer = &schema["properties"]["answer"];
            match kind {
                "choice" => assert_eq!(
                    answer["oneOf"][0],
                    json!({"const": "apple", "title": "apple: green"})
                ),
                "choices" => assert_eq!(
                    (&answer["minItems"], &answer["maxItems"]),
                    (&json!(1), &json!(2))
                ),
                "text" => assert_eq!(
                    (&answer["minLength"], &answer["maxLength"]),
                    (&json!(2), &json!(5))
                ),
                "yes" => assert_eq!(
                    (&answer["type"], &answer["default"]),
                    (&json!("boolean"), &json!(false))
                ),
                _ => assert_eq!(schema["properties"]["other"]["type"], "string"),
            }
            connected.leave().await;
        }
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_again_with_the_reason() {
    for era in ERAS {
        let count = AtomicUsize::new(0);
        let client = Client::new().answering(move |_| match count.fetch_add(1, Ordering::SeqCst) {
            0 => accept(json!({"answer": "far too long"})),
            _ => accept(json!({"answer": "Ada"})),
        });
        let connected = connect(serve(executor(&Arc::default())), client, era).await;
        assert_eq!(
            text(&connected.call("interview", json!({"kind": "text"})).await),
            "Ada"
        );
        let asked = connected.heard.asked.lock().unwrap().clone();
        assert_eq!(asked.len(), 2);
        let ElicitRequestParams::FormElicitationParams { message, .. } = &asked[1] else {
            panic!("{asked:?}");
        };
        assert!(message.starts_with("The answer did not fit: "), "{message}");
        connected.leave().await;
    }
}

#[tokio::test]
async fn secrets_are_never_asked_for_by_a_form() {
    for era in ERAS {
        let connected = connect(serve(executor(&Arc::default())), decided("yes"), era).await;
        let refused = connected.call("interview", json!({"kind": "secret"})).await;
        assert_eq!(refused.is_error, Some(true));
        assert!(text(&refused).contains("secret"), "{}", text(&refused));
        let refused = connected.call("job", json!({})).await;
        assert_eq!(refused.is_error, Some(true));
        assert!(text(&refused).contains("job 17"), "{}", text(&refused));
        assert!(connected.heard.asked.lock().unwrap().is_empty());
        connected.leave().await;
    }
}

#[tokio::test]
async fn a_sign_in_is_an_address() {
    for era in ERAS {
        let client = Client::new()
            .with(both_modes())
            .answering(|_| ElicitResult::new(ElicitationAction::Accept));
        let connected = connect(serve(executor(&Arc::default())), client, era).await;
        assert_eq!(
            text(&connected.call("sign_in", json!({})).await),
            "signed in"
        );
        let asked = connected.heard.asked.lock().unwrap().clone();
        assert!(matches!(
            &asked[0],
            ElicitRequestParams::UrlElicitationParams { url, .. } if url == "https://github.com/login/device"
        ));
        connected.leave().await;
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_not() {
    let world: Arc<World> = Arc::default();
    let executor = executor(&world);
    let client = || Client::new().with(ClientCapabilities::default());
    let place = json!({"place": "x"});
    let connected = connect(serve(executor.clone()), client(), Era::Stateful).await;
    let refused = connected.call("deploy", place.clone()).await;
    assert_eq!(refused.is_error, Some(true));
    let why = "`deploy` was ended: the client has to answer (Deploy to x), and it cannot, since it does not have the \
        capability `elicitation`";
    assert_eq!(text(&refused), why);
    assert_eq!(
        connected.call("names", json!({})).await.is_error,
        Some(true)
    );
    connected.leave().await;

    let connected = connect(serve(executor.clone()), client(), Era::Stateless).await;
    let error = connected
        .client
        .call_tool(call("deploy", place))
        .await
        .unwrap_err();
    let ServiceError::McpError(error) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.code, ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY);
    assert!(error.data.unwrap()["requiredCapabilities"]["elicitation"].is_object());
    connected.leave().await;
    let open = executor
        .tickets()
        .list(&toolwright::ticket::TicketFilter::all())
        .await
        .unwrap();
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(world.0.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_tool_asks_its_client_in_rounds() {
    for era in ERAS {
        let client = Client::new().answering(|asked| {
            let ElicitRequestParams::FormElicitationParams { message, .. } = asked else {
                panic!("{asked:?}");
            };
            accept(json!({"name": if message.contains("first") { "Ada" } else { "Byron" }}))
        });
        let connected = connect(serve(executor(&Arc::default())), client, era).await;
        assert_eq!(text(&connected.call("names", json!({})).await), "Ada Byron");
        assert_eq!(connected.heard.asked.lock().unwrap().len(), 2);
        connected.leave().await;
        // A tool sees that somebody declines.
        let connected = connect(serve(executor(&Arc::default())), Client::new(), era).await;
        assert_eq!(
            text(&connected.call("names", json!({})).await),
            "action=decline"
        );
        connected.leave().await;
    }
}

#[tokio::test]
async fn an_unattended_executor_denies_and_asks_nobody() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let executor = Executor::builder(registry())
            .resource(Arc::clone(&world))
            .build()
            .unwrap();
        let connected = connect(serve(executor), decided("yes"), era).await;
        let denied = connected.call("deploy", json!({"place": "x"})).await;
        assert_eq!(denied.is_error, Some(true));
        assert!(connected.heard.asked.lock().unwrap().is_empty());
        assert_eq!(world.0.load(Ordering::SeqCst), 0);
        connected.leave().await;
    }
}

#[tokio::test]
async fn in_a_blocking_executor_somebody_else_answers_and_the_call_waits() {
    for era in ERAS {
        let world: Arc<World> = Arc::default();
        let executor = Executor::builder(registry())
            .approvals(WaitMode::Blocking)
            .resource(Arc::clone(&world))
            .build()
            .unwrap();
        let tickets = executor.tickets().clone();
        let mut events = tickets.subscribe();
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                if let toolwright::ticket::TicketEvent::Opened(opened) = event {
                    for ticket in opened {
                        tickets
                            .answer(ticket.id(), toolwright::ticket::Answer::yes())
                            .await
                            .unwrap();
                    }
                }
            }
        });
        let connected = connect(serve(executor), Client::new(), era).await;
        assert_eq!(
            text(&connected.call("deploy", json!({"place": "x"})).await),
            "deployed to x"
        );
        assert!(connected.heard.asked.lock().unwrap().is_empty());
        connected.leave().await;
    }
}
