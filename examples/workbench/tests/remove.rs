//! `fs.remove`.

use std::fs;

use serde_json::{Value, json};

use crate::{Bench, Ended};

fn remove(bench: &Bench, path: &str, recursive: bool) -> Ended {
    let arguments = json!({"path": path, "recursive": recursive});
    bench.call_with(&["--yes"], "fs.remove", &arguments)
}

#[track_caller]
fn assert_there(bench: &Bench, names: &[&str]) {
    let mut there: Vec<_> = fs::read_dir(&bench.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, names);
    assert_eq!(
        fs::read_to_string(bench.outside().join("secret.txt")).unwrap(),
        "a secret\n"
    );
}

#[test]
fn files_and_empty_directories_and_trees_when_asked() {
    let bench = Bench::new();
    bench.tree(&[("a.txt", ""), ("b/c/d.txt", ""), ("b/e.txt", "")]);
    fs::create_dir(bench.path("empty")).unwrap();
    assert_eq!(remove(&bench, "a.txt", false).exits(0), "removed `a.txt`\n");
    assert_eq!(remove(&bench, "empty", false).exits(0), "removed `empty`\n");
    let full = remove(&bench, "b", false);
    assert_eq!(
        full.exits(1),
        "`b` is not empty (2 entries): `recursive` removes a directory with all that is in it\n"
    );
    assert_there(&bench, &["b"]);
    assert_eq!(
        remove(&bench, "b/", true).exits(0),
        "removed `b/` and 3 files and directories in it\n"
    );
    assert_there(&bench, &[]);
    let gone = remove(&bench, "b", true);
    assert_eq!(gone.exits(1), "`b` does not exist\n");
}

#[test]
fn nothing_is_removed_without_approval_or_outside() {
    let bench = Bench::new();
    bench.tree(&[("sub/a.txt", "")]);
    let arguments: Value = json!({"path": "sub", "recursive": true});
    let denied = bench.call("fs.remove", &arguments);
    assert!(
        denied.exits(3).contains("needs approval"),
        "{}",
        denied.stdout
    );
    let absolute = bench.outside().join("secret.txt");
    for path in [
        "..",
        "../secret.txt",
        "sub/../../secret.txt",
        absolute.to_str().unwrap(),
        "/",
        "missing/../../secret.txt",
    ] {
        let denied = remove(&bench, path, true);
        assert!(
            denied.exits(3).contains("outside"),
            "{path}: {}",
            denied.stdout
        );
    }
    let root = bench.root.to_str().unwrap();
    for path in [".", "sub/..", "./", root] {
        let refused = remove(&bench, path, true);
        assert_eq!(
            refused.exits(1),
            "the workspace itself cannot be removed\n",
            "{path}"
        );
    }
    assert_there(&bench, &["sub"]);
}

#[cfg(unix)]
#[test]
fn a_link_goes_and_what_it_leads_to_stays() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    bench.tree(&[("kept/a.txt", ""), ("sub/b.txt", "")]);
    let links = [
        ("../secret.txt", "to-file"),
        ("..", "to-directory"),
        ("kept", "inside"),
        ("nowhere", "dangling"),
        ("loop", "loop"),
    ];
    for recursive in [false, true] {
        for (to, name) in links {
            symlink(to, bench.path(name)).unwrap();
            let text = format!("removed `{name}`\n");
            assert_eq!(remove(&bench, name, recursive).exits(0), text);
        }
    }
    assert_there(&bench, &["kept", "sub"]);

    // Also where they are in a tree.
    for (to, name) in links {
        symlink(to, bench.path("sub").join(name)).unwrap();
    }
    symlink(bench.outside(), bench.path("sub/absolute")).unwrap();
    remove(&bench, "sub", true).exits(0);
    assert_there(&bench, &["kept"]);
    assert!(bench.path("kept/a.txt").exists());

    // A path behind a link is judged by the link's target.
    symlink("..", bench.path("up")).unwrap();
    assert!(
        remove(&bench, "up/secret.txt", false)
            .exits(3)
            .contains("outside")
    );
    symlink("kept", bench.path("link")).unwrap();
    remove(&bench, "link/a.txt", false).exits(0);
    assert!(!bench.path("kept/a.txt").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_no_rule_can_judge_keeps_its_tree() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let bench = Bench::new();
    bench.tree(&[("sub/new\nline", ""), ("sub/a.txt", "")]);
    let odd = bench.path("sub").join(OsStr::from_bytes(b"\xff"));
    fs::write(&odd, "").unwrap();
    let denied = remove(&bench, "sub", true);
    assert!(
        denied.exits(3).contains("Nothing was removed"),
        "{}",
        denied.stdout
    );
    assert!(bench.path("sub/a.txt").exists());
    fs::remove_file(odd).unwrap();
    remove(&bench, "sub", true).exits(0);
    assert_there(&bench, &[]);
}

#[test]
fn a_deep_tree_is_removed() {
    let bench = Bench::new();
    let deep = "d/".repeat(1000);
    fs::create_dir_all(bench.path(&deep)).unwrap();
    remove(&bench, "d", true).exits(0);
    assert_there(&bench, &[]);
}
