//! Servers that ask for input while a call runs: by a request of their own up to 2025-11-25, by rounds of the call from 2026-07-28 on.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequestParams, ElicitResult, ElicitationAction,
    ProtocolVersion,
};
use rmcp::service::ClientLifecycleMode;
use serde_json::{Value, json};
use toolwright::content::{ErrorKind, ToolResult};
use toolwright::{ToolContext, ToolError};
use toolwright_mcp::client::{AcceptDefaults, AnswerElicitation, ImportOptions};

use crate::fake::{Context, Fake, executor, plain, said};

fn form() -> Value {
    json!({
        "mode": "form",
        "message": "Who is it?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 2, "default": "eve"},
                "age": {"type": "integer", "minimum": 0}
            },
            "required": ["name"]
        }
    })
}

fn address() -> Value {
    json!({"mode": "url", "message": "Sign in", "url": "https://a.example/in", "elicitationId": "1"})
}

/// An answer that is the same to each request; true opens addresses.
struct Answer(Result<Value, &'static str>, bool);

#[async_trait]
impl AnswerElicitation for Answer {
    async fn answer(
        &self,
        _request: &ElicitRequestParams,
        call: Option<&ToolContext>,
    ) -> Result<ElicitResult, ToolError> {
        assert!(call.is_some(), "one call runs");
        let Self(answer, _) = self;
        let answer = answer.clone().map_err(ToolError::failed)?;
        Ok(serde_json::from_value(answer).unwrap())
    }

    fn opens_addresses(&self) -> bool {
        self.1
    }
}

/// A server whose tool asks, and says the answer that it gets. The answers stand in the list too.
fn asking(request: Value) -> (Fake, Arc<Mutex<Vec<Value>>>) {
    let answers = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&answers);
    let fake = Fake::new(
        vec![plain("ask")],
        move |params: CallToolRequestParams, context: Context| {
            let (request, seen) = (request.clone(), Arc::clone(&seen));
            async move {
                let version = context.protocol_version().unwrap();
                let answer = if version.has_initialize() {
                    let request = serde_json::from_value(request).unwrap();
                    let answer = context.peer.create_elicitation(request).await.unwrap();
                    serde_json::to_value(answer).unwrap()
                } else if let Some(answers) = params.input_responses {
                    assert_eq!(params.request_state.as_deref(), Some("state of the server"));
                    serde_json::to_value(&answers["who"]).unwrap()
                } else {
                    let round = json!({
                        "resultType": "input_required",
                        "inputRequests": {"who": {"method": "elicitation/create", "params": request}},
                        "requestState": "state of the server"
                    });
                    let round = serde_json::from_value(round).unwrap();
                    return Ok(CallToolResponse::InputRequired(round));
                };
                seen.lock().unwrap().push(answer.clone());
                said(answer.to_string())
            }
        },
    );
    (fake, answers)
}

fn eras() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover { preferred_versions },
    ]
}

/// The result of a call whose server asks, in each era, and the answers that the server got.
async fn called(
    request: &Value,
    set: impl Fn(ImportOptions) -> ImportOptions,
) -> Vec<(ToolResult, Vec<Value>)> {
    let mut ends = Vec::new();
    for lifecycle in eras() {
        let (fake, answers) = asking(request.clone());
        let imported = fake
            .imported(set(ImportOptions::new().lifecycle(lifecycle)))
            .await;
        let result = executor(&imported).call("fake.ask", "{}").await;
        let answers = answers.lock().unwrap().clone();
        ends.push((result.into_result(), answers));
    }
    ends
}

async fn answered(request: &Value, answer: Value, opens: bool, expected: Value) {
    for (result, answers) in called(request, |options| {
        options.elicitation(Answer(Ok(answer.clone()), opens))
    })
    .await
    {
        assert!(result.is_success(), "{answer}: {result:?}");
        assert_eq!(answers, std::slice::from_ref(&expected), "{answer}");
    }
}

