//! Paths that lead through something that each process has of its own.

use std::path::{Path, PathBuf};

/// The number of links that Linux follows before it says that they go round.
const LINKS: usize = 40;

/// Returns true if a path leads through something that each process has of its own, such as its directory
/// in `/proc/self/cwd`: the process that judges sees another one than the process that runs. Also true if
/// the path has too many links to tell.
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
