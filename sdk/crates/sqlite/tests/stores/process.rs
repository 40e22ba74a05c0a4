//! Another process with the stores of a file: `examples/store_process.rs`.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;

/// The longest that an answer may take before the process counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// The requests that wait for an answer. `None` once the process has ended, and nobody gets one any more.
type Asked = Option<HashMap<u64, oneshot::Sender<Value>>>;

/// A process that is killed when it is dropped.
pub(crate) struct Process {
    child: Mutex<Child>,
    input: Mutex<ChildStdin>,
    asked: Arc<Mutex<Asked>>,
    count: AtomicU64,
}

/// The error of another process: the texts of the error and of its causes, and its kind.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) text: String,
    pub(crate) kind: String,
}

pub(crate) fn program() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.set_file_name("examples");
    path.push(format!("store_process{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "cargo build -p toolwright-sqlite --examples makes {}",
        path.display()
    );
    path
}

impl Process {
    /// Starts a process that has a file open.
    pub(crate) async fn start(path: &Path) -> Self {
        let mut command = Command::new(program());
        Self::run(command.arg(path)).await.unwrap()
    }

    /// Starts it as a replica.
    pub(crate) async fn replica(path: &Path, name: &str) -> Result<Self, Failed> {
        let mut command = Command::new(program());
        Self::run(command.arg(path).arg(name)).await
    }

    /// Runs a command that becomes such a process, and waits until the file is open.
    pub(crate) async fn run(command: &mut Command) -> Result<Self, Failed> {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.unwrap();
        let (opened, first) = oneshot::channel();
        let asked = Arc::new(Mutex::new(Some(HashMap::from([(0, opened)]))));
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let answered = Arc::clone(&asked);
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
                let id = answer["id"].as_u64().unwrap();
                let asked = answered.lock().unwrap().as_mut().unwrap().remove(&id);
                // Whoever asked may be gone.
                let _ = asked.unwrap().send(answer);
            }
            *answered.lock().unwrap() = None;
        });
        let process = Self {
            child: Mutex::new(child),
            input: Mutex::new(input),
            asked,
            count: AtomicU64::new(1),
        };
        read(first).await.unwrap().map(|_| process)
    }

    /// Asks for something. `None` if the process ended before it answered.
    pub(crate) async fn ask(&self, action: &str, with: Value) -> Option<Result<Value, Failed>> {
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        let (answered, answer) = oneshot::channel();
        self.asked.lock().unwrap().as_mut()?.insert(id, answered);
        let line = json!({"id": id, "do": {action: with}});
        // A process that was killed reads nothing.
        let _ = writeln!(self.input.lock().unwrap(), "{line}");
        read(answer).await
    }

    /// Asks for something that has to work.
    pub(crate) async fn works(&self, action: &str, with: Value) -> Value {
        self.ask(action, with).await.unwrap().unwrap()
    }

    /// Asks for something that has to fail.
    pub(crate) async fn fails(&self, action: &str, with: Value) -> Failed {
        self.ask(action, with).await.unwrap().unwrap_err()
    }

    /// Ends it by SIGKILL.
    pub(crate) fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        child.wait().unwrap();
    }
}

async fn read(answer: oneshot::Receiver<Value>) -> Option<Result<Value, Failed>> {
    let answer = tokio::time::timeout(PATIENCE, answer).await;
    let mut answer = answer
        .unwrap_or_else(|_| panic!("the process hangs"))
        .ok()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(match answer.get("error") {
        Some(error) => Err(Failed {
            text: text(error),
            kind: text(&answer["kind"]),
        }),
        None => Ok(answer["done"].take()),
    })
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