#[tokio::test]
async fn a_form_is_accepted_declined_or_cancelled() {
    let accepted = json!({"action": "accept", "content": {"name": "ada", "age": 36}});
    answered(&form(), accepted.clone(), false, accepted).await;
    for action in ["decline", "cancel"] {
        let answer = json!({"action": action});
        answered(&form(), answer.clone(), false, answer.clone()).await;
        // Nothing that the person has written goes to a server that gets no answer.
        let with_content = json!({"action": action, "content": {"name": "ada"}});
        answered(&form(), with_content, false, answer).await;
    }
}

#[tokio::test]
async fn an_address_is_opened_by_a_host_that_opens_addresses_alone() {
    let accept = json!({"action": "accept"});
    answered(&address(), accept.clone(), true, accept.clone()).await;
    answered(&address(), accept, false, json!({"action": "decline"})).await;
}

#[tokio::test]
async fn a_host_that_answers_nothing_declines() {
    for request in [form(), address()] {
        for (result, answers) in called(&request, |options| options).await {
            assert!(result.is_success(), "{result:?}");
            assert_eq!(answers, [json!({"action": "decline"})]);
        }
    }
}

#[tokio::test]
async fn the_error_of_the_host_is_that_of_the_call_and_the_server_is_told_of_a_cancellation() {
    for (result, answers) in called(&form(), |options| {
        options.elicitation(Answer(Err("nobody is there"), false))
    })
    .await
    {
        let error = result.error().unwrap();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert_eq!(error.message(), "nobody is there");
        assert_eq!(answers, [json!({"action": "cancel"})]);
    }
}

#[tokio::test]
async fn an_answer_that_breaks_the_schema_of_the_form_is_not_sent() {
    for content in [
        json!({}),
        json!({"name": "s"}),
        json!({"name": 5}),
        json!({"name": "s3cret", "age": -1}),
        json!({"name": "s3cret", "age": "36"}),
        json!(["s3cret"]),
        json!("s3cret"),
        Value::Null,
    ] {
        let answer = json!({"action": "accept", "content": content});
        for (result, answers) in called(&form(), |options| {
            options.elicitation(Answer(Ok(answer.clone()), false))
        })
        .await
        {
            let error = result.error().unwrap_or_else(|| panic!("{content}"));
            assert_eq!(
                (error.kind(), error.code()),
                (ErrorKind::Failed, "mcp_form")
            );
            assert!(!result.text().contains("s3cret"), "{}", result.text());
            assert_eq!(answers, [json!({"action": "cancel"})], "{content}");
        }
    }
}

#[tokio::test]
async fn defaults_are_accepted_where_each_required_field_has_one() {
    let mut without = form();
    without["requestedSchema"]["required"] = json!(["name", "age"]);
    for (request, expected) in [
        (
            form(),
            json!({"action": "accept", "content": {"name": "eve"}}),
        ),
        (without, json!({"action": "decline"})),
        (address(), json!({"action": "decline"})),
    ] {
        for (result, answers) in
            called(&request, |options| options.elicitation(AcceptDefaults)).await
        {
            assert!(result.is_success(), "{result:?}");
            assert_eq!(answers, std::slice::from_ref(&expected));
        }
    }
}

#[tokio::test]
async fn a_server_that_asks_without_end_gets_no_further_answer() {
    let fake = Fake::new(vec![plain("ask")], async |_, _| {
        let round = json!({
            "resultType": "input_required",
            "inputRequests": {"who": {"method": "elicitation/create", "params": form()}}
        });
        Ok(CallToolResponse::InputRequired(
            serde_json::from_value(round).unwrap(),
        ))
    });
    let [_, modern] = eras();
    let accepted = json!({"action": ElicitationAction::Accept, "content": {"name": "ada"}});
    let options = ImportOptions::new()
        .lifecycle(modern)
        .elicitation(Answer(Ok(accepted), false));
    let imported = fake.imported(options).await;
    let result = executor(&imported).call("fake.ask", "{}").await;
    let result = result.into_result();
    let error = result.error().unwrap();
    assert_eq!(error.code(), "mcp_error");
    let rounds = fake.calls().len();
    assert_eq!(
        error.message(),
        format!("the MCP server `fake` asked for input {rounds} times and gave no result")
    );
}
