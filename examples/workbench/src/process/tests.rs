//! Tests of lines that nobody waits for any more.
#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use std::fs;
use std::path::Path;

use clap::Parser as _;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use self::gone::{all_go, wait_until};
use super::*;

/// Shared with the tests of the whole program.
#[path = "../../tests/gone.rs"]
mod gone;

/// A child, a grandchild in the background, and one that does not want to end.
const FAMILY: &str = r#"
    sleep 300 & echo $! >> pids
    bash -c 'sleep 300 & echo $! >> pids; wait' &
    bash -c 'trap "" TERM; echo $$ >> pids; while :; do sleep 300; done' &
    echo $$ >> pids
    wait
"#;

fn processes() -> (TempDir, Processes) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().to_str().unwrap();
    let cli = Cli::try_parse_from(["workbench", "--root", root, "list"]).unwrap();
    let processes = Processes::of(&cli).unwrap();
    (dir, processes)
}

fn job(processes: &Processes, line: &str) -> Job {
    Job {
        line: line.to_owned(),
        directory: Directory::open(processes.root()).unwrap(),
        input: None,
        timeout: Duration::from_secs(600),
    }
}

/// The four processes of [`FAMILY`], once they are there.
fn family(dir: &Path) -> Vec<i32> {
    wait_until(|| {
        let text = fs::read_to_string(dir.join("pids")).unwrap_or_default();
        let whole = text.ends_with('\n').then_some(text)?;
        let pids: Vec<i32> = whole.lines().map(|pid| pid.parse().unwrap()).collect();
        (pids.len() == 4).then_some(pids)
    })
}

#[test]
fn a_dropped_call_ends_its_processes() {
    let (dir, processes) = processes();
    let runtime = Runtime::new().unwrap();
    let call = {
        let processes = processes.clone();
        runtime.spawn(async move { processes.run(job(&processes, FAMILY), None).await })
    };
    let pids = family(dir.path());
    call.abort();
    runtime.block_on(processes.idle());
    all_go(&pids);
}

#[test]
fn a_runtime_that_goes_takes_the_processes_with_it() {
    let (dir, processes) = processes();
    let runtime = Runtime::new().unwrap();
    runtime.spawn(async move { processes.run(job(&processes, FAMILY), None).await });
    let pids = family(dir.path());
    runtime.shutdown_background();
    all_go(&pids);
}

#[test]
fn all_can_be_killed_at_once() {
    let (dir, processes) = processes();
    let runtime = Runtime::new().unwrap();
    let call = {
        let processes = processes.clone();
        runtime.spawn(async move { processes.run(job(&processes, FAMILY), None).await })
    };
    let pids = family(dir.path());
    processes.kill_all();
    all_go(&pids);
    let ended = runtime.block_on(call).unwrap().unwrap();
    assert!(
        matches!(ended.how, How::Exited(status) if status.code().is_none()),
        "{ended:?}"
    );
    runtime.block_on(processes.idle());
    // There is nothing to kill, and no number is signalled that another may have by now.
    processes.kill_all();
}

#[test]
fn what_is_just_starting_is_killed_too_and_no_other_starts() {
    let (dir, processes) = processes();
    let runtime = Runtime::new().unwrap();
    let line = "echo $$ >> pids; sleep 300";
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let processes = processes.clone();
            runtime.spawn(async move { processes.run(job(&processes, line), None).await })
        })
        .collect();
    // While some run and others start.
    wait_until(|| dir.path().join("pids").exists().then_some(()));
    processes.kill_all();
    for call in calls {
        if let Ok(ended) = runtime.block_on(call).unwrap() {
            assert!(
                matches!(ended.how, How::Exited(status) if status.code().is_none()),
                "{ended:?}"
            );
        }
    }
    let text = fs::read_to_string(dir.path().join("pids")).unwrap();
    let pids: Vec<i32> = text.lines().map(|pid| pid.parse().unwrap()).collect();
    all_go(&pids);
    let later = runtime.block_on(processes.run(job(&processes, "touch ran"), None));
    assert!(matches!(later, Err(NotRun::Io(_))), "{later:?}");
    assert!(!dir.path().join("ran").exists());
}

#[test]
fn calls_side_by_side_do_not_mix() {
    let (_dir, processes) = processes();
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let calls: Vec<_> = (0..20)
            .map(|number| {
                let processes = processes.clone();
                tokio::spawn(async move {
                    let line = format!("echo {number}; exit {number}");
                    processes.run(job(&processes, &line), None).await.unwrap()
                })
            })
            .collect();
        for (call, number) in calls.into_iter().zip(0..) {
            let ended = call.await.unwrap();
            assert_eq!(ended.output, number.to_string());
            assert!(
                matches!(ended.how, How::Exited(status) if status.code() == Some(number)),
                "{ended:?}"
            );
        }
    });
}

#[test]
fn a_line_runs_in_the_directory_that_was_judged() {
    use std::os::unix::fs::symlink;
    let (dir, processes) = processes();
    let root = dir.path().canonicalize().unwrap();
    for name in ["judged", "elsewhere"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    let directory = Directory::open(&root.join("judged")).unwrap();
    // Between the judgement and the start, the path comes to lead elsewhere.
    fs::rename(root.join("judged"), root.join("moved")).unwrap();
    symlink("elsewhere", root.join("judged")).unwrap();
    assert!(Directory::open(&root.join("judged")).is_err());
    let job = Job {
        directory,
        ..job(&processes, "touch ran; pwd -P")
    };
    let runtime = Runtime::new().unwrap();
    let ended = runtime.block_on(processes.run(job, None)).unwrap();
    assert!(!root.join("elsewhere/ran").exists());
    if cfg!(target_os = "linux") {
        assert!(root.join("moved/ran").exists());
        assert_eq!(Path::new(ended.output.trim_end()), root.join("moved"));
    }
}
