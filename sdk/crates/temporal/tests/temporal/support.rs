//! The server, the tools, and workers that are processes of their own.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::dispatch::{
    DispatchError, DispatchOutcome, DispatchPromises, DispatchedCall, Dispatcher, Submission,
};
use toolwright::executor::{Approvals, Limits, ToolHost};
use toolwright::id::InvocationId;
use toolwright::permission::AllowAll;
use toolwright::spec::Effect;
use toolwright::ticket::TicketKey;
use toolwright::{
    Executor, ExecutorBuilder, ToolContext, ToolError, ToolName, ToolRegistry, ToolSpec, tool_fn,
};
use toolwright_temporal::{TemporalClient, TemporalDispatcher, TemporalServer, TemporalWorker};

/// The time without a sign of life after which a worker counts as gone, in these tests.
pub(crate) const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(2);

/// The time in which something has to have happened.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// The address of the server. Without one, says so and gives none; fails where a server is required.
pub(crate) fn address() -> Option<String> {
    let address = std::env::var("TEMPORAL_ADDRESS")
        .ok()
        .filter(|address| !address.is_empty());
    let is_required = std::env::var("TOOLWRIGHT_SERVICES").is_ok_and(|value| value == "required");
    assert!(
        address.is_some() || !is_required,
        "a server is required: set TEMPORAL_ADDRESS"
    );
    if address.is_none() {
        eprintln!(
            "SKIPPED, WITHOUT A TEMPORAL SERVER: run `scripts/services --only temporal cargo test -p toolwright-temporal`"
        );
    }
    address
}

/// A pool of its own, a folder of its own, and a connection.
pub(crate) struct Place {
    pub(crate) client: TemporalClient,
    pub(crate) pool: String,
    pub(crate) folder: tempfile::TempDir,
    address: String,
}

impl Place {
    pub(crate) async fn new() -> Option<Self> {
        Self::at(address()?).await
    }

