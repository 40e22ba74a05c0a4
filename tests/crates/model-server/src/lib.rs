//! A server that stands in for the model APIs: `OpenAI`'s Chat Completions and Responses, Anthropic's Messages and Gemini, whole
//! and streamed. A test says what the model answers, request by request, and looks at the requests that came.
//!
//! ```ignore
//! let server = ModelServer::start([
//!     Reply::call("text_count", &json!({"text": "a b"})),
//!     Reply::text("There are two words."),
//! ]);
//! // A client talks to `server.url()`, by any of the APIs.
//! let request = server.request(2);
//! assert_eq!(request.results(), [r#"{"words":2}"#]);
//! ```
//!
//! The path of a request chooses the API, and the same script serves each. A request that the real API is known to refuse (a
//! call without a result, a result without a call, a tool name outside of the alphabet, a changed signature) is a 400 in
//! the vendor's form of errors, and takes no reply from the script.
//!
//! `clients.py` beside the sources has the vendors' own Python clients talk to it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "it is a part of tests, which fail by panics"
)]

mod reply;
mod request;
mod serve;
mod wire;

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};

pub use reply::{Failure, Reply};
pub use request::Request;
pub use wire::Wire;

/// The longest wait for a request before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. Dropping it closes every connection.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    _over: oneshot::Sender<()>,
}

/// The state that the server and the test share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// A permit for each [`ModelServer::go_on`].
    gate: Semaphore,
}

#[derive(Default)]
struct State {
    script: VecDeque<Reply>,
    key: Option<String>,
    model: Option<String>,
    requests: Vec<Request>,
    /// The numbers of requests whose client went before its answer was whole.
    abandoned: HashSet<usize>,
    issued: wire::Issued,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Changes the state, and wakes who waits for it.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.changed.notify_all();
        changed
    }
}

impl ModelServer {
    /// Starts a server on a free port of this machine, in a thread of its own. It gives one reply of the script to each
    /// request.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                script: script.into_iter().collect(),
                ..State::default()
            }),
            changed: Condvar::new(),
            gate: Semaphore::new(0),
        });
        let (over, ended) = oneshot::channel();
        let served = Arc::clone(&shared);
        thread::spawn(move || serve::serve(listener, served, ended));
        Self {
            address,
            shared,
            _over: over,
        }
    }

    /// Returns the address without a path: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Has each request without this key be a 401. Without a call of it any key is right, and none is too.
    pub fn only_key(&self, key: &str) {
        self.shared.state().key = Some(key.to_owned());
    }

    /// Has each request for another model be a 404.
    pub fn only_model(&self, model: &str) {
        self.shared.state().model = Some(model.to_owned());
    }

    /// Adds a reply to the script.
    pub fn then(&self, reply: Reply) {
        self.shared.state().script.push_back(reply);
    }

    /// Lets one reply that is [held](Reply::held_after) go on: the one that waits, or the next one that would.
    pub fn go_on(&self) {
        self.shared.gate.add_permits(1);
    }

    /// Returns the requests that came until now, those that were refused too.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.state().requests.clone()
    }

    /// Waits for a request by its number, counted from 1.
    #[track_caller]
    pub fn request(&self, number: usize) -> Request {
        self.wait(&format!("request {number}"), |state| {
            state.requests.get(number - 1).cloned()
        })
    }

    /// Waits until the client of a request, counted from 1, has gone before its answer was whole.
    #[track_caller]
    pub fn is_abandoned(&self, number: usize) {
        self.wait(&format!("the end of request {number}"), |state| {
            state.abandoned.contains(&number).then_some(())
        });
    }

    #[track_caller]
    fn wait<T>(&self, what: &str, mut there: impl FnMut(&State) -> Option<T>) -> T {
        let mut state = self.shared.state();
        loop {
            if let Some(found) = there(&state) {
                return found;
            }
            let (locked, waited) = self.shared.changed.wait_timeout(state, PATIENCE).unwrap();
            state = locked;
            assert!(
                !waited.timed_out(),
                "{what} never came; there were {:#?}",
                state.requests
            );
        }
    }
}

impl fmt::Debug for ModelServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelServer")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
