//! The workbench as its users meet it: a process with arguments, files, pipes and an exit code.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them within test functions, and not in what these share"
)]

mod arguments;
mod asking;
#[cfg(unix)]
mod bars;
#[cfg(unix)]
mod chat;
mod confinement;
mod edit;
mod ending;
mod forbidden;
mod glob;
#[cfg(unix)]
mod gone;
mod hostile;
mod journal;
#[cfg(unix)]
mod mcp;
mod pipes;
mod policy;
#[cfg(unix)]
mod races;
mod reading;
mod remove;
mod running;
#[cfg(unix)]
mod screen;
mod search;
#[cfg(unix)]
mod serve;
mod shell;
#[cfg(unix)]
mod state;
mod suspending;
mod texts;
mod transcripts;
mod writing;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The longest that any process here may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A root with files in it, and a place beside it that nothing may reach.
struct Bench {
    dir: TempDir,
    root: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(dir.path().join("secret.txt"), "a secret\n").unwrap();
        Self { dir, root }
    }

    /// The directory of the root and the secret.
    fn outside(&self) -> &Path {
        self.dir.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// Files with the directories that they lie in.
    fn tree(&self, files: &[(&str, &str)]) -> &Self {
        for (name, content) in files {
            fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
            self.file(name, content);
        }
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The workbench on the root.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = workbench();
        command.arg("--root").arg(&self.root).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        finish(&mut self.command(arguments), "")
    }

    /// Runs one call, with options before the command.
    fn call_with(&self, options: &[&str], tool: &str, arguments: &Value) -> Ended {
        let arguments = arguments.to_string();
        let all = [options, &["call", tool, &arguments]].concat();
        self.run(&all)
    }

    fn call(&self, tool: &str, arguments: &Value) -> Ended {
        self.call_with(&[], tool, arguments)
    }

    /// `workbench run` on lines from standard input.
    fn run_lines(&self, options: &[&str], lines: &str) -> Ended {
        let all = [options, &["run", "-"]].concat();
        finish(&mut self.command(&all), lines)
    }
}

fn workbench() -> Command {
    Command::new(env!("CARGO_BIN_EXE_workbench"))
}

/// The status and the outputs of a process that has ended.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ended {
    fn of(output: Output) -> Self {
        let ended = Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        ended
    }

    /// Standard output, if the exit code is as expected.
    #[track_caller]
    fn exits(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        &self.stdout
    }

    /// The lines of `workbench run`.
    fn lines(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Runs a process to its end, feeding it a text.
fn finish(command: &mut Command, input: &str) -> Ended {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // In a thread of its own: a pipe holds less than what some tests write. Wrong usage ends a
    // process before it reads, so a broken pipe is no failure.
    let feeder = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let ended = Ended::of(output(child));
    feeder.join().unwrap();
    ended
}

/// Waits for a process, and ends one that hangs.
fn output(child: Child) -> Output {
    let id = child.id();
    let waiter = thread::spawn(move || child.wait_with_output().unwrap());
    let begun = Instant::now();
    while !waiter.is_finished() {
        if begun.elapsed() > PATIENCE {
            let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
            panic!("the process hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
    waiter.join().unwrap()
}
