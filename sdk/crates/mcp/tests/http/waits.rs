//! Calls of the stateless era that wait for an answer: one request asks, another one brings it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::TicketFilter;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_mcp::server::Principal;
use toolwright_mcp::server::http::BearerTokens;

use crate::until;
use crate::wire::{Answer, Post};

const ALICE: &str = "alices-token-0c2f9d1e7b6a4f3d8e5c";
const BOB: &str = "bobs-token-d41d8cd98f00b204e980";

/// The numbers of deployments and of sessions that have ended.
#[derive(Default)]
struct World {
    runs: watch::Sender<usize>,
    ended: watch::Sender<usize>,
}

/// Deploy to a place.
#[tool(register = false, cleanup = { let _ = session; world.ended.send_modify(|count| *count += 1) })]
fn deploy(place: String, world: &Arc<World>) -> String {
    world.runs.send_modify(|count| *count += 1);
    format!("deployed to {place}")
}

struct Server {
    at: SocketAddr,
    world: Arc<World>,
    executor: Executor,
}

impl Server {
    async fn start(lifetime: Duration) -> Self {
        let world = Arc::new(World::default());
        let approvals = Approvals::new()
            .waiting(WaitMode::Suspending)
            .ticket_lifetime(lifetime);
        let executor = Executor::builder(ToolRegistry::new().with(Deploy))
            .resource(Arc::clone(&world))
            .approvals(approvals)
            .build()
            .unwrap();
        let tokens = BearerTokens::new()
            .token(ALICE, Principal::new("alice"))
            .token(BOB, Principal::new("bob"));
        let server = toolwright_mcp::serve(executor.clone()).authenticate(tokens);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        tokio::spawn(server.http_on(listener));
        Self {
            at,
            world,
            executor,
        }
    }

    fn runs(&self) -> usize {
        *self.world.runs.borrow()
    }

    fn ended(&self) -> usize {
        *self.world.ended.borrow()
    }

    async fn open_tickets(&self) -> usize {
        let broker = self.executor.tickets();
        broker.list(&TicketFilter::all()).await.unwrap().len()
    }

    async fn deploy(&self, place: &str, more: &Value, token: &str) -> Answer {
        let mut params = json!({"name": "deploy", "arguments": {"place": place}});
        if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        Post::new_era(1, "tools/call", params)
            .header("Mcp-Name", "deploy")
            .token(token)
            .send(self.at)
            .await
    }

    /// Asks for a deployment; the state that comes back.
    async fn ask(&self, place: &str, token: &str) -> String {
        let asked = self.deploy(place, &json!({}), token).await;
        let result = asked.message()["result"].clone();
        assert_eq!(result["resultType"], "input_required", "{asked:?}");
        result["requestState"].as_str().unwrap().to_owned()
    }
}

fn yes(state: &str) -> Value {
    let yes = json!({"action": "accept", "content": {"decision": "yes"}});
    json!({"inputResponses": {"approval": yes}, "requestState": state})
}

#[tokio::test]
async fn the_session_of_a_request_is_there_until_its_call_is_complete() {
    let server = Server::start(Duration::from_secs(3600)).await;
    let asked = server.deploy("a", &json!({}), ALICE).await;
    let result = &asked.message()["result"];
    let form = &result["inputRequests"]["approval"]["params"]["requestedSchema"];
    let choices = form["properties"]["decision"]["oneOf"].as_array().unwrap();
    // A session of one call has nothing to decide for more than one.
    let words: Vec<&Value> = choices.iter().map(|choice| &choice["const"]).collect();
    assert_eq!(words, ["yes", "no"]);
    let state = result["requestState"].as_str().unwrap();
    assert_eq!((server.runs(), server.ended()), (0, 0));
    assert_eq!(server.open_tickets().await, 1);

    let done = server.deploy("a", &yes(state), ALICE).await;
    assert_eq!(
        done.message()["result"]["content"][0]["text"],
        "deployed to a"
    );
    until(&server.world.ended, 1).await;
    assert_eq!(server.runs(), 1);
    assert_eq!(server.open_tickets().await, 0);
}

#[tokio::test]
async fn a_state_is_worth_nothing_to_another_principal_and_for_another_call() {
    let server = Server::start(Duration::from_secs(3600)).await;
    let state = server.ask("a", ALICE).await;
    let of_bob = server.ask("a", BOB).await;
    for (place, state, token) in [
        ("a", state.clone(), BOB),
        ("a", of_bob, ALICE),
        ("b", state.clone(), ALICE),
        ("a", state.replacen(r#""a""#, r#""b""#, 1), ALICE),
        ("a", format!("{state}x"), ALICE),
        ("a", "{}".to_owned(), ALICE),
    ] {
        let refused = server.deploy(place, &yes(&state), token).await;
        assert_eq!(refused.message()["error"]["code"], -32602, "{refused:?}");
        assert!(refused.text().contains("requestState"), "{refused:?}");
    }
    assert_eq!((server.runs(), server.ended()), (0, 0));
    // The attempts of others have changed nothing.
    let done = server.deploy("a", &yes(&state), ALICE).await;
    assert_eq!(done.message()["result"]["isError"], false, "{done:?}");
    assert_eq!(server.runs(), 1);
    let again = server.deploy("a", &yes(&state), ALICE).await;
    assert_eq!(again.message()["error"]["code"], -32602, "{again:?}");
    assert_eq!(server.runs(), 1);
}

#[tokio::test]
async fn the_session_of_a_client_that_never_comes_back_ends() {
    let server = Server::start(Duration::from_millis(1)).await;
    let state = server.ask("a", ALICE).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let late = server.deploy("a", &yes(&state), ALICE).await;
    assert_eq!(late.message()["error"]["code"], -32602, "{late:?}");
    // The next request finds that its time is over.
    server.ask("b", BOB).await;
    until(&server.world.ended, 1).await;
    assert_eq!(server.runs(), 0);
}
