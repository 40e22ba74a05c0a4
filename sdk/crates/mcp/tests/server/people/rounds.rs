//! Rounds of input where each request stands for itself: the state that a client brings back.

use super::*;

async fn once(
    connected: &Connected,
    request: CallToolRequestParams,
) -> Result<CallToolResponse, ServiceError> {
    connected.client.peer().call_tool_once(request).await
}

fn required(response: CallToolResponse) -> InputRequiredResult {
    match response {
        CallToolResponse::InputRequired(required) => required,
        other => panic!("{other:?}"),
    }
}

fn complete(response: CallToolResponse) -> String {
    match response {
        CallToolResponse::Complete(result) => text(&result),
        other => panic!("{other:?}"),
    }
}

fn with(
    mut request: CallToolRequestParams,
    responses: Value,
    state: Option<&str>,
) -> CallToolRequestParams {
    request.input_responses = serde_json::from_value(responses).unwrap();
    request.request_state = state.map(str::to_owned);
    request
}

#[tokio::test]
async fn several_requests_of_a_tool_come_in_one_round_and_take_no_state() {
    let mut capabilities = both_modes();
    capabilities.sampling.get_or_insert_default();
    capabilities.roots.get_or_insert_default();
    let client = Client::new().with(capabilities);
    let connected = connect(serve(executor(&Arc::default())), client, Era::Stateless).await;
    let asked = required(
        once(&connected, call("everything", json!({})))
            .await
            .unwrap(),
    );
    let requests = asked.input_requests.unwrap();
    assert_eq!(
        requests.keys().collect::<Vec<_>>(),
        ["greeting", "name", "roots"]
    );
    let name = json!({"action": "accept", "content": {"name": "Ada"}});
    let greeting =
        json!({"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"});
    let all = json!({"name": name, "greeting": greeting, "roots": {"roots": []}, "more": 1});
    let request = with(call("everything", json!({})), all, None);
    assert_eq!(complete(once(&connected, request).await.unwrap()), "3");
    // If one is missing or malformed, all is asked again.
    for some in [
        json!({"name": name}),
        json!({"name": 12345, "greeting": greeting, "roots": {"roots": []}}),
    ] {
        let request = with(call("everything", json!({})), some, None);
        assert!(
            required(once(&connected, request).await.unwrap())
                .request_state
                .is_some()
        );
    }
    connected.leave().await;
}

#[tokio::test]
async fn an_approval_takes_the_state_that_it_was_asked_with() {
    let world: Arc<World> = Arc::default();
    let runs = || world.0.load(Ordering::SeqCst);
    let executor = executor(&world);
    let connected = connect(serve(executor.clone()), Client::new(), Era::Stateless).await;
    let deploy = |place: &str| call("deploy", json!({"place": place}));
    let yes = || json!({"approval": {"action": "accept", "content": {"decision": "yes"}}});
    let refused = |answered: Result<CallToolResponse, ServiceError>| match answered {
        Err(ServiceError::McpError(error)) => {
            assert_eq!(error.code, ErrorCode::INVALID_PARAMS, "{}", error.message);
            assert!(error.message.contains("requestState"), "{}", error.message);
            error.message.into_owned()
        }
        other => panic!("{other:?}"),
    };
    // A yes without a state is none.
    let asked = required(
        once(&connected, with(deploy("a"), yes(), None))
            .await
            .unwrap(),
    );
    let state = asked.request_state.unwrap();
    // Changed, of nobody, of another call, of other arguments.
    for forged in [
        format!("{state}-TAMPERED"),
        state.replace("Deploy to a", "Deploy to b"),
        "{}".to_owned(),
        String::new(),
    ] {
        refused(once(&connected, with(deploy("a"), yes(), Some(&forged))).await);
    }
    let told = refused(once(&connected, with(deploy("b"), yes(), Some(&state))).await);
    assert!(told.contains("other arguments"), "{told}");
    refused(
        once(
            &connected,
            with(call("names", json!({"place": "a"})), yes(), Some(&state)),
        )
        .await,
    );
    // The state of another connection.
    let other = connect(serve(executor.clone()), Client::new(), Era::Stateless).await;
    let told = refused(once(&other, with(deploy("a"), yes(), Some(&state))).await);
    assert!(told.contains("another session"), "{told}");
    other.leave().await;
    assert_eq!(runs(), 0);
    // The right one is good once, whatever was tried before.
    let without = required(
        once(&connected, with(deploy("a"), json!({}), Some(&state)))
            .await
            .unwrap(),
    );
    assert_eq!(without.request_state.as_ref(), Some(&state));
    let done = once(&connected, with(deploy("a"), yes(), Some(&state)))
        .await
        .unwrap();
    assert_eq!(complete(done), "deployed to a");
    refused(once(&connected, with(deploy("a"), yes(), Some(&state))).await);
    assert_eq!(runs(), 1);
    connected.leave().await;
}

#[tokio::test]
async fn a_state_expires() {
    let world: Arc<World> = Arc::default();
    let executor = Executor::builder(registry())
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_lifetime(Duration::from_millis(1)),
        )
        .resource(Arc::clone(&world))
        .build()
        .unwrap();
    let connected = connect(serve(executor), Client::new(), Era::Stateless).await;
    let deploy = || call("deploy", json!({"place": "a"}));
    let asked = required(once(&connected, deploy()).await.unwrap());
    tokio::time::sleep(Duration::from_millis(5)).await;
    let yes = json!({"approval": {"action": "accept", "content": {"decision": "yes"}}});
    let answered = once(
        &connected,
        with(deploy(), yes, asked.request_state.as_deref()),
    )
    .await;
    let Err(ServiceError::McpError(error)) = answered else {
        panic!("{answered:?}");
    };
    assert!(
        error.message.contains("the time of the ticket is over"),
        "{}",
        error.message
    );
    assert_eq!(world.0.load(Ordering::SeqCst), 0);
    connected.leave().await;
}
