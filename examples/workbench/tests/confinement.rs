//! Nothing leads out of the root, and what is inside is reached by every way.

use std::fs;

use serde_json::{Value, json};

use crate::{Bench, Ended, finish, workbench};

/// Asserts that a call which leads outside is denied.
#[track_caller]
fn assert_denied(ended: &Ended, path: &str) {
    let text = ended.exits(3);
    assert!(text.contains("was denied"), "{path}: {text}");
    assert!(text.contains("outside"), "{path}: {text}");
    assert!(!text.contains("a secret"), "{path}: {text}");
}

/// Every tool for files, on a path, with everything allowed that can be.
fn all_tools(bench: &Bench, path: &str) -> [Ended; 7] {
    let call = |tool: &str, arguments: Value| bench.call_with(&["--yes"], tool, &arguments);
    [
        call("fs.read", json!({"path": path})),
        call("fs.list", json!({"path": path})),
        call("fs.write", json!({"path": path, "content": "overwritten"})),
        call(
            "fs.edit",
            json!({"path": path, "old": "secret", "new": "x"}),
        ),
        call(
            "fs.edit",
            json!({"path": path, "old": "secret", "new": "x", "preview": true}),
        ),
        call("fs.glob", json!({"path": path, "pattern": "**"})),
        call("fs.search", json!({"path": path, "pattern": "."})),
    ]
}

#[track_caller]
fn assert_untouched(bench: &Bench) {
    let secret = fs::read_to_string(bench.outside().join("secret.txt")).unwrap();
    assert_eq!(secret, "a secret\n");
    let mut beside: Vec<_> = fs::read_dir(bench.outside())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    beside.sort();
    assert_eq!(beside, ["root", "secret.txt"]);
}

#[test]
fn dots_and_absolute_paths_lead_nowhere_outside() {
    let bench = Bench::new();
    fs::create_dir(bench.path("sub")).unwrap();
    let absolute = bench.outside().join("secret.txt");
    for path in [
        "../secret.txt",
        "..",
        "sub/../../secret.txt",
        "missing/../../secret.txt",
        "../new.txt",
        "../root-2/new.txt",
        absolute.to_str().unwrap(),
        "/etc/passwd",
        "/",
    ] {
        for ended in all_tools(&bench, path) {
            assert_denied(&ended, path);
        }
    }
    assert_untouched(&bench);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_outside() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    symlink("../secret.txt", bench.path("to-file")).unwrap();
    symlink(
        bench.outside().join("secret.txt"),
        bench.path("to-absolute"),
    )
    .unwrap();
    symlink("..", bench.path("to-directory")).unwrap();
    symlink("../not-yet.txt", bench.path("dangling")).unwrap();
    symlink("to-file", bench.path("to-link")).unwrap();
    for path in [
        "to-file",
        "to-absolute",
        "to-directory",
        "to-directory/secret.txt",
        "to-directory/new.txt",
        "to-directory/root/../secret.txt",
        "dangling",
        "to-link",
    ] {
        for ended in all_tools(&bench, path) {
            assert_denied(&ended, path);
        }
    }
    assert_untouched(&bench);
    // The links themselves can be seen.
    let listed = bench.call("fs.list", &json!({}));
    assert_eq!(listed.exits(0).matches("\"kind\":\"link\"").count(), 5);
}

#[cfg(unix)]
#[test]
fn a_link_in_circles_is_refused() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    symlink("b", bench.path("a")).unwrap();
    symlink("a", bench.path("b")).unwrap();
    for ended in all_tools(&bench, "a") {
        assert!(ended.exits(3).contains("`a`"), "{}", ended.stdout);
    }
}

#[test]
fn an_absolute_path_inside_works() {
    let bench = Bench::new();
    bench.file("a.txt", "inside\n");
    fs::create_dir(bench.path("sub")).unwrap();
    for path in [bench.path("a.txt"), bench.path("sub/../a.txt")] {
        let read = bench.call("fs.read", &json!({"path": path}));
        assert_eq!(read.exits(0), "     1\tinside\n", "{path:?}");
    }
    let listed = bench.call("fs.list", &json!({"path": bench.root}));
    assert!(listed.exits(0).contains("a.txt"), "{}", listed.stdout);
    let written = bench.path("sub/new.txt");
    let arguments = json!({"path": written, "content": "x"});
    bench.call_with(&["--yes"], "fs.write", &arguments).exits(0);
    assert_eq!(fs::read_to_string(written).unwrap(), "x");
}

#[cfg(unix)]
#[test]
fn links_inside_and_a_root_behind_a_link_work() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    bench.file("a.txt", "inside\n");
    fs::create_dir(bench.path("sub")).unwrap();
    symlink("../a.txt", bench.path("sub/to-file")).unwrap();
    symlink("sub", bench.path("to-sub")).unwrap();
    for path in ["sub/to-file", "to-sub/to-file"] {
        let read = bench.call("fs.read", &json!({"path": path}));
        assert_eq!(read.exits(0), "     1\tinside\n", "{path}");
    }

    let named = bench.outside().join("named");
    symlink(&bench.root, &named).unwrap();
    for path in ["a.txt".into(), named.join("a.txt"), bench.path("a.txt")] {
        let arguments = json!({"path": path}).to_string();
        let mut command = workbench();
        command
            .arg("--root")
            .arg(&named)
            .args(["call", "fs.read", &arguments]);
        assert_eq!(
            finish(&mut command, "").exits(0),
            "     1\tinside\n",
            "{path:?}"
        );
    }
}