    pub(crate) async fn at(address: String) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Some(Self {
            client: TemporalServer::new(&address).connect().await.unwrap(),
            pool: format!("test-{}-{}-{number}", std::process::id(), now.as_micros()),
            folder: tempfile::tempdir().unwrap(),
            address,
        })
    }

    pub(crate) fn dispatcher(&self) -> TemporalDispatcher {
        TemporalDispatcher::new(&self.client).heartbeat_timeout(HEARTBEAT_TIMEOUT)
    }

    pub(crate) fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    pub(crate) fn tools(&self) -> ToolRegistry {
        tools(&self.pool, &self.notes())
    }

    /// An executor whose calls go through a dispatcher.
    pub(crate) fn executor(&self, dispatcher: TemporalDispatcher) -> Executor {
        keyed(self.tools()).dispatcher(dispatcher).build().unwrap()
    }

    /// A host in this process.
    pub(crate) fn host(&self) -> ToolHost {
        ToolHost::new(&keyed(self.tools()).hosts_pools().build().unwrap())
    }

    /// A call as an executor of these tools signs it, for a dispatcher to be given by hand.
    pub(crate) async fn signed(&self, tool: &'static str, arguments: Value) -> DispatchedCall {
        let taker = Taker::default();
        let executor = keyed(self.tools())
            .dispatcher(taker.clone())
            .build()
            .unwrap();
        executor.call(tool, arguments.to_string()).await;
        let call = taker.0.lock().unwrap().take();
        call.unwrap()
    }

    /// A worker in this process, until the test ends.
    pub(crate) fn work(&self, host: ToolHost) {
        let worker = TemporalWorker::new(&self.client, host).pools([&self.pool]);
        tokio::spawn(worker.heartbeat_interval(Duration::from_millis(200)).run());
    }

    /// A worker in a process of its own: this test program, where it runs `worker_process` alone.
    pub(crate) fn worker(&self) -> WorkerProcess {
        let program = std::env::current_exe().unwrap();
        let mut command = Command::new(program);
        command.args(["--exact", "support::worker_process", "--nocapture"]);
        command
            .env("WORKER_POOL", &self.pool)
            .env("WORKER_NOTES", self.notes());
        command.env("WORKER_ADDRESS", &self.address);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        WorkerProcess(command.spawn().unwrap())
    }

    /// The lines that the tools have noted: of each body its begin and its end.
    pub(crate) fn noted(&self) -> Vec<Note> {
        let text = std::fs::read_to_string(self.notes()).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The first `count` notes, once they are there.
    pub(crate) async fn wait_for_notes(&self, count: usize) -> Vec<Note> {
        let waiting = async {
            loop {
                let noted = self.noted();
                if noted.len() >= count {
                    return noted;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        waited.unwrap_or_else(|_| panic!("{count} notes, and there are {:?}", self.noted()))
    }
}

/// A dispatcher that runs nothing and keeps the last call.
#[derive(Clone, Default)]
struct Taker(Arc<Mutex<Option<DispatchedCall>>>);

#[async_trait]
impl Dispatcher for Taker {
    fn promises(&self) -> DispatchPromises {
        let mut promises = DispatchPromises::default();
        promises.outlives_process = true;
        promises
    }

    async fn submit(&self, call: &DispatchedCall) -> Result<Submission, DispatchError> {
        *self.0.lock().unwrap() = Some(call.clone());
        Err(DispatchError::refused("it is taken aside"))
    }

    async fn knows(&self, _: InvocationId) -> Result<bool, DispatchError> {
        Ok(false)
    }

    async fn outcome(
        &self,
        call: InvocationId,
        _: Duration,
    ) -> Result<Option<DispatchOutcome>, DispatchError> {
        Err(DispatchError::unknown(call))
    }

    async fn cancel(&self, _: InvocationId) -> Result<(), DispatchError> {
        Ok(())
    }
}

/// A line of the file: a sign that a body was somewhere.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Note {
    pub(crate) what: String,
    pub(crate) key: String,
    pub(crate) process: u32,
}

/// A worker that is killed at its end at the latest.
pub(crate) struct WorkerProcess(Child);

impl WorkerProcess {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// As `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An executor with the key of the tests.
pub(crate) fn keyed(tools: ToolRegistry) -> ExecutorBuilder {
    Executor::builder(tools)
        .approvals(Approvals::new().ticket_key(TicketKey::from_bytes([9; 32])))
        .permission_checker(AllowAll)
        .limits(
            Limits::new()
                .max_input_bytes(1 << 23)
                .max_output_bytes(1 << 23),
        )
}

/// Tools that note when their bodies begin and end.
pub(crate) fn tools(pool: &str, notes: &Path) -> ToolRegistry {
    let spec = |name: &str, effect| {
        ToolSpec::new(ToolName::new(name.to_owned()).unwrap(), "For tests.")
            .with_pool(pool.to_owned())
            .with_effect(effect)
            .with_timeout(PATIENCE)
            .with_input_schema(json!({"type": "object"}))
    };
    let body = |notes: PathBuf| {
        move |arguments: Value, ctx: ToolContext| {
            let notes = notes.clone();
            async move {
                let key = ctx.invocation_id().to_string();
                note(&notes, "begin", &key);
                let time = Duration::from_millis(arguments["ms"].as_u64().unwrap_or(0));
                let slept = ctx
                    .cancellation()
                    .run_until_cancelled(tokio::time::sleep(time))
                    .await;
                note(
                    &notes,
                    if slept.is_some() { "end" } else { "cancelled" },
                    &key,
                );
                let cancelled = || ToolError::new(ErrorKind::Cancelled, "it was told to end");
                slept
                    .ok_or_else(cancelled)
                    .map(|()| std::process::id().to_string())
            }
        }
    };
    let brief = |name: &str, seconds| {
        spec(name, Effect::AtMostOnce).with_timeout(Duration::from_secs(seconds))
    };
    let echo = |arguments: Value, _| async move {
        let times = usize::try_from(arguments["times"].as_u64().unwrap_or(1)).unwrap();
        Ok::<_, ToolError>(arguments["text"].as_str().unwrap_or("").repeat(times))
    };
    ToolRegistry::new()
        .with(tool_fn(
            spec("note.again", Effect::Idempotent),
            body(notes.to_owned()),
        ))
        .with(tool_fn(
            spec("note.once", Effect::AtMostOnce),
            body(notes.to_owned()),
        ))
        .with(tool_fn(brief("note.brief", 3), body(notes.to_owned())))
        .with(tool_fn(spec("echo", Effect::Idempotent), echo))
}

fn note(file: &Path, what: &str, key: &str) {
    let note = Note {
        what: what.to_owned(),
        key: key.to_owned(),
        process: std::process::id(),
    };
    let line = serde_json::to_string(&note).unwrap() + "\n";
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .unwrap();
    file.write_all(line.as_bytes()).unwrap();
}

/// A worker, if the variables say so; no test.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn worker_process() {
    let Ok(pool) = std::env::var("WORKER_POOL") else {
        return;
    };
    let notes = PathBuf::from(std::env::var("WORKER_NOTES").unwrap());
    let address = std::env::var("WORKER_ADDRESS").unwrap();
    let client = TemporalServer::new(address).connect().await.unwrap();
    let host = keyed(tools(&pool, &notes)).hosts_pools().build().unwrap();
    let worker = TemporalWorker::new(&client, ToolHost::new(&host)).pools([pool]);
    worker
        .heartbeat_interval(Duration::from_millis(200))
        .run()
        .await
        .unwrap();
}
