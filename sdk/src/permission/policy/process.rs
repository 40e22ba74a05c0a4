//! Paths that lead through what a process has.

use std::path::{Path, PathBuf};

/// As many links as Linux follows before it says that they go round.
const LINKS: usize = 40;

/// Whether a path leads through what a process has, such as its directory in `/proc/self/cwd`: another
/// one for the process that judges than for the one that runs.
pub(super) fn leads_through(path: &Path) -> bool {
    let own = |place: &Path| {
        let mut parts = place.strip_prefix("/proc").ok()?.components();
        let first = parts.next()?.as_os_str().to_str()?.to_owned();
        let number = first.bytes().all(|byte| byte.is_ascii_digit());
        (number || matches!(first.as_str(), "self" | "thread-self")).then_some(())
    };
    let mut left: Vec<_> = path
        .components()
        .rev()
        .map(|part| part.as_os_str().to_owned())
        .collect();
    let mut real = PathBuf::new();
    let mut links = 0;
    while let Some(part) = left.pop() {
        if part == ".." {
            real.pop();
            continue;
        }
        if part != "." {
            real.push(part);
        }
        if own(&real).is_some() {
            return true;
        }
        if let Ok(target) = real.read_link() {
            links += 1;
            if links > LINKS {
                return true;
            }
            let parts = target.components().rev();
            left.extend(parts.map(|part| part.as_os_str().to_owned()));
            real.pop();
        }
    }
    false
}
