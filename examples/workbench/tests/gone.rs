//! Waiting for processes, for the tests of the program and of its parts.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

/// The longest that anything may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

#[track_caller]
pub(crate) fn wait_until<T>(mut there: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = there() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "it never came");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns true if a process is gone, or dead and not yet reaped by the process that inherited it.
fn is_gone(pid: i32) -> bool {
    if let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) {
        // The state comes after the name, which may hold anything in parentheses.
        return stat
            .rsplit(')')
            .next()
            .unwrap()
            .trim_start()
            .starts_with('Z');
    }
    test_kill_process(Pid::from_raw(pid).unwrap()).is_err()
}

#[track_caller]
pub(crate) fn all_go(pids: &[i32]) {
    for &pid in pids {
        wait_until(|| is_gone(pid).then_some(()));
    }
}
