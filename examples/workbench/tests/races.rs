//! Links that are put into the way while tools run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use crate::Bench;

/// The text outside of the root, which must neither be seen nor changed.
const SECRET: &str = "the outside secret";

/// Swaps what is at a path with a link, again and again.
fn swap(stop: &AtomicBool, path: &Path, link_to: &Path) {
    let (real, link) = (path.with_extension("real"), path.with_extension("link"));
    symlink(link_to, &link).unwrap();
    while !stop.load(Ordering::Relaxed) {
        // A tool may have removed or replaced what is there: then there is nothing to move.
        let _ = fs::rename(path, &real);
        let _ = fs::rename(&link, path);
        let _ = fs::rename(path, &link);
        let _ = fs::rename(&real, path);
        if !path.exists() {
            make(path);
        }
        if fs::symlink_metadata(&link).is_err() {
            symlink(link_to, &link).unwrap();
        }
    }
}

/// The file or the directory that is really there.
fn make(path: &Path) {
    if path.ends_with("dir") {
        let _ = fs::create_dir(path);
        let _ = fs::write(path.join("file"), "needle\n");
    } else {
        let _ = fs::write(path, "needle\n");
    }
}

#[test]
fn no_link_that_is_swapped_in_leads_out() {
    let bench = Bench::new();
    let out = bench.outside().join("out");
    fs::create_dir(&out).unwrap();
    let secret = format!("needle {SECRET}\n");
    fs::write(out.join("file"), &secret).unwrap();
    fs::write(out.join("a name that is outside"), "").unwrap();
    let (file, dir) = (bench.path("file"), bench.path("dir"));
    make(&file);
    make(&dir);

    let mut calls = String::new();
    for round in 0..200 {
        for path in ["file", "dir/file"] {
            for (tool, arguments) in [
                ("fs.read", json!({"path": path})),
                (
                    "fs.edit",
                    json!({"path": path, "old": "needle", "new": "needle", "all": true}),
                ),
                (
                    "fs.edit",
                    json!({"path": path, "old": "needle", "new": format!("needle {round}")}),
                ),
                ("fs.write", json!({"path": path, "content": "needle\n"})),
                ("fs.search", json!({"pattern": "needle", "path": path})),
            ] {
                calls += &json!({"name": tool, "arguments": arguments}).to_string();
                calls.push('\n');
            }
        }
        for (tool, arguments) in [
            ("fs.search", json!({"pattern": "needle"})),
            ("fs.glob", json!({"pattern": "**"})),
            ("fs.list", json!({"path": "dir"})),
            ("fs.remove", json!({"path": "dir/file"})),
            ("fs.remove", json!({"path": "dir", "recursive": true})),
            ("fs.write", json!({"path": "dir/new", "content": "x"})),
        ] {
            calls += &json!({"name": tool, "arguments": arguments}).to_string();
            calls.push('\n');
        }
    }

    let stop = AtomicBool::new(false);
    let ended = thread::scope(|scope| {
        scope.spawn(|| swap(&stop, &file, &out.join("file")));
        scope.spawn(|| swap(&stop, &dir, &out));
        let ended = bench.run_lines(&["--yes"], &calls);
        stop.store(true, Ordering::Relaxed);
        ended
    });
    assert!(!ended.stdout.contains(SECRET), "it was read");
    assert!(
        !ended.stdout.contains("a name that is outside"),
        "it was listed"
    );
    let lines = ended.lines();
    assert_eq!(lines.len(), 200 * 16);
    // Both ends of the race were seen, or this shows nothing.
    let count = |status: &str| lines.iter().filter(|line| line["status"] == status).count();
    assert!(count("success") > 0 && count("denied") + count("error") > 0);

    assert_eq!(
        fs::read_to_string(out.join("file")).unwrap(),
        secret,
        "it was changed"
    );
    let mut there: Vec<_> = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    there.sort();
    assert_eq!(
        there,
        ["a name that is outside", "file"],
        "something was made or removed"
    );
}
